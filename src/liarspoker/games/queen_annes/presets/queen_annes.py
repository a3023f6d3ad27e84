"""Preset of Queen Anne's Liars' Poker: rules text, options, dealing and sample rounds."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.language import N_

RULES = N_("""\
# Queen Anne's Liars' Poker

Players take turns naming a higher poker hand that exists among all the cards
at the table, until one of them challenges.

## Setup

Two to ten players (best with four to eight) and one deck of 52 cards. Each
player is dealt five cards and looks at them, and gets one card less for each
round they have lost.

## Named hands

A named hand is specific: it exists if at least the cards it names are among all
the players' cards. A better hand doesn't count. From lowest to highest:

| hand            | you name                        | exists if the pool has |
|-----------------|---------------------------------|------------------------|
| high card       | a rank                          | one card of that rank  |
| pair            | a rank                          | two of that rank       |
| two pair        | two ranks, higher first         | two of each            |
| three of a kind | a rank                          | three of that rank     |
| straight        | the highest rank                | the five ranks         |
| flush           | five ranks and a suit           | those five cards       |
| full house      | rank of the three, then the two | three and two          |
| four of a kind  | a rank                          | all four               |
| straight flush  | the highest rank and a suit     | those five cards       |
| royal flush     | a suit                          | ten to ace of the suit |

Hands of the same category compare rank by rank in the order named, then by
suit: clubs, diamonds, hearts, spades. The ace is high, except in A-2-3-4-5,
the lowest straight. Five cards of one suit in sequence must be named as a
straight flush.

## Turns

The first player must name a hand. Then, clockwise, each player either names a
higher hand or challenges the previous player. After the royal flush in spades,
the next player can only challenge.

## Challenge

All cards are shown. If the last named hand exists, the challenger loses the
round; if not, the player who named it loses. "A pair of sevens" exists if there
are three sevens, but not if there are only four aces.

## What a loss costs

The loser gets one card less from then on, and is out after five losses. The
loser opens the next round, or the next player clockwise if the loser is out.
The last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card substitutes for one missing card.
It counts once: if twos are wild, a single two isn't a pair of twos. Five of a
kind can't be named.
""")

PRESET = QueenAnnesPreset(
    id="queen-annes",
    title=N_("Queen Anne's Liars' Poker"),
    badge=N_("Queen Anne’s"),
    seats=(2, 10),
    source=N_("004, Queen Anne's Games: Liars' Poker"),
    summary=N_("Name ever higher poker hands that may exist among all players' cards. Each loss costs a card."),
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=5, loss_costs_card=True),
    emblem=("??", "Kd", "Ks"),
    samples=(
        Sample(
            "sample",
            N_("A round, claim by claim"),
            ("Ann", "Ben", "Cleo"),
            {
                "deal": [
                    ["7h", "7c", "Kd", "9s", "2d"],
                    ["Ah", "Ks", "Kc", "4d", "3s"],
                    ["Jh", "Jd", "8c", "5s", "As"],
                ],
                "actions": ["claim pair 7", "claim pair K", "claim three K", "claim full-house KA", "challenge"],
            },
        ),
        Sample(
            "missing",
            N_("A better hand doesn’t count"),
            ("Ann", "Ben", "Cleo"),
            {
                "deal": [
                    ["4h", "4c", "4d", "4s", "2d"],
                    ["Ah", "Ks", "Tc", "9d", "3s"],
                    ["Jh", "Qd", "8c", "5s", "6s"],
                ],
                "actions": ["claim high A", "claim pair 3", "challenge"],
            },
        ),
    ),
    rules_text=RULES,
)

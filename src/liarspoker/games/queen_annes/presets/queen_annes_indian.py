"""Preset of Liars' Indian Poker: rules text, options, dealing and a sample round."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.language import N_

RULES = N_("""\
# Liars' Indian Poker

Queen Anne's Liars' Poker with the cards on your forehead: you see every
player's cards except your own.

## Setup

Two to ten players and one deck of 52 cards. Each player is dealt five cards and
holds them, without looking, so that everyone else sees them. Players get one
card less for each round they have lost.

## Named hands

A named hand is specific: it exists if at least the cards it names are among all
the players' cards, including your own. A better hand doesn't count. From lowest
to highest:

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
the next player can only challenge. Each claim gives the other players
information about their own cards.

## Challenge

All cards count. If the last named hand exists, the challenger loses the round;
if not, the player who named it loses.

## What a loss costs

The loser gets one card less from then on, so the others see less. A player is
out after five losses. The loser opens the next round, or the next player
clockwise if the loser is out. The last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card substitutes for one missing card.
Five of a kind can't be named.
""")

PRESET = QueenAnnesPreset(
    id="queen-annes-indian",
    title=N_("Liars' Indian Poker"),
    badge=N_("Indian Queen Anne’s"),
    seats=(2, 10),
    source=N_("004, Queen Anne's Games: Liars' Poker, Variant 1"),
    summary=N_("The same game with the cards on the forehead: you see all cards except your own."),
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=5, loss_costs_card=True, blind=True),
    emblem=("Qh", "??", "9c"),
    samples=(
        Sample(
            "sample",
            N_("All cards except your own"),
            ("Ann", "Ben", "Cleo"),
            {
                "deal": [
                    ["7h", "7c", "Kd", "9s", "2d"],
                    ["Ah", "Ks", "Kc", "4d", "3s"],
                    ["Jh", "Jd", "8c", "5s", "As"],
                ],
                "actions": ["claim pair A", "claim two-pair J7", "claim three J", "challenge"],
            },
        ),
    ),
    rules_text=RULES,
)

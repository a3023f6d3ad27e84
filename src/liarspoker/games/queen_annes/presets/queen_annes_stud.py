"""Preset of Liars' Stud: rules text, options, dealing and a sample round."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import OPTIONS, STUD_OPTIONS, Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.language import N_

RULES = N_("""\
# Liars' Stud

Queen Anne's Liars' Poker with two hole cards and an extra card on each turn.

## Setup

Two to ten players and one deck of 52 cards. Each player is dealt two hole
cards, face down, and looks at them.

## Extra cards

On each turn, a player first gets an extra card, even before a challenge. The
first four are dealt face up, the fifth face down for its owner only. After the
fifth turn, players get none.

Each loss costs a player one extra card, starting with the first: after two
losses, the first extra card comes on the third turn. If every remaining player
has lost, the extra cards that nobody would get are skipped for the whole table,
so that extra cards start on the first turn. Dealing stops when the deck is
empty.

## Named hands

A named hand is specific: it exists if at least the cards it names are among all
cards dealt, face up or face down. A better hand doesn't count. From lowest to
highest:

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

## Turns and challenge

The first player must name a hand. Then, clockwise, each player either names a
higher hand or challenges the previous player. On a challenge, all cards are
shown. If the last named hand exists, the challenger loses the round; if not,
the player who named it loses.

## What a loss costs

One extra card in every later round. A player is out after six losses, and with
five still plays the two hole cards. The loser opens the next round, or the next
player clockwise if the loser is out. The last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card substitutes for one missing card.
Five of a kind can't be named.
""")

PRESET = QueenAnnesPreset(
    id="queen-annes-stud",
    title=N_("Liars' Stud"),
    badge=N_("Queen Anne’s Stud"),
    seats=(2, 10),
    source=N_("004, Queen Anne's Games: Liars' Poker, Variant 2"),
    summary=N_("The same game with two hole cards and an extra card on each turn: four face up, one face down."),
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=2, loss_costs_card=False, faces=(True, True, True, True, False)),
    option_infos=(*OPTIONS, *STUD_OPTIONS),
    emblem=("??", "Td", "Js"),
    samples=(
        Sample(
            "sample",
            N_("A card on each turn"),
            ("Ann", "Ben", "Cleo"),
            {
                "deal": [["7h", "2c"], ["7c", "Qd"], ["Jh", "As"]],
                "extras": ["9h", "Qh", "Td", "Qs", "3c"],
                "actions": ["claim pair 7", "claim pair Q", "claim two-pair Q7", "claim three Q", "challenge"],
            },
        ),
    ),
    rules_text=RULES,
)

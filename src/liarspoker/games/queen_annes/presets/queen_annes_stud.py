"""Liars' Stud: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import OPTIONS, STUD_OPTIONS, Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import NAMED_HANDS, QueenAnnesPreset

RULES = f"""\
# Liars' Stud

Queen Anne's Liars' Poker with two cards in the hole and a further card on
each turn.

## Setup

Two to ten players, one deck of 52 cards. Everybody is dealt two cards face
down, and looks at them.

## Further cards

Whenever a player is to act, he first gets a card, also before a challenge:
his first four lie face up, the fifth face down, for him alone to see. After
his fifth turn no more come. Who has lost goes without the first of these
cards, one for each loss: after two losses his first card comes on his third
turn. If all living players have lost, the cards that all go without are left
out for the whole table, and the first turn brings the next one. The deal
stops when the deck is empty.

## Named hands

A named hand is specific: it is there if just these cards are among all cards
dealt, up or down, as many or more. Better hands do not help. From the lowest:

{NAMED_HANDS}

## Turns and challenge

The first player must name a hand. Clockwise, each player then names a higher
one or challenges the player before him. On a challenge all cards are shown.
If the last named hand is there, the challenger loses; otherwise he who named
it does.

## What a loss costs

One further card in every round to come. After six losses a player is out;
with five he still plays his two cards. The loser opens the next round, or the
next player clockwise if he is out. The last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card stands for one card that is
missing. Five of a kind is not named.
"""

PRESET = QueenAnnesPreset(
    id="queen-annes-stud",
    title="Liars' Stud",
    badge="Queen Anne’s Stud",
    seats=(2, 10),
    source="004, Queen Anne's Games: Liars' Poker, Variant 2",
    summary="The same game with two hole cards and a further card on each turn, four up and one down.",
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=2, loss_costs_card=False, faces=(True, True, True, True, False)),
    option_infos=(*OPTIONS, *STUD_OPTIONS),
    emblem=("??", "Td", "Js"),
    samples=(
        Sample(
            "sample",
            "A card before each turn",
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

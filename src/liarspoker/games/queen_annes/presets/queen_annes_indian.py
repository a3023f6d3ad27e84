"""Liars' Indian Poker: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import NAMED_HANDS, QueenAnnesPreset

RULES = f"""\
# Liars' Indian Poker

Queen Anne's Liars' Poker with the cards on the forehead: you see everybody's
cards but your own.

## Setup

Two to ten players, one deck of 52 cards. Everybody is dealt five cards, does
not look at them, and holds them so that all others see them. Who has lost
before gets one card less for each loss.

## Named hands

A named hand is specific: it is there if just these cards are among all cards
of all players, your own included, as many or more. Better hands do not help.
From the lowest:

{NAMED_HANDS}

## Turns

The first player must name a hand. Clockwise, each player then names a higher
one or challenges the player before him. The royal flush in spades can only be
challenged.

## Challenge

All cards are counted. If the last named hand is there, the challenger loses;
otherwise he who named it does. What a player names tells the others what he
sees, and so something of their own cards.

## What a loss costs

The loser gets one card less from now on: the others see less, not he. After
five losses he is out. The loser opens the next round, or the next player
clockwise if he is out. The last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card stands for one card that is
missing, also one of its own rank. Five of a kind is not named.
"""

PRESET = QueenAnnesPreset(
    id="queen-annes-indian",
    title="Liars' Indian Poker",
    badge="Indian Queen Anne’s",
    seats=(2, 10),
    source="004, Queen Anne's Games: Liars' Poker, Variant 1",
    summary="The same game with the cards on the forehead: everybody sees all cards but his own.",
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=5, loss_costs_card=True, blind=True),
    emblem=("Qh", "??", "9c"),
    samples=(
        Sample(
            "sample",
            "Everybody’s cards but your own",
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

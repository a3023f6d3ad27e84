"""Queen Anne's Liars' Poker: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.queen_annes.options import Dealing, QueenAnnesOptions
from liarspoker.games.queen_annes.presets import NAMED_HANDS, QueenAnnesPreset

RULES = f"""\
# Queen Anne's Liars' Poker

Name poker hands that all players' cards may make together, each higher than
the last, until somebody does not believe it.

## Setup

Two to ten players, four to eight are best, one deck of 52 cards. Everybody is
dealt five cards and looks at them. Who has lost before gets one card less for
each loss.

## Named hands

A named hand is specific: it is there if just these cards are among all cards
of all players, as many or more. Better hands do not help. From the lowest:

{NAMED_HANDS}

## Turns

The first player must name a hand. Clockwise, each player then names a higher
one or challenges the player before him. The royal flush in spades can only be
challenged.

## Challenge

All cards are shown. If the last named hand is there, the challenger loses;
otherwise he who named it does. "Pair of sevens" is there with three sevens,
and is not with four aces.

## What a loss costs

The loser gets one card less from now on. After five losses he is out. The
loser opens the next round, or the next player clockwise if he is out. The
last player left wins.

## Wild cards

With `jokers` or `wild_ranks`, each wild card stands for one card that is
missing, also one of its own rank: a single wild two is no pair of twos. Five
of a kind is not named.
"""

PRESET = QueenAnnesPreset(
    id="queen-annes",
    title="Queen Anne's Liars' Poker",
    badge="Queen Anne’s",
    seats=(2, 10),
    source="004, Queen Anne's Games: Liars' Poker",
    summary="Name ever higher poker hands that all players' cards may make together; each loss costs a card.",
    options=QueenAnnesOptions(),
    dealing=Dealing(hand_cards=5, loss_costs_card=True),
    emblem=("??", "Kd", "Ks"),
    samples=(
        Sample(
            "sample",
            "A round, name by name",
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
            "A better hand does not help",
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

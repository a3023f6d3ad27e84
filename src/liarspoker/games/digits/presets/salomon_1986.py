"""Salomon's Liars Poker of 1986: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset

RULES = """\
# Salomon's Liars Poker of 1986

The game of the trading floor: high bids pay more than they cost, and every
hand sets the stake of the next.

## Setup

Two to sixteen players, best three to six; n stands for their number. Each
holds a bill with eight random digits. 1 ranks lowest, 9 next to highest, and
0, called ten, highest. In the first hand the lowest pair of letters around a
serial number opens; among equal pairs, the lowest seat. A star sorts before A.

## Bids

"Five sevens" says that all numbers together hold at least five sevens. A
stronger bid has a higher level, or the same level and a higher digit. No bid
asks for more than eight digits a player.

## Auction

The opener bids. Clockwise, everybody then bids higher or challenges; nobody
passes, and any new bid frees all challengers. A bidder whom all others have
challenged either has the bid counted or makes a stronger one, the rebid. If
all challenge that too, it is counted. If somebody bids over it, all may rebid
again.

## Count

From the bidder's left, each player raises a finger for every digit that
counts, or a fist for none. The numbers stay hidden.

## What is paid

A bid has a multiplier. It rises with the level, and sixes double it.

| level       | up to n+2 | n+3, n+4 | n+5, n+6 | n+7, n+8 | n+9, n+10 |
|-------------|-----------|----------|----------|----------|-----------|
| most digits | 1         | 2        | 3        | 4        | 5         |
| sixes       | 2         | 4        | 6        | 8        | 10        |

| count                           | who pays                                 |
|---------------------------------|------------------------------------------|
| fewer than bid: failed          | bidder to each: stake                    |
| as many or more: made           | each to bidder: stake x multiplier       |
| made, bidder has none: the hero | each to bidder: stake x (multiplier + 1) |
| nobody has any: the skunk       | each to bidder: stake x (2n - 6)         |

A skunk pays that much whatever the bid was: with three players nothing. With
two there is no skunk, and the bid fails. In a game of five at stake 2, a made
"ten sixes" wins 12 from each, 48 in all; if it fails, it costs 2 to each.

## Next hand

The last bidder opens. The new stake is the multiplier of the last bid, made
or not, without the hero's extra and whatever the old stake was; but 2 if the
bidder had none of his digit. Every tenth hand counts double.

## Slips

Slips of fifteen numbers may take the place of bills; `slips` tells how.
Draw lots for the first opener then.
"""

PRESET = DigitPreset(
    id="salomon-1986",
    title="Salomon's Liars Poker of 1986",
    badge="Salomon 1986",
    seats=(2, 16),
    source="000, Liars Poker (LP), rules as of February 10, 1986",
    summary="The trading-floor game: rebids, bonus bids, sixes, the hero, the skunk and progressive stakes.",
    options=DigitOptions(),
    slips=True,
    letters=True,
    emblem=("banknote",),
    samples=(
        Sample(
            "sample",
            "A hand, bid by bid",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["2x6", "3x1", "challenge", "5x6", "challenge", "challenge", "challenge", "count"],
            },
        ),
        Sample(
            "rebid",
            "Challenged all around, and bid once more",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["4x6", "challenge", "challenge", "challenge", "5x8", "challenge", "challenge", "challenge"],
            },
        ),
        Sample(
            "hero",
            "The hero",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["3x4", "challenge", "challenge", "challenge", "count"],
            },
        ),
        Sample(
            "skunk",
            "The skunk",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "48284146", "08183658", "77205516"],
                "actions": ["1x9", "challenge", "challenge", "challenge", "count"],
                "opener": 2,
            },
        ),
    ),
    rules_text=RULES,
)

"""Dollar-bill Liar's Poker: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset

RULES = """\
# Dollar-bill Liar's Poker

Everybody holds a banknote and bids on the serial numbers of all of them.

## Setup

Two to sixteen players. Each draws a bill face down, looks at its eight digits
and keeps them covered. Agree on the stake of a hand, here one unit. Digits
rank from 0, the lowest, to 9. A coin, dice or a card decides who opens.

## Bids

A bid names a level and a digit: "four eights" says that all the numbers
together, the bidder's included, hold at least four eights. No digit is wild.
A stronger bid has a higher level, or the same level and a higher digit. Over
"two fives", "two sixes" and "three zeros" are stronger, "two fours" is not.
No bid may ask for more digits than are on the table, eight a player.

## Auction

The opener must bid. Clockwise, each player then makes a stronger bid or
challenges; nobody may pass. A challenge is not final: as soon as somebody
bids again, all are free again. When every other player in a row has
challenged a bid, the auction is over. Nobody raises a bid of his own.

## Count

All show their bills and count the digit of the last bid. The bid is made if
there are as many as it said, or more. It fails if there are fewer, also if
there are none at all.

## What is paid

| last bid | the bidder                  | each other player |
|----------|-----------------------------|-------------------|
| made     | wins one unit from each     | loses one unit    |
| failed   | loses one unit to each      | wins one unit     |

Three players hold 30661862, 49294146 and 08183658. "Four eights" is made:
one, none and three are four, and the bidder wins two units in all. "Five
eights" fails and costs him two.

## Next hand

The last bidder opens the next hand, whether he won or lost. Everybody draws
a new bill, and the stake is one unit again. Nobody drops out: play as many
hands as you agreed on.

## Slips

This game is played with bills only. `slips` and `salomon-1986` can be played
from slips.
"""

PRESET = DigitPreset(
    id="dollar-bill",
    title="Dollar-bill Liar's Poker",
    badge="Dollar bill",
    seats=(2, 16),
    source="003, dollar bills and their odds (Shackleford)",
    summary="Bid on the serial numbers of everybody's dollar bills; one unit each way.",
    options=DigitOptions(
        order="zero_low",
        rebid=False,
        level_bonus=False,
        sixes=False,
        hero=False,
        none_wins=False,
        progressive=False,
        tenth_double=False,
        reveal="full",
    ),
    emblem=("banknote",),
    samples=(
        Sample(
            "sample",
            "A hand, bid by bid",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["2x0", "2x5", "3x6", "challenge", "4x6", "challenge", "challenge", "challenge"],
            },
        ),
        Sample(
            "failed",
            "One too many",
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["3x8", "challenge", "5x8", "challenge", "challenge", "challenge"],
            },
        ),
    ),
    rules_text=RULES,
)

"""Preset of Salomon's Liars Poker of 1986."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.language import N_

RULES = N_("""\
# Salomon's Liars Poker of 1986

The game of the trading floor: high bids pay more than they cost, and every
hand sets the stake of the next.

## Setup

Two to sixteen players, ideally three to six; n is their number. Each player
holds a bill with eight random digits. 1 ranks lowest, 9 second highest, and
zero highest. The player whose bill has the lowest pair of letters around its
serial number opens the first hand; a star ranks below A. If pairs are equal,
the lowest seat opens.

## Bids

"Five sevens" claims that all numbers together contain at least five sevens. A
stronger bid has a higher level, or the same level and a higher digit. The
level can't exceed eight digits a player.

## Auction

The opener bids. Then, going clockwise, each player bids higher or challenges;
nobody may pass, and after a new bid everybody may bid again. A bidder whom
all others have challenged either counts or makes one stronger bid, the rebid.
If all challenge the rebid too, it is counted. If another player bids over it,
everybody may rebid again.

## Count

Starting at the bidder's left, each player raises a finger for every matching
digit, or a fist for none. The numbers stay hidden.

## Payoffs

A bid has a multiplier. It increases with the level and doubles for sixes.

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

A skunk pays the same for every bid; with three players it pays nothing. With
two players there is no skunk, and the bid fails. In a game of five at stake 2,
a made "ten sixes" wins 12 from each, 48 in all; if it fails, it costs 2 to
each.

## Next hand

The last bidder opens. The new stake is the multiplier of the last bid, whether
it was made or not, without the hero's extra multiple and regardless of the old
stake. If the bidder held none of the digit, the new stake is 2. Every tenth
hand counts double.

## Slips

You can play with slips of fifteen numbers instead of bills; see `slips`.
The first opener is then drawn at random.
""")
"""The rules page, a message."""

PRESET = DigitPreset(
    id="salomon-1986",
    title=N_("Salomon's Liars Poker of 1986"),
    badge=N_("Salomon 1986"),
    seats=(2, 16),
    source=N_("000, Liars Poker (LP), rules as of February 10, 1986"),
    summary=N_("The trading-floor game: rebids, bonus bids, sixes, the hero, the skunk and progressive stakes."),
    options=DigitOptions(),
    slips=True,
    letters=True,
    emblem=("banknote",),
    samples=(
        Sample(
            "sample",
            N_("A hand, bid by bid"),
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["2x6", "3x1", "challenge", "5x6", "challenge", "challenge", "challenge", "count"],
            },
        ),
        Sample(
            "rebid",
            N_("Challenged all around, then a rebid"),
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["4x6", "challenge", "challenge", "challenge", "5x8", "challenge", "challenge", "challenge"],
            },
        ),
        Sample(
            "hero",
            N_("The hero"),
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["3x4", "challenge", "challenge", "challenge", "count"],
            },
        ),
        Sample(
            "skunk",
            N_("The skunk"),
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
"""The preset of Salomon's Liars Poker of 1986."""

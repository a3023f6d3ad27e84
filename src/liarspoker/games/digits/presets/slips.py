"""Preset of Super Liars Poker SLIPS."""

from __future__ import annotations

from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.games.digits.presets.salomon_1986 import PRESET as SALOMON
from liarspoker.language import N_

RULES = N_("""\
# Super Liars Poker SLIPS

The trading-floor game with printed slips. A slip has fifteen numbers, of which
ten are played.

## Setup

Two to sixteen players; n is their number. Each player has a slip with fifteen
numbers of eight digits and may look at all of them. 1 ranks lowest, 0 highest.
The first opener is drawn at random. Hand 1 plays row A of every slip.

## Bids

"Five sevens" claims that the numbers in play together contain at least five
sevens. A stronger bid has a higher level, or the same level and a higher
digit. The level can't exceed eight digits a player.

## Auction

The opener bids. Then, going clockwise, each player bids higher or challenges;
nobody may pass, and after a new bid everybody may bid again. A bidder whom
all others have challenged either counts or rebids once. If all challenge the
rebid too, it is counted. If another player bids over it, everybody may rebid
again.

## Count

All players show the number they played, and only that one.

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
| nobody has any: the none        | each to bidder: stake x (2n - 6)         |

A none pays the same for every bid; with two or three players it pays nothing.
In a game of five at stake 3, a made "eight sixes" wins 12 from each; if it
fails, it costs 3 to each.

## Next hand

The last bidder opens. The new stake is the multiplier of the last bid, whether
it was made or not, without the hero's extra multiple and regardless of the old
stake. If the bidder held none of the digit, the new stake is 2. The stake also
carries over to the next slip.

## Slips

After a hand, count the numbers just played that end in an odd digit. Move down
from the row played, skip that many unplayed rows and play the next one; after
the bottom row comes the top row. Rows already played don't count, and a
skipped row may be played later. With two odd endings, row D follows row A. The
tenth hand is the last of the slip and counts double. Then everybody takes a
new slip.
""")
"""The rules page, a message."""

PRESET = DigitPreset(
    id="slips",
    title=N_("Super Liars Poker SLIPS"),
    badge=N_("SLIPS"),
    seats=(2, 16),
    source=N_("001, Super Liars Poker SLIPS"),
    summary=N_("The trading-floor game with printed slips: ten of fifteen numbers are played, and stakes carry over."),
    options=DigitOptions(two_player_none="push", reveal="full"),
    slips=True,
    deals_slips=True,
    emblem=("slip",),
    samples=SALOMON.samples,
    rules_text=RULES,
)
"""The preset of Super Liars Poker SLIPS."""

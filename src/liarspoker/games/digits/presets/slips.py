"""Super Liars Poker SLIPS: everything that makes it a game of its own."""

from __future__ import annotations

from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.games.digits.presets.salomon_1986 import PRESET as SALOMON

RULES = """\
# Super Liars Poker SLIPS

The trading-floor game from printed slips: fifteen numbers, ten are played.

## Setup

Two to sixteen players; n stands for their number. Each has a slip with
fifteen numbers of eight digits, and looks at all of them. 1 ranks lowest, 0
highest. Draw lots for the first opener. Hand 1 plays row A of every slip.

## Bids

"Five sevens" says that the numbers in play together hold at least five
sevens. A stronger bid has a higher level, or the same level and a higher
digit. No bid asks for more than eight digits a player.

## Auction

The opener bids. Clockwise, everybody then bids higher or challenges; nobody
passes, and any new bid frees all challengers. A bidder challenged by all
others calls for the count or bids once more. If all challenge that bid too,
it is counted; if somebody bids over it, all have the second bid again.

## Count

All show the number they played, and only that one.

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
| nobody has any: the none        | each to bidder: stake x (2n - 6)         |

A none pays that much whatever the bid was: with two or three players nothing.
In a game of five at stake 3, a made "eight sixes" wins 12 from each; if it
fails, it costs 3 to each.

## Next hand

The last bidder opens. The new stake is the multiplier of the last bid, made
or not, without the hero's extra and whatever the old stake was; but 2 if the
bidder had none of his digit. It carries on to the next slip too.

## Slips

After a hand, count the numbers just played that end in an odd digit. Go down
from the row played, skip so many unplayed rows and play the next one; below
the bottom row comes the top. Rows already played do not count, and a skipped
row may come up later. With two odd endings, row D follows row A. The tenth
hand is the slip's last and counts double; then everybody takes a new slip.
"""

PRESET = DigitPreset(
    id="slips",
    title="Super Liars Poker SLIPS",
    badge="SLIPS",
    seats=(2, 16),
    source="001, Super Liars Poker SLIPS",
    summary="The same game from printed slips: fifteen numbers, ten of them played, stakes that carry over.",
    options=DigitOptions(two_player_none="push", reveal="full"),
    slips=True,
    deals_slips=True,
    emblem=("slip",),
    samples=SALOMON.samples,
    rules_text=RULES,
)

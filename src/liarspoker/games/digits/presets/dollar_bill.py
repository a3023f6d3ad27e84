"""Preset of Dollar-bill Liar's Poker."""

from __future__ import annotations

from liarspoker.core.catalogue import Sample
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.language import N_

RULES = N_("""\
# Dollar-bill Liar's Poker

Everybody holds a banknote. You bid on how many times a digit appears in all
serial numbers together.

## Setup

Two to sixteen players. Each player draws a bill face down, looks at its eight
digits and keeps them hidden. Agree on the stake of a hand, here one unit.
Digits rank from 0, the lowest, to 9. A coin, dice or a card decides who opens.

## Bids

A bid names a level and a digit: "four eights" claims that all serial numbers
together, including the bidder's own, contain at least four eights. No digit is
wild. A stronger bid has a higher level, or the same level and a higher digit.
Over "two fives", "two sixes" and "three zeros" are stronger, "two fours" is
not. The level can't exceed the number of digits on the table, eight a player.

## Auction

The opener must bid. Then, going clockwise, each player makes a stronger bid or
challenges; nobody may pass. A challenge isn't final: after a new bid,
everybody may bid or challenge again. The auction ends when all other players
have challenged the same bid in a row. You can't raise your own bid.

## Count

All players show their bills and count the digit of the last bid. The bid is
made if there are at least as many as it claimed. Otherwise it fails, even if
there are none at all.

## Payoffs

| last bid | the bidder                  | each other player |
|----------|-----------------------------|-------------------|
| made     | wins one unit from each     | loses one unit    |
| failed   | loses one unit to each      | wins one unit     |

Three players hold 30661862, 49294146 and 08183658. They have one, none and
three eights, four together. "Four eights" is made: the bidder wins two units
in all. "Five eights" fails and costs the bidder two.

## Next hand

The last bidder opens the next hand, whether they won or lost. Everybody draws
a new bill, and the stake is one unit again. Nobody is eliminated. Play as many
hands as you agreed on.

## Slips

This game is played with bills only. `slips` and `salomon-1986` can be played
with slips.
""")
"""The rules page, a message."""

PRESET = DigitPreset(
    id="dollar-bill",
    title=N_("Dollar-bill Liar's Poker"),
    badge=N_("Dollar bill"),
    seats=(2, 16),
    source=N_("003, dollar bills and their odds (Shackleford)"),
    summary=N_("Bid on the digits of everybody's serial numbers; a bid wins or loses one unit per opponent."),
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
            N_("A hand, bid by bid"),
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["2x0", "2x5", "3x6", "challenge", "4x6", "challenge", "challenge", "challenge"],
            },
        ),
        Sample(
            "failed",
            N_("One too many"),
            ("Ann", "Ben", "Cleo", "Dan"),
            {
                "deal": ["30661862", "49294146", "08183658", "77205516"],
                "actions": ["3x8", "challenge", "5x8", "challenge", "challenge", "challenge"],
            },
        ),
    ),
    rules_text=RULES,
)
"""The preset of Dollar-bill Liar's Poker."""

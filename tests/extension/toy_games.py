"""A package of its own: three-digit bills with four digits, sevens lowest, and a bot that always bids the least."""

from __future__ import annotations

from random import Random
from typing import Any

from liarspoker.bots.catalogue import BotRow
from liarspoker.core.catalogue import Sample
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.presets import DigitPreset

TINY = DigitPreset(
    id="tiny-bills",
    title="Tiny Bills",
    badge="Tiny",
    seats=(2, 5),
    source="this file",
    summary="Three digits each, of four that there are.",
    options=DigitOptions(order="zero_low", hand_size=3, symbols=4, rebid=False, level_bonus=False, reveal="full"),
    samples=(
        Sample("sample", "A hand", ("Ann", "Ben"), {"deal": ["012", "331"], "actions": ["1x3", "2x3", "challenge"]}),
    ),
    rules_text="# Tiny Bills\n\nBid on three digits.\n",
)


def timid(view: Any, chance: Random) -> int:
    """Bid the least that may be bid; challenge where nothing may."""
    actions = view.legal.claims or view.legal.answers
    return int(actions[0])


TIMID = BotRow("timid", "Timid", "Bids the least that may be bid.", "toy_games:timid")

"""A bot of another package, which always bids the least."""

from __future__ import annotations

from random import Random
from typing import Any

from liarspoker.bots.catalogue import BotRow


def timid(view: Any, chance: Random) -> int:
    """Bid the least that may be bid; challenge where nothing may."""
    actions = view.legal.claims or view.legal.answers
    return int(actions[0])


TIMID = BotRow("timid", "Timid", "Bids the least that may be bid.", "toy_bot:timid")

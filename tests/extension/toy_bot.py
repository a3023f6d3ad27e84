"""A bot from another package that always makes the lowest claim."""

from __future__ import annotations

from random import Random
from typing import Any

from liarspoker.bots.catalogue import BotRow


def timid(view: Any, chance: Random) -> int:
    """Make the lowest legal claim; challenge if there is none."""
    actions = view.legal.claims or view.legal.answers
    return int(actions[0])


TIMID = BotRow("timid", "Timid", "Bids the least that may be bid.", "toy_bot:timid")

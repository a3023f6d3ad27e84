"""Bots that tests hand to a contest by their place, `tests.bots.sample_bots:NAME`."""

from __future__ import annotations

from random import Random

from liarspoker.bots.uniform import uniform
from liarspoker.games.digits.result import DigitView

openings: list[DigitView] = []
"""What `watcher` has seen whenever it opened."""

NOT_A_BOT = 7


def watcher(view: DigitView, chance: Random) -> int:
    """Opens with the lowest bid and challenges, so that nothing is drawn; keeps what it sees as it opens."""
    if not view.moves:
        openings.append(view)
    return view.legal.answers[0] if view.legal.answers else 0


def drawing_watcher(view: DigitView, chance: Random) -> int:
    """As `watcher`, but draws chance as it goes."""
    uniform(view, chance)
    return watcher(view, chance)


def cheat(view: DigitView, chance: Random) -> int:
    """Counts out of turn."""
    return -2

"""Bots for tests of contests, named by module and name: `tests.bots.sample_bots:NAME`."""

from __future__ import annotations

from random import Random

from liarspoker.bots.uniform import uniform
from liarspoker.games.digits.result import DigitView

openings: list[DigitView] = []
"""The views of `watcher` each time it opened."""

NOT_A_BOT = 7


def watcher(view: DigitView, chance: Random) -> int:
    """Open with the lowest bid and challenge, without random numbers; record the view of each opening."""
    if not view.moves:
        openings.append(view)
    return view.legal.answers[0] if view.legal.answers else 0


def drawing_watcher(view: DigitView, chance: Random) -> int:
    """Play like `watcher`, but draw random numbers too."""
    uniform(view, chance)
    return watcher(view, chance)


def cheat(view: DigitView, chance: Random) -> int:
    """Count out of turn."""
    return -2

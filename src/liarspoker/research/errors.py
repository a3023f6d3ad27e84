"""What the research environments refuse."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class CannotStudy(LiarsPokerError):
    """Options without an end, a number of rounds that is none, or an action that is not legal."""

    code = "cannot-study"

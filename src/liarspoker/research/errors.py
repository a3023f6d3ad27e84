"""Errors of the research environments."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class BadEnvironment(LiarsPokerError):
    """An environment can't be made with these arguments, or an action isn't legal."""

    code = "cannot-study"

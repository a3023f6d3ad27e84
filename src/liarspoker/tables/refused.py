"""What a table refuses, and the codes by which programs tell."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class Refused(LiarsPokerError):
    """A command that changes nothing.

    Attributes:
        code: what programs read, such as `stale`, `not-your-turn`, or a code of the notation such as `not-stronger`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

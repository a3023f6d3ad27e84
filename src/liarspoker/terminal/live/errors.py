"""What can go wrong between a terminal and a server."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class BadAddress(LiarsPokerError):
    """What was given is no server's address and no table's link."""

    code = "bad-address"


class NoServer(LiarsPokerError):
    """Nobody answers there, or not as a server of live tables does."""

    code = "no-server"


class Turned(LiarsPokerError):
    """The server says no.

    Attributes:
        code: its code.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

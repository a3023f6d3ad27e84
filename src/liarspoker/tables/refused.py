"""Refusals of commands, and their codes."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.codec import Malformed


class Refused(LiarsPokerError):
    """The table refuses a command, which changes nothing.

    Attributes:
        code: reason for programs, such as `stale`, `not-your-turn`, or a code of the notation such as `not-stronger`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def refusal_for(error: Malformed, what: str) -> Refused:
    """Convert a decoding error to a refusal whose message starts with `what`."""
    return Refused("bad-option" if error.path.startswith("options[") else "bad-command", f"{what}: {error}")

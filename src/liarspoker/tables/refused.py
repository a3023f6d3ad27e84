"""What a table refuses, and the codes by which programs tell."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.codec import Malformed


class Refused(LiarsPokerError):
    """A command that changes nothing.

    Attributes:
        code: what programs read, such as `stale`, `not-your-turn`, or a code of the notation such as `not-stronger`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def refused_by(error: Malformed, what: str) -> Refused:
    """Return the refusal of a message that `what` names."""
    return Refused("bad-option" if error.path.startswith("options[") else "bad-command", f"{what}: {error}")

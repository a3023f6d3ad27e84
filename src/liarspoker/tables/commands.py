"""Commands as a table judges them: what was sent is checked, and who sent it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Raw

from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.commands import COMMANDS, Command
from liarspoker.tables.refused import Refused


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, when, and the fresh chance that may be used up for it.

    Attributes:
        user: their id; empty for the table's own clock.
        name: what they are called.
        now: the time in seconds.
        seed: 32 random bytes which nobody else knows.
    """

    user: str
    name: str
    now: float
    seed: bytes = field(repr=False)


def read_command(given: Raw | Mapping[str, object]) -> Command:
    """Check a command that a client sends, as JSON or as an object.

    Raises:
        Refused: `bad-command`, naming the fault; `bad-option` for a value that no option has.
    """
    try:
        return COMMANDS.read(given) if isinstance(given, Raw) else COMMANDS.convert(given)
    except Malformed as error:
        raise refused_by(error, "command") from error


def refused_by(error: Malformed, what: str) -> Refused:
    """Return the refusal of a message that `what` names."""
    return Refused("bad-option" if error.path.startswith("options[") else "bad-command", f"{what}: {error}")

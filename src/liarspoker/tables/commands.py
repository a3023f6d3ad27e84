"""Commands as a table judges them: what was sent is checked, who sent it is known, and events follow or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Raw

from liarspoker.core.session import Session
from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.commands import COMMANDS, Command
from liarspoker.protocol.events import Acted, Event
from liarspoker.tables.fold import acted, fold
from liarspoker.tables.refused import Refused, refused_by
from liarspoker.tables.state import ENDED, Chair, Table


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


@dataclass(slots=True)
class Draft:
    """What a command brings about, event by event; each is folded as it comes, so that the next can build on it.

    Attributes:
        table: the state after the events so far.
        asker: who asks, and when.
        events: the events so far.
    """

    table: Table
    asker: Asker
    events: list[Event] = field(default_factory=list)

    def emit(self, *events: Event) -> None:
        """Let these things happen."""
        for event in events:
            self.table = fold(self.table, event)
            self.events.append(event)

    def act(self, event: Acted, session: Session) -> None:
        """Let an action happen whose outcome is `session`."""
        self.table = acted(self.table, event, session)
        self.events.append(event)

    @property
    def chair(self) -> Chair:
        """Where the asker sits.

        Raises:
            Refused: `not-seated`.
        """
        chair = self.table.chair_of(self.asker.user)
        if chair is None:
            raise Refused("not-seated", "you do not sit at this table; join it first")
        return chair

    def only_owner(self, what: str) -> None:
        """Refuse everybody but the owner.

        Raises:
            Refused: `not-owner`.
        """
        if self.asker.user != self.table.owner:
            raise Refused("not-owner", f"only the owner of the table can {what}")

    def still_open(self) -> None:
        """Refuse what comes after the end.

        Raises:
            Refused: `table-ended`.
        """
        if self.table.stage == ENDED:
            raise Refused("table-ended", "this table is closed; make a new one")

"""A decision in the making: the events so far, and the state that they make."""

from __future__ import annotations

from dataclasses import dataclass, field

from liarspoker.protocol.events import Event
from liarspoker.tables.commands import Asker
from liarspoker.tables.fold import fold
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ENDED, Chair, Table


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

"""A duplicate event, as it is stored and shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.settings import EventPlayer, Settings
from liarspoker.tables.duplicate import TableScore


class EventError(LiarsPokerError):
    """An event can't be created, joined, left or started; the code gives the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class EventBody(Struct, frozen=True):
    """What an event was created with.

    Attributes:
        settings: settings of all its tables.
        bots: bots fill the empty seats.
        commitment: the server's commitment to the seed, in hexadecimal.
    """

    settings: Settings
    bots: bool
    commitment: str


class PlannedSeats(Struct, frozen=True):
    """The players of a table by seat; empty for a bot."""

    table: str
    users: tuple[str, ...]


class Plan(Struct, frozen=True):
    """What was fixed at the start: the players with their shares, and the seats of each table."""

    players: tuple[EventPlayer, ...]
    tables: tuple[PlannedSeats, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A duplicate event.

    Attributes:
        id: 128 random bits; anyone who knows the id can open the event.
        owner: the user who created it, and can start it.
        owner_name: their name.
        started_at: when it was started, in seconds; `None` before.
        finished_at: when its last table had ended, in seconds; `None` before.
        names: the names of its players by user id, in the order in which they joined.
        plan: the seats; `None` before the start.
        scores: the scores of its tables by id; of those that have ended.
        statuses: the status of each table that has been made, by id.
    """

    id: str
    owner: str
    owner_name: str
    name: str
    body: EventBody
    created_at: float
    started_at: float | None
    finished_at: float | None
    names: dict[str, str]
    plan: Plan | None
    scores: dict[str, TableScore]
    statuses: dict[str, str]

    @property
    def status(self) -> Literal["waiting", "playing", "ended"]:
        """How far the event is."""
        if self.started_at is None:
            return "waiting"
        return "playing" if self.finished_at is None else "ended"

    @property
    def settings(self) -> Settings:
        """Settings of all tables."""
        return self.body.settings

    @property
    def hands(self) -> int:
        """The number of hands."""
        assert self.settings.rounds is not None
        return self.settings.rounds

    @property
    def unmade(self) -> tuple[str, ...]:
        """The ids of the tables that haven't been made yet, once the event has started."""
        known = self.statuses.keys() | self.scores.keys()
        return () if self.plan is None else tuple(one.table for one in self.plan.tables if one.table not in known)

    def table_of(self, user: str | None) -> str | None:
        """Return the id of the table at which a user plays; `None` for none."""
        tables = () if self.plan is None or user is None else self.plan.tables
        return next((one.table for one in tables if user in one.users), None)

"""Vacations: users stop their clocks at all their correspondence tables for some days of a year."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _, ngettext
from liarspoker.server.cluster.bus import Bus, VacationChanged
from liarspoker.server.storage import vacations
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.vacations import Vacation
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.state import DAY

YEAR = 365 * DAY


class NoVacation(LiarsPokerError):
    """A user can't take this vacation."""

    code = "no-vacation"


@dataclass(frozen=True, slots=True)
class Allowance:
    """The vacation of a user.

    Attributes:
        until: end of the current vacation, in seconds; `None` if the user isn't on vacation.
        days: how many full days they can still take now; `None` for no limit.
    """

    until: float | None
    days: int | None


def allowance(taken: list[Vacation], now: float, most: float | None) -> Allowance:
    """Return what is left of a user's vacation.

    Every vacation counts for one day at least, so that nobody stops their clock for each turn.

    Args:
        taken: the vacations of the past year, oldest first, and the current one.
        now: the time in seconds.
        most: days of vacation within 365 days; `None` for no limit.

    >>> allowance([Vacation(0.0, 2 * DAY), Vacation(9 * DAY, 9 * DAY)], 10 * DAY, 21)
    Allowance(until=None, days=18)
    >>> allowance([Vacation(0.0, 2 * DAY)], 366 * DAY, 21)
    Allowance(until=None, days=20)
    >>> allowance([Vacation(9 * DAY, 12 * DAY)], 10 * DAY, 21)
    Allowance(until=1036800.0, days=18)
    """
    until = next((one.ends for one in taken if one.ends > now), None)
    used = sum(max(DAY, one.ends - max(one.begins, now - YEAR)) for one in taken)
    return Allowance(until, None if most is None else max(0, math.floor(most - used / DAY)))


class Vacations:
    """Starts and ends vacations, for the tables on all nodes.

    Args:
        registry: the tables of this node.
        bus: notifies the other nodes.
        most_days: days of vacation of each user within 365 days; `None` for no limit.
    """

    def __init__(self, registry: TableRegistry, bus: Bus, most_days: float | None) -> None:
        self._registry = registry
        self._bus = bus
        self._most = most_days

    async def of(self, user_id: str) -> Allowance:
        """Return the vacation of a user."""
        now = self._registry.clock.now()
        return await self._registry.storage.read(lambda connection: self._allowance(connection, user_id, now))

    async def take(self, user_id: str, days: int) -> None:
        """Begin a vacation of some days now.

        Raises:
            NoVacation: the user is on vacation already, or doesn't have that many days left.
            Unavailable: the database is unavailable.
        """
        now = self._registry.clock.now()
        wanted = Vacation(now, now + days * DAY)

        def take(connection: Connection) -> None:
            if wanted in vacations.vacations_of(connection, user_id, now - YEAR):
                return  # the job was repeated
            left = self._allowance(connection, user_id, now)
            if left.until is not None:
                raise NoVacation(_("you are on vacation; end it first"))
            if days < 1 or (left.days is not None and days > left.days):
                raise NoVacation(_vacation_refusal(left.days))
            vacations.add(connection, user_id, wanted)

        await self._registry.storage.write(take)
        self._changed(user_id)

    async def end(self, user_id: str) -> None:
        """End the current vacation, if there is one.

        Raises:
            Unavailable: the database is unavailable.
        """
        await self._registry.storage.write(partial(vacations.end, user_id=user_id, now=self._registry.clock.now()))
        self._changed(user_id)

    def _allowance(self, connection: Connection, user_id: str, now: float) -> Allowance:
        return allowance(vacations.vacations_of(connection, user_id, now - YEAR), now, self._most)

    def _changed(self, user_id: str) -> None:
        self._registry.vacation_changed(user_id)
        self._bus.publish(VacationChanged(user_id))


def _vacation_refusal(left: int | None) -> str:
    """Return why a vacation can't be taken, if `left` days can be taken now; `None` for any number."""
    if left == 0:
        return _("you have no days left")
    if left is None:
        return _("you can take at least 1 day")
    return ngettext("you can take at most {count} day now", "you can take at most {count} days now", left)

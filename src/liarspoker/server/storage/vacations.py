"""Vacations of users, during which their clocks at correspondence tables don't run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from liarspoker.server.storage.connection import Among, Connection, insert, value
from liarspoker.server.storage.schema import VACATIONS

_OF = (
    sa.select(VACATIONS.c.begins, VACATIONS.c.ends)
    .where(
        VACATIONS.c.user_id == value(VACATIONS.c.user_id),
        VACATIONS.c.ends > value(VACATIONS.c.ends, "after"),
    )
    .order_by(VACATIONS.c.begins)
)
_LATEST = sa.select(VACATIONS).where(Among(VACATIONS.c.user_id, "user_ids")).order_by(VACATIONS.c.begins)
_ADD = insert(VACATIONS).on_conflict_do_nothing()
_END = (
    sa.update(VACATIONS)
    .values(ends=value(VACATIONS.c.ends, "now"))
    .where(VACATIONS.c.user_id == value(VACATIONS.c.user_id), VACATIONS.c.ends > value(VACATIONS.c.ends, "now"))
)


class Vacation(NamedTuple):
    """A vacation, from and until a time in seconds."""

    begins: float
    ends: float


def vacations_of(connection: Connection, user_id: str, after: float) -> list[Vacation]:
    """Return the vacations of a user that ended after a time or haven't ended, oldest first."""
    return [Vacation(*row) for row in connection.execute(_OF, user_id=user_id, after=after)]


def latest_of(connection: Connection, user_ids: Sequence[str]) -> dict[str, Vacation]:
    """Return the latest vacation of each of the users who has ever taken one, by user."""
    rows = connection.execute(_LATEST, user_ids=connection.array(user_ids))
    return {user: Vacation(begins, ends) for user, begins, ends in rows}


def add(connection: Connection, user_id: str, vacation: Vacation) -> None:
    """Store a vacation; it is stored once if this is repeated."""
    connection.execute(_ADD, user_id=user_id, begins=vacation.begins, ends=vacation.ends)


def end(connection: Connection, user_id: str, now: float) -> None:
    """End a user's current vacation, if there is one."""
    connection.execute(_END, user_id=user_id, now=now)

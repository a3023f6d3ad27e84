"""How long everybody has: deadlines in absolute seconds, from the table's settings and what is left of a bank."""

from __future__ import annotations

from liarspoker.tables.state import Table

BOT_SECONDS = 10.0
"""How long a bot may think where no clock runs."""

NONCE_SECONDS = 10.0
"""How long programs have to open their nonces; nobody has to do it by hand."""

PICK_SECONDS = 20.0
"""How long who chooses a bill may take, where the table has a clock."""


def turn_deadline(table: Table, now: float) -> float | None:
    """When the time of the seat to act is up, if its turn begins now; `None` for never."""
    user = table.to_act
    chair = table.chair_of(user)
    if chair is None:
        return None
    clock = table.settings.clock
    if clock is None:
        return now + BOT_SECONDS if chair.bot else None
    return now + clock.turn + chair.bank


def bank_left(table: Table, user: str, now: float) -> float | None:
    """What is left of the bank of `user`, if he acts now; `None` where no clock runs, or not for him.

    The bank is used up last: as long as more than it is left until the deadline, none of it is.
    """
    if table.settings.clock is None or table.deadline is None:
        return None
    chair = table.chair_of(user) if user == table.to_act else None
    return None if chair is None else min(chair.bank, max(0.0, table.deadline - now))


def ready_deadline(table: Table, now: float) -> float | None:
    """When those who are not ready for the next round sit out; `None` for never."""
    clock = table.settings.clock
    return None if clock is None else now + clock.ready


def pick_deadline(table: Table, now: float) -> float | None:
    """When a bill is chosen for who has not chosen; `None` for never."""
    return None if table.settings.clock is None else now + PICK_SECONDS


def due(table: Table) -> float | None:
    """When something happens by itself; `None` for never."""
    if table.paused is not None:
        return None
    if table.gathering is not None:
        return table.gathering.deadline
    return table.deadline

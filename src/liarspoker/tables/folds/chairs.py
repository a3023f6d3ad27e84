"""Who sits where: what events about chairs change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liarspoker.protocol import events as e
from liarspoker.tables.folds import Folds
from liarspoker.tables.state import Chair, Table


def _joined(table: Table, event: e.Joined) -> Table:
    bank = table.settings.clock.bank if table.settings.clock else 0.0
    bank = table.banks.get(event.user, bank)
    chairs = list(table.chairs)
    chairs[event.chair] = Chair(event.user, event.name, event.bot, bank=bank)
    return table._replace(chairs=tuple(chairs), names={**table.names, event.user: event.name})


def _left(table: Table, event: e.Left) -> Table:
    chairs = tuple(None if chair is not None and chair.user == event.user else chair for chair in table.chairs)
    match, chair = table.match, table.chair_of(event.user)
    assert chair is not None
    if match is not None and event.user in match.living:
        match = replace(match, living=_without(match.living, event.user))
    later = table._replace(chairs=chairs, match=match, banks={**table.banks, event.user: chair.bank})
    return _not_ready(later, event.user)


def _without(users: tuple[str, ...], user: str) -> tuple[str, ...]:
    return tuple(other for other in users if other != user)


def _not_ready(table: Table, user: str) -> Table:
    """The table where `user` has no part in what is being made ready; once nonces are being opened he keeps it."""
    gathering = table.gathering
    if gathering is None or gathering.opening:
        return table
    promises, picks = dict(gathering.nonce_commitments), dict(gathering.picks)
    promises.pop(user, None)
    picks.pop(user, None)
    without = replace(gathering, ready=gathering.ready - {user}, nonce_commitments=promises, picks=picks)
    return table._replace(gathering=without)


def with_chair(table: Table, user: str, **changes: Any) -> Table:
    """The table with changes of the chair in which `user` sits."""
    chairs = (
        replace(chair, **changes) if chair is not None and chair.user == user else chair for chair in table.chairs
    )
    return table._replace(chairs=tuple(chairs))


def _sat_out(table: Table, event: e.SatOut) -> Table:
    later = with_chair(table, event.user, away=event.away)
    return _not_ready(later, event.user) if event.away else later


FOLDS: Folds = {
    e.Joined: _joined,
    e.Leaving: lambda table, event: with_chair(table, event.user, leaving=True),
    e.Left: _left,
    e.SatOut: _sat_out,
}
"""What each of these events changes."""

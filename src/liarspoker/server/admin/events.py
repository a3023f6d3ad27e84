"""Duplicate events: queries, and deletion of those that haven't started.

An event's full id is an invitation, so only its beginning is shown, as for tables.
"""

from __future__ import annotations

from liarspoker.server.admin.actions import audit, transaction
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH, JsonObject, NotFound
from liarspoker.server.duplicates.model import Event, EventError
from liarspoker.server.duplicates.planning import seats_of
from liarspoker.server.duplicates.rows import NEWEST, delete_waiting, event_of, found_event
from liarspoker.server.storage.connection import Connection


def events(connection: Connection, page: int = 1, limit: int = 50) -> JsonObject:
    """Return a page of the events, newest first."""
    rows = connection.execute(NEWEST, limit=page * limit + 1)
    shown = [_shown(event_of(connection, row)) for row in rows[(page - 1) * limit : page * limit]]
    return {"events": shown, "page": page, "more": len(rows) > page * limit}


def event(connection: Connection, event_id: str) -> JsonObject:
    """Return one event, with its players and its tables; a table's status is `None` before it has been made.

    Raises:
        NotFound: the event doesn't exist.
    """
    found = found_event(connection, event_id)
    if found is None:
        raise NotFound(f"no event matches {event_id[:ID_PREFIX_LENGTH]!r}")
    return _shown(found) | {
        "players": [{"user": user, "name": name} for user, name in found.names.items()],
        "tables": [
            {
                "table": one.table[:ID_PREFIX_LENGTH],
                "status": "ended" if one.table in found.scores else found.statuses.get(one.table),
                "players": [seat.name for seat in seats_of(found, one.users)],
            }
            for one in (() if found.plan is None else found.plan.tables)
        ],
    }


def _shown(found: Event) -> JsonObject:
    return {
        "event": found.id[:ID_PREFIX_LENGTH],
        "status": found.status,
        "game": found.settings.game,
        "name": found.name,
        "owner": found.owner,
        "seats": found.settings.seats,
        "hands": found.hands,
        "players": len(found.names),
        "created_at": found.created_at,
        "started_at": found.started_at,
        "finished_at": found.finished_at,
    }


def cancel(connection: Connection, event_id: str) -> None:
    """Delete an event that hasn't started; servers needn't know.

    Raises:
        NotFound: the event has started, or doesn't exist any more.
    """
    with transaction(connection):
        try:
            delete_waiting(connection, event_id)
        except EventError as error:
            begun = "has started; end its tables instead, with liarspoker admin end TABLE"
            raise NotFound(
                f"event {event_id[:ID_PREFIX_LENGTH]} "
                f"{begun if error.code == 'event-started' else 'does not exist any more'}"
            ) from error
        audit(connection, "cancel-event", details={"event": event_id[:ID_PREFIX_LENGTH]})

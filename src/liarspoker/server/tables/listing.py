"""A table as the lobby lists it."""

from __future__ import annotations

import json
from typing import Any

from liarspoker.server.storage.log import Listing
from liarspoker.tables.state import ENDED, WAITING, Table, due
from liarspoker.tables.view import round_of

PLAYING = "playing"
ENDED_STATUS = ENDED
LISTED_SECONDS = 86_400.0
"""An open table at which nothing has happened for so long is in the lobby of its own people only."""


def status_of(table: Table) -> str:
    """`waiting`, `playing` or `ended`."""
    return table.stage if table.stage in (WAITING, ENDED) else PLAYING


def listing_of(table: Table, now: float) -> Listing:
    """The table's row in the lobby; nothing in it is secret."""
    settings = table.settings
    summary = {
        "players": [{"user": one.user, "name": one.name, "bot": one.bot or None} for one in table.seated],
        "options": dict(settings.options),
        "unit": settings.unit,
        "clock": None if settings.clock is None else settings.clock.turn,
        "spectators": settings.spectators,
        "rounds_played": table.rounds_played,
        "running": due(table) is not None,
        **_round(table),
    }
    return Listing(
        status=status_of(table),
        game=settings.game,
        title=settings.title,
        visibility=settings.visibility,
        seats_taken=len(table.seated),
        seats=len(table.chairs),
        updated_at=now,
        summary=json.dumps(summary),
        owner=table.owner,
        running=due(table) is not None,
    )


def _round(table: Table) -> dict[str, Any]:
    """How far the table has come: which round is played, and for what stake, or with how many still living."""
    if table.stage == WAITING or table.sitting is None:
        return {}
    shown = round_of(table, behind=table.settings.spectators != "live")
    if shown is None:
        return {}
    stake, alive = getattr(shown, "stake", None), getattr(shown, "alive", ())
    return {"round": shown.round, **({"living": len(alive)} if stake is None else {"stake": stake})}


def changed(before: Table | None, after: Table) -> bool:
    """Whether the lobby has to know of it; not every move is worth a row."""
    if before is None:
        return True
    return (
        before.stage != after.stage
        or before.owner != after.owner
        or before.chairs is not after.chairs
        or before.rounds_played != after.rounds_played
        or (due(before) is None) != (due(after) is None)
    )

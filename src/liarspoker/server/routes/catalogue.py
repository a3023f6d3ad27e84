"""What can be played: games with their options, and bots; and whether the server is alive and can take work."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Response
from msgspec import structs

from liarspoker.bots import catalogue as bot_catalogue
from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.protocol.http import BackupState, ReadyResponse
from liarspoker.server.backups import Backups
from liarspoker.server.journal import table_mark
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import Here
from liarspoker.server.routes.messages import Told
from liarspoker.server.storage.errors import StorageError

router = APIRouter(prefix="/api", tags=["catalogue"])


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """All games."""
    return [_row(row) for row in catalogue.games()]


@router.get("/games/{game}")
async def game(game: str) -> dict[str, Any]:
    """One game with every option, its values, its default and the source of the rule."""
    try:
        loaded = catalogue.load(game)
    except UnknownGame as error:
        raise Problem("no-such-game", str(error)) from error
    defaults = loaded.options()
    options = [
        {
            "name": info.name,
            "choices": list(info.choices),
            "default": getattr(defaults, info.name),
            "meaning": info.meaning,
            "source": info.source,
        }
        for info in loaded.option_infos
    ]
    return {**_row(loaded.row), "options": options}


@router.get("/bots")
async def bots() -> list[dict[str, Any]]:
    """All bots that can be seated."""
    return [
        {
            "name": bot.name,
            "title": bot.title,
            "summary": bot.summary,
            "games": [row.id for row in catalogue.games() if bot.plays(row)],
        }
        for bot in bot_catalogue.bots()
    ]


def _row(row: catalogue.GameRow) -> dict[str, Any]:
    return {
        "game": row.id,
        "title": row.title,
        "seats": list(row.seats),
        "summary": row.summary,
        "source": row.source,
        "has_winner": row.has_winner,
        "rules_version": row.rules_version,
    }


health_router = APIRouter(tags=["health"])

READY_SECONDS = 0.8
"""So long `/ready` waits for the database; whoever asks wants to know within a second."""


@health_router.get("/health")
async def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@health_router.get("/ready")
async def ready(service: Here, response: Response) -> Told[ReadyResponse]:
    """The database answers, the server owns what it serves, and it is not stopping."""
    storage, membership = service.storage, service.registry.membership
    status: Literal["ready", "stopping", "no database"] = "ready"
    if service.registry.closing or membership.node.leaving:
        status = "stopping"
    else:
        try:
            await storage.read(lambda connection: connection.execute("SELECT 1"), timeout=READY_SECONDS)
        except StorageError:
            status = "no database"
        if storage.away or membership.lapsed:  # it has not been able to write for longer than its leases last
            status = "no database"
    if status != "ready":
        response.status_code = 503
    marks = tuple(sorted(map(table_mark, storage.damaged)))
    answer = ReadyResponse(status=status, database=storage.check_result, damaged_tables=marks)
    backups = service.backups
    return answer if backups is None else structs.replace(answer, backup=_backup_state(backups))


def _backup_state(backups: Backups) -> BackupState:
    done: Literal["waiting", "done"] = "waiting" if backups.last is None else "done"
    return BackupState(outcome="failed" if backups.failed else done, last=backups.last)

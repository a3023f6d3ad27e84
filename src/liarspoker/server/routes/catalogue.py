"""The catalogue of games, options and bots, and the health checks."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Response
from msgspec import structs, to_builtins

from liarspoker.bots import catalogue as bot_catalogue
from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.protocol.http import (
    BackupState,
    BotResponse,
    GameOptionsResponse,
    GameResponse,
    OptionResponse,
    ReadyResponse,
    RulesRequest,
    RulesResponse,
)
from liarspoker.protocol.settings import Settings
from liarspoker.server.backups import Backups
from liarspoker.server.journal import table_mark
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.routes.messages import RequestBody, ResponseBody
from liarspoker.server.storage.errors import StorageError
from liarspoker.tables.house_rules import RULES, code_of, read_code
from liarspoker.tables.settings import read_settings

router = APIRouter(prefix="/api", tags=["catalogue"])


@router.get("/games")
async def games() -> list[ResponseBody[GameResponse]]:
    """List all games."""
    return [GameResponse(**_row(row)) for row in catalogue.games()]


@router.get("/games/{game}")
async def game(game: str) -> ResponseBody[GameOptionsResponse]:
    """Get a game with its options: values, default and source of each rule."""
    try:
        loaded = catalogue.load(game)
    except UnknownGame as error:
        raise Problem("no-such-game", str(error)) from error
    defaults = loaded.options()
    options = [
        OptionResponse(
            name=info.name,
            choices=list(info.choices),
            default=getattr(defaults, info.name),
            meaning=info.meaning,
            source=info.source,
        )
        for info in loaded.option_infos
    ]
    return GameOptionsResponse(**_row(loaded.preset), options=options)


@router.post("/rules")
async def encode_rules(body: RequestBody[RulesRequest]) -> ResponseBody[RulesResponse]:
    """Get the code of rules, for a link `/house-rules/{code}`."""
    return _rules(read_settings(body.settings))


@router.get("/rules/{code}")
async def decode_rules(code: str) -> ResponseBody[RulesResponse]:
    """Get the rules with a code."""
    return _rules(read_code(code))


@router.get("/bots")
async def bots() -> list[ResponseBody[BotResponse]]:
    """List all bots that can join tables."""
    return [
        BotResponse(
            name=bot.name,
            title=bot.title,
            summary=bot.summary,
            games=[row.id for row in catalogue.games() if bot.plays(row)],
        )
        for bot in bot_catalogue.table_bots()
    ]


def _rules(settings: Settings) -> RulesResponse:
    rules = {name: value for name, value in to_builtins(settings).items() if name in ("game", "options", *RULES)}
    return RulesResponse(rules=code_of(settings), settings=rules)


def _row(row: catalogue.GamePreset) -> dict[str, Any]:
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
"""Time limit of the database query at `/ready`, so that the answer comes within a second."""


@health_router.get("/health")
async def health() -> dict[str, str]:
    """Report that the process is alive."""
    return {"status": "alive"}


@health_router.get("/ready")
async def ready(service: ServiceDep, response: Response) -> ResponseBody[ReadyResponse]:
    """Report whether the server can take requests: the database responds, leases are valid, and it isn't stopping."""
    storage, membership = service.storage, service.registry.membership
    status: Literal["ready", "stopping", "no database"] = "ready"
    if service.registry.closing or membership.node.leaving:
        status = "stopping"
    else:
        try:
            await storage.read(lambda connection: connection.execute("SELECT 1"), timeout=READY_SECONDS)
        except StorageError:
            status = "no database"
        if storage.unreachable or membership.lapsed:  # it hasn't been able to write since before its leases expired
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

"""Tables: make one, find one, look at it, send it commands, take its records; and streams of JSON lines."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import StreamingResponse

from liarspoker.protocol.commands import Command, Start
from liarspoker.protocol.http import (
    ActRequest,
    AnswerResponse,
    CheckRequest,
    CheckResponse,
    CommandRequest,
    TableRequest,
    TableResponse,
)
from liarspoker.server.config import check as limited
from liarspoker.server.problems import Problem, no_table
from liarspoker.server.routes.accounts import Here, Known, Somebody
from liarspoker.server.routes.messages import Sent, Told
from liarspoker.server.service import address_of, check_bot, judge
from liarspoker.server.storage.errors import DatabaseDamaged, Unavailable
from liarspoker.server.storage.log import Listed
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.decide import read_command
from liarspoker.tables.export import records_of
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED
from liarspoker.tables.view import may_watch, watches_behind

router = APIRouter(prefix="/api/tables", tags=["tables"])

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="The table's id, as its link has it.")]


@router.get("")
async def lobby(
    service: Here,
    known: Known,
    mine: Annotated[bool, Query(description="Only your tables, private ones included.")] = False,
    game: Annotated[str | None, Query(pattern="^[a-z0-9-]{1,40}$")] = None,
    status: Annotated[str | None, Query(pattern="^(waiting|playing|ended)$")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> list[dict[str, Any]]:
    """The lobby: open tables, or your own, those that changed last first."""
    if mine and known is None:
        raise Problem("not-logged-in", "say who you are first: POST a name to /api/guest, or log in")
    member = known.user.user_id if mine and known is not None else None
    visibility = None if mine else "open"
    found = await service.storage.listings(status=status, game=game, visibility=visibility, member=member, limit=limit)
    return [_listed(listed) for listed in found]


@router.post("", status_code=201)
async def make_table(body: Sent[TableRequest], user: Somebody, service: Here, request: Request) -> Told[TableResponse]:
    """Make a table, where you sit down as its owner. Its id is the invitation: whoever has it may come in."""
    settings = read_settings(body.settings)
    doings: list[Command] = [read_command({"do": "seat_bot", "bot": bot}) for bot in body.bots]
    for bot in body.bots:
        check_bot(settings.game, bot)
    if body.start:
        doings.append(Start())
    actor = await service.make_table(user, address_of(request), settings, doings)
    return TableResponse(table=actor.table.id, version=actor.table.version)


@router.get("/{table}")
async def look(table: TableId, service: Here, known: Known) -> Response:
    """The table as you may see it: the same view that the socket sends."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    return Response(actor.state_for(user).text, media_type="application/json")


@router.post("/{table}/commands")
async def command(
    table: TableId, body: Sent[CommandRequest], user: Somebody, service: Here, request: Request
) -> Told[AnswerResponse]:
    """Send a command; the answer comes when its outcome is safely stored."""
    actor = await service.table_for(table, user.user_id, joining=body.command.get("do") == "join")
    service.newcomers.seen(user.user_id, address_of(request))
    answer = await service.ask(actor, user, address_of(request), body.id, body.command)
    if not answer.ok and not may_watch(actor.table, user.user_id):
        raise no_table()  # who has not come in learns nothing, not even that there is no chair
    return answer


@router.post("/{table}/act")
async def act(
    table: TableId, body: Sent[ActRequest], user: Somebody, service: Here, request: Request
) -> Told[AnswerResponse]:
    """Play an action: what a bot posts. Without an id of yours a repeat is a new command, and then `stale`."""
    actor = await service.table_for(table, user.user_id)
    given = {"do": "act", "turn": body.turn, "action": body.action}
    service.newcomers.seen(user.user_id, address_of(request))
    return await service.ask(actor, user, address_of(request), body.id or secrets.token_hex(16), given)


@router.post("/{table}/check")
async def check(table: TableId, body: Sent[CheckRequest], user: Somebody, service: Here) -> Told[CheckResponse]:
    """Whether you could play an action now; nothing is played."""
    actor = await service.table_for(table, user.user_id)
    service.check_commands(user.user_id)
    return judge(actor, user.user_id, body.action)


@router.get("/{table}/records")
async def records(table: TableId, service: Here, known: Known, request: Request) -> list[dict[str, Any]]:
    """Every finished round in Liar's Poker Notation, as far as you have seen it; a record for each set of players."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    limited(service.records, address_of(request), "records")
    return await asyncio.to_thread(records_of, actor.table, user)


@router.get("/{table}/audit", response_model=dict[str, Any])
async def audit(table: TableId, service: Here, known: Known, request: Request) -> Response:
    """What lets you check every deal, once the table has ended."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    limited(service.records, address_of(request), "audits")
    if actor.table.stage != ENDED:
        raise Problem("not-ended", "the seeds are opened when the table has ended")
    return Response(await actor.audit_text(), media_type="application/json")


def _listed(listed: Listed) -> dict[str, Any]:
    listing = listed.listing
    return {
        "table": listed.table_id,
        "status": listing.status,
        "game": listing.game,
        "title": listing.title,
        "visibility": listing.visibility,
        "seats_taken": listing.seats_taken,
        "seats": listing.seats,
        "updated_at": listing.updated_at,
        **json.loads(listing.summary),
    }


streams_router = APIRouter(prefix="/api", tags=["streams"])
Part = Annotated[bool, Query(include_in_schema=False)]
"""Only what this node has: what the others have, they are asked for already."""

QUIET_SECONDS = 7.0
"""An empty line is sent after so many seconds without news, so that both sides notice a broken connection."""


@streams_router.get("/tables/{table}/stream")
async def game_stream(table: TableId, service: Here, known: Known, request: Request) -> StreamingResponse:
    """The game stream: the full state first, then the full state after every change; what the socket sends."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    service.connections.check(address_of(request), known, actor)
    watcher = Watcher(user, watches_behind(actor.table, user))

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request), "stream"):
            actor.watch(watcher)
            try:
                await service.recheck(request, known, watcher)
                async for text in _texts(watcher):
                    yield text
            finally:
                actor.unwatch(watcher)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


@streams_router.get("/stream")
async def event_stream(
    user: Somebody, service: Here, known: Known, request: Request, part: Part = False
) -> StreamingResponse:
    """The event stream: each of your tables as it stands, then a line whenever one of them changes for you."""
    service.connections.check(address_of(request), known)
    watcher = Watcher(user.user_id, behind=False)

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request), "stream"):
            try:
                await service.recheck(request, known, watcher)
                with suppress(Unavailable, DatabaseDamaged):  # the stream ends, and a new one begins with all there is
                    async for _ in service.registry.follow(watcher):
                        for message in await watcher.next():
                            yield message.text + "\n"
                    async for text in _texts(watcher):
                        yield text
            finally:
                service.registry.unfollow(watcher)

    relay = None if part else service.relay(request)
    told = lines() if relay is None else relay.merged(lines(), "/api/stream?part=true")
    return StreamingResponse(told, media_type="application/x-ndjson")


async def _texts(watcher: Watcher) -> AsyncIterator[str]:
    """What the watcher is told, line by line, until it should be closed."""
    while watcher.closed is None:
        try:
            messages = await asyncio.wait_for(watcher.next(), QUIET_SECONDS)
        except TimeoutError:
            yield "\n"
            continue
        for message in messages:
            yield message.text + "\n"

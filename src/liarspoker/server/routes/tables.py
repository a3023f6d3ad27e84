"""Tables: the lobby, creating tables, views, commands, records and audits, and streams of JSON lines."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import JSONResponse

from liarspoker.language import _
from liarspoker.protocol.commands import Command, Start
from liarspoker.protocol.documents import AuditResponse, RecordResponse
from liarspoker.protocol.frames import Invitations, State, TableNews
from liarspoker.protocol.http import (
    ActRequest,
    AnswerResponse,
    CheckRequest,
    CheckResponse,
    CommandRequest,
    ListedTable,
    RematchResponse,
    TableRequest,
    TableResponse,
)
from liarspoker.server.config import check as limited
from liarspoker.server.problems import Problem, no_table
from liarspoker.server.routes.accounts import IdentityDep, ServiceDep, UserDep
from liarspoker.server.routes.messages import JsonLines, RequestBody, ResponseBody, json_lines
from liarspoker.server.service import address_of, check_action, check_bot
from liarspoker.server.storage.errors import DatabaseDamaged, Unavailable
from liarspoker.server.storage.log import Listed
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.decide import read_command
from liarspoker.tables.export import records_of, when_revealed
from liarspoker.tables.settings import read_settings
from liarspoker.tables.view import FORMER_PLAYER_CODES, may_watch, watches_behind

router = APIRouter(prefix="/api/tables", tags=["tables"])

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="Id of the table, from its link.")]


@router.get("", response_model=list[ResponseBody[ListedTable]])
async def lobby(
    service: ServiceDep,
    known: IdentityDep,
    mine: Annotated[bool, Query(description="List only your tables, including private ones.")] = False,
    game: Annotated[str | None, Query(pattern="^[a-z0-9-]{1,40}$")] = None,
    status: Annotated[str | None, Query(pattern="^(waiting|playing|ended)$")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> JSONResponse:
    """List open tables or your own, most recently changed first."""
    if mine and known is None:
        raise Problem("not-logged-in", _("not logged in; POST a name to /api/guest, or log in"))
    member = known.user.user_id if mine and known is not None else None
    visibility = None if mine else "open"
    found = await service.storage.listings(status=status, game=game, visibility=visibility, member=member, limit=limit)
    return JSONResponse([_listed(listed) for listed in found])  # as stored, since older versions may have stored others


@router.post("", status_code=201)
async def make_table(
    body: RequestBody[TableRequest], user: UserDep, service: ServiceDep, request: Request
) -> ResponseBody[TableResponse]:
    """Create a table with you as its owner. Its id is the invitation: anyone who has it can join."""
    settings = read_settings(body.settings)
    owner_commands: list[Command] = [read_command({"do": "seat_bot", "bot": bot}) for bot in body.bots]
    for bot in body.bots:
        check_bot(settings.game, bot)
    if body.start:
        owner_commands.append(Start())
    actor = await service.make_table(user, address_of(request), settings, owner_commands)
    return TableResponse(table=actor.table.id, version=actor.table.version)


@router.get("/{table}", response_model=ResponseBody[State])
async def look(table: TableId, service: ServiceDep, known: IdentityDep) -> Response:
    """Get your view of a table, as the socket sends it."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    return Response(actor.state_for(user).text, media_type="application/json")


@router.post("/{table}/commands")
async def command(
    table: TableId, body: RequestBody[CommandRequest], user: UserDep, service: ServiceDep, request: Request
) -> ResponseBody[AnswerResponse]:
    """Send a command. The answer comes after the outcome is stored."""
    actor = await service.table_for(table, user.user_id, joining=body.command.get("do") == "join")
    service.newcomers.seen(user.user_id, address_of(request))
    answer = await service.ask(actor, user, address_of(request), body.id, body.command)
    if not answer.ok and answer.code not in FORMER_PLAYER_CODES and not may_watch(actor.table, user.user_id):
        raise no_table()  # users without access learn nothing about the table, not even that it is full
    return answer


@router.post("/{table}/act")
async def act(
    table: TableId, body: RequestBody[ActRequest], user: UserDep, service: ServiceDep, request: Request
) -> ResponseBody[AnswerResponse]:
    """Play an action. Without an `id`, a repeated request is a new command, and refused as `stale`."""
    actor = await service.table_for(table, user.user_id)
    given = {"do": "act", "turn": body.turn, "action": body.action}
    service.newcomers.seen(user.user_id, address_of(request))
    return await service.ask(actor, user, address_of(request), body.id or secrets.token_hex(16), given)


@router.post("/{table}/check")
async def check(
    table: TableId, body: RequestBody[CheckRequest], user: UserDep, service: ServiceDep
) -> ResponseBody[CheckResponse]:
    """Check whether you could play an action now, without playing it."""
    actor = await service.table_for(table, user.user_id)
    service.check_commands(user.user_id)
    return check_action(actor, user.user_id, body.action)


@router.post("/{table}/rematch")
async def rematch(
    table: TableId, user: UserDep, service: ServiceDep, request: Request
) -> ResponseBody[RematchResponse]:
    """Open a rematch of a table that has ended: the same settings, seats and bots.

    Seats are reserved for the other players, who join it like any table. If there already is a rematch, it is returned.
    """
    actor = await service.table_for(table, user.user_id)
    return RematchResponse(table=await service.rematch(actor, user, address_of(request)))


@router.get("/{table}/records", response_model=list[ResponseBody[RecordResponse]])
async def records(table: TableId, service: ServiceDep, known: IdentityDep, request: Request) -> JSONResponse:
    """Get the finished rounds in Liar's Poker Notation, as far as you have seen them: one record per set of players."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    limited(service.records, address_of(request), "records")
    return JSONResponse(await asyncio.to_thread(records_of, actor.table, user))  # with the keys of any game family


@router.get("/{table}/audit", response_model=ResponseBody[AuditResponse])
async def audit(table: TableId, service: ServiceDep, known: IdentityDep, request: Request) -> Response:
    """Get the document with which you can verify every deal, once the table has ended."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    limited(service.records, address_of(request), "audits")
    if not actor.table.deals_revealed:
        raise Problem("not-ended", when_revealed(actor.table))
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
"""Restricts the stream to the tables of this node; set in requests from other nodes."""

QUIET_SECONDS = 7.0
"""Time without messages after which an empty line is sent, so that both sides notice a broken connection."""


@streams_router.get("/tables/{table}/stream", response_class=JsonLines, responses=json_lines(State))
async def game_stream(table: TableId, service: ServiceDep, known: IdentityDep, request: Request) -> JsonLines:
    """Stream a table: the full state now and after every change, as the socket sends it; empty lines keep it open."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    service.connections.check(address_of(request), known, actor)
    watcher = Watcher(user, watches_behind(actor.table, user), hidden=await service.people.blocked_by(user))

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request), "stream"):
            actor.watch(watcher)
            try:
                await service.recheck(request, known, watcher)
                async for text in _lines(watcher):
                    yield text
            finally:
                actor.unwatch(watcher)

    return JsonLines(lines())


@streams_router.get("/stream", response_class=JsonLines, responses=json_lines(TableNews | Invitations))
async def event_stream(
    user: UserDep, service: ServiceDep, known: IdentityDep, request: Request, part: Part = False
) -> JsonLines:
    """Stream your tables: the status of each one now, then a line whenever one changes, or somebody invites you."""
    service.connections.check(address_of(request), known)
    watcher = Watcher(user.user_id, behind=False)

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request), "stream"):
            try:
                await service.recheck(request, known, watcher)
                with suppress(Unavailable, DatabaseDamaged):  # the stream ends; a new one starts with the current state
                    async for _ in service.registry.follow(watcher):
                        for message in await watcher.next():
                            yield message.text + "\n"
                    if not part:
                        service.news.follow(watcher)
                    async for text in _lines(watcher):
                        yield text
            finally:
                service.registry.unfollow(watcher)
                service.news.unfollow(watcher)

    relay = None if part else service.relay(request)
    merged = lines() if relay is None else relay.merged(lines(), "/api/stream?part=true")
    return JsonLines(merged)


async def _lines(watcher: Watcher) -> AsyncIterator[str]:
    """Yield the watcher's messages line by line, until it is closed."""
    while watcher.closed is None:
        try:
            messages = await asyncio.wait_for(watcher.next(), QUIET_SECONDS)
        except TimeoutError:
            yield "\n"
            continue
        for message in messages:
            yield message.text + "\n"

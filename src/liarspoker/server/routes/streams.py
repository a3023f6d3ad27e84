"""Streams for programs, a JSON object a line: what happens at all your tables, and one table as it goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse

from liarspoker.server.routes.accounts import Here, Known, Somebody
from liarspoker.server.routes.tables import TableId
from liarspoker.server.service import address_of
from liarspoker.server.storage.errors import DatabaseDamaged, Unavailable
from liarspoker.server.tables.watchers import Watcher
from liarspoker.tables.view import watches_behind

router = APIRouter(prefix="/api", tags=["streams"])

QUIET_SECONDS = 7.0
"""An empty line is sent after so many seconds without news, so that both sides notice a broken connection."""


@router.get("/tables/{table}/stream")
async def game_stream(table: TableId, service: Here, known: Known, request: Request) -> StreamingResponse:
    """The game stream: the full state first, then the full state after every change; what the socket sends."""
    user = None if known is None else known.user.user_id
    actor = await service.table_for(table, user)
    service.connections.check(address_of(request), known, actor)
    watcher = Watcher(user, watches_behind(actor.table, user))

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request)):
            actor.watch(watcher)
            try:
                await service.recheck(request, known, watcher)
                async for text in _texts(watcher):
                    yield text
            finally:
                actor.unwatch(watcher)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


@router.get("/stream")
async def event_stream(user: Somebody, service: Here, known: Known, request: Request) -> StreamingResponse:
    """The event stream: each of your tables as it stands, then a line whenever one of them changes for you."""
    service.connections.check(address_of(request), known)
    watcher = Watcher(user.user_id, behind=False)

    async def lines() -> AsyncIterator[str]:
        with service.connections.opened(watcher, known, address_of(request)):
            try:
                await service.recheck(request, known, watcher)
                with suppress(Unavailable, DatabaseDamaged):  # the stream ends, and a new one begins with all there is
                    async for _ in service.registry.follow(watcher):
                        for text in await watcher.next():
                            yield text + "\n"
                    async for text in _texts(watcher):
                        yield text
            finally:
                service.registry.unfollow(watcher)

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def _texts(watcher: Watcher) -> AsyncIterator[str]:
    """What the watcher is told, line by line, until it should be closed."""
    while watcher.closed is None:
        try:
            texts = await asyncio.wait_for(watcher.next(), QUIET_SECONDS)
        except TimeoutError:
            yield "\n"
            continue
        for text in texts:
            yield text + "\n"

"""What a table leaves behind, to take home: its records in Liar's Poker Notation."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from liarspoker.records import to_json
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import Service, address_of, check
from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.table import TableId

router = APIRouter()

Number = Annotated[int, Path(ge=1, le=10_000)]


@router.get("/t/{table}/records")
async def records(table: TableId, request: Request, service: Here) -> Response:
    """The record of the table; a list of them, where other people played on."""
    played, told = await _records(table, request, service)
    if len(told) == 1:
        return _file(played, told[0], 1)
    names = [", ".join(record["players"]) for record in told]
    title = played.settings.title
    return await page(request, "records.html", table=table, title=title, names=names, records=told)


@router.get("/t/{table}/records/{number}")
async def record(table: TableId, number: Number, request: Request, service: Here) -> Response:
    """One record, as a file."""
    played, told = await _records(table, request, service)
    if number > len(told):
        raise HTTPException(404, "there is no such record")
    return _file(played, told[number - 1], number)


async def _records(table: str, request: Request, service: Service) -> tuple[Table, list[dict[str, Any]]]:
    user = await user_of(request)
    user_id = None if user is None else user.user_id
    actor = await service.table_for(table, user_id)
    check(service.records, address_of(request), "records")
    return actor.table, await asyncio.to_thread(records_of, actor.table, user_id)


def _file(table: Table, record: dict[str, Any], number: int) -> Response:
    name = f"{table.settings.game}-{table.id[:8]}-{number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(to_json(record), media_type="application/json", headers=headers)

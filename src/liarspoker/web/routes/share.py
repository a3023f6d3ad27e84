"""Routes of the share images.

Sites that show link previews have no session, so an image is the same for everyone: it shows what a stranger may see.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from liarspoker.language import LANGUAGES, speak
from liarspoker.puzzles import of_the_day
from liarspoker.server.config import check
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import address_of
from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from liarspoker.web.pages import pages_of
from liarspoker.web.routes.replay import Number, ply_of
from liarspoker.web.routes.table import TableId
from liarspoker.web.share.cards import ShareCard, puzzle_card, round_card, site_card
from liarspoker.web.share.drawing import png
from liarspoker.web.share.meta import IMAGE_LANGUAGE, card_of
from liarspoker.web.view_models.replay import document_rounds


async def _speak(lang: Annotated[str, Query(alias=IMAGE_LANGUAGE)] = "en") -> None:
    """Set the language of an image: that of its URL, so that caches can keep it for everyone."""
    speak(lang if lang in LANGUAGES else "en")


router = APIRouter(dependencies=[Depends(_speak)])

_LAST_DAY = date.max.toordinal()

Day = Annotated[int, Query(ge=1, le=_LAST_DAY)]
"""A day, as :meth:`datetime.date.toordinal`."""

SECONDS_CACHED = 300
"""Time for which browsers and proxies may keep an image. Its address on a page changes with its content."""


@router.get("/card.png")
async def site_image(service: ServiceDep, request: Request) -> Response:
    """Return the image of the site."""
    return await _image(service, request, site_card())


@router.get("/t/{table}/card.png")
async def table_image(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Return the image of a table: an invitation, or the result."""
    actor = await service.table_for(table, None, joining=True)
    return await _image(service, request, card_of(actor))


@router.get("/t/{table}/replay/{number}/card.png")
async def round_image(table: TableId, number: Number, service: ServiceDep, request: Request) -> Response:
    """Return the image of a finished round; `?ply=` selects a moment of it."""
    actor = await service.table_for(table, None)
    check(service.records, address_of(request), "images")
    card = await to_thread.run_sync(_round_card, actor.table, number, ply_of(request.query_params.get("ply", "")))
    if card is None:
        raise HTTPException(404)
    return await _drawn(request, card)


def _round_card(table: Table, number: int, ply: int) -> ShareCard | None:
    records = records_of(table, None)
    places = document_rounds(records)
    if number > len(places):
        return None
    record, index = places[number - 1]
    return round_card(records[record], index, number, table.settings.title, ply)


@router.get("/trainer/today/card.png")
async def puzzle_image(
    service: ServiceDep, request: Request, day: Annotated[int, Query(ge=1, le=_LAST_DAY)]
) -> Response:
    """Return the image of the puzzle of a day, given as :meth:`datetime.date.toordinal`."""
    return await _image(service, request, puzzle_card(of_the_day(date.fromordinal(day))))


async def _image(service: ServiceDep, request: Request, card: ShareCard) -> Response:
    check(service.records, address_of(request), "images")
    return await _drawn(request, card)


async def _drawn(request: Request, card: ShareCard) -> Response:
    content = await pages_of(request).in_thread(png, card)
    headers = {"Cache-Control": f"public, max-age={SECONDS_CACHED}"}
    return Response(content, media_type="image/png", headers=headers)

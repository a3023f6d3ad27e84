"""A new table: the form with everything that it may be set to, and the table that comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from msgspec import to_builtins
from starlette.responses import RedirectResponse, Response

from liarspoker.server.accounts.credentials import BadName
from liarspoker.server.problems import Problem, status_of
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import address_of
from liarspoker.tables.refused import Refused
from liarspoker.web.guests import let_in, once_of
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.lobby import open_table, somebody
from liarspoker.web.routes.table import TableId
from liarspoker.web.view_models.new_table import filled_of, new_table
from liarspoker.web.words import sentence

router = APIRouter()

_MOST_FIELDS = 80


@router.get("/new")
async def form(request: Request) -> Response:
    """The form, filled in as the address says."""
    return await _form(request, dict(request.query_params))


@router.post("/new")
async def make(request: Request, service: Here) -> Response:
    """The table that was asked for; or the form again, with what is wrong with it beside each field."""
    filled = {name: str(value) for name, value in (await request.form(max_fields=_MOST_FIELDS)).items()}
    asked = new_table(filled)
    if asked.wrong or asked.error:
        return await _form(request, filled, 422, sentence(asked.error) if asked.error else "")
    try:
        guest = await somebody(request, filled.get("name", ""))
    except BadName as error:
        return await _form(request, filled, 422, name_error=sentence(str(error)))
    try:
        table = await open_table(
            service, guest, address_of(request), asked.settings, asked.seated, start="start" in filled
        )
    except (Refused, Problem) as error:
        status = status_of(error.code) if isinstance(error, Problem) else 422
        return let_in(guest, await _form(request, filled, status, sentence(str(error))), service)
    return let_in(guest, RedirectResponse(f"/t/{table}", 303), service)


@router.post("/t/{table}/again")
async def again(table: TableId, request: Request, service: Here) -> Response:
    """A new table like this one: the same settings, the same bots, a new link; one table, however often it is sent."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    before = actor.table
    form_id = str((await request.form(max_fields=4)).get("id", ""))
    guest = await somebody(request, "", form_id)
    bots = [chair.bot for chair in before.seated if chair.bot and not chair.leaving]
    settings = to_builtins(before.settings)

    async def new() -> str:
        return await open_table(service, guest, address_of(request), settings, bots[: before.settings.seats - 1])

    made = await once_of(request).of(("again", table, guest.user.user_id, form_id), new)
    return let_in(guest, RedirectResponse(f"/t/{made}", 303), service)


@router.get("/t/{table}/like")
async def like(table: TableId, request: Request, service: Here) -> Response:
    """The form of a new table, filled in like this one."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    bots = tuple(chair.bot for chair in actor.table.seated if chair.bot)
    return await _form(request, filled_of(to_builtins(actor.table.settings), bots))


async def _form(
    request: Request, filled: Mapping[str, str], status: int = 200, error: str = "", name_error: str = ""
) -> Response:
    user = await user_of(request)
    asked = new_table(filled)
    name = filled.get("name", "") or ("" if user is None else user.name)
    wrong = asked.wrong + bool(name_error) + bool(error)
    return await page(
        request, "new.html", status, user=user, new=asked, error=error, name=name, name_error=name_error, wrong=wrong
    )

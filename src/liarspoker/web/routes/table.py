"""A table's page, and its forms for browsers that run no script."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.problems import no_table
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import address_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables.view import may_watch
from liarspoker.web.forms import command_id_of, command_of
from liarspoker.web.guests import guest_here, let_in
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, page, pages_of, user_of
from liarspoker.web.view_models.table import Seen, scene_of

router = APIRouter()

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]

_ID = re.compile(r"[!-~]{1,64}")


@router.get("/t/{table}")
async def look(table: TableId, service: Here, request: Request) -> Response:
    """The table as you may see it."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id, joining=True)
    return await _shown(request, actor, user)


@router.get("/t/{table}/sheet")
async def sheet(table: TableId, service: Here, request: Request) -> Response:
    """The whole score sheet."""
    user = await user_of(request)
    who = None if user is None else user.user_id
    actor = await service.table_for(table, who, joining=False)
    scene = scene_of(Seen(actor.state_for(who).message))
    return await page(request, "table/sheet.html", scene=scene, user=user)


@router.get("/tables/{table}")
async def come_in(table: TableId) -> Response:
    """A link as the terminal writes it."""
    return RedirectResponse(f"/t/{table}", 308)


@router.post("/t/{table}")
async def do(table: TableId, service: Here, request: Request) -> Response:
    """Do what a form asks for, and show the table again. Who has no name yet gets one when he sits down."""
    fields = {name: str(value) for name, value in (await request.form(max_fields=40)).items()}
    joining = fields.get("do") == "join"
    form_id = fields.pop("id", "") or request.query_params.get("id", "")
    command_id = command_id_of(form_id, fields) if form_id else secrets.token_hex(16)
    actor = await service.table_for(table, None, joining=True)
    if form_id and not _ID.fullmatch(form_id):
        return await _shown(request, actor, await user_of(request), "an id has 1 to 64 visible characters of ASCII")
    try:
        guest = await guest_here(request, fields.pop("name", "") if joining else "", joining, form_id)
    except BadName as error:
        return await _shown(request, actor, await user_of(request), str(error))
    if guest is None:
        return await _shown(request, actor, None, "say who you are first: sit down with a name")
    service.newcomers.seen(guest.user.user_id, address_of(request))
    answer = await service.ask(actor, guest.user, address_of(request), command_id, command_of(fields))
    if answer.ok:
        return let_in(guest, RedirectResponse(f"/t/{table}?{FOLLOWING}", 303), service)
    # At a closed door nobody learns more than about his own name: not even that there is no chair.
    message = answer.message
    if not may_watch(actor.table, guest.user.user_id):
        if answer.code != "name-taken":
            raise no_table()
        message = "somebody with a name like yours is here already; choose another name"
    return let_in(guest, await _shown(request, actor, guest.user, message), service)


async def _shown(request: Request, actor: TableActor, user: User | None, refusal: str = "") -> Response:
    """The table's page, or its closed door, with why something was refused, if it was."""
    who, status = None if user is None else user.user_id, 409 if refusal else 200
    if not may_watch(actor.table, who):
        door = {"table": actor.table.id, "refusal": refusal}
        return await page(request, "table/closed_door.html", status, user=user, **door)
    link = link_to(request, actor.table.id)
    draft = dict(request.query_params)
    # Who sends a form had a page of a table that was not closed.
    following = draft.pop(FOLLOWING, None) is not None or request.method == "POST"
    seen = Seen(
        actor.state_for(who).message,
        actor.chat_for(who).message,
        None,
        draft,
        link,
        "" if user is None else user.name,
        following,
    )
    scene = await pages_of(request).beside(scene_of, seen) if seen.draft else scene_of(seen)
    return await page(request, "table/page.html", status, scene=scene, refusal=refusal, user=user)

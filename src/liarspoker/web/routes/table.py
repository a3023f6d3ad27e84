"""Routes of a table's page, and of its forms for browsers without JavaScript."""

from __future__ import annotations

import re
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.language import _
from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.problems import no_table
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import address_of, service_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables.view import FORMER_PLAYER_CODES, may_watch
from liarspoker.web.forms import command_id_of, command_of
from liarspoker.web.guests import guest_here, with_session
from liarspoker.web.invitation import link_to
from liarspoker.web.pages import FOLLOWING, page, pages_of, user_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.share.meta import shared_table
from liarspoker.web.view_models.ratings import table_ratings
from liarspoker.web.view_models.table import TableSnapshot, table_view_model

router = APIRouter()

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]

_ID = re.compile(r"[!-~]{1,64}")


@router.get("/t/{table}")
async def look(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Show the table."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id, joining=True)
    return await _shown(request, actor, user)


@router.get("/t/{table}/sheet")
async def sheet(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Show the complete score sheet."""
    user = await user_of(request)
    who = None if user is None else user.user_id
    actor = await service.table_for(table, who, joining=False)
    model = table_view_model(TableSnapshot(actor.state_for(who).message))
    return await page(request, "table/sheet.html", table=model, user=user)


@router.get("/tables/{table}")
async def from_terminal(table: TableId) -> Response:
    """Redirect from the URL that the terminal client prints."""
    return RedirectResponse(f"/t/{table}", 308)


@router.post("/t/{table}")
async def do(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Carry out a form's command and show the table again; a new guest is created for an unknown user who joins."""
    fields = {name: str(value) for name, value in (await request.form(max_fields=40)).items()}
    joining = fields.get("do") == "join"
    form_id = fields.pop("id", "") or request.query_params.get("id", "")
    command_id = command_id_of(form_id, fields) if form_id else secrets.token_hex(16)
    actor = await service.table_for(table, None, joining=True)
    if form_id and not _ID.fullmatch(form_id):
        return await _shown(
            request, actor, await user_of(request), _("a form id must have 1 to 64 visible ASCII characters")
        )
    try:
        guest = await guest_here(request, fields.pop("name", "") if joining else "", joining, form_id)
    except BadName as error:
        return await _shown(request, actor, await user_of(request), str(error))
    if guest is None:
        return await _shown(request, actor, None, _("enter a name and join the table first"))
    service.newcomers.seen(guest.user.user_id, address_of(request))
    answer = await service.ask(actor, guest.user, address_of(request), command_id, command_of(fields))
    if answer.ok or answer.code == "seated":
        return with_session(guest, RedirectResponse(f"/t/{table}?{FOLLOWING}", 303), service)
    # Users who may not watch the table learn nothing about it except that a name is taken.
    message = answer.message
    if not may_watch(actor.table, guest.user.user_id):
        if answer.code == "name-taken":
            message = _("a player here already has that name or a similar one; choose another name")
        elif answer.code not in FORMER_PLAYER_CODES:
            raise no_table()
    return with_session(guest, await _shown(request, actor, guest.user, message), service)


@router.post("/t/{table}/again")
async def again(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Open a rematch, or join the one that another player has opened; the form is one that joins a table."""
    user = await service.user(request)
    actor = await service.table_for(table, user.user_id)
    made = await service.rematch(actor, user, address_of(request))
    known = actor.table.rematch
    joins = known is not None and known.user != user.user_id
    return RedirectResponse(f"/t/{made}", 307 if joins else 303)  # 307 sends the form to the other table


async def _shown(request: Request, actor: TableActor, user: User | None, refusal: str = "") -> Response:
    """Render the table's page, or the join form if the user may not watch, with the message of a refused command."""
    who, status = None if user is None else user.user_id, 409 if refusal else 200
    if not may_watch(actor.table, who):
        context: dict[str, Any] = {
            "table": actor.table.id,
            "refusal": refusal,
            "removed": who in actor.table.removed,
            "shared": shared_table(request, actor),
        }
        return await page(request, "table/closed_door.html", status, user=user, **context)
    link = link_to(request, actor.table.id)
    draft = dict(request.query_params)
    # A form is only sent from the page of an open table.
    following = draft.pop(FOLLOWING, None) is not None or request.method == "POST"
    hidden = await service_of(request).people.blocked_by(who)
    snapshot = TableSnapshot(
        actor.state_for(who).message,
        actor.chat_for(who, hidden).message,
        None,
        actor.reactions_for(who, hidden).message,
        draft,
        link,
        "" if user is None else user.name,
        following,
        Preferences.read(request.cookies).guide == actor.table.id,
        has_account=user is not None and not user.is_guest,
        ratings=await table_ratings(service_of(request).ratings, actor.table),
    )
    model = (
        await pages_of(request).in_thread(table_view_model, snapshot) if snapshot.draft else table_view_model(snapshot)
    )
    shared = shared_table(request, actor)
    return await page(request, "table/page.html", status, table=model, refusal=refusal, user=user, shared=shared)

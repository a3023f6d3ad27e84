"""Routes of the friends page and of another user's page: friends, invitations, blocks and challenges."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.accounts.people import Circle
from liarspoker.server.config import check
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.routes.people import MOST_RECENT, UserId
from liarspoker.server.service import Service, address_of
from liarspoker.server.tables.views import ENDED_STATUS, sits_at
from liarspoker.web.guests import Guest, once_of, with_session
from liarspoker.web.invitation import address_here
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.lobby import open_table, sender_of
from liarspoker.web.view_models.lobby import lobby_of
from liarspoker.web.view_models.new_table import FIRST_GAME
from liarspoker.web.words import sentence

router = APIRouter()

GAME, TABLE = "game", "table"
"""What a friend can be challenged to: a game at a new table, or a table at which the user sits."""

_MOST_TABLES = 50

Text = Annotated[str, Form(max_length=200)]
TableField = Annotated[str, Form(pattern=r"^[A-Za-z0-9_-]{0,100}$")]


@router.get("/friends")
async def friends(request: Request, service: ServiceDep, table: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Show friends, requests, invitations, recent players and blocks."""
    user = await user_of(request)
    if user is None:
        return await page(request, "friends.html", user=None, circle=Circle([], [], [], []))
    listed = await service.storage.listings(member=user.user_id, limit=_MOST_TABLES)
    mine = [
        one
        for one in listed
        if one.listing.status != ENDED_STATUS
        and sits_at(one.listing, user.user_id)
        and one.listing.seats_taken < one.listing.seats
    ]
    circle = await service.people.circle(user.user_id)
    return await page(
        request,
        "friends.html",
        user=user,
        circle=circle,
        online={one.user_id for one in circle.friends if service.online.has(one.user_id)},
        last_games=await service.people.last_games(user.user_id),
        first_game=FIRST_GAME,
        games=catalogue.games(),
        tables=lobby_of([(one, None) for one in mine], user.user_id, service.clock.now()).tables,
        table=table,
        recent=await service.people.recent(user.user_id, MOST_RECENT),
        link=f"{address_here(request)}/people/{user.user_id}",
        **await _inbox(service, user),
    )


@router.get("/friends/invitations")
async def invitations(request: Request, service: ServiceDep) -> Response:
    """Return the list of invitations, which the page reloads regularly."""
    user = await service.session_user(request)
    return await page(request, "invitations.html", user=user, **await _inbox(service, user))


@router.post("/friends/decline")
async def decline(request: Request, service: ServiceDep, table: TableField) -> Response:
    """Decline an invitation, and return to the lobby."""
    user = await service.session_user(request)
    await service.people.decline(user.user_id, table)
    return RedirectResponse("/", 303)


@router.get("/people/{user}")
async def person(user: UserId, request: Request, service: ServiceDep) -> Response:
    """Show another user, and what can be done about them."""
    return await _person(request, service, await user_of(request), user)


@router.post("/people/{user}")
async def change(
    user: UserId,
    request: Request,
    service: ServiceDep,
    do: Text,
    name: Text = "",
    back: Text = "",
    table: TableField = "",
) -> Response:
    """Ask a user to be friends or accept, end a friendship or decline, block, unblock, or withdraw an invitation."""
    try:
        guest = await sender_of(request, name)
    except BadName as error:
        return await _person(request, service, await user_of(request), user, sentence(str(error)))
    me, people = guest.user.user_id, service.people
    if do in ("befriend", "block"):
        check(service.relations, me, "requests")
    if do == "befriend":
        await people.befriend(me, user)
    elif do == "part":
        await people.part(me, user)
    elif do == "block":
        await people.block(me, user)
    elif do == "unblock":
        await people.unblock(me, user)
    elif do == "withdraw":
        await people.withdraw(me, user, table)
    else:
        raise Problem("bad-command", _("this isn't something you can do here; go back and try again"))
    return with_session(guest, RedirectResponse("/friends" if back else f"/people/{user}", 303), service)


@router.post("/people/{user}/challenge")
async def challenge(user: UserId, request: Request, service: ServiceDep, to: Text = "", id: Text = "") -> Response:
    """Invite a friend to a new private table, or to one at which the user sits; open the table."""
    me = await service.session_user(request)
    kind, _sep, name = to.partition(":")
    if kind == TABLE:
        await service.invite(me, name, user)
        return RedirectResponse(f"/friends?table={name}", 303)
    if await service.people.relation(me.user_id, user) != "friend":
        raise Problem("not-friends", _("you can only challenge your friends; ask them to be friends first"))
    row = catalogue.preset(name or (await service.people.last_games(me.user_id)).get(user, FIRST_GAME))

    async def new() -> str:
        table = await open_table(service, Guest(me), address_of(request), {"game": row.id, "seats": row.seats[0]})
        await service.invite(me, table, user)
        return table

    made = await once_of(request).of(("challenge", me.user_id, user, to, id), new)
    return RedirectResponse(f"/t/{made}", 303)


async def _inbox(service: Service, user: User) -> dict[str, Any]:
    inbox = await service.people.inbox(user.user_id)
    shown = lobby_of([], user.user_id, service.clock.now(), inbox)
    sent = [(one, lobby_of([(one.table, None)], None, 0.0).tables[0].title) for one in inbox.sent]
    return {"received": shown.tables, "sent": sent}


async def _person(request: Request, service: Service, me: User | None, user_id: str, error: str = "") -> Response:
    other = await service.accounts.user(user_id)
    relation = "" if me is None else await service.people.relation(me.user_id, user_id)
    online = relation == "friend" and service.online.has(user_id)
    status, ratings = 422 if error else 200, await service.ratings.of(user_id)
    shown: dict[str, Any] = {"other": other, "relation": relation, "online": online, "ratings": ratings}
    return await page(request, "person.html", status, user=me, name_error=error, **shown)

"""The lobby: a name, three buttons, and the tables that are open; and the form of a new table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from msgspec import to_builtins
from starlette.responses import RedirectResponse, Response

from liarspoker.bots import catalogue as bot_catalogue
from liarspoker.core import catalogue
from liarspoker.protocol.commands import Command, Start
from liarspoker.protocol.frames import State
from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.problems import Problem, status_of
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import Service, address_of
from liarspoker.server.tables.views import ENDED_STATUS, LISTED_SECONDS, PLAYING
from liarspoker.tables.decide import read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import WAITING
from liarspoker.web.guests import Guest, guest_here, let_in, once_of
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.table import TableId
from liarspoker.web.view_models.lobby import Lobby, lobby_of, seated_words, sits_at
from liarspoker.web.view_models.new_table import filled_of, new_table
from liarspoker.web.view_models.terms import badge
from liarspoker.web.words import sentence

router = APIRouter()

QUICK = {"game": "salomon-1986", "seats": 6, "visibility": "open", "title": "Quick table"}
QUICK_BOTS = ("beginner", "binomial", "bluffer", "bluffer")
MIXED = "mixed"
"""Bots of every level that plays to win, one after the other."""

_SHOWN = 50
_MOST_FIELDS = 80


@router.get("/")
async def lobby(request: Request, service: Here) -> Response:
    """The lobby."""
    return await _lobby(request, service)


@router.get("/lobby/tables")
async def tables(request: Request, service: Here) -> Response:
    """The part of the lobby that changes by itself."""
    user = await user_of(request)
    found = await _found(service, user)
    return await page(request, "lobby_tables.html", user=user, lobby=found, seated=seated_words(found))


@router.post("/quick")
async def quick(request: Request, service: Here, name: Annotated[str, Form()] = "") -> Response:
    """A table with four bots, at which people may join: one click."""
    try:
        guest = await somebody(request, name)
    except BadName as error:
        return await _lobby(request, service, 422, name, sentence(str(error)))
    table = await open_table(service, guest, address_of(request), QUICK, QUICK_BOTS, start=True)
    return let_in(guest, RedirectResponse(f"/t/{table}", 303), service)


@router.get("/bots")
async def choose_bots(
    request: Request, name: str = "", level: Annotated[str, Query(max_length=40)] = MIXED
) -> Response:
    """Which game to play against bots, and how well they lie."""
    return await _bots(request, name, level)


@router.post("/bots")
async def play_bots(
    request: Request,
    service: Here,
    game: Annotated[str, Form()],
    name: Annotated[str, Form()] = "",
    level: Annotated[str, Form()] = MIXED,
    opponents: Annotated[int, Form(ge=1, le=9)] = 3,
) -> Response:
    """A table of one's own with bots, which begins at once."""
    row = catalogue.row(game)
    try:
        guest = await somebody(request, name)
    except BadName as error:
        return await _bots(request, name, level, 422, sentence(str(error)))
    playing = [bot.name for bot in bot_catalogue.bots() if bot.plays(row) and bot.name != "uniform"]
    most = min(opponents, row.seats[1] - 1)
    bots = [level if level in playing else playing[at % len(playing)] for at in range(most)]
    settings = {"game": row.id, "seats": most + 1, "title": f"{badge(row.id)} with bots"}
    table = await open_table(service, guest, address_of(request), settings, bots, start=True)
    return let_in(guest, RedirectResponse(f"/t/{table}", 303), service)


async def somebody(request: Request, name: str, form_id: str = "") -> Guest:
    """Who sends the form; a guest with this name, or with any, where that was nobody yet. See `guest_here`.

    Raises:
        BadName: the name is none.
        Problem: too many guests have come from there.
    """
    guest = await guest_here(request, name, form_id=form_id)
    assert guest is not None
    return guest


async def open_table(
    service: Service,
    guest: Guest,
    address: str,
    settings: Mapping[str, object],
    bots: Sequence[str] = (),
    start: bool = False,
) -> str:
    """A new table, at which `guest` sits as its owner.

    Raises:
        LiarsPokerError: it cannot be made as asked, or too many are made.
    """
    doings: list[Command] = [read_command({"do": "seat_bot", "bot": bot}) for bot in bots]
    if start:
        doings.append(Start())
    actor = await service.make_table(guest.user, address, read_settings(settings), doings)
    return actor.table.id


async def _lobby(
    request: Request, service: Service, status: int = 200, name: str | None = None, error: str = ""
) -> Response:
    user = await user_of(request)
    found = await _found(service, user)
    shown = name if name is not None else user.name if user is not None else ""
    told: dict[str, Any] = {"lobby": found, "seated": seated_words(found), "name": shown, "name_error": error}
    return await page(request, "lobby.html", status, user=user, **told)


async def _bots(request: Request, name: str, level: str, status: int = 200, error: str = "") -> Response:
    user = await user_of(request)
    levels = [bot for bot in bot_catalogue.bots() if bot.name != "uniform"]
    shown = name or (user.name if user is not None else "")
    told: dict[str, Any] = {"games": catalogue.games(), "levels": levels, "level": level, "mixed": MIXED}
    return await page(request, "bots.html", status, user=user, name=shown, name_error=error, **told)


async def _found(service: Service, user: User | None) -> Lobby:
    """What stands in the lobby for `user`: his own tables, and those that are open."""
    own = []
    if user is not None:
        listed = await service.storage.listings(member=user.user_id, limit=_SHOWN)
        # Whoever has left a table stays among those who know it.
        own = [one for one in listed if one.listing.status != ENDED_STATUS and sits_at(one, user.user_id)]
    mine = frozenset(one.table_id for one in own)
    now = service.clock.now()
    others = [
        one
        for status in (WAITING, PLAYING)
        for one in await service.storage.listings(status=status, visibility="open", limit=_SHOWN)
        if one.table_id not in mine and one.listing.updated_at > now - LISTED_SECONDS
    ]
    who = None if user is None else user.user_id
    found = [(one, _seen(service, one.table_id, who)) for one in own] + [(one, None) for one in others]
    return lobby_of(found, who, now)


def _seen(service: Service, table: str, who: str | None) -> State | None:
    """The table as `who` sees it, if it is in memory; nothing is opened for this."""
    actor = service.registry.at_hand(table)
    return None if actor is None else actor.state_for(who).message


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

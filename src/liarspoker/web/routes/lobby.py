"""The lobby: a name, three buttons, and the tables that are open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.bots import catalogue as bot_catalogue
from liarspoker.core import catalogue
from liarspoker.protocol.commands import Command, Start
from liarspoker.protocol.frames import State
from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import Service, address_of
from liarspoker.server.tables.views import ENDED_STATUS, LISTED_SECONDS, PLAYING
from liarspoker.tables.decide import read_command
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import WAITING
from liarspoker.web.guests import Guest, guest_here, let_in
from liarspoker.web.pages import page, user_of
from liarspoker.web.view_models.lobby import Lobby, lobby_of, seated_words, sits_at
from liarspoker.web.view_models.terms import badge
from liarspoker.web.words import sentence

router = APIRouter()

QUICK = {"game": "salomon-1986", "seats": 6, "visibility": "open", "title": "Quick table"}
QUICK_BOTS = ("beginner", "binomial", "bluffer", "bluffer")
MIXED = "mixed"
"""Bots of every level that plays to win, one after the other."""

_SHOWN = 50


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

"""Routes of the lobby, of play against bots, and of the form for a new table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from msgspec import to_builtins
from starlette.responses import RedirectResponse, Response

from liarspoker.bots import catalogue as bot_catalogue
from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.protocol.commands import Command, Start
from liarspoker.protocol.frames import State
from liarspoker.server.accounts.credentials import BadName, User
from liarspoker.server.accounts.people import NOTHING
from liarspoker.server.problems import Problem, status_of
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service, address_of, service_of
from liarspoker.server.tables.views import LISTED_SECONDS, PLAYING, is_reserved_for, sits_at
from liarspoker.tables.decide import read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import WAITING
from liarspoker.web.guests import Guest, guest_here, with_session
from liarspoker.web.pages import page, user_of
from liarspoker.web.preferences import Preferences
from liarspoker.web.routes.table import TableId
from liarspoker.web.view_models.hall import halls
from liarspoker.web.view_models.lobby import Lobby, last_game_of, lobby_of, seated_words
from liarspoker.web.view_models.new_table import filled_of, new_table
from liarspoker.web.view_models.terms import GUIDED_TITLE, QUICK_TITLE, title_with_bots
from liarspoker.web.words import sentence

router = APIRouter()

QUICK_BOTS = 4
"""The number of bots at a quick table, or fewer if the game has fewer seats."""
GUIDED = {"game": "dollar-bill", "seats": 4, "title": GUIDED_TITLE}
GUIDED_BOTS: tuple[str, ...] = ("beginner", "beginner", "binomial")
MIXED = "mixed"
"""Level of opponents: one bot of each level in turn, without `uniform`."""

_SHOWN = 50
_MOST_FIELDS = 80


@router.get("/")
async def lobby(request: Request, service: ServiceDep) -> Response:
    """Show the lobby."""
    return await _lobby(request, service)


@router.get("/lobby/tables")
async def tables(request: Request, service: ServiceDep) -> Response:
    """Return the lobby's list of tables, which the page reloads regularly."""
    user = await user_of(request)
    found = await _found(service, user)
    return await page(request, "lobby_tables.html", user=user, lobby=found, seated=seated_words(found))


@router.get("/next")
async def next_game(request: Request, service: ServiceDep, after: str = "") -> Response:
    """Go to the correspondence table that waits for the user with the least time left, or to the lobby.

    The table `after`, from which the user comes, is the last choice.
    """
    user = await user_of(request)
    waiting = [] if user is None else await service.storage.listings(awaits=user.user_id, limit=_SHOWN)
    waiting.sort(key=lambda one: (one.table_id == after, one.listing.due or inf))
    return RedirectResponse(f"/t/{waiting[0].table_id}" if waiting else "/", 303)


@router.post("/quick")
async def quick(
    request: Request,
    service: ServiceDep,
    name: Annotated[str, Form()] = "",
    game: Annotated[str, Form()] = "",
) -> Response:
    """Create an open table of a game with bots and start it; without a game, start a guided hand."""
    row = catalogue.preset(game) if game else None
    try:
        guest = await sender_of(request, name)
    except BadName as error:
        return await _lobby(request, service, 422, name, sentence(str(error)))
    if row is None:
        settings, bots = GUIDED, GUIDED_BOTS
    else:
        seats = min(6, row.seats[1])
        settings = {"game": row.id, "seats": seats, "visibility": "open", "title": QUICK_TITLE}
        bots = opponents(row, MIXED, min(QUICK_BOTS, seats - 1))
    table = await open_table(service, guest, address_of(request), settings, bots, start=True)
    response = with_session(guest, RedirectResponse(f"/t/{table}", 303), service)
    if row is None:
        Preferences.read(request.cookies).changed({"guide": table}).save(response, service.config.tls)
    return response


def opponents(row: catalogue.GamePreset, level: str, count: int) -> tuple[str, ...]:
    """Return the names of `count` bots of a level that play a game.

    If the level is `MIXED`, or if no bot of this name plays the game, they are of levels from the weakest up, and none
    of them thinks.
    """
    if any(bot.name == level != "uniform" and bot.plays(row) for bot in bot_catalogue.table_bots()):
        return (level,) * count
    playing = [bot.name for bot in bot_catalogue.bots() if bot.plays(row) and bot.name != "uniform"]
    every = max(1, len(playing) // max(1, count))
    return tuple(playing[at * every % len(playing)] for at in range(count))


@router.get("/bots")
async def choose_bots(
    request: Request, name: str = "", level: Annotated[str, Query(max_length=40)] = MIXED
) -> Response:
    """Show the form to play against bots."""
    return await _bots(request, name, level)


@router.post("/bots")
async def play_bots(
    request: Request,
    service: ServiceDep,
    game: Annotated[str, Form()],
    name: Annotated[str, Form()] = "",
    level: Annotated[str, Form()] = MIXED,
    count: Annotated[int, Form(alias="opponents", ge=1, le=9)] = 3,
) -> Response:
    """Create a private table with bots and start it."""
    row = catalogue.preset(game)
    try:
        guest = await sender_of(request, name)
    except BadName as error:
        return await _bots(request, name, level, 422, sentence(str(error)))
    bots = opponents(row, level, min(count, row.seats[1] - 1))
    settings = {"game": row.id, "seats": len(bots) + 1, "title": title_with_bots(row.id)}
    table = await open_table(service, guest, address_of(request), settings, bots, start=True)
    return with_session(guest, RedirectResponse(f"/t/{table}", 303), service)


async def sender_of(request: Request, name: str, form_id: str = "") -> Guest:
    """Return the user who sent the form, or a new guest if they were unknown. See `guest_here`.

    Raises:
        BadName: the name isn't valid.
        Problem: too many guests were created from this address.
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
    """Create a table owned by `guest`, and return its id.

    Raises:
        LiarsPokerError: the settings aren't valid, or too many tables were created.
    """
    owner_commands: list[Command] = [read_command({"do": "seat_bot", "bot": bot}) for bot in bots]
    if start:
        owner_commands.append(Start())
    actor = await service.make_table(guest.user, address, read_settings(settings), owner_commands)
    return actor.table.id


async def _lobby(
    request: Request, service: Service, status: int = 200, name: str | None = None, error: str = ""
) -> Response:
    user = await user_of(request)
    found = await _found(service, user)
    shown = name if name is not None else user.name if user is not None else ""
    context: dict[str, Any] = {"lobby": found, "seated": seated_words(found), "name": shown, "name_error": error}
    return await page(request, "lobby.html", status, user=user, **context)


async def _bots(request: Request, name: str, level: str, status: int = 200, error: str = "") -> Response:
    user = await user_of(request)
    levels = [bot for bot in bot_catalogue.table_bots() if bot.name != "uniform"]
    shown = name or (user.name if user is not None else "")
    context: dict[str, Any] = {"games": catalogue.games(), "levels": levels, "level": level, "mixed": MIXED}
    context["halls"] = halls()
    only: dict[str, list[str]] = {}
    for bot in levels:
        if not all(map(bot.plays, catalogue.games())):
            played = ", ".join(_(row.badge or row.title) for row in catalogue.games() if bot.plays(row))
            only.setdefault(played, []).append(_(bot.title))
    context["only"] = only
    return await page(request, "bots.html", status, user=user, name=shown, name_error=error, **context)


async def _found(service: Service, user: User | None) -> Lobby:
    """Return the lobby of `user`: their own tables, those to which they are invited, and the open ones."""
    own, inbox, last_game = [], NOTHING, None
    if user is not None:
        listed = await service.storage.listings(member=user.user_id, limit=_SHOWN)
        last_game = last_game_of(listed)
        for status in (WAITING, PLAYING):
            listed = await service.storage.listings(status=status, member=user.user_id, limit=_SHOWN)
            # Storage lists players who have left a table as members.
            own += [
                one for one in listed if any(test(one.listing, user.user_id) for test in (sits_at, is_reserved_for))
            ]
        inbox = await service.people.inbox(user.user_id)
    mine = frozenset(one.table_id for one in own) | {one.table.table_id for one in inbox.received}
    now = service.clock.now()
    others = [
        one
        for status in (WAITING, PLAYING)
        for one in await service.storage.listings(status=status, visibility="open", limit=_SHOWN)
        if one.table_id not in mine and one.listing.updated_at > now - LISTED_SECONDS
    ]
    who = None if user is None else user.user_id
    found = [(one, _seen(service, one.table_id, who)) for one in own] + [(one, None) for one in others]
    return lobby_of(found, who, now, inbox, last_game)


def _seen(service: Service, table: str, who: str | None) -> State | None:
    """Return the table as `who` sees it if it is in memory; don't load it."""
    actor = service.registry.loaded(table)
    return None if actor is None else actor.state_for(who).message


@router.get("/new")
async def form(request: Request) -> Response:
    """Show the form, filled in from the query."""
    return await _form(request, dict(request.query_params))


@router.post("/new")
async def make(request: Request, service: ServiceDep) -> Response:
    """Create the table, or show the form again with an error beside each invalid field."""
    filled = await _filled(request)
    asked = new_table(filled)
    if asked.wrong or asked.error:
        return await _form(request, filled, 422, sentence(asked.error) if asked.error else "")
    try:
        guest = await sender_of(request, filled.get("name", ""))
    except BadName as error:
        return await _form(request, filled, 422, name_error=sentence(str(error)))
    try:
        table = await open_table(
            service, guest, address_of(request), asked.settings, asked.seated, start="start" in filled
        )
    except (Refused, Problem) as error:
        status = status_of(error.code) if isinstance(error, Problem) else 422
        return with_session(guest, await _form(request, filled, status, sentence(str(error))), service)
    return with_session(guest, RedirectResponse(f"/t/{table}", 303), service)


@router.post("/new/rules")
async def show_rules(request: Request) -> Response:
    """Show the page of the form's rules, where they can be shared and saved."""
    filled = await _filled(request)
    asked = new_table(filled)
    if not asked.rules:
        return await _form(request, filled, 422, sentence(asked.error) if asked.error else "")
    return RedirectResponse(f"/house-rules/{asked.rules}", 303)


@router.get("/t/{table}/like")
async def like(table: TableId, request: Request, service: ServiceDep) -> Response:
    """Show the form for a new table, filled in with the settings and bots of this one."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    bots = tuple(chair.bot for chair in actor.table.seated if chair.bot)
    return await _form(request, filled_of(to_builtins(actor.table.settings), bots))


async def _filled(request: Request) -> dict[str, str]:
    return {name: str(value) for name, value in (await request.form(max_fields=_MOST_FIELDS)).items()}


async def _form(
    request: Request, filled: Mapping[str, str], status: int = 200, error: str = "", name_error: str = ""
) -> Response:
    user = await user_of(request)
    asked = new_table(filled)
    name = filled.get("name", "") or ("" if user is None else user.name)
    wrong = asked.wrong + bool(name_error) + bool(error)
    saved = [] if user is None else await service_of(request).saved_rules.of(user.user_id)
    context: dict[str, Any] = {"error": error, "name": name, "name_error": name_error, "wrong": wrong, "saved": saved}
    return await page(request, "new.html", status, user=user, new=asked, **context)

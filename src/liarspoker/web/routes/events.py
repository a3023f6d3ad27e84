"""Routes of duplicate events: the list, the form for a new one, the page of an event, and its result as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from msgspec.json import format as indented
from starlette.responses import RedirectResponse, Response

from liarspoker.language import _
from liarspoker.protocol.codec import encode
from liarspoker.protocol.http import EventResultResponse
from liarspoker.server.accounts.credentials import BadName
from liarspoker.server.config import check
from liarspoker.server.duplicates.model import Event, EventError
from liarspoker.server.duplicates.planning import MOST_HANDS
from liarspoker.server.duplicates.play import EVENT_FORM
from liarspoker.server.problems import Problem, status_of
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.routes.events import EventId, response_of, result_for, result_of
from liarspoker.tables.refused import Refused
from liarspoker.web.guests import with_session
from liarspoker.web.invitation import address_here
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.lobby import sender_of
from liarspoker.web.view_models.events import hands_of
from liarspoker.web.view_models.fields import NO_CLOCK
from liarspoker.web.view_models.new_table import NewTable, new_table
from liarspoker.web.view_models.terms import pace_words
from liarspoker.web.words import sentence

router = APIRouter(prefix="/events")

USUAL = {"clock": "normal", "seats": "4", "rounds": "12"}
"""What the form for a new event is filled in with."""

_MOST_FIELDS = 80
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets take a text that begins like this for a formula."""

Text = Annotated[str, Form(max_length=200)]


@router.get("")
async def events(request: Request, service: ServiceDep) -> Response:
    """List the user's events."""
    user = await user_of(request)
    found = [] if user is None else await service.duplicates.of(user.user_id)
    shown = [response_of(event, None if user is None else user.user_id) for event in found]
    return await page(request, "events/list.html", user=user, events=shown)


@router.get("/new")
async def form(request: Request) -> Response:
    """Show the form, filled in from the query."""
    return await _form(request, dict(request.query_params))


@router.post("/new")
async def make(request: Request, service: ServiceDep) -> Response:
    """Create the event, or show the form again with an error beside each invalid field."""
    filled = {name: str(text) for name, text in (await request.form(max_fields=_MOST_FIELDS)).items()}
    asked = _asked(filled)
    if asked.wrong or asked.error:
        return await _form(request, filled, 422, sentence(asked.error) if asked.error else "")
    try:
        guest = await sender_of(request, filled.get("name", ""))
    except BadName as error:
        return await _form(request, filled, 422, name_error=sentence(str(error)))
    try:
        service.check_commands(guest.user.user_id)
        check(service.tables, guest.user.user_id, "tables")
        settings, with_bots = asked.settings, filled.get("bots") == "true"
        title, hands = settings["title"], settings["rounds"] or 0
        event = await service.duplicates.create(guest.user, title, settings, hands, with_bots)
    except (BadName, EventError, Refused, Problem) as error:
        status = 422 if isinstance(error, Refused) else status_of(error.code)
        return with_session(guest, await _form(request, filled, status, sentence(str(error))), service)
    return with_session(guest, RedirectResponse(f"/events/{event.id}", 303), service)


def _asked(filled: Mapping[str, str]) -> NewTable:
    """Return the form of an event's tables, with the fields that an event has."""
    asked = new_table({**USUAL, **filled})
    fields = dict(asked.fields)
    clock = fields["clock"]
    fields["clock"] = replace(
        clock, choices=tuple(choice for choice in clock.choices if choice.value != NO_CLOCK), meaning=""
    )
    fields["title"] = replace(fields["title"], label=_("Name of the event"), meaning="", most=60)
    fields["rounds"] = replace(
        fields["rounds"], label=_("Hands"), meaning=_("The same hands at every table, at most {most}.", most=MOST_HANDS)
    )
    fields["seats"] = replace(fields["seats"], label=_("Seats at each table"), meaning="")
    changes = tuple(change for change in asked.changes if not change.explained.endswith("#setting-rounds"))
    return replace(asked, fields=fields, changes=changes)


async def _form(
    request: Request, filled: Mapping[str, str], status: int = 200, error: str = "", name_error: str = ""
) -> Response:
    user = await user_of(request)
    asked = _asked(filled)
    name = filled.get("name", "") or ("" if user is None else user.name)
    wrong = asked.wrong + bool(name_error) + bool(error)
    context: dict[str, Any] = {"error": error, "name": name, "name_error": name_error, "wrong": wrong}
    bots = filled.get("bots", "true")
    return await page(request, "events/new.html", status, user=user, new=asked, bots=bots, **context)


@router.get("/{event}")
async def look(event: EventId, request: Request, service: ServiceDep) -> Response:
    """Show an event: its players, then the way to the user's table, and after the end the result."""
    return await _event(request, await service.duplicates.settle(event))


@router.get("/{event}/now")
async def now(
    event: EventId, request: Request, service: ServiceDep, waiting: Annotated[bool, Query()] = False
) -> Response:
    """Return the part of the page that changes, which the page reloads regularly.

    With `waiting`, the page was opened before the event was started, and goes to the user's table when it is.
    """
    user = await user_of(request)
    context = _context(request, await service.duplicates.settle(event), None if user is None else user.user_id)
    return await page(request, "events/now.html", user=user, waiting=waiting, **context)


@router.post("/{event}/join")
async def join(
    event: EventId, request: Request, service: ServiceDep, name: Text = "", words: Text = "", id: Text = ""
) -> Response:
    """Join an event that hasn't started; an unknown user becomes a guest."""
    try:
        guest = await sender_of(request, name, id)
    except BadName as error:
        return await _event(request, await service.duplicates.find(event), 422, sentence(str(error)), name)
    service.check_commands(guest.user.user_id)
    try:
        await service.duplicates.join(event, guest.user, words)
    except EventError as error:
        if error.code == "no-such-event":
            raise
        found = await service.duplicates.find(event)
        return with_session(
            guest, await _event(request, found, status_of(error.code), sentence(str(error)), name), service
        )
    return with_session(guest, RedirectResponse(f"/events/{event}", 303), service)


@router.post("/{event}/leave")
async def leave(event: EventId, request: Request, service: ServiceDep) -> Response:
    """Leave an event that hasn't started."""
    user = await service.user(request)
    service.check_commands(user.user_id)
    await service.duplicates.leave(event, user.user_id)
    return RedirectResponse(f"/events/{event}", 303)


@router.post("/{event}/start")
async def start(event: EventId, request: Request, service: ServiceDep) -> Response:
    """Start an event, and go to the user's table."""
    user = await service.user(request)
    service.check_commands(user.user_id)
    service.check_form(EVENT_FORM)
    try:
        started = await service.duplicates.start(event, user.user_id)
    except EventError as error:
        if error.code != "too-few":
            raise
        return await _event(request, await service.duplicates.find(event), 409, start_error=sentence(str(error)))
    table = started.table_of(user.user_id)
    return RedirectResponse(f"/events/{event}" if table is None else f"/t/{table}", 303)


@router.get("/{event}/result.{kind}")
async def result(event: EventId, kind: str, request: Request, service: ServiceDep) -> Response:
    """Download the result as `csv` or `json`."""
    found = await result_for(event, service, request)
    if kind not in ("csv", "json"):
        raise Problem("not-found", _("the result is available as CSV and JSON"))
    text = written_csv(found) if kind == "csv" else indented(encode(found), indent=1) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="event-{event[:8]}.{kind}"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv" if kind == "csv" else "application/json", headers=headers)


def written_csv(found: EventResultResponse) -> str:
    """Return the comparisons of an event as CSV, one line for each hand, table and seat."""
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow(["hand", "table", "seat", "player", "bot", "units", "points", "counts"])
    for one in found.comparisons:
        seat = found.tables[one.table].seats[one.seat]
        name = f"'{seat.name}" if seat.name.startswith(_FORMULAS) else seat.name
        counts = "yes" if one.counts and seat.bot is None else "no"
        row = [one.hand, one.table + 1, one.seat + 1, name, seat.bot or "", one.units, f"{one.points:.4f}", counts]
        lines.writerow(row)
    return written.getvalue()


def _context(request: Request, event: Event, user: str | None) -> dict[str, Any]:
    ended = event.finished_at is not None
    return {
        "event": response_of(event, user),
        "owner": user == event.owner,
        "owner_name": event.owner_name,
        "joined": user in event.names,
        "tables": len(event.plan.tables) if event.plan is not None else 0,
        "tables_ended": len(event.scores),
        "link": f"{address_here(request)}/events/{event.id}",
        "pace": pace_words(event.settings.clock, event.settings.days),
        "result": result_of(event) if ended else None,
    }


async def _event(
    request: Request, event: Event, status: int = 200, refusal: str = "", name: str = "", start_error: str = ""
) -> Response:
    user = await user_of(request)
    context = _context(request, event, None if user is None else user.user_id)
    found = context["result"]
    return await page(
        request,
        "events/event.html",
        status,
        user=user,
        hands=() if found is None else hands_of(found),
        refusal=refusal,
        name=name or ("" if user is None else user.name),
        start_error=start_error,
        waiting=False,
        **context,
    )

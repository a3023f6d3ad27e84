"""Routes of replays, of a table's finished rounds or an uploaded record, and of a table's records for download."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, Path, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from liarspoker.coach.document import ReviewDocument
from liarspoker.core import catalogue
from liarspoker.language import N_, _, language
from liarspoker.records import replay
from liarspoker.records.reader import Bounds, Replay, read_record
from liarspoker.records.writer import to_json, to_toml
from liarspoker.server.config import check
from liarspoker.server.problems import Problem
from liarspoker.server.reviews import NoReview, keys_of
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service, address_of, service_of
from liarspoker.tables.export import records_of
from liarspoker.tables.state import ENDED, Table
from liarspoker.tables.view import may_watch
from liarspoker.web.pages import large_page, page, pages_of, user_of
from liarspoker.web.routes.table import TableId
from liarspoker.web.routes.verify import is_table_id
from liarspoker.web.share.meta import shared_round
from liarspoker.web.view_models.odds_fields import read_integer
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.replay import (
    LAST,
    Evening,
    EveningDecision,
    ReplayViewModel,
    document_rounds,
    evening_decisions,
    view_model,
)
from liarspoker.web.view_models.terms import own_title, title_of_round
from liarspoker.web.words import sentence

router = APIRouter()

MOST_BYTES = 8 * 1024 * 1024
"""Maximum size of an uploaded record; 800 hands of 16 players take 1 MB, or 6 MB with very long auctions."""

MOST_BODY_BYTES = MOST_BYTES + 1024 * 1024
"""Maximum size of a form: a browser ends each line of a pasted record with two characters."""

_LONG = 64 * 1024
_BOUNDS = Bounds(rounds=2_000, actions=3_000, in_all=500_000)

WHAT_IF = "if"
"""The word by which the form of an uploaded record asks to play on."""

_MOST_PLIES = 100_000
_MOST_ROUNDS = 100_000
_LISTED = 50

_NO_REVIEW = {
    "reviews-missing": N_("This server can't review hands: the packages for it aren't installed."),
    "reviews-busy": N_("The coach is busy. Try again in a moment."),
    "review-failed": N_("The review of this hand failed or took too long."),
    "review-too-long": N_("This hand has too many actions to be reviewed."),
    "review-refused": N_("This hand can't be reviewed: {reason}"),
}
"""Why there is no review; messages."""

MOST_REVIEWED = 100
"""The maximum number of hands of an evening that are reviewed, the latest ones."""

Number = Annotated[int, Path(ge=1, le=_MOST_ROUNDS)]


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a replay's steps: URLs of a table, or a form that sends the uploaded record again.

    Attributes:
        base: the URL path of the table's replays; empty for an uploaded record.
        record: the text of an uploaded record.
        name: its file name.
        review: whether the plies are shown with a review.
    """

    base: str = ""
    record: str = ""
    name: str = ""
    review: bool = False

    def step(self, number: int, ply: int, view: str, review: bool | None = None) -> str:
        """Return the URL of a ply, or the value of the button that leads to it."""
        reviewed = self.review if review is None else review
        if not self.base:
            return f"{number}.{ply}.{view}{'.review' * reviewed}"
        return f"{self.base}/{number}?{urlencode({'ply': ply, 'as': view, **({'review': 1} if reviewed else {})})}"

    def what_if(self, number: int, ply: int, actions: Sequence[str], *more: str) -> str:
        """Return the URL at which the reader plays other actions from a ply, or the value of the button for it."""
        played = [*actions, *more]
        if not self.base:
            return f"{number}.{ply}.{WHAT_IF}.{'|'.join(played)}"
        return f"{self.base}/{number}?{urlencode([('ply', ply), *[('if', action) for action in [*played, '']]])}"

    def guess(self, number: int, ply: int, view: str, action: str = "") -> str:
        """Return the URL at which the reader tries again from a ply, or has chosen an action there."""
        return f"{self.step(number, ply, view, True)}&{urlencode({'guess': action})}"


@router.get("/t/{table}/replay")
async def last_round(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Show the last finished round of a table."""
    return await _table_page(table, service, request, None)


@router.get("/t/{table}/replay/record.{form}")
async def export(table: TableId, form: str, service: ServiceDep, request: Request) -> Response:
    """Download a record of the table as `toml` or `json`; `?record=N` selects it, from 1."""
    user = await user_of(request)
    user_id = None if user is None else user.user_id
    actor = await service.table_for(table, user_id)
    check(service.records, address_of(request), "records")
    records = await to_thread.run_sync(records_of, actor.table, user_id)
    which = read_integer(request.query_params.get("record", "1"), 1, max(1, len(records)))
    if form not in ("toml", "json") or not records or which is None:
        raise HTTPException(404)
    text = await to_thread.run_sync(_written, records[which - 1], form)
    kind = "application/toml" if form == "toml" else "application/json"
    suffix = "" if len(records) == 1 else f"-{which}"
    name = f'attachment; filename="{actor.table.id}{suffix}.{form}"'
    return Response(text, media_type=kind, headers={"Content-Disposition": name, "Cache-Control": "no-store"})


def _written(record: dict[str, Any], form: str) -> str:
    return to_toml(record) if form == "toml" else to_json(record, indent=1) + "\n"


@router.get("/t/{table}/replay/{number}")
async def one_round(table: TableId, number: Number, service: ServiceDep, request: Request) -> Response:
    """Show a finished round of a table; `?ply=` selects the ply and `?as=` the viewpoint."""
    return await _table_page(table, service, request, number)


async def _table_page(table: str, service: ServiceDep, request: Request, number: int | None) -> Response:
    user = await user_of(request)
    user_id = None if user is None else user.user_id
    actor = await service.table_for(table, user_id)
    check(service.records, address_of(request), "replays")
    records = await to_thread.run_sync(records_of, actor.table, user_id)
    places = document_rounds(records)
    title = own_title(actor.table.settings.title, actor.table.settings.game)
    context: dict[str, Any] = {"user": user, "table": table, "ended": actor.table.stage == ENDED}
    if not places or (number is not None and number > len(places)):
        status = 404 if places else 200
        return await page(request, "replay/none.html", status, title=title, rounds=len(places), **context)
    number = number or len(places)
    record, index = places[number - 1]
    deal = next((one.number for one in actor.table.deals if one.record == (record, index)), 0)
    query = request.query_params
    odds = context["ended"] or actor.table.settings.help
    wanted = bool(query.get("review")) and odds
    review, context["no_review"] = await _review(request, records[record], index + 1) if wanted else (None, "")
    shown = await to_thread.run_sync(
        partial(
            _view_model,
            records[record],
            index,
            number,
            len(places),
            query.get("ply", ""),
            query.get("as", ""),
            title,
            odds,
            review,
            query.get("guess"),
            [one for one in query.getlist("if") if one] if odds and "if" in query else None,
        )
    )
    links = Links(f"/t/{table}/replay", review=wanted)
    context["may_review"] = odds and shown.is_reviewable
    context["may_play_on"] = odds and shown.goes_on is not None
    if may_watch(actor.table, None):
        named = title_of_round(shown.title, shown.game, number)
        moment = shown.at if shown.what_if is None and 0 < shown.at < shown.last else None
        context["shared"] = shared_round(request, table, number, named, moment)
    return await page(request, "replay/page.html", replay=shown, links=links, record=record + 1, deal=deal, **context)


def _view_model(
    document: dict[str, Any],
    index: int,
    number: int,
    rounds: int,
    ply: str,
    view: str,
    title: str,
    odds: bool,
    review: ReviewDocument | None,
    guess: str | None,
    instead: Sequence[str] | None,
) -> ReplayViewModel:
    played = replay(document)
    return view_model(played, index, number, rounds, ply_of(ply), view, title, odds, review, guess, instead)


async def _review(request: Request, record: dict[str, Any], hand: int) -> tuple[ReviewDocument | None, str]:
    """Return the review of a hand, or `None` and why there is none."""
    service = service_of(request)
    admit = partial(check, service.reviewed, address_of(request), "reviews")
    try:
        return await service.reviews.review(record, hand, language(), address_of(request), admit), ""
    except NoReview as error:
        return None, _(_NO_REVIEW[error.code], reason=error)
    except Problem as error:
        return None, sentence(str(error))


@router.get("/t/{table}/review")
async def evening(table: TableId, service: ServiceDep, request: Request) -> Response:
    """List the reader's decisions at a table, the largest losses first.

    Every request reviews one more round, and the page is loaded again until all are reviewed.
    """
    user = await user_of(request)
    user_id = None if user is None else user.user_id
    actor = await service.table_for(table, user_id)
    check(service.records, address_of(request), "replays")
    records = await to_thread.run_sync(records_of, actor.table, user_id)
    preset = catalogue.preset(actor.table.settings.game)
    if not (actor.table.stage == ENDED or actor.table.settings.help) or pages_for(preset).review is None:
        raise HTTPException(404)
    found = await _thread(request, str(records))(partial(_evening, service, records), language())
    refused = ""
    if found.next is not None:
        record, index = found.next
        _found, refused = await _review(request, records[record], index + 1)
    title = own_title(actor.table.settings.title, actor.table.settings.game)
    context: dict[str, Any] = {"user": user, "table": table, "title": title, "evening": found}
    context["has_winner"] = preset.has_winner  # then the rounds aren't called hands
    return await page(request, "replay/evening.html", stopped=refused, **context)


def _evening(service: Service, records: list[dict[str, Any]], spoken: str) -> Evening:
    """Return what is known of the reader's decisions in the latest rounds, and the next round to review."""
    numbered = [(number, *place) for number, place in enumerate(document_rounds(records), 1)]
    rounds = [one for one in numbered if "x-seat" in records[one[1]]][-MOST_REVIEWED:]
    used = {record for _number, record, _index in rounds}
    keys = {record: keys_of(records[record], spoken) for record in used}
    played = {record: replay(records[record]) for record in used}
    decisions: list[EveningDecision] = []
    waiting: list[tuple[int, int]] = []
    refused = 0
    for number, record, index in rounds:
        review = service.reviews.kept(keys[record][index])
        if review is None:
            waiting.append((record, index))
        elif "refused" in review:
            refused += 1
        else:
            decisions += evening_decisions(played[record], index, number, review)
    ranked = tuple(sorted(decisions, key=lambda one: -one.loss))
    return Evening(ranked, len(rounds) - len(waiting), len(rounds), refused, waiting[0] if waiting else None)


def ply_of(text: str) -> int:
    """Read the number of a ply; `LAST` if it isn't one."""
    found = read_integer(text, 0, _MOST_PLIES)
    return LAST if found is None else found


@router.get("/replay")
async def shelf(request: Request, service: ServiceDep) -> Response:
    """List the user's tables, with a form to replay a record."""
    table = request.query_params.get("table", "")
    if is_table_id(table):
        return RedirectResponse(f"/t/{table}/replay", 303)
    user = await user_of(request)
    tables = []
    if user is not None:
        found = await service.storage.listings(member=user.user_id, limit=_LISTED)
        tables = [(one, json.loads(one.listing.summary)) for one in found if one.listing.status != "waiting"]
    return await page(request, "replay/shelf.html", user=user, tables=tables, text="", wrong="", where="")


@router.post("/replay")
async def replay_record(request: Request, service: ServiceDep) -> Response:
    """Replay an uploaded record, without storing it."""
    check(service.records, address_of(request), "replays")
    async with request.form(max_fields=8, max_files=1, max_part_size=MOST_BODY_BYTES) as form:
        text, name, go, typed = (str(form.get(key) or "") for key in ("record", "name", "go", "if"))
        file = form.get("file")
        if isinstance(file, UploadFile) and file.filename:
            name, content = file.filename, await file.read(MOST_BYTES + 1)
            text = content.decode("utf-8", "replace")
    text = text.replace("\r\n", "\n")
    if not text.strip():
        return await _refused(request, "", _("Paste a record or choose a file."), "")
    if len(text.encode()) > MOST_BYTES:
        return await _refused(request, "", _("The record is larger than 8 MiB. Remove some rounds and try again."), "")
    name = name if name.endswith((".toml", ".json")) else ""
    number, ply, view, more = (*go.split(".", 3), "", "", "", "")[:4]
    review = more == "review"
    instead = [one for one in (*more.split("|"), typed) if one] if view == WHAT_IF else None
    given = text.encode()
    played = await _thread(request, given)(partial(read_record, name=name, bounds=_BOUNDS), given)
    if not played.rounds:
        place = "" if played.fault is None else played.fault.place()
        why = _("The record has no rounds.") if played.fault is None else played.fault.message
        return await _refused(request, text, why, place)
    links = Links(record=text, name=name, review=review)
    return await _record_page(request, played, links, number, ply, view, instead)


async def replayed(request: Request, text: str) -> Response:
    """Show the first round of a stored JSON record, which the page sends back with every step."""
    played = await _thread(request, text)(partial(read_record, name=".json", bounds=_BOUNDS), text.encode())
    return await _record_page(request, played, Links(record=text, name="record.json"), "", "", "")


def _thread(request: Request, record: Sized) -> Callable[..., Awaitable[Any]]:
    """Return how to run work on `record` in a thread: long records run one at a time."""
    return pages_of(request).in_slow_thread if len(record) > _LONG else to_thread.run_sync


async def _record_page(
    request: Request,
    played: Replay,
    links: Links,
    number: str,
    ply: str,
    view: str,
    instead: Sequence[str] | None = None,
) -> Response:
    rounds = len(played.rounds)
    wanted = read_integer(number, 1, rounds) or 1
    begun = ply if number else "0"
    review, refused = await _review(request, played.document, wanted) if links.review else (None, "")
    draw = partial(
        view_model,
        index=wanted - 1,
        number=wanted,
        rounds=rounds,
        ply=ply_of(begun),
        view=view,
        review=review,
        instead=instead,
    )
    shown = await _thread(request, links.record)(draw, played)
    context: dict[str, Any] = {"table": "", "ended": False, "record": 1, "deal": 0, "fault": played.fault}
    context |= {"no_review": refused, "may_review": shown.is_reviewable, "may_play_on": shown.goes_on is not None}
    return await large_page(request, "replay/page.html", replay=shown, links=links, **context)


async def _refused(request: Request, text: str, wrong: str, where: str) -> Response:
    user = await user_of(request)
    context: dict[str, Any] = {"tables": [], "text": text, "wrong": wrong, "where": where}
    return await large_page(request, "replay/shelf.html", 422, user=user, **context)


RecordNumber = Annotated[int, Path(ge=1, le=10_000)]


@router.get("/t/{table}/records")
async def records(table: TableId, request: Request, service: ServiceDep) -> Response:
    """Download the record of the table, or list its records if the players changed."""
    played, found = await _records(table, request, service)
    if len(found) == 1:
        return _file(played, found[0], 1)
    names = [", ".join(record["players"]) for record in found]
    title = played.settings.title
    return await page(request, "records.html", table=table, title=title, names=names, records=found)


@router.get("/t/{table}/records/{number}")
async def record(table: TableId, number: RecordNumber, request: Request, service: ServiceDep) -> Response:
    """Download one record."""
    played, found = await _records(table, request, service)
    if number > len(found):
        raise HTTPException(404)
    return _file(played, found[number - 1], number)


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

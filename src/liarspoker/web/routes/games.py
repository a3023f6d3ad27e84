"""Routes of a user's games: results with filters, export of all records, and import of records."""

from __future__ import annotations

import io
import re
import time
import zipfile
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, HTTPException, Path, Request
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response, StreamingResponse

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _, ngettext
from liarspoker.records.reader import Bounds, Replay, read_record
from liarspoker.records.writer import to_json
from liarspoker.server.accounts.credentials import User
from liarspoker.server.config import check
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service, address_of
from liarspoker.server.storage.errors import StorageError
from liarspoker.web.accuracy import ReviewedHands
from liarspoker.web.history import MOST_IMPORTS, BadImport, Histories, History, Played, Selection, zip_name
from liarspoker.web.pages import page, pages_of, user_of
from liarspoker.web.routes.ratings import trends_of
from liarspoker.web.routes.replay import replayed
from liarspoker.web.view_models.accuracy import FEW_DECISIONS
from liarspoker.web.view_models.odds_fields import read_integer
from liarspoker.web.view_models.profile import FEW_BIDS
from liarspoker.web.words import sentence

if TYPE_CHECKING:
    from typing_extensions import Buffer

router = APIRouter()

MOST_BYTES = 4 * 1024 * 1024
"""Maximum size of an uploaded file: a record, or an archive of records."""
MOST_BODY_BYTES = MOST_BYTES + 64 * 1024
_PER_PAGE = 50
_OPPONENTS = 30
"""The number of opponents in the table of results by opponent; the filter lists them all."""
_BOUNDS = Bounds(rounds=2_000, actions=3_000, in_all=100_000)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")

ImportId = Annotated[str, Path(pattern=r"^[0-9a-f]{20}$")]


def histories_of(request: Request, service: Service) -> Histories:
    """Return the application's `Histories`, created on first use."""
    state = request.app.state
    if not hasattr(state, "histories"):
        state.histories = Histories(service.storage)
    histories: Histories = state.histories
    return histories


def reviewed_hands_of(request: Request, service: Service) -> ReviewedHands:
    """Return the application's `ReviewedHands`, created on first use."""
    state = request.app.state
    if not hasattr(state, "reviewed_hands"):
        state.reviewed_hands = ReviewedHands(service.storage, histories_of(request, service), service.reviews)
    reviewed: ReviewedHands = state.reviewed_hands
    return reviewed


@router.get("/you/games")
async def games(request: Request, service: ServiceDep) -> Response:
    """Show the user's results: all of them, or those that the query selects."""
    return await _page(request, service, await user_of(request))


@router.get("/you/bluffs")
async def bluffs(request: Request, service: ServiceDep) -> Response:
    """Show how the user bluffs, whose bids they believe and how good their reviewed decisions were.

    The page is about all games, or about those that the query selects.
    """
    user = await user_of(request)
    if user is None:
        return await page(request, "bluffs.html", user=None)
    history, found, context = await _found(request, service, user)
    opponent = context["selection"].opponent
    accuracies = await reviewed_hands_of(request, service).of(user.user_id, found.played, opponent)
    return await page(
        request,
        "bluffs.html",
        user=user,
        history=history,
        profiles=found.profiles,
        opponents_shown=_OPPONENTS,
        few=FEW_BIDS,
        accuracies=accuracies,
        one_kind=len({one.game.has_winner for one in accuracies.games}) == 1,
        few_decisions=FEW_DECISIONS,
        can_review=service.reviews.are_installed(),
        **context,
    )


@router.get("/you/games/records.zip")
async def export(request: Request, service: ServiceDep) -> Response:
    """Download the selected records in Liar's Poker Notation: a ZIP archive with a JSON file for each."""
    user = await service.session_user(request)
    check(service.records, address_of(request), "records")
    histories = histories_of(request, service)
    history = (await histories.of(user.user_id)).selected(_selection(request))
    headers = {"Content-Disposition": 'attachment; filename="liarspoker-records.zip"', "Cache-Control": "no-store"}
    content = _archive(histories, user.user_id, history.played)
    return StreamingResponse(content, media_type="application/zip", headers=headers)


@router.post("/you/games/import")
async def import_records(request: Request, service: ServiceDep) -> Response:
    """Import a record, or all records of an archive made by `export`."""
    user = await service.session_user(request)
    check(service.records, address_of(request), "records")
    async with request.form(max_fields=4, max_files=1, max_part_size=MOST_BODY_BYTES) as form:
        file, name = form.get("file"), str(form.get("player") or "").strip()
        if not isinstance(file, UploadFile) or not file.filename:
            return await _page(request, service, user, _("Choose a file."))
        file_name, content = file.filename, await file.read(MOST_BYTES + 1)
    histories = histories_of(request, service)
    added = 0
    try:
        for label, text in await to_thread.run_sync(_texts, file_name, content):
            try:
                played = await pages_of(request).in_slow_thread(partial(_read, label), text)
                await histories.add(user.user_id, played, name, time.time())
            except BadImport as error:
                raise BadImport(f"{label}: {error}" if label != file_name else str(error)) from None
            added += 1
    except LiarsPokerError as error:
        done = ngettext("{count} imported before it.", "{count} imported before it.", added) if added else ""
        return await _page(request, service, user, f"{sentence(str(error))} {done}".rstrip(), player=name)
    return RedirectResponse(f"/you/games?{urlencode({'imported': added})}", 303)


@router.get("/you/games/imports/{import_id}")
async def imported(import_id: ImportId, request: Request, service: ServiceDep) -> Response:
    """Replay an imported record."""
    user = await service.session_user(request)
    check(service.records, address_of(request), "replays")
    text = await histories_of(request, service).imported(user.user_id, import_id)
    if text is None:
        raise HTTPException(404)
    return await replayed(request, text)


@router.post("/you/games/imports/{import_id}/delete")
async def forget(import_id: ImportId, request: Request, service: ServiceDep) -> Response:
    """Delete an imported record."""
    user = await service.session_user(request)
    await histories_of(request, service).forget(user.user_id, import_id)
    return RedirectResponse("/you/games#list", 303)


def _selection(request: Request) -> Selection:
    """Return the selection in the query; invalid values select everything."""
    query = request.query_params
    since, until = (text if _DATE.fullmatch(text) else "" for text in (query.get("since", ""), query.get("until", "")))
    game = query.get("game", "")
    known = game in {row.id for row in catalogue.games()}
    return Selection(game if known else "", query.get("opponent", ""), since, until)


async def _page(request: Request, service: Service, user: User | None, wrong: str = "", player: str = "") -> Response:
    if user is None:
        return await page(request, "games.html", user=None)
    history, found, context = await _found(request, service, user)
    pages = max(1, -(-len(found.played) // _PER_PAGE))
    number = read_integer(request.query_params.get("page", "1"), 1, pages) or 1
    return await page(
        request,
        "games.html",
        422 if wrong else 200,
        user=user,
        history=history,
        found=found,
        by_opponent=found.by_opponent[:_OPPONENTS],
        listed=found.played[(number - 1) * _PER_PAGE : number * _PER_PAGE],
        number=number,
        pages=pages,
        wrong=wrong,
        player=player or user.name,
        ratings=await service.ratings.of(user.user_id),
        trends=trends_of(await service.ratings.games(user.user_id)),
        added=read_integer(request.query_params.get("imported", ""), 0, MOST_IMPORTS),
        **context,
    )


async def _found(request: Request, service: Service, user: User) -> tuple[History, History, dict[str, Any]]:
    """Return all results of a user, those that the query selects, and what the filter's form shows."""
    check(service.records, address_of(request), "requests for your results")
    history = await histories_of(request, service).of(user.user_id)
    selection = _selection(request)
    opponents = sorted({name for one in history.played for name in one.opponents})
    chosen = {name: text for name in Selection.__slots__ if (text := getattr(selection, name))}
    context = {"selection": selection, "opponents": opponents, "query": urlencode(chosen)}
    return history, history.selected(selection), context


def _texts(name: str, content: bytes) -> list[tuple[str, str]]:
    """Return the name and text of each record in an uploaded file."""
    if len(content) > MOST_BYTES:
        raise BadImport(_("the file is larger than 4 MiB; import its records in several parts"))
    if not content.startswith(b"PK"):
        return [(name, content.decode("utf-8", "replace"))]
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [one for one in archive.infolist() if not one.is_dir()]
            sizes = [one.file_size for one in files]
            if len(files) > MOST_IMPORTS or sum(sizes) > 16 * MOST_BYTES or max(sizes, default=0) > MOST_BYTES:
                raise BadImport(
                    _(
                        "the archive has more than {number} records or 64 MiB, or a record larger than 4 MiB; "
                        "import it in several parts",
                        number=MOST_IMPORTS,
                    )
                )
            # Other methods can make the decompressor reserve gigabytes of memory.
            if any(one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for one in files):
                raise BadImport(_("the archive can't be read: only the compression method Deflate is supported"))
            return [(one.filename, archive.read(one).decode("utf-8", "replace")) for one in files]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadImport(_("the archive can't be read: {reason}", reason=error)) from None


def _read(name: str, text: str) -> Replay:
    played = read_record(text.encode(), name=name if name.endswith((".toml", ".json")) else "", bounds=_BOUNDS)
    if played.fault is not None:
        raise BadImport(": ".join(filter(None, (played.fault.place(), played.fault.message))))
    return played


class _Pieces(io.RawIOBase):
    """A file that keeps what is written until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        self._pieces.append(bytes(data))
        return len(self._pieces[-1])

    def take(self) -> bytes:
        """Return what was written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


async def _archive(histories: Histories, user: str, played: Sequence[Played]) -> AsyncIterator[bytes]:
    """Yield a ZIP archive with the records, table by table; skip tables whose log can't be read."""
    pieces = _Pieces()
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in played:
            records = []
            with suppress(StorageError, ValueError):
                records = await histories.records(user, one)
            for number, record in enumerate(records, 1):
                archive.writestr(zip_name(one, number, len(records)), to_json(record))
            yield pieces.take()
    yield pieces.take()

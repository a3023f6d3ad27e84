"""The trainer: puzzles, and the puzzle of the day. The progress is a cookie, so no account is needed."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from liarspoker.games.digits.page.drill import odds_drill
from liarspoker.games.digits.page.puzzle import puzzle_view_model
from liarspoker.puzzles import Progress, of_the_day, puzzles, sheet_in_words, sheets
from liarspoker.server.service import service_of
from liarspoker.web.pages import page, user_of
from liarspoker.web.share.meta import shared_puzzle
from liarspoker.web.view_models.odds_fields import read_integer

router = APIRouter()

MOST_DRILLS = 9_999

COOKIE = "liarspoker-trainer"
_MAX_AGE = 5 * 365 * 86_400

Number = Annotated[int, Path(ge=1, le=100_000)]


@router.get("/trainer")
async def begin(request: Request) -> Response:
    """Show the next puzzle."""
    return RedirectResponse(f"/trainer/{_progress(request).next.number + 1}", 303)


@router.get("/trainer/today")
async def daily(request: Request) -> Response:
    """Show the puzzle of the day; `?answer=` is the action that was chosen."""
    return await _show(request, of_the_day(_today()).number, _today())


@router.get("/trainer/odds")
async def some_odds(request: Request) -> Response:
    """Ask a question about the odds."""
    return RedirectResponse(f"/trainer/odds/{1 + secrets.randbelow(MOST_DRILLS)}", 303)


@router.get("/trainer/odds/{number}")
async def odds(number: Number, request: Request) -> Response:
    """Show a question about the odds; `?answer=` is the index of the probability that was chosen, from 0."""
    drill = odds_drill(number, read_integer(request.query_params.get("answer", ""), 0, 9))
    return await page(request, "trainer_odds.html", user=await user_of(request), drill=drill)


@router.get("/trainer/sheets")
async def cheat_sheets(request: Request) -> Response:
    """Show the cheat sheets, a printed page for each number of players."""
    shown = [(sheet, sheet_in_words(sheet)) for sheet in sheets()]
    return await page(request, "trainer_sheets.html", user=await user_of(request), sheets=shown)


@router.get("/trainer/{number}")
async def one(number: Number, request: Request) -> Response:
    """Show a puzzle; `?answer=` is the action that was chosen."""
    return await _show(request, number - 1, None)


@router.post("/trainer/today")
async def answer_daily(request: Request) -> Response:
    """Answer the puzzle of the day."""
    return await _answered(request, of_the_day(_today()).number, _today())


@router.post("/trainer/{number}")
async def answer(number: Number, request: Request) -> Response:
    """Answer a puzzle."""
    return await _answered(request, number - 1, None)


def _today() -> date:
    return datetime.now(UTC).date()


def _progress(request: Request) -> Progress:
    return Progress.read(request.cookies.get(COOKIE, ""))


async def _show(request: Request, number: int, day: date | None) -> Response:
    if number >= len(puzzles()):
        raise HTTPException(404)
    puzzle, progress = puzzles()[number], _progress(request)
    chosen = request.query_params.get("answer", "")
    if chosen not in [choice.action for choice in puzzle.choices]:
        chosen = ""
    shown = puzzle_view_model(puzzle, chosen)
    context: dict[str, Any] = {"puzzle": shown, "progress": progress, "days": progress.days_until(_today()), "day": day}
    if day is not None:
        context["shared"] = shared_puzzle(request, day)
    return await page(request, "trainer.html", user=await user_of(request), **context)


async def _answered(request: Request, number: int, day: date | None) -> Response:
    if number >= len(puzzles()):
        raise HTTPException(404)
    puzzle, progress = puzzles()[number], _progress(request)
    async with request.form(max_fields=4, max_files=0) as form:
        action, asked = str(form.get("answer") or ""), str(form.get("puzzle") or "")
    place = "today" if day is not None else str(number + 1)
    # The puzzle of the day that is answered may be that of the day before.
    if action not in [choice.action for choice in puzzle.choices] or asked not in ("", str(number + 1)):
        return RedirectResponse(f"/trainer/{place}", 303)
    response = RedirectResponse(f"/trainer/{place}?answer={action}", 303)
    if day is not None or puzzle is progress.next:  # a second try at a puzzle changes nothing
        secure = service_of(request).config.tls
        after = str(progress.answered(puzzle, action, day))
        response.set_cookie(COOKIE, after, _MAX_AGE, secure=secure, httponly=True, samesite="lax")
    return response

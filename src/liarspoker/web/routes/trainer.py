"""The trainer: puzzles, and the puzzle of the day. The progress is a cookie, so no account is needed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from liarspoker.games.digits.page.drill import odds_drill
from liarspoker.games.digits.page.puzzle import puzzle_view_model
from liarspoker.puzzles import Progress, of_the_day, puzzles, sheet_in_words, sheets
from liarspoker.puzzles.lessons import LESSONS
from liarspoker.puzzles.odds import drawn_number
from liarspoker.server.service import service_of
from liarspoker.web.pages import page, user_of
from liarspoker.web.share.meta import shared_puzzle
from liarspoker.web.view_models.odds_fields import read_integer

router = APIRouter()

COOKIE, LESSONS_COOKIE = "liarspoker-trainer", "liarspoker-lessons"
_MAX_AGE = 5 * 365 * 86_400

Number = Annotated[int, Path(ge=1, le=100_000)]
LessonNumber = Annotated[int, Path(ge=1, le=len(LESSONS))]


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
    return RedirectResponse(f"/trainer/odds/{drawn_number()}", 303)


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


@router.get("/trainer/lessons")
async def lessons(request: Request) -> Response:
    """List the lessons, with those that are done."""
    user, done = await user_of(request), _done(request)
    return await page(request, "trainer_lessons.html", user=user, lessons=LESSONS, done=done)


@router.get("/trainer/lessons/{number}")
async def lesson(number: LessonNumber, request: Request) -> Response:
    """Show a lesson; `?answer=` is the action, or the index of the answer, that was chosen."""
    one, chosen = LESSONS[number - 1], request.query_params.get("answer", "")
    context: dict[str, Any] = {"lesson": one, "number": number, "next": number % len(LESSONS) + 1}
    if one.position is None:
        place = read_integer(chosen, 0, len(one.choices) - 1)
        return await page(request, "trainer_lesson.html", user=await user_of(request), chosen=place, **context)
    if chosen not in [choice.action for choice in one.position.choices]:
        chosen = ""
    shown = puzzle_view_model(one.position, chosen)
    context |= {"puzzle": shown, "progress": _progress(request), "days": 0, "day": None}
    return await page(request, "trainer.html", user=await user_of(request), **context)


@router.post("/trainer/lessons/{number}")
async def answer_lesson(number: LessonNumber, request: Request) -> Response:
    """Answer the question of a lesson, which is done then."""
    async with request.form(max_fields=4, max_files=0) as form:
        action = str(form.get("answer") or "")
    response = RedirectResponse(f"/trainer/lessons/{number}?{urlencode({'answer': action})}", 303)
    done = ".".join(map(str, sorted(_done(request) | {number})))
    secure = service_of(request).config.tls
    response.set_cookie(LESSONS_COOKIE, done, _MAX_AGE, secure=secure, httponly=True, samesite="lax")
    return response


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


def _done(request: Request) -> frozenset[int]:
    """Return the numbers of the lessons that are done."""
    found = (read_integer(part, 1, len(LESSONS)) for part in request.cookies.get(LESSONS_COOKIE, "")[:99].split("."))
    return frozenset(number for number in found if number is not None)


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

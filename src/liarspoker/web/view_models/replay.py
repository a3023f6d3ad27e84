"""The replay of a round: the table at a ply, the plies, and from where one looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.records.reader import Replay
from liarspoker.records.words import object_of
from liarspoker.web.draw import running_chart
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.replay_course import ALL, RAIL, Course, Ply, Stage, course_of
from liarspoker.web.words import typeset

LAST = -1
"""Asks for the end of the round."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where one may look: `name` as the address has it, `words`, and whether one does."""

    name: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ReplayScene:
    """A round at a ply.

    Attributes:
        title: of the table, or what the record says.
        round: its number, from 1.
        at: the ply, 0 for the deal.
        view: from where one looks.
        viewpoints: from where one may.
        next_view: the viewpoint after this one.
        chart: what the viewpoint expects, ply by ply; empty where that cannot be said.
        figures: what stands at the right of the plies.
    """

    game: catalogue.GameRow
    title: str
    round: int
    rounds: int
    heading: str
    at: int
    last: int
    view: str
    viewpoints: tuple[Viewpoint, ...]
    next_view: str
    stage: Stage
    plies: tuple[Ply, ...]
    chart: str
    figures: str


def scene(
    played: Replay,
    index: int,
    number: int,
    rounds: int,
    ply: int = LAST,
    view: str = "",
    title: str = "",
    odds: bool = True,
) -> ReplayScene:
    """The scene of a round.

    Args:
        played: the record, played through; its `x-seat` is where who looks sat.
        index: the round in the record, from 0.
        number: the round's number for people, from 1.
        rounds: how many there are.
        ply: how many actions have been done; beyond the end, or `LAST`, is the end.
        view: a seat, `rail` or `all`; anything else is one's own seat, or else `all`.
        title: of the table.
        odds: chances may be told; a table that is being played may be without.
    """
    assert played.game is not None
    seats = len(played.players)
    seat = played.document.get("x-seat")
    me = seat if type(seat) is int and 0 <= seat < seats else None
    chosen = _view(view, seats, me)
    course = course_of(played, index, chosen, me, odds)
    family = pages_for(played.game.row).replay
    last = len(course.sessions) - 1
    at = last if not 0 <= ply <= last else ply
    listed = family.plies(course)
    viewpoints = _viewpoints(course, chosen)
    following = [one.name for one in viewpoints]
    return ReplayScene(
        game=played.game.row,
        title=title or str(played.document.get("x-title") or typeset(played.game.row.title)),
        round=number,
        rounds=rounds,
        heading=family.heading(course),
        at=at,
        last=last,
        view=chosen,
        viewpoints=viewpoints,
        next_view=following[(following.index(chosen) + 1) % len(following)],
        stage=family.stage(course, at),
        plies=listed,
        chart=_chart(course, listed, at),
        figures="the chance that it is good" if any(one.figure for one in listed) else "",
    )


def _view(asked: str, seats: int, me: int | None) -> str:
    if asked in (RAIL, ALL) or (asked.isascii() and asked.isdigit() and len(asked) < 3 and int(asked) < seats):
        return asked if asked in (RAIL, ALL) else str(int(asked))
    return ALL if me is None else str(me)


def _viewpoints(course: Course, chosen: str) -> tuple[Viewpoint, ...]:
    order = range(len(course.names)) if course.me is None else (course.me, *_others(course))
    seats = [(str(seat), f"as {object_of(course.names[seat])}") for seat in order]
    named = [*seats, (RAIL, "as the rail"), (ALL, "all hands")]
    return tuple(Viewpoint(name, words, name == chosen) for name, words in named)


def _others(course: Course) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(course.names)) if seat != course.me)


def _chart(course: Course, listed: tuple[Ply, ...], at: int) -> str:
    """What the seat expects, as a line; empty where a seat's number is not known, or in a card game."""
    values = [one.units for one in listed[1:]]
    if len(values) < 2 or any(value is None for value in values) or course.seat is None:
        return ""
    name = course.names[course.seat]
    title = f"Units that {name} can expect if the standing bid were counted, ply by ply"
    return running_chart([float(value or 0) for value in values], title=title, current=at - 1 if at else None)


def document_rounds(records: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Every round of several records in order, as (record, round), both from 0."""
    return [(place, index) for place, record in enumerate(records) for index in range(len(record["rounds"]))]

"""View model of a replay: the position at a ply, the plies and the viewpoints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.coach.document import ReviewDocument
from liarspoker.core import catalogue
from liarspoker.language import N_, _
from liarspoker.records.reader import Replay
from liarspoker.records.words import said_of
from liarspoker.web.draw import running_chart
from liarspoker.web.view_models.family import round_title
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.review import CoachViewModel, Mark
from liarspoker.web.view_models.round_replay import ALL, SPECTATOR, Ply, Position, RoundReplay, round_replay
from liarspoker.web.view_models.what_if import WhatIf, may_play_on, played_on
from liarspoker.web.words import typeset

LAST = -1
"""The last ply of a round."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A viewpoint: its name in URLs, its label, and whether it is selected."""

    name: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ReplayViewModel:
    """A round at a ply.

    Attributes:
        title: the title of the table or record.
        round: the round's number, from 1.
        rounds: the number of rounds.
        heading: text beside the round's number.
        at: the ply, 0 for the deal.
        last: the last ply.
        view: the selected viewpoint.
        viewpoints: all viewpoints.
        next_view: the viewpoint after the selected one.
        chart: SVG of the viewpoint's expected units by ply; empty if unknown.
        figures: heading of the figures beside the plies.
        is_reviewable: rounds of this game can be reviewed.
        coach: what the coach says of the ply; `None` without a review.
        marks: the verdicts on the plies.
        next_mistake: the next ply with an inaccuracy or worse, from the start again after the last one; `None` if there
            is none.
        goes_on: the ply from which the round can be played on: this one, or the one before it if its action is the
            user's own; `None` if it can't.
        what_if: what the reader plays instead; `None` in the round itself.
    """

    game: catalogue.GamePreset
    title: str
    round: int
    rounds: int
    heading: str
    at: int
    last: int
    view: str
    viewpoints: tuple[Viewpoint, ...]
    next_view: str
    position: Position
    plies: tuple[Ply, ...]
    chart: str
    figures: str
    is_reviewable: bool
    coach: CoachViewModel | None
    marks: Mapping[int, Mark]
    next_mistake: int | None
    goes_on: int | None
    what_if: WhatIf | None = None


def _goes_on(preset: catalogue.GamePreset, replay: RoundReplay, at: int) -> int | None:
    """Return the ply from which the round can be played on; see `ReplayViewModel`."""
    decided = at > 0 and replay.me is not None and replay.moves[at - 1][0] == replay.me
    return next((ply for ply in ((at - 1, at) if decided else (at,)) if may_play_on(preset, replay, ply)), None)


def view_model(
    played: Replay,
    index: int,
    number: int,
    rounds: int,
    ply: int = LAST,
    view: str = "",
    title: str = "",
    odds: bool = True,
    review: ReviewDocument | None = None,
    guess: str | None = None,
    instead: Sequence[str] | None = None,
) -> ReplayViewModel:
    """Return the view model of a round.

    Args:
        played: the replayed record; its `x-seat` is the user's seat.
        index: the round's index in the record.
        number: the round's displayed number, from 1.
        rounds: the number of rounds.
        ply: the number of actions so far; `LAST` or a number beyond the end selects the last ply.
        view: a seat, `rail` or `all`; anything else selects the user's own seat, or `all` without one.
        title: the title of the table.
        odds: probabilities may be shown; a running table may not allow them.
        review: the review of the round, as `liarspoker review --json` prints it; `None` without one.
        guess: what the reader would now do at this ply, where they try again: an action, or empty before their guess;
            `None` elsewhere.
        instead: the actions that the reader plays from this ply on, see :mod:`~liarspoker.web.view_models.what_if`;
            `None` to show the round as it was.
    """
    assert played.game is not None
    preset, seats = played.game.preset, len(played.players)
    seat = played.document.get("x-seat")
    me = seat if type(seat) is int and 0 <= seat < seats else None
    line = None if instead is None else played_on(played, index, ply, instead)
    what_if = None
    if line is not None:
        (replay, what_if), ply, review = line, LAST, None
    else:
        replay = round_replay(played, index, _view(view, seats, me), me, odds)
    chosen = replay.view
    pages = pages_for(preset)
    family = pages.replay
    last = len(replay.sessions) - 1
    at = last if not 0 <= ply <= last else ply
    listed = family.plies(replay)
    viewpoints = _viewpoints(replay, chosen)
    coach, marks = None, dict[int, Mark]()
    if review is not None and pages.review is not None:
        lesson = None if guess is None else pages.review.lesson(review, replay, at, guess)
        coach, marks = lesson or pages.review.coach(review, replay, at), pages.review.marks(review, replay)
    following = [one.name for one in viewpoints]
    return ReplayViewModel(
        game=preset,
        title=title or str(played.document.get("x-title") or typeset(_(preset.title))),
        round=number,
        rounds=rounds,
        heading=family.heading(replay),
        at=at,
        last=last,
        view=chosen,
        viewpoints=viewpoints,
        next_view=following[(following.index(chosen) + 1) % len(following)],
        position=family.position(replay, at),
        plies=listed,
        chart=_chart(replay, listed, at),
        figures=_("chance by the odds alone") if any(one.figure for one in listed) else "",
        is_reviewable=pages.review is not None,
        coach=coach,
        marks=marks,
        next_mistake=_next_mistake(marks, at),
        goes_on=_goes_on(preset, replay, at),
        what_if=what_if,
    )


def _next_mistake(marks: Mapping[int, Mark], at: int) -> int | None:
    bad = [ply for ply, mark in marks.items() if mark.loss_words]
    return min(bad, key=lambda ply: (ply <= at, ply), default=None)


def _view(asked: str, seats: int, me: int | None) -> str:
    if asked in (SPECTATOR, ALL) or (asked.isascii() and asked.isdigit() and len(asked) < 3 and int(asked) < seats):
        return asked if asked in (SPECTATOR, ALL) else str(int(asked))
    return ALL if me is None else str(me)


def _viewpoints(replay: RoundReplay, chosen: str) -> tuple[Viewpoint, ...]:
    order = range(len(replay.names)) if replay.me is None else (replay.me, *_others(replay))
    seats = [(str(seat), said_of(replay.names[seat], N_("as you"), N_("as {name}"))) for seat in order]
    named = [*seats, (SPECTATOR, _("as a spectator")), (ALL, _("all hands"))]
    return tuple(Viewpoint(name, words, name == chosen) for name, words in named)


def _others(replay: RoundReplay) -> tuple[int, ...]:
    return tuple(seat for seat in range(len(replay.names)) if seat != replay.me)


def _chart(replay: RoundReplay, listed: tuple[Ply, ...], at: int) -> str:
    """Return a line chart of the seat's expected units; empty in a card game or if the seat's number is unknown."""
    values = [one.units for one in listed[1:]]
    if len(values) < 2 or any(value is None for value in values) or replay.seat is None:
        return ""
    name = replay.names[replay.seat]
    title = said_of(
        name,
        N_("Your expected units if the standing bid were counted, by ply"),
        N_("Expected units of {name} if the standing bid were counted, by ply"),
    )
    return running_chart([float(value or 0) for value in values], title=title, current=at - 1 if at else None)


@dataclass(frozen=True, slots=True)
class EveningDecision:
    """A decision of the reader in a reviewed round.

    Attributes:
        number: the round's displayed number, from 1.
        title: the round's title, such as `Hand 7`.
        ply: the ply.
        words: the action in words.
        mark: the verdict.
        reason: the main reason.
    """

    number: int
    title: str
    ply: int
    words: str
    mark: Mark
    reason: str

    @property
    def loss(self) -> float:
        """The loss in units."""
        return self.mark.loss


@dataclass(frozen=True, slots=True)
class Evening:
    """The reader's decisions at a table, as far as they are reviewed.

    Attributes:
        decisions: the decisions, the largest losses first.
        done: the number of rounds that are done with.
        total: the number of rounds.
        refused: the number of rounds that can't be reviewed.
        next: the record and the index of the next round to review; `None` if all are done with.
    """

    decisions: tuple[EveningDecision, ...]
    done: int
    total: int
    refused: int
    next: tuple[int, int] | None


def evening_decisions(played: Replay, index: int, number: int, review: ReviewDocument) -> Iterator[EveningDecision]:
    """Yield the decisions of the record's `x-seat` in a round; see :func:`view_model` for the arguments."""
    assert played.game is not None
    me, pages = played.document["x-seat"], pages_for(played.game.preset)
    replay = round_replay(played, index, ALL, me)
    if pages.review is None:
        return
    for ply, mark in pages.review.marks(review, replay).items():
        if replay.moves[ply - 1][0] == me:
            coach = pages.review.coach(review, replay, ply)
            words = pages.replay.plies(replay)[ply].words
            title = round_title(played.game.preset, number)
            yield EveningDecision(number, title, ply, words, mark, coach.reasons[0] if coach.reasons else "")


def document_rounds(records: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Return the rounds of several records in order, as pairs of record and round index."""
    return [(place, index) for place, record in enumerate(records) for index in range(len(record["rounds"]))]

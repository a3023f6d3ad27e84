"""Plain pages for a family of games that brings none of its own, and which pages a game has.

They show what every game has: who did what, in the notation; what somebody holds and may do, as its view tells it; and
how it came out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GameRow
from liarspoker.core.session import Session
from liarspoker.core.simple import SimpleSession
from liarspoker.protocol.views import HandView, PrivateView, PublicView, RoundView
from liarspoker.records.reader import Replay
from liarspoker.records.words import subject, with_names
from liarspoker.web.view_models.family import (
    Difference,
    FamilyPages,
    Holder,
    PlayedSample,
    RoundScene,
    SeenView,
    Tally,
    seen_parts,
)
from liarspoker.web.view_models.replay_course import ALL, Course, Player, Ply, Stage, course_of, player_of
from liarspoker.web.view_models.terms import round_word
from liarspoker.web.words import sentence, signed

MOST_BUTTONS = 12
"""Where more actions of one kind are legal, they are typed."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a view tells: what it is called there, and the text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainScene(RoundScene):
    """A round as somebody sees it.

    Attributes:
        moves: names and their actions in the notation, newest first.
        facts: what else everybody is told.
        own: what who looks holds; empty for who doesn't play.
        outcome: how the round came out, in sentences; empty before its end.
    """

    moves: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]
    own: tuple[Fact, ...]
    buttons: tuple[str, ...]
    typed: bool
    example: str
    outcome: tuple[str, ...]


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> PlainScene:
    """The round of a view, for who looks."""
    view, hand, me, seat = seen_parts(public, you, RoundView, HandView)
    seen = SeenView(public=public, view=view, hand=hand, me=me, seat=seat)
    moves = tuple((seen.names[by], text) for by, text in reversed(view.moves))
    groups = tuple(_groups(getattr(hand, "legal", None)))
    typed = [group for group in groups if len(group) > MOST_BUTTONS]
    outcome = _outcome(view)
    stake = getattr(view, "stake", None)
    return PlainScene(
        kind="plain",
        heading=f"{round_word(catalogue.row(public.settings.game)).capitalize()} {view.round + 1}",
        said=_said(seen, outcome),
        over=view.to_act is None,
        stake=stake if isinstance(stake, int) else None,
        acts={view.users[by]: text for by, text in view.moves},
        marked=_marks(view),
        moves=moves,
        facts=tuple(_facts(view, RoundView.__struct_fields__, view.names)),
        own=tuple(_facts(hand, ("legal",))),
        buttons=tuple(text for group in groups if len(group) <= MOST_BUTTONS for text in group),
        typed=bool(typed),
        example=typed[0][0] if typed else "",
        outcome=outcome,
    )


def _groups(legal: object) -> Iterator[tuple[str, ...]]:
    """The legal actions in the notation, one group for each field of what may be done."""
    for name in getattr(legal, "__struct_fields__", ()):
        value = getattr(legal, name)
        if isinstance(value, str):
            yield (value,)
        elif _texts(value):
            yield value


def _texts(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(one, str) for one in value)


def _facts(view: Struct, without: Sequence[str], names: Sequence[str] = ()) -> Iterator[Fact]:
    """The texts of a view but for `result` and those in `without`; as many as there are players get their names."""
    for name in view.__struct_fields__:
        value = getattr(view, name)
        label = name.replace("_", " ").capitalize()
        if name in without or name == "result" or not value:
            continue
        if isinstance(value, str):
            yield Fact(label, value)
        elif _texts(value) and len(value) == len(names):
            yield Fact(label, ", ".join(f"{who} {text}" for who, text in zip(names, value, strict=True) if text))
        elif _texts(value):
            yield Fact(label, " ".join(value))


def _outcome(view: RoundView) -> tuple[str, ...]:
    """The sentences of a result: the texts that it has."""
    result = getattr(view, "result", None) or ()
    if isinstance(result, Struct):
        return tuple(fact.text for fact in _facts(result, ()))
    return (
        *(sentence(with_names(line, view.names)) for line in result),
        *_won(getattr(view, "winner", None), view.names),
    )


def _won(winner: int | None, names: Sequence[str]) -> tuple[str, ...]:
    return () if winner is None else (f"{subject(names[winner], 'wins')} the match.",)


def _said(seen: SeenView[RoundView, HandView], outcome: tuple[str, ...]) -> str:
    if outcome:
        return " ".join(outcome)
    if not seen.view.moves:
        return f"{subject(seen.names[seen.view.opener], 'opens')}."
    by, text = seen.view.moves[-1]
    return f"{subject(seen.names[by], 'says')} {text}."


def _marks(view: RoundView) -> dict[str, tuple[str, ...]]:
    winner, alive = getattr(view, "winner", None), getattr(view, "alive", None)
    marks: dict[str, tuple[str, ...]] = {}
    for seat, user in enumerate(view.users):
        out = alive is not None and seat not in alive
        marks[user] = ("won",) if seat == winner else ("out",) if out else ()
    return marks


class PlainReplay:
    """A round of a record, of any family; see `ReplayPage`."""

    def heading(self, course: Course) -> str:
        """How many play."""
        return f"{len(course.names)} players"

    def stage(self, course: Course, at: int) -> Stage:
        """The table after `at` actions."""
        session: Session = course.sessions[at]
        players = tuple(self._player(course, at, seat) for seat in range(len(course.names)))
        by, text = course.moves[at - 1] if at else (None, "")
        who = "" if by is None else course.names[by]
        outcome = outcome_of(session, course.names)
        said = " ".join(outcome) or (f"{subject(who, 'says')} {text}." if who else "The round begins.")
        return Stage(who or "Nothing said yet", None, text or "The deal", (), (), players, outcome, said)

    def plies(self, course: Course) -> tuple[Ply, ...]:
        """The deal, and every action."""
        listed = [Ply(0, "", "The deal.", "deal")]
        for number, (by, text) in enumerate(course.moves, 1):
            listed.append(Ply(number, "" if by is None else course.names[by], text, "other"))
        return tuple(listed)

    def _player(self, course: Course, at: int, seat: int) -> Player:
        session: Session = course.sessions[at]
        act = next((text for by, text in reversed(course.moves[:at]) if by == seat), "")
        marks = [*(["turn"] if session.to_act == seat else []), *([] if seat in session.alive else ["out"])]
        units = None if session.has_winner else session.score[seat]
        return player_of(course, seat, act, marks, units=units, number=_held(course, session, seat))


def _held(course: Course, session: Session, seat: int) -> str:
    """What the viewpoint sees of a hand, as the notation writes it."""
    view = session.view(seat) if course.view == ALL else course.seen(session)
    shown = getattr(view, "shown", ())
    if shown:
        return str(shown[seat])
    held = getattr(view, "hand", "")
    return held if isinstance(held, str) and (course.view == ALL or seat == course.seat) else ""


def outcome_of(session: Session, names: Sequence[str]) -> tuple[str, ...]:
    """How a round came out, in sentences; empty before its end."""
    if session.in_play:
        return ()
    if isinstance(session, SimpleSession):
        return (*(sentence(with_names(line, names)) for line in session.result_text()), *_won(session.winner, names))
    return tuple(f"{name} {signed(units)}." for name, units in zip(names, session.units(), strict=True) if units)


class PlainRules:
    """The rules page of any family: the text, the options and the samples are all that there is; see `RulesPage`."""

    def tables(self, game: str, players: int) -> None:
        """Nothing."""

    def differences(self, relatives: Sequence[GameRow]) -> list[Difference]:
        """None beside those of the options."""
        return []

    def sample(self, played: Replay) -> PlayedSample:
        """The last round of a record, action by action."""
        course = course_of(played, len(played.rounds) - 1, ALL)
        session = course.sessions[-1]
        lines = tuple(f"{'' if by is None else course.names[by]}: {text}" for by, text in course.moves)
        holders = tuple(Holder(name, _held(course, session, seat)) for seat, name in enumerate(course.names))
        return PlayedSample(lines, holders, outcome_of(session, course.names))


def units_tally(session: Session, seat: int) -> Tally:
    """A round that has ended: whoever claimed last has made the claim or not; of the others, who has won was right."""
    units = (session.won() if isinstance(session, SimpleSession) else session.units())[seat]
    won, lost = int(units > 0), int(units < 0)
    if isinstance(session, SimpleSession) and session.claimant == seat:
        return Tally(rounds=1, bids_won=won, bids_lost=lost)
    return Tally(rounds=1, right=won, wrong=lost)


PLAIN = FamilyPages(round=scene, replay=PlainReplay(), rules=PlainRules(), tally=units_tally)
"""The pages of a family that brings none."""


def pages_for(game: GameRow) -> FamilyPages:
    """The pages of a game: those of its family, or plain ones."""
    return catalogue.family(game.family).pages() or PLAIN


def round_scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> RoundScene | None:
    """The round on the table; `None` before the first."""
    if public.round is None:
        return None
    return pages_for(catalogue.row(public.settings.game)).round(public, you, draft)

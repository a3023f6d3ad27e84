"""A round of a record, ply by ply: the session after the deal and after each action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from liarspoker.core.session import Session
from liarspoker.records.family import record_format
from liarspoker.records.reader import Replay

RAIL = "rail"
"""The viewpoint of somebody who looks on."""

ALL = "all"
"""Everything that the record knows."""


@dataclass(frozen=True, slots=True)
class Course:
    """One round of a record.

    Attributes:
        me: the seat of who looks, where he sat here.
        sessions: after the deal, and after each action.
        view: from where one looks: a seat, `rail` or `all`.
        odds: chances may be told.
        moves: seats and their actions in the notation.
    """

    names: tuple[str, ...]
    me: int | None
    sessions: tuple[Any, ...]
    view: str
    odds: bool
    moves: tuple[tuple[int | None, str], ...] = ()

    @property
    def seat(self) -> int | None:
        """The seat from which one looks, if one does."""
        return int(self.view) if self.view.isdigit() else None

    def seen(self, session: Any) -> Any:
        """What the viewpoint may know of a session; with all hands shown that is what the rail knows, and more."""
        return session.view(self.seat)


def course_of(played: Replay, index: int, view: str, me: int | None = None, odds: bool = True) -> Course:
    """A round of a record that has been played through."""
    assert played.game is not None
    family = record_format(played.game)
    before: Session | None = played.rounds[index - 1] if index else played.start
    table = played.document["rounds"][index]
    sessions = [family.deal(before, played.document, table)]
    moves = []
    for text in table["actions"]:
        session = sessions[-1]
        action = family.read(session, text)
        moves.append((session.mover(action), session.write(action)))
        sessions.append(session.apply(action))
    names = tuple("You" if seat == me else name for seat, name in enumerate(played.players))
    return Course(names, me, tuple(sessions), view, odds, tuple(moves))


@dataclass(frozen=True, slots=True)
class Player:
    """A seat of the table as it stands at a ply.

    Attributes:
        place: 0 at the bottom, then clockwise.
        units: won or lost before this round, and in it once it is over; `None` where nothing is won round by round.
        losses: how often he has lost; `None` where that does not count.
        marks: `bidder`, `challenged`, `turn`, `out`, `lost`, `won`.
        number: his number, where it is seen; `?` for digits that are not.
        cards: his cards, each with whether it belongs to the hand in question; `??` for those not seen.
    """

    place: int
    seat: int
    name: str
    units: int | None = None
    losses: int | None = None
    act: str = ""
    marks: tuple[str, ...] = ()
    number: str = ""
    letters: str = ""
    cards: tuple[tuple[str, bool], ...] = ()
    fingers: int | None = None
    viewed: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """The middle of the table at a ply, and who sits around it.

    Attributes:
        over: a small line above.
        numeral: the level of a standing bid, engraved; `None` for none.
        words: what stands, in large letters.
        under: lines below it.
        cards: cards in the middle, each with whether it is lit.
        outcome: how the round came out, sentence by sentence; none before its end.
    """

    over: str
    numeral: int | None
    words: str
    under: tuple[str, ...]
    cards: tuple[tuple[str, bool], ...]
    players: tuple[Player, ...]
    outcome: tuple[str, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Ply:
    """One line of the list: `number` 0 is the deal.

    Attributes:
        number: of the ply.
        kind: `deal`, `claim`, `challenge` or `other`.
        figure: the chance that what stands is good, as the viewpoint judges it; empty where it cannot.
        units: what the viewpoint expects if it were counted now; `None` where that cannot be said.
    """

    number: int
    name: str
    words: str
    kind: str
    figure: str = ""
    units: float | None = None


def player_of(course: Course, seat: int, act: str, marks: Iterable[str], **told: Any) -> Player:
    """A seat around the table; at the bottom the one from which one looks, else one's own, else the first."""
    first = course.seat if course.seat is not None else course.me or 0
    place = (seat - first) % len(course.names)
    return Player(place, seat, course.names[seat], act=act, marks=tuple(marks), viewed=course.seat == seat, **told)


def marks_of(seat: int, out: bool = False, **whose: int | None) -> list[str]:
    """The marks of a seat: those that one seat has or nobody, then `out`.

    >>> marks_of(2, bidder=2, challenged=0, turn=2, lost=None)
    ['bidder', 'turn']
    """
    return [mark for mark, marked in whose.items() if marked == seat] + ["out"] * out

"""A round of a record by ply: the session after the deal and after each action."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Session
from liarspoker.records.family import record_format
from liarspoker.records.reader import Replay
from liarspoker.records.words import YOU

SPECTATOR = "rail"
"""The viewpoint of a spectator."""

ALL = "all"
"""The viewpoint that shows everything in the record."""


@dataclass(frozen=True, slots=True)
class RoundReplay:
    """One round of a record.

    Attributes:
        names: the players' names by seat; `YOU` for the user.
        me: the user's seat; `None` if they didn't play.
        sessions: the sessions after the deal and after each action.
        view: the viewpoint: a seat, `rail` or `all`.
        odds: probabilities may be shown.
        moves: the seats and their actions in notation.
        claims: the number of actions after each bid or claim, ascending.
        shown: the seats that showed their hand after the round, though the rules left it hidden.
    """

    names: tuple[str, ...]
    me: int | None
    sessions: tuple[Any, ...]
    view: str
    odds: bool
    moves: tuple[tuple[int | None, str], ...] = ()
    claims: tuple[int, ...] = ()
    shown: frozenset[int] = frozenset()

    @property
    def seat(self) -> int | None:
        """The seat of the viewpoint; `None` if it isn't a seat."""
        return int(self.view) if self.view.isdigit() else None

    def seen(self, session: Any) -> Any:
        """Return the view of a session from the viewpoint; for `all`, a spectator's."""
        return session.view(self.seat)


def round_replay(played: Replay, index: int, view: str, me: int | None = None, odds: bool = True) -> RoundReplay:
    """Return a round of a replayed record."""
    assert played.game is not None
    family = record_format(played.game)
    before: Session | None = played.rounds[index - 1] if index else played.start
    table = played.document["rounds"][index]
    sessions = [family.deal(before, played.document, table)]
    moves = []
    claims = []
    for number, text in enumerate(table["actions"], 1):
        session = sessions[-1]
        action = family.read(session, text)
        if action >= 0:
            claims.append(number)
        moves.append((session.mover(action), session.write(action)))
        sessions.append(session.apply(action))
    known = tuple(sessions)
    for seat in range(len(played.players)) if view == ALL else (int(view),) if view.isdigit() else ():
        with suppress(BadDeal):  # anybody may write private keys
            known = family.as_seen(known, seat, table.get("x-seen", ()))
    names = tuple(YOU if seat == me else name for seat, name in enumerate(played.players))
    shown = table.get("x-shown")
    seats = frozenset(one for one in shown if type(one) is int) if isinstance(shown, list) else frozenset()
    return RoundReplay(names, me, known, view, odds, tuple(moves), tuple(claims), seats)


@dataclass(frozen=True, slots=True)
class Player:
    """A seat at a ply.

    Attributes:
        place: position around the table: 0 at the bottom, then clockwise.
        units: units won or lost before this round, plus those of this round once it is over; `None` in a match.
        losses: the player's losses; `None` in games without losses.
        act: the last action in words.
        marks: `bidder`, `challenged`, `turn`, `out`, `lost`, `won`.
        number: the player's number, with `?` for hidden digits.
        letters: the flanking letters of a bill.
        cards: the player's cards, each with whether it belongs to the claimed hand; `??` for hidden cards.
        fingers: the number of fingers raised in the count; `None` before the count.
        viewed: it is the seat of the viewpoint.
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
class Position:
    """The table at a ply: its middle and its seats.

    Attributes:
        over: a small line at the top.
        numeral: the level of the standing bid, drawn large; `None` for none.
        words: the standing bid or claim, in large letters.
        under: lines below it.
        cards: cards in the middle, each with whether it is highlighted.
        players: the seats.
        outcome: the outcome of the round, one sentence per item; empty before its end.
        said: one sentence on the latest event, announced by screen readers.
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
    """A line of the list of plies.

    Attributes:
        number: the ply's number, 0 for the deal.
        name: the player's name.
        words: the action in words.
        kind: `deal`, `claim`, `challenge` or `other`.
        figure: the probability that the standing bid or claim is good, given the viewpoint; empty if unknown.
        units: the viewpoint's expected units if it were counted now; `None` if unknown.
    """

    number: int
    name: str
    words: str
    kind: str
    figure: str = ""
    units: float | None = None


def player_of(replay: RoundReplay, seat: int, act: str, marks: Iterable[str], **fields: Any) -> Player:
    """Return a seat, placed so that the viewpoint's seat, or the user's own, or seat 0, is at the bottom."""
    first = replay.seat if replay.seat is not None else replay.me or 0
    place = (seat - first) % len(replay.names)
    return Player(place, seat, replay.names[seat], act=act, marks=tuple(marks), viewed=replay.seat == seat, **fields)


def marks_of(seat: int, out: bool = False, **whose: int | None) -> list[str]:
    """Return the marks of a seat: each mark in `whose` that belongs to it, then `out`.

    >>> marks_of(2, bidder=2, challenged=0, turn=2, lost=None)
    ['bidder', 'turn']
    """
    return [mark for mark, marked in whose.items() if marked == seat] + ["out"] * out

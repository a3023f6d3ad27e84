"""What a research environment must know of one family of games.

`StudyRules` does with any family: it asks nothing but the session and its views. A family that knows better, such as
how cards are drawn one by one or what an observation should hold, returns a subclass from its `study`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.core.session import Session as AnySession
from liarspoker.engine.sessions import ANSWERS, MOST_ROUNDS, VIEW_SIZE, most_moves, numbers_in, opening_claims
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.errors import CannotStudy

Indices = NDArray[np.int64]
Weights = Mapping[int, int]
"""Outcomes of chance with integer weights: each is as likely as its weight among their sum."""

Session = TypeVar("Session", bound=AnySession)
View = TypeVar("View")

MOST_OUTCOMES = 1 << 16
"""The most outcomes of one draw that are told apart."""

_MOST_UNITS = 1 << 20
_GREATEST = 1 << 24


class StudyRules(Generic[Session, View]):
    """The part of a research environment that depends on the family of games.

    Actions are numbered from 0, the same at every turn: the claims from the weakest, then the answers, -1 first.
    """

    answers: ClassVar[int] = ANSWERS
    """How many numbers follow those of the claims."""

    def __init__(self) -> None:
        self._claims: dict[tuple[str, int, str], Sequence[int]] = {}

    def check(self, session: Session) -> None:
        """Refuse options under which a round may have no end, or actions can't be numbered.

        Raises:
            CannotStudy: naming the option.
        """

    def claims(self, session: Session) -> Sequence[int] | Indices:
        """Return every claim that a round may have, weakest first; here those that open a round."""
        start = session.view(None)
        key = start.game, session.seats, repr(session.option_changes())
        if key not in self._claims:
            self._claims[key] = opening_claims(session)
        return self._claims[key]

    def size(self, session: Session) -> int:
        """Return how many actions are numbered."""
        return self.first_naming(session) + len(self.namings(session))

    def index(self, session: Session, action: int) -> int:
        """Return the number of an action that is legal now.

        Raises:
            CannotStudy: it's an answer beyond those that are numbered.
        """
        claims = self.claims(session)
        if action < -self.answers:
            raise CannotStudy(f"action {action}: it isn't numbered; answers are -1 to {-self.answers}")
        return bisect_left(claims, action) if action >= 0 else len(claims) - 1 - action

    def action(self, session: Session, index: int) -> int:
        """Return the action of a number that is legal now."""
        claims = self.claims(session)
        return int(claims[index]) if index < len(claims) else len(claims) - 1 - index

    def legal(self, session: Session) -> Indices:
        """Return the numbers of what the seat to act may do, ascending."""
        now = session.legal()
        claims = np.searchsorted(_ints(self.claims(session)), _ints(now.claims))
        own = [answer for answer in now.answers if session.mover(answer) == session.to_act]
        return np.concatenate([claims, np.sort(_ints([self.index(session, answer) for answer in own]))])

    def namings(self, session: Session) -> Sequence[Mapping[str, object]]:
        """Return what the opener may name for a round, one after the other; empty where nothing is named."""
        return ()

    def first_naming(self, session: Session) -> int:
        """Return the number of the first of the `namings`."""
        return len(self.claims(session)) + self.answers

    def awaited(
        self, session: Session, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """Return what chance decides next; empty if nothing.

        Here everything is drawn when a round is dealt, and an outcome is an int that the family draws.

        Args:
            session: between two rounds, where chance deals; in a round, where it draws.
            drawn: what chance has decided since the session is as it is.
            action: what has been chosen and waits for chance; `None` if nothing does.
            named: what has been named for the round to be dealt.

        Raises:
            CannotStudy: the family draws from more outcomes than are told apart.
        """
        if session.in_play:
            return {}
        try:
            session.chance_spec(named).draw(_Drawn(drawn).below)
        except _Undecided as undecided:
            if undecided.ways > MOST_OUTCOMES:
                raise CannotStudy(f"a draw has {undecided.ways} outcomes; {MOST_OUTCOMES} are told apart") from None
            return dict.fromkeys(range(undecided.ways), 1)
        return {}

    def dealt(self, session: Session, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]) -> Session:
        """Return the session with the next round on the table, from all that chance has decided of it."""
        deal = session.chance_spec(named).draw(_Drawn(drawn).below)
        return session.deal(deal, RoundSetup(opener, options=named))

    def applied(self, session: Session, drawn: Sequence[int], action: int) -> Session:
        """Return the session after `action`, from all that chance has decided of it."""
        return session.apply(action)

    def supplied(self, session: Session, card: int) -> Session:
        """Return the session in a round, with one more of the cards that come with a turn, where any do."""
        raise AssertionError("nothing is drawn in a round")

    def units(self, session: Session, whole: bool) -> tuple[int, ...]:
        """Return the units won or lost by each seat so far.

        Args:
            session: at any time.
            whole: what counts is the match; otherwise every round by itself.
        """
        return session.score

    def most_moves(self, session: Session, rounds: int | None) -> int:
        """Return a bound on how many actions there are until so many rounds, or the match, are over."""
        return most_moves(len(self.claims(session)), session.seats) * (rounds or MOST_ROUNDS)

    def most_units(self, session: Session, rounds: int | None) -> int:
        """Return a bound on what one seat may win or lose in so many rounds, or the match."""
        return _MOST_UNITS

    def most_outcomes(self, session: Session) -> int:
        """Return a number that every outcome of chance is below."""
        return MOST_OUTCOMES

    def layout(self, session: Session, rounds: int | None) -> tuple[Block, ...]:
        """Return what an observation consists of.

        Raises:
            CannotStudy: so many rounds that its numbers may not hold what is played for.
        """
        meaning = "the numbers and letters of the seat's view, field after field; -1 for none"
        return (Block("view", (VIEW_SIZE,), -_GREATEST, _GREATEST, meaning),)

    def observe(self, view: View, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know into the blocks of an observation, which hold zeros."""
        for place, number in zip(range(VIEW_SIZE), numbers_in(view), strict=False):
            parts["view"][place] = max(-_GREATEST, min(_GREATEST, number))

    def history(self, session: Session, rounds: int | None) -> Block | None:
        """Return a block `moves` for what a seat remembers beside its observation; `None` where none can be."""
        return None

    def remember(self, view: View, part: Vector) -> None:
        """Write what a seat remembers into that block, which holds zeros."""
        raise AssertionError("no block for moves")

    def account(self, view: View, session: Session) -> list[str]:
        """Return all that a seat knows of the round on the table, line by line; equal only where it knows the same.

        Of `session` only `write` is asked.
        """
        return [repr(view)]

    def outcome_text(self, outcome: int) -> str:
        """Return an outcome of chance in the notation."""
        return str(outcome)


class _Undecided(Exception):
    """Chance has to decide between so many ways."""

    def __init__(self, ways: int) -> None:
        self.ways = ways


class _Drawn:
    """A source of randomness that returns what has been drawn, and then raises `_Undecided`."""

    def __init__(self, drawn: Sequence[int]) -> None:
        self._drawn = iter(drawn)

    def below(self, ways: int) -> int:
        """Return the next of what has been drawn."""
        for number in self._drawn:
            return number
        raise _Undecided(ways)


def _ints(numbers: Sequence[int] | Indices) -> Indices:
    if isinstance(numbers, range):
        return np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
    return np.array(numbers[:], np.int64)


def study_rules(family: str) -> StudyRules[Any, Any]:
    """Return how a family of games, as `GameRow.family` names it, is studied."""
    return catalogue.family(family).study() or StudyRules()

"""What a research environment needs from one family of games.

`EnvironmentRules` works with any family: it uses only the session and its views. A family that has more to offer, such
as cards drawn one by one or a designed observation, provides a subclass as `ENVIRONMENT` in its module `environment`.
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
from liarspoker.research.errors import BadEnvironment

Indices = NDArray[np.int64]
"""Numbers of actions: an int64 array."""
Weights = Mapping[int, int]
"""Chance outcomes with integer weights: the probability of each is proportional to its weight."""

Session = TypeVar("Session", bound=AnySession)
View = TypeVar("View")

MOST_OUTCOMES = 1 << 16
"""The maximum number of outcomes of one chance event."""

_MOST_UNITS = 1 << 20
_GREATEST = 1 << 24


class EnvironmentRules(Generic[Session, View]):
    """The part of a research environment that depends on the family of games.

    Actions are numbered from 0, the same in every position: the claims from the weakest, then the answers, -1 first.
    """

    answers: ClassVar[int] = ANSWERS
    """How many action numbers follow those of the claims."""

    def __init__(self) -> None:
        self._claims: dict[tuple[str, int, str], Sequence[int]] = {}

    def check(self, session: Session) -> None:
        """Reject options under which a round may never end, or actions can't be numbered.

        Raises:
            BadEnvironment: with the option.
        """

    def claims(self, session: Session) -> Sequence[int] | Indices:
        """Return every claim that a round may have, the weakest first; by default the claims that can open a round."""
        start = session.view(None)
        key = start.game, session.seats, repr(session.option_changes())
        if key not in self._claims:
            self._claims[key] = opening_claims(session)
        return self._claims[key]

    def size(self, session: Session) -> int:
        """Return the number of actions."""
        return self.first_naming(session) + len(self.namings(session))

    def index(self, session: Session, action: int) -> int:
        """Return the number of a legal action.

        Raises:
            BadEnvironment: it is an answer that has no number.
        """
        claims = self.claims(session)
        if action < -self.answers:
            raise BadEnvironment(f"action {action}: it has no number; answers must be between -1 and {-self.answers}")
        return bisect_left(claims, action) if action >= 0 else len(claims) - 1 - action

    def action(self, session: Session, index: int) -> int:
        """Return the legal action with this number."""
        claims = self.claims(session)
        return int(claims[index]) if index < len(claims) else len(claims) - 1 - index

    def legal(self, session: Session) -> Indices:
        """Return the numbers of the legal actions of the seat to act, ascending: int64."""
        now = session.legal()
        claims = np.searchsorted(_ints(self.claims(session)), _ints(now.claims))
        own = [answer for answer in now.answers if session.mover(answer) == session.to_act]
        return np.concatenate([claims, np.sort(_ints([self.index(session, answer) for answer in own]))])

    def namings(self, session: Session) -> Sequence[Mapping[str, object]]:
        """Return the options that the opener may name for a round, one after the other; empty if nothing is named."""
        return ()

    def first_naming(self, session: Session) -> int:
        """Return the number of the first of the :meth:`namings`."""
        return len(self.claims(session)) + self.answers

    def chance_weights(
        self, session: Session, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """Return the possible outcomes of the next chance event; empty if chance doesn't decide next.

        By default everything is drawn when a round is dealt, and an outcome is an int that the family draws.

        Args:
            session: between two rounds, when chance deals, or in a round, when it draws.
            drawn: the chance outcomes since the session last changed.
            action: the action that waits for a chance outcome; `None` if there is none.
            named: the options named for the round to be dealt.

        Raises:
            BadEnvironment: a chance event has too many outcomes.
        """
        if session.in_play:
            return {}
        try:
            session.chance_spec(named).draw(_Drawn(drawn).below)
        except _Undecided as undecided:
            if undecided.ways > MOST_OUTCOMES:
                raise BadEnvironment(f"a draw has {undecided.ways} outcomes; the maximum is {MOST_OUTCOMES}") from None
            return dict.fromkeys(range(undecided.ways), 1)
        return {}

    def dealt(self, session: Session, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]) -> Session:
        """Return the session with the next round dealt, given all chance outcomes of the deal."""
        deal = session.chance_spec(named).draw(_Drawn(drawn).below)
        return session.deal(deal, RoundSetup(opener, options=named))

    def applied(self, session: Session, drawn: Sequence[int], action: int) -> Session:
        """Return the session after `action`, given all chance outcomes that belong to it."""
        return session.apply(action)

    def with_card(self, session: Session, card: int) -> Session:
        """Return the session with one more card drawn at the beginning of a turn, in games that draw such cards."""
        raise AssertionError("nothing is drawn in a round")

    def units(self, session: Session, whole_match: bool) -> tuple[int, ...]:
        """Return the units won or lost by each seat so far.

        Args:
            session: at any time.
            whole_match: count the result of the match, and not of every round by itself.
        """
        return session.score

    def most_moves(self, session: Session, rounds: int | None) -> int:
        """Return a bound on the number of actions in this number of rounds, or in a match if `rounds` is `None`."""
        return most_moves(len(self.claims(session)), session.seats) * (rounds or MOST_ROUNDS)

    def most_units(self, session: Session, rounds: int | None) -> int:
        """Return a bound on what one seat can win or lose in this number of rounds, or in a match (`rounds=None`)."""
        return _MOST_UNITS

    def most_outcomes(self, session: Session) -> int:
        """Return a number that is greater than every chance outcome."""
        return MOST_OUTCOMES

    def layout(self, session: Session, rounds: int | None) -> tuple[Block, ...]:
        """Return the blocks of an observation.

        Raises:
            BadEnvironment: stakes may exceed the range of the observation in this number of rounds.
        """
        meaning = "the numbers and letters of the seat's view, in the order of its fields; -1 for none"
        return (Block("view", (VIEW_SIZE,), -_GREATEST, _GREATEST, meaning),)

    def observe(self, view: View, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know into the blocks of an observation, which hold zeros."""
        for place, number in zip(range(VIEW_SIZE), numbers_in(view), strict=False):
            parts["view"][place] = max(-_GREATEST, min(_GREATEST, number))

    def history(self, session: Session, rounds: int | None) -> Block | None:
        """Return a block `moves` for what a seat remembers in addition to its observation.

        It is `None` if no block can hold it.
        """
        return None

    def write_history(self, view: View, part: Vector) -> None:
        """Write what a seat remembers into that block, which holds zeros."""
        raise AssertionError("no block for moves")

    def information_state(self, view: View, session: Session) -> list[str]:
        """Return everything that a seat knows of the round on the table, as lines.

        The lines are equal only if the knowledge is equal. Only `write` of `session` may be used.
        """
        return [repr(view)]

    def outcome_text(self, outcome: int) -> str:
        """Return a chance outcome as text, in the notation."""
        return str(outcome)


class _Undecided(Exception):
    """A draw needs a further chance outcome, with this number of possible values."""

    def __init__(self, ways: int) -> None:
        self.ways = ways


class _Drawn:
    """A source of randomness that returns the given numbers, and then raises `_Undecided`."""

    def __init__(self, drawn: Sequence[int]) -> None:
        self._drawn = iter(drawn)

    def below(self, ways: int) -> int:
        """Return the next given number."""
        for number in self._drawn:
            return number
        raise _Undecided(ways)


def _ints(numbers: Sequence[int] | Indices) -> Indices:
    if isinstance(numbers, range):
        return np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
    return np.array(numbers[:], np.int64)


def environment_rules(family: str) -> EnvironmentRules[Any, Any]:
    """Return the environment rules of a family of games."""
    return catalogue.family(family).environment() or EnvironmentRules()

"""The state of an environment's game, for all families: what chance decides, which seat decides, and what follows.

::

                chance (a deal)                     an action
      between ─────────────────► a seat decides ◄──────────────┐
      rounds  ◄────────────────  │      │ └─ chance (cards) ───┘
                a round is over  │      └── the next seats may challenge out of turn
                                 ▼
                                over

States are frozen: :meth:`GameState.after` returns the next one. Outcomes of chance and actions are ints from 0.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from liarspoker.research.errors import BadEnvironment
from liarspoker.research.rules import Indices, Weights
from liarspoker.research.spec import EnvironmentSpec

CHANCE = -1
"""The player when chance decides next."""
OVER = -4
"""The player when the game is over."""

_NOBODY: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class GameState:
    """The state of a game.

    Attributes:
        spec: the environment's game.
        session: the session of the rules. It contains all secrets, so show agents only its views.
        drawn: the chance outcomes since the session last changed.
        action: an action that has been chosen and waits for a chance outcome.
        named: the index of the options that have been named for the next round.
        challengers: the seats that may still challenge out of turn.
        past: each seat's information state of every finished round.
        weights: the possible chance outcomes; empty unless chance decides next.

    >>> state = GameState.begin(EnvironmentSpec.of("dollar-bill", 2, options={"hand_size": 1, "symbols": 2}))
    >>> state.player == CHANCE, state.outcomes()
    (True, [(0, Fraction(1, 2)), (1, Fraction(1, 2))])
    >>> state.after(1).after(0).legal
    array([0, 1, 2, 3])
    """

    spec: EnvironmentSpec
    session: Any
    drawn: tuple[int, ...] = ()
    action: int | None = None
    named: int | None = None
    challengers: tuple[int, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    weights: Weights | None = None

    @classmethod
    def begin(cls, spec: EnvironmentSpec) -> GameState:
        """Return the initial state."""
        return cls(spec, spec.start)._advanced()

    def __deepcopy__(self, memo: object) -> GameState:
        """Return the state itself, since it never changes."""
        return self

    @property
    def is_over(self) -> bool:
        """Whether all rounds are over, or the match is won."""
        session, rounds = self.session, self.spec.rounds
        ended = session.winner is not None or (rounds is not None and session.rounds_played >= rounds)
        return not session.in_play and ended

    @cached_property
    def player(self) -> int:
        """The seat that decides next, or `CHANCE`, or `OVER`."""
        if self.weights:
            return CHANCE
        if self.is_over:
            return OVER
        if self.challengers:
            return self.challengers[0]
        if not self.session.in_play:
            opener = self._opener
            assert opener is not None  # the match isn't won
            return opener
        seat: int = self.session.to_act
        return seat

    @property
    def units(self) -> tuple[int, ...]:
        """Units won or lost by each seat so far; see :meth:`.EnvironmentRules.units`."""
        return self.spec.rules.units(self.session, self.spec.is_match)

    def outcomes(self) -> list[tuple[int, Fraction]]:
        """Return the chance outcomes with their probabilities, which sum to 1.

        The list is empty unless chance decides next.
        """
        weights = self.weights or {}
        total = sum(weights.values())
        return [(outcome, Fraction(weight, total)) for outcome, weight in weights.items()]

    @cached_property
    def legal(self) -> Indices:
        """The numbers of the legal actions, ascending: int64; empty unless a seat decides next."""
        spec = self.spec
        if self.player < 0:
            return np.zeros(0, np.int64)
        if self.challengers:
            return np.array([self._challenge_index, spec.wait], np.int64)
        if not self.session.in_play:
            first = spec.rules.first_naming(spec.start)
            return np.arange(first, first + len(self._namings), dtype=np.int64)
        return spec.rules.legal(self.session)

    def after(self, index: int) -> GameState:
        """Return the state after a decision of chance or of a seat.

        Args:
            index: one of :meth:`outcomes` if chance decides, else one of :attr:`legal`.

        Raises:
            BadEnvironment: it isn't possible or legal.
        """
        if self.weights:
            if not self.weights.get(index):
                raise BadEnvironment(f"outcome: {index} isn't a possible chance outcome now")
            return replace(self, drawn=(*self.drawn, index), weights=None)._advanced()
        if index not in self.legal:
            raise BadEnvironment(f"action: {index} isn't legal now")
        if self.challengers and index == self.spec.wait:
            return replace(self, challengers=self.challengers[1:])
        if not self.challengers and not self.session.in_play:
            return replace(self, named=index - self.spec.rules.first_naming(self.spec.start))._advanced()
        session = self.session
        action = (
            session.out_of_turn_challenge(self.challengers[0])
            if self.challengers
            else self.spec.rules.action(session, index)
        )
        return replace(self, action=action, challengers=_NOBODY)._advanced()

    def dealt_by(self, below: Callable[[int], int]) -> GameState:
        """Return the state at the next decision of a seat, with all chance outcomes drawn at random.

        Args:
            below: `below(n)` returns a uniform int from 0 to n - 1.
        """
        state = self
        while state.weights:
            ends = list(accumulate(state.weights.values()))
            state = state.after(list(state.weights)[bisect_right(ends, below(ends[-1]))])
        return state

    def text(self, index: int) -> str:
        """Return a legal action or a chance outcome as text, in the notation."""
        family = self.spec.rules
        if self.weights:
            return family.outcome_text(index)
        if index == self.spec.wait:
            return "wait"
        if not self.challengers and not self.session.in_play:
            named = self._namings[index - family.first_naming(self.spec.start)]
            return "name " + ", ".join(f"{name} = {value}".lower() for name, value in named.items())
        action = (
            self.session.out_of_turn_challenge(self.challengers[0])
            if self.challengers
            else family.action(self.session, index)
        )
        written: str = self.session.write(action)
        return written

    def information_state(self, seat: int, recall: bool = True) -> str:
        """Return everything that a seat knows (its information state) as text.

        Two states have equal information states for a seat if and only if the seat can't tell them apart.

        Args:
            seat: the seat.
            recall: include rounds that are over, and not only the one in play.
        """
        view = self.session.view(seat)
        lines = [f"seat {seat}", *(known[seat] for known in self.past if recall)]
        if self.session.in_play or self.is_over:
            lines += self.spec.rules.information_state(view, self.session)
        if self.named is not None:
            lines.append(f"named {self.named}")
        return "\n".join([*lines, f"asked {self.challengers[0]}"] if self.challengers else lines)

    @property
    def _opener(self) -> int | None:
        """The seat that opens the next round."""
        opener: int | None = self.session.next_opener if self.session.rounds_played else self.spec.opener
        return opener

    @property
    def _challenge_index(self) -> int:
        """The number of the challenge of the seat that may challenge out of turn."""
        return self.spec.rules.index(self.session, self.session.out_of_turn_challenge(self.challengers[0]))

    @property
    def _namings(self) -> Any:
        return self.spec.rules.namings(self.spec.start)

    @property
    def _names(self) -> Mapping[str, object]:
        """The options named for the next round."""
        named: Mapping[str, object] = {} if self.named is None else self._namings[self.named]
        return named

    def _advanced(self) -> GameState:
        """Return the state after everything that follows without a decision."""
        state, family = self, self.spec.rules
        while True:
            session = state.session
            if state.is_over or (not session.in_play and state.named is None and state._namings):
                return state
            if session.in_play and state.action is None and state.drawn:
                supplied = family.with_card(session, state.drawn[0])
                state = replace(state, session=supplied, drawn=())
                continue
            weights = family.chance_weights(session, state.drawn, state.action, state._names)
            if weights:
                return replace(state, weights=weights)
            if session.in_play and state.action is None:
                return state
            state = state._dealt() if not session.in_play else state._applied()

    def _dealt(self) -> GameState:
        first = self.spec.opener if not self.session.rounds_played else None
        session = self.spec.rules.dealt(self.session, self.drawn, first, self._names)
        return replace(self, session=session, drawn=(), named=None)

    def _applied(self) -> GameState:
        assert self.action is not None
        session = self.spec.rules.applied(self.session, self.drawn, self.action)
        if session.in_play:
            return replace(self, session=session, drawn=(), action=None, challengers=_challengers(session))
        done = replace(self, session=session, drawn=(), action=None)
        return done if done.is_over else replace(done, past=(*self.past, done._information_states()))

    def _information_states(self) -> tuple[str, ...]:
        """Return each seat's information state of the round that has just ended."""
        family, session = self.spec.rules, self.session
        return tuple(
            "\n".join(family.information_state(session.view(seat), session)) for seat in range(self.spec.seats)
        )


def _challengers(session: Any) -> tuple[int, ...]:
    """Return the seats that may challenge out of turn, clockwise from the seat after the seat to act."""
    first, seats = session.to_act, session.seats
    order = (*range(first + 1, seats), *range(first))
    return tuple(seat for seat in order if session.out_of_turn_challenge(seat) is not None)

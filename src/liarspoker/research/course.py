"""The course of a game, written once for all of them: what chance decides, who decides, and what comes of it.

```
            chance (a deal)                     an action
  between ─────────────────► a seat decides ◄──────────────┐
  rounds  ◄────────────────  │      │ └─ chance (cards) ───┘
            a round is over  │      └── the seats behind are asked whether they challenge out of turn
                             ▼
                            over
```

Everything is frozen: `after` answers with the next course. Outcomes of chance and actions are whole numbers from 0.
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

from liarspoker.research.errors import CannotStudy
from liarspoker.research.family import Indices, Weights
from liarspoker.research.study import Study

CHANCE = -1
"""The player when chance decides next."""
OVER = -4
"""The player when nothing more is decided."""

_NOBODY: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Course:
    """Where a game stands.

    Attributes:
        study: what is played.
        session: the session of the rules; it knows all secrets, so show nobody anything but its views.
        drawn: what chance has decided since the session is as it is.
        action: an action that has been chosen, and waits for chance.
        named: which of the options that may be named for the next round has been named.
        asked: the seats that are still to be asked whether they challenge out of turn.
        past: of every finished round, each seat's account of it.
        weights: what chance decides next; empty if a seat decides, or nobody.

    >>> course = Course.begin(Study.of("dollar-bill", 2, options={"hand_size": 1, "symbols": 2}))
    >>> course.player == CHANCE, course.outcomes()
    (True, [(0, Fraction(1, 2)), (1, Fraction(1, 2))])
    >>> course.after(1).after(0).legal
    array([0, 1, 2, 3])
    """

    study: Study
    session: Any
    drawn: tuple[int, ...] = ()
    action: int | None = None
    named: int | None = None
    asked: tuple[int, ...] = ()
    past: tuple[tuple[str, ...], ...] = ()
    weights: Weights | None = None

    @classmethod
    def begin(cls, study: Study) -> Course:
        """The course before anything was decided."""
        return cls(study, study.start)._settled()

    def __deepcopy__(self, memo: object) -> Course:
        """Itself, since it never changes."""
        return self

    @property
    def is_over(self) -> bool:
        """Whether all rounds are over, or the match is won."""
        session, rounds = self.session, self.study.rounds
        ended = session.winner is not None or (rounds is not None and session.rounds_played >= rounds)
        return not session.in_play and ended

    @cached_property
    def player(self) -> int:
        """The seat that decides next, or `CHANCE`, or `OVER`."""
        if self.weights:
            return CHANCE
        if self.is_over:
            return OVER
        if self.asked:
            return self.asked[0]
        if not self.session.in_play:
            opener = self._opener
            assert opener is not None  # the match is not won
            return opener
        seat: int = self.session.to_act
        return seat

    @property
    def units(self) -> tuple[int, ...]:
        """Units won or lost by each seat so far; see `StudyRules.units`."""
        return self.study.family.units(self.session, self.study.whole)

    def outcomes(self) -> list[tuple[int, Fraction]]:
        """What chance may decide next, each with its probability; they sum to 1. Empty where chance does not decide."""
        weights = self.weights or {}
        total = sum(weights.values())
        return [(outcome, Fraction(weight, total)) for outcome, weight in weights.items()]

    @cached_property
    def legal(self) -> Indices:
        """The numbers of what the seat may do that decides next, ascending; empty where no seat decides."""
        study = self.study
        if self.player < 0:
            return np.zeros(0, np.int64)
        if self.asked:
            return np.array([self._shout, study.wait], np.int64)
        if not self.session.in_play:
            first = study.family.first_naming(study.start)
            return np.arange(first, first + len(self._namings), dtype=np.int64)
        return study.family.legal(self.session)

    def after(self, index: int) -> Course:
        """The course after chance or a seat has decided so.

        Args:
            index: one of `outcomes` where chance decides, else one of `legal`.

        Raises:
            CannotStudy: it is none of them.
        """
        if self.weights:
            if not self.weights.get(index):
                raise CannotStudy(f"outcome: {index} is none that chance can bring now")
            return replace(self, drawn=(*self.drawn, index), weights=None)._settled()
        if index not in self.legal:
            raise CannotStudy(f"action: {index} is not legal now")
        if self.asked and index == self.study.wait:
            return replace(self, asked=self.asked[1:])
        if not self.asked and not self.session.in_play:
            return replace(self, named=index - self.study.family.first_naming(self.study.start))._settled()
        session = self.session
        action = (
            session.out_of_turn_challenge(self.asked[0]) if self.asked else self.study.family.action(session, index)
        )
        return replace(self, action=action, asked=_NOBODY)._settled()

    def dealt_by(self, below: Callable[[int], int]) -> Course:
        """The course once chance has decided all that it decides before a seat does.

        Args:
            below: `below(n)` is a uniform int from 0 to n - 1.
        """
        course = self
        while course.weights:
            ends = list(accumulate(course.weights.values()))
            course = course.after(list(course.weights)[bisect_right(ends, below(ends[-1]))])
        return course

    def text(self, index: int) -> str:
        """A legal action, or an outcome of chance, in the notation."""
        family = self.study.family
        if self.weights:
            return family.outcome_text(index)
        if index == self.study.wait:
            return "wait"
        if not self.asked and not self.session.in_play:
            named = self._namings[index - family.first_naming(self.study.start)]
            return "name " + ", ".join(f"{name} = {value}".lower() for name, value in named.items())
        action = self.session.out_of_turn_challenge(self.asked[0]) if self.asked else family.action(self.session, index)
        written: str = self.session.write(action)
        return written

    def account(self, seat: int, recall: bool = True) -> str:
        """All that a seat knows, as text: the same for two courses exactly when the seat cannot tell them apart.

        Args:
            seat: whose knowledge it is.
            recall: tell also of rounds that are over; otherwise only of the one in play.
        """
        view = self.session.view(seat)
        lines = [f"seat {seat}", *(accounts[seat] for accounts in self.past if recall)]
        if self.session.in_play or self.is_over:
            lines += self.study.family.account(view, self.session)
        if self.named is not None:
            lines.append(f"named {self.named}")
        return "\n".join([*lines, f"asked {self.asked[0]}"] if self.asked else lines)

    @property
    def _opener(self) -> int | None:
        """Who opens the next round."""
        opener: int | None = self.session.next_opener if self.session.rounds_played else self.study.opener
        return opener

    @property
    def _shout(self) -> int:
        """The number of the challenge of the seat that is asked."""
        return self.study.family.index(self.session, self.session.out_of_turn_challenge(self.asked[0]))

    @property
    def _namings(self) -> Any:
        return self.study.family.namings(self.study.start)

    @property
    def _names(self) -> Mapping[str, object]:
        """The options named for the next round."""
        named: Mapping[str, object] = {} if self.named is None else self._namings[self.named]
        return named

    def _settled(self) -> Course:
        """The course once all is done that follows by itself: up to where chance or a seat decides, or to the end."""
        course, family = self, self.study.family
        while True:
            session = course.session
            if course.is_over or (not session.in_play and course.named is None and course._namings):
                return course
            if session.in_play and course.action is None and course.drawn:
                supplied = family.supplied(session, course.drawn[0])
                course = replace(course, session=supplied, drawn=())
                continue
            weights = family.awaited(session, course.drawn, course.action, course._names)
            if weights:
                return replace(course, weights=weights)
            if session.in_play and course.action is None:
                return course
            course = course._dealt() if not session.in_play else course._applied()

    def _dealt(self) -> Course:
        first = self.study.opener if not self.session.rounds_played else None
        session = self.study.family.dealt(self.session, self.drawn, first, self._names)
        return replace(self, session=session, drawn=(), named=None)

    def _applied(self) -> Course:
        assert self.action is not None
        session = self.study.family.applied(self.session, self.drawn, self.action)
        if session.in_play:
            return replace(self, session=session, drawn=(), action=None, asked=_asked(session))
        done = replace(self, session=session, drawn=(), action=None)
        return done if done.is_over else replace(done, past=(*self.past, done._accounts()))

    def _accounts(self) -> tuple[str, ...]:
        """What each seat knows of the round that has just ended."""
        family, session = self.study.family, self.session
        return tuple("\n".join(family.account(session.view(seat), session)) for seat in range(self.study.seats))


def _asked(session: Any) -> tuple[int, ...]:
    """The seats that may challenge although it is another's turn, from the one behind the seat to act."""
    first, seats = session.to_act, session.seats
    order = (*range(first + 1, seats), *range(first))
    return tuple(seat for seat in order if session.out_of_turn_challenge(seat) is not None)

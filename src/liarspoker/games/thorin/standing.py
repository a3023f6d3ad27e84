"""Where a round of Thorin's game stands: who has the hand, what was declared last, and who must answer.

```
            claim               take              discard
  DECLARE ────────► RESPOND ───────────► DISCARD ────────► DECLARE
                    │  │  └─┐ pass: the next player
                    │  └────┘ (all others passed: OVER, the hand is thrown in)
                    │ challenge          show
                    └───────────► (SHOW ──────►) OVER
```

The hand is shown by an action only where a record does not tell it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.elimination import mask_of
from liarspoker.games.thorin import course
from liarspoker.games.thorin.course import (
    DECLARE,
    DISCARDING,
    NOBODY,
    OVER,
    PHASES,
    RESPOND,
    SHOWING,
    SPENT_BITS,
    Course,
    spent_by,
)
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.options import ThorinRules

__all__ = [
    "DECLARE",
    "DISCARDING",
    "NOBODY",
    "OVER",
    "PHASES",
    "RESPOND",
    "SHOWING",
    "Standing",
    "Terms",
    "after",
    "course_of",
    "opening",
]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a round is played on; all of it public.

    Attributes:
        number: the round's number in the match, from 0.
        opener: the seat that draws the first hand.
        alive: the seats that play it.
        named: the options that the opener named for this round, as (name, value), where he has the choice.
        opener_agreed: the table named the opener, not the rules.
    """

    number: int
    opener: int
    alive: tuple[int, ...]
    named: tuple[tuple[str, object], ...] = ()
    opener_agreed: bool = False


class Standing(NamedTuple):
    """Where the round stands; all of it public.

    Attributes:
        claim: the declaration made last, `NO_CLAIM` before the first.
        claimant: the seat that made it, `NOBODY` before the first.
        active: the seat that has the hand.
        challenger: the seat that challenged, `NOBODY` before that.
        to_act: the seat whose turn it is, `NOBODY` when the round is over.
        phase: `DECLARE`, `RESPOND`, `DISCARDING`, `SHOWING` or `OVER`.
        spent: how many passes each seat has spent in the match.
    """

    claim: int
    claimant: int
    active: int
    challenger: int
    to_act: int
    phase: int
    spent: tuple[int, ...]


def opening(opener: int, spent: tuple[int, ...]) -> Standing:
    """Where a round stands before its first declaration; the opener has drawn the hand."""
    return _standing_at(course.opening(opener, _packed(spent)), len(spent))


def course_of(standing: Standing) -> Course:
    """The same in ints."""
    return Course(*standing[:-1], _packed(standing.spent))


def after(standing: Standing, action: int, alive: tuple[int, ...], hand_known: bool, rules: ThorinRules) -> Standing:
    """Where the round stands after `action`, which must be legal."""
    later = course.after(course_of(standing), action, mask_of(alive), hand_known, ladder_of(rules))
    return _standing_at(later, len(standing.spent))


def _standing_at(now: Course, seats: int) -> Standing:
    return Standing(*now[:-1], tuple(spent_by(seat, now.spent) for seat in range(seats)))


def _packed(spent: tuple[int, ...]) -> int:
    return sum(count << SPENT_BITS * seat for seat, count in enumerate(spent))

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

from liarspoker.rules.cards.elimination import next_living
from liarspoker.rules.cards.passed.actions import CHALLENGE, PASS, TAKE

DECLARE = 0
RESPOND = 1
DISCARDING = 2
SHOWING = 3
OVER = 4
PHASES = ("declare", "respond", "discard", "show", "over")

NOBODY = -1


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


def after(standing: Standing, action: int, alive: tuple[int, ...], hand_known: bool) -> Standing:
    """Where the round stands after `action`, which must be legal and no discard."""
    seat, active = standing.to_act, standing.active
    if action >= 0:
        return standing._replace(claim=action, claimant=seat, to_act=next_living(seat, alive), phase=RESPOND)
    if action == TAKE:
        return standing._replace(active=seat, phase=DISCARDING)
    if action == CHALLENGE and not hand_known:
        return standing._replace(challenger=seat, to_act=active, phase=SHOWING)
    if action == CHALLENGE:
        return standing._replace(challenger=seat, to_act=NOBODY, phase=OVER)
    if action == PASS:
        spent = tuple(count + (other == seat) for other, count in enumerate(standing.spent))
        following = next_living(seat, alive)
        if following == active:
            return standing._replace(spent=spent, to_act=NOBODY, phase=OVER)
        return standing._replace(spent=spent, to_act=following)
    return standing._replace(to_act=NOBODY, phase=OVER)  # the hand has been shown

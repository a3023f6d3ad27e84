"""Policies: plain functions that choose an action, compiled together with the rounds that they play.

A policy is a function `policy(seen, chance, data)`, as those of the digit games are, where

* `seen` is a `Seen`, what the seat that is asked may know;
* `chance` is the stream from which it draws what it leaves to chance, by `liarspoker.engine.chance.below` or
  `chance_below_one`; nothing else may decide between equal views;
* `data` is the tuple of arrays or numbers that came with it; often `()`.

It answers a legal action: a claim or `CHALLENGE`. Where anyone may challenge, a policy that `shouts` is asked as well
when it is another's turn, once after every claim, from the seat behind the seat to act clockwise; it answers
`CHALLENGE` if it challenges, and anything else to keep quiet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.engine import lineup
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.pooled.seen import Seen
from liarspoker.games.queen_annes.course import CHALLENGE, RESPOND
from liarspoker.games.queen_annes.ladder import ladder_length


@dataclass(frozen=True, slots=True)
class Policy(lineup.Policy):
    """A function that chooses, what it needs to know for it, and when it is asked.

    Attributes:
        choose: as this module describes.
        data: its third argument, a tuple of arrays and numbers.
        shouts: whether it is asked out of turn.
    """

    shouts: bool = False


def uniform(seen: Seen, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other."""
    claim = seen.course.claim + 1 + below(chance, legal_claims(seen) + (1 if seen.course.phase == RESPOND else 0))
    return claim if claim < ladder_length(seen.rules) else CHALLENGE


def legal_claims(seen: Seen) -> int:
    """How many claims are legal: those from `seen.course.claim + 1` to the top of the ladder."""
    return ladder_length(seen.rules) - seen.course.claim - 1


POLICIES: dict[str, Policy] = {"uniform": Policy(uniform)}
"""The policies that can be asked for by name."""


chosen = lineup.together([POLICIES["uniform"]])
"""The action of policy number `which` of a line-up, `chosen(which, seen, chance, data)`: here of `uniform`, or of what
`lineup.together` puts in its place."""

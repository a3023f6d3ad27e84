"""Policies: plain functions that choose an action, compiled together with the rounds that they play.

A policy is a function `policy(seen, chance, data)`, as those of the digit games are, where

* `seen` is a `Seen`, what the seat to act may know;
* `chance` is the stream from which it draws what it leaves to chance, by `liarspoker.engine.chance.below` or
  `chance_below_one`; nothing else may decide between equal views;
* `data` is the tuple of arrays or numbers that came with it; often `()`.

It answers a legal action: a claim, `TAKE`, `CHALLENGE`, `PASS`, or a discard, which is `DISCARD` less the cards that it
throws, as a mask of `liarspoker.core.cards.deck.mask_of`. `choices` numbers those that there are.
"""

from __future__ import annotations

from typing import Any

from liarspoker.engine.chance import Chance, below
from liarspoker.engine.lineup import Policy, together
from liarspoker.engine.passed.choices import (
    answer_listed,
    answers_listed,
    claim_listed,
    claims_listed,
    discard_listed,
    discards_listed,
)
from liarspoker.engine.passed.seen import Seen
from liarspoker.games.thorin.course import DECLARE, DISCARDING

__all__ = ["POLICIES", "Policy", "chosen", "uniform"]


def uniform(seen: Seen, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other."""
    if seen.course.phase == DECLARE:
        return claim_listed(below(chance, claims_listed(seen)), seen)
    if seen.course.phase == DISCARDING:
        return discard_listed(below(chance, discards_listed(seen.hand)), seen.hand)
    return answer_listed(below(chance, answers_listed(seen)), seen)


POLICIES: dict[str, Policy] = {"uniform": Policy(uniform)}
"""The policies that can be asked for by name."""


chosen = together([POLICIES["uniform"]])
"""The action of policy number `which` of a line-up, `chosen(which, seen, chance, data)`: here of `uniform`, or of what
`together` puts in its place."""

"""Policies: plain functions that choose an action, compiled together with the rounds that they play.

A policy is a function `policy(seen, chance, data)`, where

* `seen` is a `Seen`, what the seat to act may know;
* `chance` is the stream from which it draws what it leaves to chance, by `liarspoker.engine.chance.below` or
  `chance_below_one`; nothing else may decide between equal views;
* `data` is the tuple of arrays or numbers that came with it, such as the weights of a net; often `()`.

It answers a legal action: a bid of the ladder, `CHALLENGE` or `COUNT`. It must be written as numba can read it: ints,
floats, NamedTuples and arrays, no dict, str or raise; it may call other such functions, those of the rules and odds
too, and read constants of its module. It need not import numba.
"""

from __future__ import annotations

from typing import Any

from liarspoker.engine.chance import Chance, below
from liarspoker.engine.digits.choices import answer, answers, bid_listed, bids_listed
from liarspoker.engine.digits.seen import Seen
from liarspoker.engine.lineup import Policy, together

__all__ = ["POLICIES", "Policy", "chosen", "uniform"]


def uniform(seen: Seen, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other; on a ladder without a top, any of those that are listed."""
    rules, auction = seen.rules, seen.auction
    bids = bids_listed(auction, seen.bids, rules)
    place = below(chance, bids + answers(auction, rules))
    return bid_listed(place, auction, seen.bids, rules) if place < bids else answer(auction, rules)


POLICIES: dict[str, Policy] = {"uniform": Policy(uniform)}
"""The policies that can be asked for by name."""


chosen = together([POLICIES["uniform"]])
"""The action of policy number `which` of a line-up, `chosen(which, seen, chance, data)`: here of `uniform`, or of what
`together` puts in its place."""

"""Who plays: any number of policies, compiled together with the rounds that they play.

A policy is a plain function `policy(seen, chance, data)`, where

* `seen` is the family's `Observation`, what the seat that is asked may know;
* `chance` is the stream from which it draws what it leaves to chance, by `liarspoker.engine.chance.below` or
  `chance_below_one`; nothing else may decide between equal observations;
* `data` is the tuple of arrays or numbers that came with it, such as the weights of a net; often `()`.

It returns a legal action. It must be written as numba can read it: ints, floats, NamedTuples and arrays, no dict, str
or raise; it may call other such functions, those of the rules and odds too, and read constants of its module. It need
not import numba. Where anyone may challenge, a policy that is asked `out_of_turn` is asked as well when it is another's
turn, once after every claim, from the seat behind the seat to act clockwise; it returns -1, the challenge, or anything
else to keep quiet.

The loop that plays a round calls one function for every choice. What `together` makes of several policies is compiled
in its place, and asks the one whose turn it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotPlay

if TYPE_CHECKING:
    from liarspoker.engine.table import Table

Choose = Callable[[Any, Any, Any], int]
"""What chooses an action: `choose(seen, chance, data)`."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A function that chooses, and what it needs to know for it.

    Attributes:
        choose: plain Python that numba can read, as this module describes.
        data: its third argument, a tuple of arrays and numbers.
        workspace: makes the arrays that it writes to, which follow `data`; called once for every thread.
        out_of_turn: whether it is asked out of turn, where anyone may challenge.
    """

    choose: Choose
    data: tuple[Any, ...] = ()
    workspace: Callable[[], tuple[Any, ...]] = tuple
    out_of_turn: bool = False


def seated(policies: Sequence[Policy | str], table: Table) -> tuple[NDArray[np.int64], list[Policy]]:
    """Which policy each player has, `[seats]`, as a number into the list of those that differ; and that list.

    Args:
        policies: one for each player, by name or itself; the last one plays for all who are left.
        table: what they play.

    Raises:
        CannotPlay: none at all, or more than there are seats; or no policy of such a name, with those that there are.
    """
    seats = table.rules.seats
    if not 1 <= len(policies) <= seats:
        raise CannotPlay(f"policies: {len(policies)} for {seats} seats")
    names = {policy for policy in policies if isinstance(policy, str)}
    named = {name: _named(name, table) for name in names}
    given = [named[policy] if isinstance(policy, str) else policy for policy in policies]
    given += [given[-1]] * (seats - len(given))
    different: list[Policy] = []
    for policy in given:
        if not any(policy is other for other in different):
            different.append(policy)
    numbers = [next(i for i, other in enumerate(different) if other is policy) for policy in given]
    return np.array(numbers, np.int64), different


def data_for(policies: Sequence[Policy]) -> tuple[Any, ...]:
    """The data of several policies for one thread, as what `together` makes of them reads it."""
    return tuple((*policy.data, *policy.workspace()) for policy in policies)


@lru_cache(maxsize=16)
def _named(name: str, table: Table) -> Policy:
    """One of the bots as a policy for a table; made once, since tables of probabilities may come with it."""
    kernel = table.kernel
    if name not in kernel.policies:
        raise CannotPlay(f"there is no policy {name!r} for {table.game}; there are {', '.join(kernel.policies)}")
    return kernel.policy(name, table.rules)


def player_in(seat: int, turn: int, seats: int) -> int:
    """Which player sits in a seat when all have moved on by `turn` seats, 0 to `seats - 1`.

    >>> [player_in(seat, 1, seats=3) for seat in range(3)]
    [2, 0, 1]
    """
    return seat - turn if seat >= turn else seat - turn + seats


if TYPE_CHECKING:  # what the two functions below ask; `together` gives each of their copies its own

    def _policy(seen: Any, chance: Any, data: Any) -> int: ...

    def _rest(which: int, seen: Any, chance: Any, data: Any) -> int: ...


def _only(which: int, seen: Any, chance: Any, data: Any) -> int:
    """The action of a line-up's only policy, or of its last one."""
    return _policy(seen, chance, data[0])


def _one_or_rest(which: int, seen: Any, chance: Any, data: Any) -> int:
    """The action of a line-up's first policy, or of one of those after it."""
    if which == 0:
        return _policy(seen, chance, data[0])
    return _rest(which - 1, seen, chance, data[1:])


def chosen(which: int, seen: Any, chance: Any, data: Any) -> int:
    """The action of policy number `which`; what `together` makes is compiled in its place."""
    return -1


def together(policies: Sequence[Policy]) -> FunctionType:
    """One function `(which, seen, chance, data)` of several, so that number i is asked where `which` is i.

    Args:
        policies: one or more; the `data` of what is answered is the tuple of theirs.
    """
    *others, last = (policy.choose for policy in policies)
    choose = _bound(_only, _policy=last)
    for other in reversed(others):
        choose = _bound(_one_or_rest, _policy=other, _rest=choose)
    return choose


def _bound(function: Callable[..., int], **names: Callable[..., int]) -> FunctionType:
    """A copy of a function with some of its globals bound otherwise."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy

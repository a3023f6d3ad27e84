"""Policies, and the line-up that plays a table. Policies are compiled together with the rounds that they play.

A policy is a plain function `policy(observation, chance, data)` that returns a legal action:

* `observation` is the family's `Observation`: what the seat may know.
* `chance` is the random stream of the players, for :func:`~liarspoker.engine.chance.below` and
  :func:`~liarspoker.engine.chance.random_float`. It is the only source of randomness that a policy may use.
* `data` is the tuple of arrays or numbers that came with the policy, such as the weights of a neural network; often
  `()`.

A policy must be written so that numba can compile it: ints, floats, NamedTuples and arrays, but no dicts, strings or
exceptions. It may call other such functions, including those of the rules and the odds, and read constants of its
module. It doesn't need to import numba.

Where the rules let anyone challenge, a policy with `out_of_turn` set is also called when it is another seat's turn:
once after every claim, clockwise from the seat after the seat to act. It then returns -1 to challenge, and any other
value not to.

The loop that plays a round calls a single function for every decision. :func:`together` combines several policies into
one function that calls the right one.
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
"""The type of a policy function: `choose(observation, chance, data)` returns an action."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy function with its data.

    Attributes:
        choose: a plain function that numba can compile, as described in :mod:`liarspoker.engine.lineup`.
        data: its third argument, a tuple of arrays and numbers.
        workspace: returns arrays that the function may write to; they follow `data`. It is called once per thread.
        out_of_turn: whether the policy may challenge out of turn, where the rules allow it.
    """

    choose: Choose
    data: tuple[Any, ...] = ()
    workspace: Callable[[], tuple[Any, ...]] = tuple
    out_of_turn: bool = False


def seated(policies: Sequence[Policy | str], table: Table) -> tuple[NDArray[np.int64], list[Policy]]:
    """Resolve the policies of a line-up.

    Args:
        policies: one for each player, as a name or a :class:`Policy`; the last one also plays for all remaining
            players.
        table: the table.

    Returns:
        int64 `[seats]`, the index of each player's policy in the list that follows; and the list of different policies.

    Raises:
        CannotPlay: there is no policy, or more policies than seats, or no policy of this name.
    """
    seats = table.rules.seats
    if not 1 <= len(policies) <= seats:
        raise CannotPlay(
            f"policies: {len(policies)} for {seats} seats; there must be at least one, and at most one per seat"
        )
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
    """Return the data of several policies for one thread, in the form that the function of :func:`together` reads."""
    return tuple((*policy.data, *policy.workspace()) for policy in policies)


@lru_cache(maxsize=16)
def _named(name: str, table: Table) -> Policy:
    """Return a bot's policy for a table. It is cached, since it may include tables of probabilities."""
    kernel = table.kernel
    if not kernel.has_policy(name):
        raise CannotPlay(f"there is no policy {name!r} for {table.game}; choose from {', '.join(kernel.policies)}")
    return kernel.policy(name, table.rules)


def player_in(seat: int, turn: int, seats: int) -> int:
    """Return the player who sits in a seat after all players have moved on by `turn` seats, 0 to `seats - 1`.

    >>> [player_in(seat, 1, seats=3) for seat in range(3)]
    [2, 0, 1]
    """
    return seat - turn if seat >= turn else seat - turn + seats


if TYPE_CHECKING:  # called by the two functions below; `together` binds these names in each copy

    def _policy(seen: Any, chance: Any, data: Any) -> int: ...

    def _rest(which: int, seen: Any, chance: Any, data: Any) -> int: ...


def _only(which: int, seen: Any, chance: Any, data: Any) -> int:
    """Return the action of a line-up's only policy, or of its last one."""
    return _policy(seen, chance, data[0])


def _one_or_rest(which: int, seen: Any, chance: Any, data: Any) -> int:
    """Return the action of a line-up's first policy, or of one of the following policies."""
    if which == 0:
        return _policy(seen, chance, data[0])
    return _rest(which - 1, seen, chance, data[1:])


def chosen(which: int, seen: Any, chance: Any, data: Any) -> int:
    """Return the action of policy number `which`. The function that :func:`together` makes is compiled in its place."""
    return -1


def together(policies: Sequence[Policy]) -> FunctionType:
    """Combine policies into one function `(which, observation, chance, data)` that calls policy number `which`.

    Args:
        policies: one or more; `data` is the tuple of their data, from :func:`data_for`.
    """
    return _together(*(policy.choose for policy in policies))


@lru_cache(maxsize=64)
def _together(*functions: Choose) -> FunctionType:
    *others, last = functions
    choose = bound(_only, _policy=last)
    for other in reversed(others):
        choose = bound(_one_or_rest, _policy=other, _rest=choose)
    return choose


def bound(function: Callable[..., int], **names: Callable[..., int]) -> FunctionType:
    """Return a copy of a function with some of its globals replaced."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy

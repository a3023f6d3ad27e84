"""Policies, and the line-up that plays a table.

A policy is a plain function `policy(observation, chance, data)` that returns a legal action:

* `observation` is the family's `Observation`: what the seat may know.
* `chance` is the random stream of the players, for :func:`~liarspoker.engine.chance.below` and
  :func:`~liarspoker.engine.chance.random_float`. It is the only source of randomness that a policy may use.
* `data` is the tuple that came with the policy, such as the weights of a neural network; often `()`. It may contain
  numbers, arrays, and tuples of these.

A policy must be written so that numba can compile it: ints, floats, NamedTuples and arrays, but no dicts, strings or
exceptions. It may call other such functions, including those of the rules and the odds, and read constants of its
module. It doesn't need to import numba.

Where the rules let anyone challenge, a policy with `out_of_turn` set is also called when it is another seat's turn:
once after every claim, clockwise from the seat after the seat to act. It then returns -1 to challenge, and any other
value not to.

The loop that plays a round calls a single function for every decision. :class:`Together` makes it of several policies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.calls import Calls, call, plain
from liarspoker.engine.errors import CannotPlay

if TYPE_CHECKING:
    from liarspoker.engine.compiling import Entry
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
        CannotPlay: there is no policy, or more policies than seats, or no policy of this name, or something is neither
            a name nor a policy.
    """
    seats = table.rules.seats
    if isinstance(policies, str):
        raise CannotPlay(f"policies: {policies!r}; they must be a sequence, such as [{policies!r}]")
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
        if not isinstance(policy, Policy):
            raise CannotPlay(f"policies: {policy!r} is neither a name nor a Policy, such as Policy(function)")
        if not any(policy is other for other in different):
            different.append(policy)
    numbers = [next(i for i, other in enumerate(different) if other is policy) for policy in given]
    return np.array(numbers, np.int64), different


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


def chosen(which: int, seen: Any, chance: Any, data: Any) -> int:
    """Return the action of policy number `which`; `data` is from `Together.data`. `Together.choose` replaces it."""
    return -1


class Together:
    """Several policies as one function, for the loops that play rounds.

    A single policy without data, such as random play, is compiled into the loop, which makes it faster. All others are
    compiled on their own, so that a loop needn't be compiled again for every line-up, and called by their addresses.

    Attributes:
        choose: the function that calls policy number `which`, in place of `chosen`.
    """

    choose: Callable[[int, Any, Any, Any], int]

    def __init__(self, policies: Sequence[Policy], table: Table) -> None:
        """Combine one or more policies that play at a table.

        Raises:
            CannotCompile: a policy reads something that can't be compiled.
        """
        self._policies, self._table = policies, table
        self._entries: list[Entry] = []
        self._kept: list[Any] = []
        if not table.kernel.is_compiled:
            self.choose = _choose_in_python
        elif len(policies) == 1 and not policies[0].data and not policies[0].workspace():
            self.choose = _inlined(policies[0].choose)
        else:
            self.choose = _choose_by_address
            self._entries = [_entry(each.choose, table.kernel.family) for each in policies]

    @property
    def lacks_code(self) -> bool:
        """Whether there is no machine code of some policy yet, and that of another process could be loaded."""
        return any(entry.lacks_code for entry in self._entries)

    def data(self) -> Any:
        """Return the data of the policies for one thread. It must not be used for longer than this object exists."""
        own = [(*each.data, *each.workspace()) for each in self._policies]
        if not self._table.kernel.is_compiled:
            return tuple((each.choose, data) for each, data in zip(self._policies, own, strict=True))
        if not self._entries:
            return ()
        own, example = [plain(data) for data in own], self._table.observation
        calls = [entry.call_with(example, data) for entry, data in zip(self._entries, own, strict=True)]
        self._kept += own, calls
        codes, places = [code for code, _ in calls], [words.ctypes.data for _, words in calls]
        return Calls(np.array(codes, np.int64), np.array(places, np.int64), example)


@lru_cache(maxsize=64)
def _entry(choose: Choose, family: str) -> Entry:
    from liarspoker.engine.compiling import policy_entry
    from liarspoker.engine.kernel import kernel_of

    return policy_entry(choose, kernel_of(family).bound())


def _choose_in_python(which: int, seen: Any, chance: Any, data: Any) -> int:
    choose, own = data[which]
    action: int = choose(seen, chance, own)
    return action


def _choose_by_address(which: int, seen: Any, chance: Any, data: Any) -> int:
    return call(data.codes[which], data.data[which], seen, chance, data.example)


if TYPE_CHECKING:  # bound by `_inlined`

    def _policy(seen: Any, chance: Any, data: Any) -> int: ...


def _choose_inlined(which: int, seen: Any, chance: Any, data: Any) -> int:
    return _policy(seen, chance, data)


@lru_cache(maxsize=64)
def _inlined(choose: Choose) -> Callable[[int, Any, Any, Any], int]:
    return bound(_choose_inlined, _policy=choose)


def bound(function: Callable[..., int], **names: Callable[..., int]) -> FunctionType:
    """Return a copy of a function with some of its globals replaced."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy

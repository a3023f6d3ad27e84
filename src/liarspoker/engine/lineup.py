"""Who plays: any number of policies, compiled together with the rounds that they play.

The loop that plays a round calls one function for every choice. What `together` makes of several policies is compiled
in its place, and asks the one whose turn it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotPlay

Choose = Callable[[Any, Any, Any], int]
"""What chooses an action: `choose(seen, chance, data)`."""


class AnyPolicy(Protocol):
    """A function that chooses, and what it needs to know for it."""

    @property
    def choose(self) -> Callable[..., int]:
        """Plain Python that numba can read."""

    @property
    def data(self) -> tuple[Any, ...]:
        """Its third argument."""


Some = TypeVar("Some", bound=AnyPolicy)


def seated(
    policies: Sequence[Some | str], seats: int, named: Callable[[str], Some]
) -> tuple[NDArray[np.int64], list[Some]]:
    """Which policy each player has, `[seats]`, as a number into the list of those that differ; and that list.

    Args:
        policies: one for each player, by name or itself; the last one plays for all who are left.
        seats: how many players.
        named: the policy of a name.

    Raises:
        CannotPlay: none at all, or more than there are seats; or no policy of such a name.
    """
    if not 1 <= len(policies) <= seats:
        raise CannotPlay(f"policies: {len(policies)} for {seats} seats")
    given = [named(policy) if isinstance(policy, str) else policy for policy in policies]
    given += [given[-1]] * (seats - len(given))
    different: list[Some] = []
    for policy in given:
        if not any(policy is other for other in different):
            different.append(policy)
    numbers = [next(i for i, other in enumerate(different) if other is policy) for policy in given]
    return np.array(numbers, np.int64), different


def _nobody(seen: Any, chance: Any, data: Any) -> int:
    """Where the policy of `_only` stands once it is bound."""
    raise NotImplementedError


_POLICY: Callable[..., int] = _nobody


def _only(which: int, seen: Any, chance: Any, data: Any) -> int:
    """The action of a line-up's only policy, or of its last one."""
    return _POLICY(seen, chance, data[0])


_REST: Callable[..., int] = _only


def _one_or_rest(which: int, seen: Any, chance: Any, data: Any) -> int:
    """The action of a line-up's first policy, or of one of those after it."""
    if which == 0:
        return _POLICY(seen, chance, data[0])
    return _REST(which - 1, seen, chance, data[1:])


def together(chooses: Sequence[Callable[..., int]]) -> FunctionType:
    """One function `(which, seen, chance, data)` of several, so that number i is asked where `which` is i.

    Args:
        chooses: one function or more; the `data` of what is answered is the tuple of theirs.
    """
    *others, last = chooses
    choose = _bound(_only, _POLICY=last)
    for other in reversed(others):
        choose = _bound(_one_or_rest, _POLICY=other, _REST=choose)
    return choose


def _bound(function: Callable[..., int], **names: Callable[..., int]) -> FunctionType:
    """A copy of a function with some of its globals bound otherwise."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy

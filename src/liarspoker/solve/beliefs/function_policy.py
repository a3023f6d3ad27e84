"""Mixed policies that are compiled functions, such as neural networks.

Such a policy is a function `function(observation, data, out)`:

* `observation` is a :class:`HandObservation`: everything that is public in a single hand, and how many of each digit
  the seat holds. It contains neither the order of the digits nor other hands nor other rows of a slip, so no policy can
  depend on them.
* `data` is the tuple of arrays or numbers that comes with the policy, such as the weights of a network; often `()`.
* `out` is float64 `[actions]`, all 0. The function writes the probability of each action to it. The columns are the
  bids of the ladder from the weakest, then challenge, then count. Illegal actions must stay 0, and the probabilities
  must sum to 1.

The function must be written as described in :mod:`liarspoker.engine.lineup`. :class:`FunctionPolicy` is its mixed
policy for beliefs, and :meth:`FunctionPolicy.drawing` returns the policy that plays the same in compiled rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, random_float
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import CannotBelieve, CannotCompile
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, Auction
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.solve.beliefs.policies import MixedPolicy, zero_probabilities
from liarspoker.solve.beliefs.positions import Position, column_of
from liarspoker.solve.hands import Floats, Small

_GOOD = -1
_ROUNDED = 1e-6
"""How far from 1 the sum of a hand's probabilities may be."""


class HandObservation(NamedTuple):
    """What a policy may know in a single hand at stake 1. Don't write to its arrays.

    Attributes:
        rules: the table's rules.
        auction: the state of the auction; `auction.to_act` is the seat to act.
        counts: how many of each digit the seat holds, for :func:`liarspoker.games.digits.hands.count_of`.
        made: the number of actions in this hand so far.
        moves: int32 `[most moves, 2]`, of which the first `made` rows are filled: seat and action.
        bids: bool `[ladder_length]` under the loose order: which bids were made in this hand; else empty.
    """

    rules: Rules
    auction: Auction
    counts: int
    made: int
    moves: NDArray[np.int32]
    bids: NDArray[np.bool_]


ProbabilityFunction = Callable[[HandObservation, Any, Floats], None]
"""The type of a function that writes action probabilities, as this module describes."""


def probabilities_of(observation: HandObservation, data: Any, out: Floats) -> None:
    """Serve as a placeholder, for which a policy's own function is substituted."""


@dataclass(frozen=True, slots=True)
class FunctionPolicy(MixedPolicy):
    """The mixed policy of a compiled function.

    Attributes:
        function: a function as :mod:`liarspoker.solve.beliefs.function_policy` describes.
        data: its second argument, a tuple of arrays and numbers.
    """

    function: ProbabilityFunction
    data: tuple[Any, ...] = field(default=())

    def matrix(self, position: Position) -> Floats:
        """Return the probability of each action with each hand; see :meth:`.MixedPolicy.matrix`.

        Raises:
            CannotBelieve: for some hand, the function doesn't return probabilities of legal actions.
            CannotCompile: it can't be compiled, for example because it reads what isn't in the observation.
        """
        matrix = zero_probabilities(position)
        self._ask(position, matrix, np.zeros((0, 0)), 0)
        return matrix

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the probability of an action with each hand; it raises the same errors as :meth:`matrix`."""
        likely = np.empty(position.hands.size)
        row = np.zeros((1, ladder_length(position.rules) + 2))
        self._ask(position, row, likely[:, None], column_of(action, position.rules))
        return likely

    def drawing(self) -> Policy:
        """Return a policy for compiled rounds that draws from these probabilities.

        Returns:
            A :class:`~liarspoker.engine.lineup.Policy`.
        """
        named: Any = self.function
        draw = FunctionType(
            _drawn.__code__, {**_drawn.__globals__, "probabilities_of": self.function}, f"drawn from {named.__name__}"
        )
        # Functions of this package must not allocate arrays. This one does, so it gets the name of the policy's module.
        draw.__module__, draw.__qualname__ = named.__module__, f"{named.__qualname__} drawn"
        return Policy(draw, self.data)

    def _ask(self, position: Position, rows: Floats, likely: Floats, column: int) -> None:
        """Evaluate the function for every hand.

        `rows` has a row for each hand, or a single row if `likely` stores one column.
        """
        rules, hands, named = position.rules, position.hands, getattr(self.function, "__name__", repr(self.function))
        moves = np.array(position.moves, np.int32).reshape(-1, 2)
        made = np.zeros(ladder_length(rules) if rules.loose else 0, np.bool_)
        made[[action for _, action in position.moves if 0 <= action < made.size]] = True
        legal = np.zeros(rows.shape[1], np.bool_)
        legal[position.columns] = True
        observation = HandObservation(rules, position.auction, 0, len(moves), moves, made)
        try:
            bad = _asking(self.function)(observation, hands.counts, self.data, legal, column, rows, likely)
        except NumbaError as error:
            raise CannotCompile(f"{named}: numba can't compile it: {error}") from error
        if bad != _GOOD:
            raise CannotBelieve(
                f"{named}: with the hand {hands.counts[bad].tolist()} after the moves {list(position.moves)}, "
                "it doesn't return probabilities of legal actions, which must be 0 or more and sum to 1"
            )


@cache
def _asking(function: ProbabilityFunction) -> Kernel:
    return compiled(ask_all, {probabilities_of: function})  # type: ignore[dict-item]


def ask_all(
    observation: HandObservation,
    counts: Small,
    data: Any,
    legal: NDArray[np.bool_],
    column: int,
    rows: Floats,
    likely: Floats,
) -> int:
    """Evaluate a policy for every hand; return the first hand without valid probabilities, -1 if there is none."""
    rules, auction, _, made, moves, bids = observation
    for hand in range(counts.shape[0]):
        row = rows[hand] if rows.shape[0] > 1 else rows[0]
        for action in range(row.size):
            row[action] = 0.0
        probabilities_of(HandObservation(rules, auction, packed(counts[hand], rules), made, moves, bids), data, row)
        total = 0.0
        for action in range(row.size):
            total += row[action]
            if not row[action] >= 0.0 or (row[action] > 0.0 and not legal[action]):
                return hand
        if not abs(total - 1.0) <= _ROUNDED:
            return hand
        if likely.size > 0:
            likely[hand, 0] = row[column]
    return _GOOD


def packed(counts: Any, rules: Rules) -> int:
    """Return a hand in the form of `HandObservation.counts`, given its count of each digit, the lowest first."""
    pack = 0
    for rank in range(rules.symbols):
        pack |= int(counts[rank]) << 4 * digit_of(rank, rules)
    return pack


def _drawn(seen: Observation, chance: Chance, data: Any) -> int:
    """Return an action drawn from the probabilities; it is compiled with the policy's function."""
    bids = ladder_length(seen.rules)
    row = np.zeros(bids + 2)
    probabilities_of(
        HandObservation(seen.rules, seen.auction, seen.counts, seen.made, seen.moves, seen.bids), data, row
    )
    left, last = random_float(chance), 0
    for column in range(row.size):
        if row[column] > 0.0:
            last = column
            left -= row[column]
            if left < 0.0:
                break
    if last < bids:
        return last
    return CHALLENGE if last == bids else COUNT

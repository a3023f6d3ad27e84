"""Policies that are compiled functions and return the probabilities of their actions, such as a net's.

Such a policy is a function `chances(observation, data, out)`, where

* `observation` is a `HandObservation`: all that is public in a single hand, and how many of each digit the seat holds.
  It doesn't contain the order of the digits, other hands or other rows of a slip, so no policy can depend on them;
* `data` is the tuple of arrays or numbers that came with it, such as the weights of a net; often `()`;
* `out` is float64 `[actions]`, all 0: it writes there the probability of each action. The columns are the bids of the
  ladder from the weakest, then challenge, then count. What isn't legal stays 0, and all of it sums to 1.

It is written as described in `liarspoker.engine.lineup`. `FunctionPolicy` is the mixed policy for beliefs, and
its `drawing` the policy that plays the same in compiled rounds.
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

from liarspoker.engine.chance import Chance, chance_below_one
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.errors import CannotBelieve, CannotCompile
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, Auction
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.solve.beliefs.policies import MixedPolicy, no_chances
from liarspoker.solve.beliefs.positions import Position, column_of
from liarspoker.solve.hands import Floats, Small

_GOOD = -1
_ROUNDED = 1e-6
"""How far from 1 the probabilities of a hand may sum."""


class HandObservation(NamedTuple):
    """What a policy may know of a single hand at stake 1. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        auction: the state of the bidding; `auction.to_act` is the seat to act.
        counts: how many of each digit it holds, for `liarspoker.games.digits.deal.count_of`.
        made: the number of actions in this hand so far.
        moves: int32 `[many, 2]`, the first `made` of them filled: seat and action.
        bids: bool, under the loose order `[ladder_length]`: which bids were made in this hand; else empty.
    """

    rules: Rules
    auction: Auction
    counts: int
    made: int
    moves: NDArray[np.int32]
    bids: NDArray[np.bool_]


Chances = Callable[[HandObservation, Any, Floats], None]
"""What writes the probabilities, as this module describes."""


def chances_of(observation: HandObservation, data: Any, out: Floats) -> None:
    """Stand in for a policy's own function until one replaces it: nothing is ever played."""


@dataclass(frozen=True, slots=True)
class FunctionPolicy(MixedPolicy):
    """The mixed policy of a compiled function.

    Attributes:
        chances: as this module describes.
        data: its second argument, a tuple of arrays and numbers.
    """

    chances: Chances
    data: tuple[Any, ...] = field(default=())

    def matrix(self, position: Position) -> Floats:
        """As `MixedPolicy.matrix`.

        Raises:
            CannotBelieve: for some hand the function doesn't return probabilities of legal actions.
            CannotCompile: it can't be compiled, such as where it reads what isn't in the observation.
        """
        matrix = no_chances(position)
        self._ask(position, matrix, np.zeros((0, 0)), 0)
        return matrix

    def likelihoods(self, position: Position, action: int) -> Floats:
        """As `MixedPolicy.likelihoods`; raises as `matrix` does."""
        likely = np.empty(position.hands.size)
        row = np.zeros((1, ladder_length(position.rules) + 2))
        self._ask(position, row, likely[:, None], column_of(action, position.rules))
        return likely

    def drawing(self) -> Policy:
        """Return the policy that plays so in compiled rounds: it draws from these probabilities."""
        named: Any = self.chances
        draw = FunctionType(
            _drawn.__code__, {**_drawn.__globals__, "chances_of": self.chances}, f"drawn from {named.__name__}"
        )
        # It allocates an array, which functions of this package must not; so it counts as one of the policy's module.
        draw.__module__, draw.__qualname__ = named.__module__, f"{named.__qualname__} drawn"
        return Policy(draw, self.data)

    def _ask(self, position: Position, rows: Floats, likely: Floats, column: int) -> None:
        """Ask for every hand; `rows` has a row for each, or one for all where `likely` stores a column."""
        rules, hands, named = position.rules, position.hands, getattr(self.chances, "__name__", repr(self.chances))
        moves = np.array(position.moves, np.int32).reshape(-1, 2)
        made = np.zeros(ladder_length(rules) if rules.loose else 0, np.bool_)
        made[[action for _, action in position.moves if 0 <= action < made.size]] = True
        legal = np.zeros(rows.shape[1], np.bool_)
        legal[position.columns] = True
        observation = HandObservation(rules, position.auction, 0, len(moves), moves, made)
        try:
            bad = _asking(self.chances)(observation, hands.counts, self.data, legal, column, rows, likely)
        except NumbaError as error:
            raise CannotCompile(f"{named}: numba can't compile it: {error}") from error
        if bad != _GOOD:
            raise CannotBelieve(
                f"{named}: with the hand {hands.counts[bad].tolist()} what it tells are no chances of "
                f"legal actions, which are 0 or more and sum to 1, after the moves {list(position.moves)}"
            )


@cache
def _asking(chances: Chances) -> Kernel:
    return compiled(ask_all, {chances_of: chances})  # type: ignore[dict-item]


def ask_all(
    observation: HandObservation,
    counts: Small,
    data: Any,
    legal: NDArray[np.bool_],
    column: int,
    rows: Floats,
    likely: Floats,
) -> int:
    """Ask a policy about every hand; the first hand for which it returns no probabilities, -1 if there is none."""
    rules, auction, _, made, moves, bids = observation
    for hand in range(counts.shape[0]):
        row = rows[hand] if rows.shape[0] > 1 else rows[0]
        for action in range(row.size):
            row[action] = 0.0
        chances_of(HandObservation(rules, auction, packed(counts[hand], rules), made, moves, bids), data, row)
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
    """Return a hand as `HandObservation.counts` holds it, from its count of each digit, the lowest first."""
    pack = 0
    for rank in range(rules.symbols):
        pack |= int(counts[rank]) << 4 * digit_of(rank, rules)
    return pack


def _drawn(seen: Observation, chance: Chance, data: Any) -> int:
    """An action drawn from the probabilities; compiled with the policy's function in place of `chances_of`."""
    bids = ladder_length(seen.rules)
    row = np.zeros(bids + 2)
    chances_of(HandObservation(seen.rules, seen.auction, seen.counts, seen.made, seen.moves, seen.bids), data, row)
    left, last = chance_below_one(chance), 0
    for column in range(row.size):
        if row[column] > 0.0:
            last = column
            left -= row[column]
            if left < 0.0:
                break
    if last < bids:
        return last
    return CHALLENGE if last == bids else COUNT

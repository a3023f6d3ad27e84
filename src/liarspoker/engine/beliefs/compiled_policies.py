"""Policies that are compiled functions and tell the chances of their actions, such as a net's.

Such a policy is a function `chances(seen, data, out)`, where

* `seen` is a `liarspoker.games.digits.kernel_policies.Observation` of a single hand: hand 0, at stake 1. It may read
  all of it but `number`, the order of its digits: a belief is about how often each digit is held, which `seen.counts`
  tells. It reads fields by their names alone, `seen.counts` and never `seen[3]`, and may hand `seen` on to functions by
  its place;
* `data` is the tuple of arrays or numbers that came with it, such as the weights of a net; often `()`;
* `out` is float64 `[actions]`, all 0: it writes there how likely it plays each action. The columns are the bids of the
  ladder from the weakest, then challenge, then count. What is not legal stays 0, and all of it sums to 1.

It is written as `liarspoker.engine.lineup` says. `Told` is the mixed policy of which there are beliefs, and
its `drawing` the policy that plays just so in compiled rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.beliefs.hands import Floats
from liarspoker.engine.beliefs.policies import MixedPolicy, hands_at, no_chances
from liarspoker.engine.beliefs.positions import Position, column_of, refuse
from liarspoker.engine.chance import Chance, chance_below_one
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.compiling.arguments import OTHERWISE, fields_read
from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules

Chances = Callable[[Observation, Any, Floats], None]
"""What writes the chances, as this module describes."""

_GOOD = -1
_ROUNDED = 1e-6
"""How far from 1 the chances of a hand may sum."""


def told(seen: Observation, data: Any, out: Floats) -> None:
    """What stands in for a policy's own function where none has been put in its place: nothing is ever played."""


@dataclass(frozen=True, slots=True)
class Told(MixedPolicy):
    """The mixed policy of a compiled function.

    Attributes:
        chances: as this module describes.
        data: its second argument, a tuple of arrays and numbers.

    Raises:
        CannotBelieve: the function reads the order of its digits, or reads `seen` otherwise than field by name.
        CannotCompile: it reads what cannot be compiled.
    """

    chances: Chances
    data: tuple[Any, ...] = field(default=())

    def __post_init__(self) -> None:
        named: Any = self.chances
        fields = fields_read(named)
        if OTHERWISE in fields:
            raise CannotBelieve(
                f"{named.__name__} takes `seen` apart, or reads it by place, so it may read `number`, the order of its "
                "digits; read its fields by name, such as `seen.counts`"
            )
        if "number" in fields:
            refuse(f"{named.__name__} reads `number`")

    def matrix(self, position: Position) -> Floats:
        """As `MixedPolicy.matrix`.

        Raises:
            CannotBelieve: what it tells of some hand are no chances of legal actions.
        """
        matrix = no_chances(position)
        self._ask(position, matrix, np.zeros((0, 0)), 0)
        return matrix

    def likelihoods(self, position: Position, action: int) -> Floats:
        """As `MixedPolicy.likelihoods`.

        Raises:
            CannotBelieve: what it tells of some hand are no chances of legal actions.
        """
        likely = np.empty(hands_at(position).size)
        row = np.zeros((1, ladder_length(position.rules) + 2))
        self._ask(position, row, likely[:, None], column_of(action, position.rules))
        return likely

    def drawing(self) -> Policy:
        """The policy that plays so in compiled rounds: it draws from these chances."""
        named: Any = self.chances
        draw = FunctionType(
            _drawn.__code__, {**_drawn.__globals__, "told": self.chances}, f"drawn from {named.__name__}"
        )
        # It makes room for the chances, which functions of this package must not; so it counts as one of theirs.
        draw.__module__, draw.__qualname__ = named.__module__, f"{named.__qualname__} drawn"
        return Policy(draw, self.data)

    def _ask(self, position: Position, rows: Floats, likely: Floats, column: int) -> None:
        """Ask for every hand; `rows` has a row for each, or one for all where `likely` keeps a column."""
        rules, hands = position.rules, hands_at(position)
        moves = np.array(position.moves, np.int32).reshape(-1, 2)
        made = np.zeros(ladder_length(rules) if rules.loose else 0, np.bool_)
        made[[action for _, action in position.moves if 0 <= action < made.size]] = True
        legal = np.zeros(rows.shape[1], np.bool_)
        legal[position.columns] = True
        seen = Observation(rules, position.auction, 0, 0, 0, 1, len(moves), moves, made)
        bad = _asking(self.chances)(seen, hands.counts, self.data, legal, column, rows, likely)
        if bad != _GOOD:
            raise CannotBelieve(
                f"{self.chances.__name__}: with the hand {hands.counts[bad].tolist()} what it tells are no chances of "
                f"legal actions, which are 0 or more and sum to 1, after the moves {list(position.moves)}"
            )


@cache
def _asking(chances: Chances) -> Kernel:
    return compiled(ask_all, {told: chances})  # type: ignore[dict-item]


def ask_all(
    seen: Observation, counts: Any, data: Any, legal: NDArray[np.bool_], column: int, rows: Floats, likely: Floats
) -> int:
    """Ask a policy about every hand; the first hand of which it tells no chances, -1 if there is none."""
    for hand in range(counts.shape[0]):
        row = rows[hand] if rows.shape[0] > 1 else rows[0]
        for action in range(row.size):
            row[action] = 0.0
        rules, auction, moves, bids = seen.rules, seen.auction, seen.moves, seen.bids
        told(Observation(rules, auction, 0, packed(counts[hand], rules), 0, 1, seen.made, moves, bids), data, row)
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
    """A hand as `Observation.counts` has it, from how often it holds each digit, the lowest first."""
    pack = 0
    for rank in range(rules.symbols):
        pack |= int(counts[rank]) << 4 * digit_of(rank, rules)
    return pack


def _drawn(seen: Observation, chance: Chance, data: Any) -> int:
    """An action, drawn from the chances; compiled with the policy's function in the place of `told`."""
    bids = ladder_length(seen.rules)
    row = np.zeros(bids + 2)
    told(seen, data, row)
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

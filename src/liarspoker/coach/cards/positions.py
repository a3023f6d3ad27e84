"""A decision in a card game: the actions to consider, and deals that agree with what the seat knows."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from liarspoker.engine.kernel import Array, Ints
from liarspoker.engine.table import Table
from liarspoker.solve.hands import Floats


class Deals(NamedTuple):
    """Deals of the cards that a seat can't see.

    Attributes:
        lines: records `[deals]` of the kernel's type `line`: the round with these cards.
        weights: float64 `[deals]`, how likely each is, relative to the others.
    """

    lines: Any
    weights: Floats

    def drawn(self, number: int, chance: np.random.Generator) -> Any:
        """Return equally likely lines, `[number]`: every equal share of the probability is drawn from once."""
        sums = np.cumsum(self.weights)
        marks = (chance.permutation(number) + chance.random(number)) / number * sums[-1]
        return self.lines[np.searchsorted(sums, marks, side="right").clip(max=sums.size - 1)]


class CardPosition(Protocol):
    """The position of a seat before its action.

    Attributes:
        playouts: the default number of playouts of each of the best actions.
        table: the table.
        sessions: the sessions before each action so far, and before the one that is reviewed.
        seat: the seat to act.
        others: the number of its opponents in the round.
        standing: the last claim, -1 for none.
        moves: `[made, 2]`, the actions so far as the whole table sees them.
        is_known: whether the record has all cards that the seat sees or has seen.
    """

    playouts: ClassVar[int]

    @property
    def table(self) -> Table: ...  # noqa: D102

    @property
    def sessions(self) -> tuple[Any, ...]: ...  # noqa: D102

    @property
    def seat(self) -> int: ...  # noqa: D102

    @property
    def others(self) -> int: ...  # noqa: D102

    @property
    def standing(self) -> int: ...  # noqa: D102

    @property
    def moves(self) -> Array: ...  # noqa: D102

    @property
    def is_known(self) -> bool: ...  # noqa: D102

    def sensible(self, chosen: int) -> list[int]:
        """Return the actions that are considered, among them the chosen one."""

    def deals(self, number: int, chance: np.random.Generator, *, hears: bool = True) -> Deals:
        """Draw deals that agree with what the seat sees; without `hears`, whatever the others have claimed."""

    def odds(self, chance: np.random.Generator) -> float:
        """Return the probability that the standing claim is true, given only the cards that the seat sees."""

    def is_there(self, claim: int, deals: Deals) -> Any:
        """Return in which deals a claim is true if it is challenged at once: bool `[deals]`."""

    def hands(self, lines: Any) -> tuple[tuple[str, float], ...] | None:
        """Return the share of equally likely lines in which the best hand is of each category, weakest first.

        It is the best hand of all cards dealt, or in Thorin's game the hand that is passed on; `None` if the seat
        has it.
        """


def chance_of(claim: int, position: CardPosition, deals: Deals) -> float:
    """Return the probability that a claim is true if it is challenged at once, given some deals."""
    return float(np.average(position.is_there(claim, deals), weights=deals.weights))


def won(lines: Any, seat: int, others: int) -> Floats:
    """Return what a seat wins in rounds that are over: the loser pays each of the others an equal share of one unit.

    Args:
        lines: records `[n]` of a kernel's type `line`.
        seat: the seat.
        others: the number of its opponents.
    """
    loser: Ints = lines["loser"]
    return np.where(loser < 0, 0.0, np.where(loser == seat, -1.0, 1.0 / others))

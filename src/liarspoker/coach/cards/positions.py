"""A decision in a card game: the actions to consider, and deals that agree with what the seat knows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from liarspoker.engine.kernel import Array, Ints
from liarspoker.engine.table import Table
from liarspoker.solve.hands import Floats

if TYPE_CHECKING:
    from liarspoker.coach.cards.words import CardWording

RARE = 1e-4
"""The least probability of what is possible, and of its opposite, as far as deals drawn at random can show."""

_HALVINGS = 30

LEAST = 1_000
"""The least number of deals that count, as their effective number: the square of the sum of the weights, divided by the
sum of their squares. Otherwise, after many claims, a single deal could outweigh all others."""


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


def weighed(logarithms: Floats) -> Floats:
    """Return weights from their logarithms.

    If fewer than `LEAST` deals would count (or a tenth of a small number), all logarithms are multiplied by the
    largest factor below 1 with which that number does.

    Args:
        logarithms: float64 `[deals]`.

    >>> weights = weighed(-np.arange(4_000.0))
    >>> bool(399 < weights.sum() ** 2 / (weights**2).sum() < 401)
    True
    """
    least, low, high = min(LEAST, logarithms.size / 10), 0.0, 1.0

    def scaled(factor: float) -> Floats:
        found: Floats = np.exp(factor * (logarithms - logarithms.max()))
        return found

    def count(weights: Floats) -> float:
        return float(weights.sum() ** 2 / (weights**2).sum())

    if count(scaled(1.0)) >= least:
        return scaled(1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if count(scaled(middle)) >= least else (low, middle)
    return scaled(low)


@dataclass(frozen=True, slots=True)
class CardPosition(ABC):
    """The position of a seat before its action.

    Attributes:
        playouts: the default number of playouts of each of the best actions.
        wording: how reviewed rounds are worded.
        table: the table.
        sessions: the sessions before each action so far, and before the one that is reviewed.
    """

    playouts: ClassVar[int]
    wording: ClassVar[type[CardWording]]

    table: Table
    sessions: tuple[Any, ...]

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self._round.state.to_act)

    @property
    def others(self) -> int:
        """The number of its opponents in the round."""
        return len(self._round.terms.alive) - 1

    @property
    def _round(self) -> Any:
        return self.sessions[-1].round

    @property
    @abstractmethod
    def standing(self) -> int:
        """The last claim, -1 for none, or if the seat knows whether it was true."""

    @property
    @abstractmethod
    def moves(self) -> Array:
        """The actions so far as the whole table sees them: `[made, 2]`, seat and action."""

    @property
    @abstractmethod
    def is_known(self) -> bool:
        """Whether the record has all cards that the seat sees or has seen."""

    @abstractmethod
    def sensible(self, chosen: int) -> list[int]:
        """Return the actions that are considered, among them the chosen one."""

    @abstractmethod
    def deals(self, number: int, chance: np.random.Generator, *, hears: bool = True) -> Deals:
        """Draw deals that agree with what the seat sees; without `hears`, whatever the others have claimed."""

    @abstractmethod
    def odds(self, chance: np.random.Generator) -> float:
        """Return the probability that the standing claim is true, given only the cards that the seat sees."""

    @staticmethod
    @abstractmethod
    def was_believed(answer: int) -> bool | None:
        """Return whether the action after a claim shows that it was believed; `None` if it shows neither."""

    @abstractmethod
    def possible(self, claim: int, share: float) -> float:
        """Return the share of deals in which a claim is true, but 0 or 1 only if the seat can be certain."""

    @abstractmethod
    def is_there(self, claim: int, deals: Deals) -> Any:
        """Return in which deals a claim is true if it is challenged at once: bool `[deals]`."""

    @abstractmethod
    def hands(self, lines: Any) -> tuple[tuple[str, float], ...] | None:
        """Return the share of equally likely lines in which the best hand is of each category, weakest first.

        It is the best hand of all cards dealt, or in Thorin's game the hand that is passed on; `None` if the seat
        has it.
        """


def chance_of(claim: int, position: CardPosition, deals: Deals) -> float:
    """Return the probability that a claim is true if it is challenged at once, given some deals."""
    return position.possible(claim, float(np.average(position.is_there(claim, deals), weights=deals.weights)))


def won(lines: Any, seat: int, others: int) -> Floats:
    """Return what a seat wins in rounds that are over: the loser pays each of the others an equal share of one unit.

    Args:
        lines: records `[n]` of a kernel's type `line`.
        seat: the seat.
        others: the number of its opponents.
    """
    loser: Ints = lines["loser"]
    return np.where(loser < 0, 0.0, np.where(loser == seat, -1.0, 1.0 / others))

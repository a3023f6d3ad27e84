"""A strategy of a small digit game: a probability for every public position, every hand and every action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.core.errors import told
from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.table import Table
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.solve.hands import hands_in, quickest
from liarspoker.solve.tree import (
    ENDS,
    Ints,
    Position,
    States,
    Tree,
    check_finite,
    position_after,
    positions,
    rows_in,
    states_of,
)

TOLERANCE = 1e-5
"""By how much the probabilities of a position and a hand may miss 1."""

_FINE = -1


@dataclass(frozen=True, eq=False)
class Strategy:
    """What every seat does in one hand of a digit game, whoever opens it: a table of probabilities.

    A row of the table is one action at one public position, a column is one hand of the seat that is to act. Rows are
    in the order of `liarspoker.solve.tree`, columns in that of `liarspoker.solve.hands`. The numbers of a position and
    a hand are 0 or more and add up to 1 within `TOLERANCE`; a reader divides them by their sum. Positions with a single
    action have no rows.

    Seats are counted from the opener, who is seat 0. The stake is any fixed one, since it multiplies every payoff.

    Attributes:
        game: the catalogue id.
        options: the options that it is for.
        seats: the number of players.
        rules_version: of the game, as in the catalogue.
        probabilities: float32 `[rows, hands]`, read only; of a large file, mapped into memory and not read.
        training: how it was made, as JSON: of a solution `algorithm`, `iterations`, `seconds`, `exploitability`,
            `value` and `curve`, of a bot `bot`.
    """

    game: str
    options: DigitOptions
    seats: int
    rules_version: int
    probabilities: NDArray[np.float32]
    training: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        game: str,
        seats: int,
        options: Mapping[str, object] | None,
        probabilities: NDArray[np.float32],
        training: Mapping[str, Any] | None = None,
        *,
        normalized: bool = False,
    ) -> Strategy:
        """Return the strategy with this table, which isn't copied and must not be changed any more.

        Args:
            game: `dollar-bill`, `salomon-1986` or `slips`.
            seats: 2 to 16.
            options: those that differ from the game's own, names and values as in a record.
            probabilities: float32 `[rows, hands]`, in C order.
            training: how it was made; JSON values.
            normalized: the caller vouches that each position's numbers are probabilities, so they aren't checked.

        Raises:
            UnknownGame, BadSeats, BadOption: as the rules have it.
            CannotPlay: it isn't a digit game, or its positions can't be enumerated.
            BadStrategy: the table has another shape or kind of numbers, or the numbers aren't probabilities.

        >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
        >>> sizes = [position.rows for position in positions(rules)]
        >>> uniform = np.concatenate([np.full((size, 2), 1 / max(size, 1), np.float32) for size in sizes])
        >>> strategy = Strategy.of("salomon-1986", 2, {"hand_size": 1, "symbols": 2}, uniform)
        >>> strategy.at((1,)).actions, strategy.chances_at((1,))[:, 0].round(3).tolist()
        ((-1, 2, 3), [0.333, 0.333, 0.333])
        """
        game_options = options_of(game, seats, options or {})
        table = _read_only(probabilities)
        check_table(table, packed(game_options, seats), normalized=normalized)
        return cls(game, game_options, seats, catalogue.row(game).rules_version, table, dict(training or {}))

    @cached_property
    def rules(self) -> Rules:
        """Options and seats as ints, as the rules read them."""
        return packed(self.options, self.seats)

    @property
    def changes(self) -> dict[str, object]:
        """The options that differ from the game's own, names and values as in a record."""
        loaded: Any = catalogue.load(self.game)
        changes: dict[str, object] = self.options.changes_from(loaded.options())
        return changes

    def at(self, moves: Sequence[int]) -> Position:
        """Return the position after these actions; they are numbered as in `liarspoker.engine.table`.

        Raises:
            CannotPlay: an action isn't legal, or the auction is over.
        """
        return position_after(moves, self.rules)

    def chances_at(self, moves: Sequence[int]) -> NDArray[np.float64]:
        """Return what the seat to act does after these actions: float64 `[actions, hands]`; every column adds up to 1.

        Raises:
            CannotPlay: an action isn't legal, or the auction is over.
        """
        return self.chances_of(self.at(moves))

    def chances_of(self, position: Position) -> NDArray[np.float64]:
        """Return the same for a position of `walk` or `at`."""
        if not position.rows:
            return np.ones((1, self.probabilities.shape[1]))
        some = self.probabilities[position.row : position.row + position.rows].astype(np.float64)
        chances: NDArray[np.float64] = some / some.sum(axis=0)
        return chances

    def walk(self) -> Iterator[tuple[Position, NDArray[np.float64]]]:
        """Yield every public position in the order of the table with what is done there; see `chances_at`."""
        for position in positions(self.rules):
            yield position, self.chances_of(position)

    def replaced(self, probabilities: NDArray[np.float32], training: Mapping[str, Any]) -> Strategy:
        """Return another strategy for the same table; arguments as in `of`.

        Raises:
            BadStrategy: as in `of`.
        """
        check_table(table := _read_only(probabilities), self.rules)
        return replace(self, probabilities=table, training=dict(training))

    def save(self, path: str | PathLike[str], overwrite: bool = True) -> None:
        """Write it into one file, which `load` reads; a file of this name is replaced once all is written.

        Args:
            path: of the file.
            overwrite: replace a file that exists.

        Raises:
            FileExists: there is such a file, and `overwrite` is false.
            CannotWrite: it can't be written.
        """
        from liarspoker.solve.strategy_files import write

        write(self, path, overwrite)

    @staticmethod
    def load(path: str | PathLike[str]) -> Strategy:
        """Return the strategy in a file that `save` wrote; see `liarspoker.solve.strategy_files`.

        Raises:
            BadStrategy: there is none, or it is damaged, cut short, of a newer format, or for other rules than these.
        """
        from liarspoker.solve.strategy_files import read

        return read(path)

    def require(self, game: str, seats: int, options: Mapping[str, object] | None = None) -> None:
        """Reject use at another table than this strategy's.

        Args:
            game: the catalogue id.
            seats: the number of players.
            options: those that differ from the game's own.

        Raises:
            BadStrategy: it is for another game, number of players or option; the message names the first difference.
            UnknownGame, BadSeats, BadOption, CannotPlay: as in `of`.
        """
        wanted = options_of(game, seats, options or {})
        differences = [("game", self.game, game), ("players", self.seats, seats)]
        differences += [(name, getattr(self.options, name), getattr(wanted, name)) for name in wanted.__slots__]
        for name, mine, other in differences:
            if mine != other:
                raise BadStrategy(f"{name}: the strategy is for {told(mine)}, not for {told(other)}")


def options_of(game: str, seats: int, changes: Mapping[str, object]) -> DigitOptions:
    """Return the options of a table whose positions can be enumerated.

    Raises:
        UnknownGame, BadSeats, BadOption: as the rules have it.
        CannotPlay: it isn't a digit game, or its positions can't be enumerated.
    """
    check_finite(Table.of(game, seats, dict(changes), family="digits", from_slips=False).rules)
    loaded: Any = catalogue.load(game)
    options: DigitOptions = loaded.options(dict(changes))
    return options


def check_table(table: NDArray[np.float32], rules: Rules, *, normalized: bool = False) -> None:
    """Reject what isn't a table of probabilities for these rules.

    Args:
        table: float32 `[rows, hands]`, in C order.
        rules: the table's.
        normalized: don't check the numbers.

    Raises:
        BadStrategy: its shape or its kind of numbers is another, a number is below 0 or not finite, or those of a
            position and a hand don't add up to 1.
    """
    shape = (rows_in(rules), hands_in(rules))
    if table.shape != shape:
        raise BadStrategy(f"the table's shape is {table.shape}; for these rules it is {shape}")
    if table.dtype != np.float32 or not table.flags.c_contiguous:
        raise BadStrategy(f"the table holds {table.dtype}; float32 in C order is wanted")
    if normalized:
        return
    states = states_of(rules)
    check = quickest(first_fault, table.size)
    row, hand = check(table, states.tree, np.zeros(most_waiting(states), np.int64))
    if row != _FINE:
        raise BadStrategy(f"row {row}, hand {hand}: the chances of the position that begins there do not add up to 1")


def most_waiting(states: States) -> int:
    """Return how many positions can wait at once in a depth-first walk: those that branch off from the longest line."""
    return 1 + sum(map(len, states.edges))


def first_fault(table: NDArray[np.float32], tree: Tree, waiting: Ints) -> tuple[int, int]:
    """Find the first position and hand whose numbers aren't probabilities: its row and the hand, or -1 twice.

    Args:
        table: float32 `[rows, hands]`.
        tree: the states of the game.
        waiting: int64 `[many]`, a buffer for the states of the positions that are still to be visited.
    """
    left, row, waiting[0] = 1, 0, 0
    while left:
        left -= 1
        first, end = tree.first[waiting[left]], tree.first[waiting[left] + 1]
        for hand in range(table.shape[1]):
            total = 0.0
            for action in range(row, row + end - first):
                if not table[action, hand] >= 0:
                    return row, hand
                total += float(table[action, hand])
            if not abs(total - 1) <= TOLERANCE:
                return row, hand
        row += end - first
        for edge in range(end - 1, first - 1, -1):
            if tree.state[edge] != ENDS:
                waiting[left] = tree.state[edge]
                left += 1
    return _FINE, _FINE


def _read_only(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same numbers, as an array that refuses to be written to."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view

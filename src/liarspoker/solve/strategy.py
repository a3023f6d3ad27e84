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
from liarspoker.core.errors import format_value
from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.table import Table
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.solve.hands import counts_of, hands_in, index_of, quickest
from liarspoker.solve.tree import (
    ENDS,
    Ints,
    Position,
    States,
    Tree,
    action_number,
    check_finite,
    position_after,
    positions,
    rows_in,
    states_of,
)

TOLERANCE = 1e-5
"""The maximum difference from 1 of the sum of the probabilities of a position and a hand."""

_FINE = -1


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy for one hand of a digit game, for all seats: a table of probabilities.

    A row of the table is one action in one public position; a column is one hand of the seat to act. Rows are in the
    order of :mod:`liarspoker.solve.tree`, columns in that of :mod:`liarspoker.solve.hands`. The numbers of a position
    and a hand are 0 or more and sum to 1 within :data:`TOLERANCE`; divide them by their sum when reading the table
    directly. Positions with a single action have no rows.

    Seats are counted from the opener, which is seat 0. The strategy is valid for any fixed stake, since a stake
    multiplies every payoff.

    Attributes:
        game: the catalogue id.
        options: the game's options.
        seats: the number of players.
        rules_version: the version of the rules, as in the catalogue.
        probabilities: float32 `[rows, hands]`, read-only; a large file is memory-mapped.
        training: how it was made, as JSON values: `algorithm`, `iterations`, `seconds`, `exploitability`, `value` and
            `curve` of a solution, or `bot`.
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
        """Return the strategy with this table, which isn't copied and must not be changed afterwards.

        Args:
            game: `dollar-bill`, `salomon-1986` or `slips`.
            seats: the number of players, 2 to 16.
            options: options that differ from the game's defaults, by name, as in a record.
            probabilities: float32 `[rows, hands]`, in C order.
            training: how it was made; JSON values.
            normalized: skip the check that each position's numbers are probabilities.

        Raises:
            UnknownGame, BadSeats, BadOption: the game, the number of seats or an option isn't valid.
            CannotPlay: it isn't a digit game, or its positions can't be enumerated.
            BadStrategy: the table has another shape or dtype, or its numbers aren't probabilities.

        >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
        >>> sizes = [position.rows for position in positions(rules)]
        >>> uniform = np.concatenate([np.full((size, 2), 1 / max(size, 1), np.float32) for size in sizes])
        >>> strategy = Strategy.of("salomon-1986", 2, {"hand_size": 1, "symbols": 2}, uniform)
        >>> strategy.at((1,)).actions, strategy.probabilities_at((1,))[:, 0].round(3).tolist()
        ((-1, 2, 3), [0.333, 0.333, 0.333])
        """
        game_options = options_of(game, seats, options or {})
        table = _read_only(probabilities)
        check_table(table, packed(game_options, seats), normalized=normalized)
        return cls(game, game_options, seats, catalogue.preset(game).rules_version, table, dict(training or {}))

    @cached_property
    def rules(self) -> Rules:
        """The options and the number of seats as ints, as the rules read them."""
        return packed(self.options, self.seats)

    @property
    def changes(self) -> dict[str, object]:
        """The options that differ from the game's defaults, by name, as in a record."""
        loaded: Any = catalogue.load(self.game)
        changes: dict[str, object] = self.options.changes_from(loaded.options())
        return changes

    def at(self, moves: Sequence[int | str] = ()) -> Position:
        """Return the position after these actions.

        Args:
            moves: actions from the opening on, as numbers (see :class:`~liarspoker.engine.table.Table`) or text.

        Raises:
            CannotPlay: an action isn't legal, or the auction is over.
            IllegalAction: a text can't be read.
        """
        return position_after([action_number(move, self.rules) for move in moves], self.rules)

    def action_probabilities(self, number: str, moves: Sequence[int | str] = ()) -> dict[str, float]:
        """Look up what the seat to act plays with one hand.

        Args:
            number: the hand as a number, such as `"21"`; the order of its digits doesn't matter.
            moves: as for :meth:`at`.

        Returns:
            The probability of each legal action, by its text. They sum to 1.

        Raises:
            CannotPlay: an action isn't legal, or the auction is over.
            IllegalAction: a text can't be read.
            CannotBelieve: `number` isn't a hand of this game.

        >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
        >>> sizes = [position.rows for position in positions(rules)]
        >>> uniform = np.concatenate([np.full((size, 2), 1 / max(size, 1), np.float32) for size in sizes])
        >>> strategy = Strategy.of("salomon-1986", 2, {"hand_size": 1, "symbols": 2}, uniform)
        >>> {text: round(chance, 3) for text, chance in strategy.action_probabilities("2", ["1x2"]).items()}
        {'challenge': 0.333, '2x1': 0.333, '2x2': 0.333}
        """
        position = self.at(moves)
        column = self.probabilities_of(position)[:, index_of(counts_of(number, self.rules))]
        return {write(action, self.rules): float(each) for action, each in zip(position.actions, column, strict=True)}

    def probabilities_at(self, moves: Sequence[int | str] = ()) -> NDArray[np.float64]:
        """Return what the seat to act plays after these actions: float64 `[actions, hands]`; each column sums to 1.

        Rows are in the order of `at(moves).actions`, columns in that of :func:`~liarspoker.solve.hands.all_hands`.

        Args:
            moves: as for :meth:`at`.

        Raises:
            CannotPlay: an action isn't legal, or the auction is over.
            IllegalAction: a text can't be read.
        """
        return self.probabilities_of(self.at(moves))

    def probabilities_of(self, position: Position) -> NDArray[np.float64]:
        """Return the same array as :meth:`probabilities_at` for a position of :meth:`walk` or :meth:`at`."""
        if not position.rows:
            return np.ones((1, self.probabilities.shape[1]))
        some = self.probabilities[position.row : position.row + position.rows].astype(np.float64)
        probabilities: NDArray[np.float64] = some / some.sum(axis=0)
        return probabilities

    def walk(self) -> Iterator[tuple[Position, NDArray[np.float64]]]:
        """Yield every public position, in the order of the table, with its action probabilities.

        The arrays are those of :meth:`probabilities_at`.
        """
        for position in positions(self.rules):
            yield position, self.probabilities_of(position)

    def replaced(self, probabilities: NDArray[np.float32], training: Mapping[str, Any]) -> Strategy:
        """Return a strategy for the same game with another table; the arguments are as for :meth:`of`.

        Raises:
            BadStrategy: as for :meth:`of`.
        """
        check_table(table := _read_only(probabilities), self.rules)
        return replace(self, probabilities=table, training=dict(training))

    def save(self, path: str | PathLike[str], overwrite: bool = True) -> None:
        """Write the strategy to a file that :meth:`load` reads.

        An existing file is replaced once everything is written.

        Args:
            path: the file.
            overwrite: replace an existing file.

        Raises:
            FileExists: the file exists, and `overwrite` is false.
            CannotWrite: it can't be written.
        """
        from liarspoker.solve.strategy_files import write

        write(self, path, overwrite)

    @staticmethod
    def load(path: str | PathLike[str]) -> Strategy:
        """Load a strategy from a file that :meth:`save` wrote; see :mod:`liarspoker.solve.strategy_files`.

        Raises:
            BadStrategy: the file doesn't exist, or is damaged, incomplete, of a newer format, or for other rules.
        """
        from liarspoker.solve.strategy_files import read

        return read(path)

    def require(self, game: str, seats: int, options: Mapping[str, object] | None = None) -> None:
        """Raise an error if the strategy is for another table.

        Args:
            game: the catalogue id.
            seats: the number of players.
            options: options that differ from the game's defaults.

        Raises:
            BadStrategy: the game, the number of players or an option differs; the message names the first difference.
            UnknownGame, BadSeats, BadOption, CannotPlay: as for :meth:`of`.
        """
        wanted = options_of(game, seats, options or {})
        differences = [("game", self.game, game), ("players", self.seats, seats)]
        differences += [(name, getattr(self.options, name), getattr(wanted, name)) for name in wanted.__slots__]
        for name, mine, other in differences:
            if mine != other:
                raise BadStrategy(f"{name}: the strategy is for {format_value(mine)}, not for {format_value(other)}")


def options_of(game: str, seats: int, changes: Mapping[str, object]) -> DigitOptions:
    """Return the options of a table whose positions can be enumerated.

    Raises:
        UnknownGame, BadSeats, BadOption: the game, the number of seats or an option isn't valid.
        CannotPlay: it isn't a digit game, or its positions can't be enumerated.
    """
    check_finite(Table.of(game, seats, dict(changes), family="digits", from_slips=False).rules)
    loaded: Any = catalogue.load(game)
    options: DigitOptions = loaded.options(dict(changes))
    return options


def check_table(table: NDArray[np.float32], rules: Rules, *, normalized: bool = False) -> None:
    """Raise an error if an array isn't a table of probabilities for these rules.

    Args:
        table: float32 `[rows, hands]`, in C order.
        rules: the table's rules.
        normalized: skip the check of the numbers.

    Raises:
        BadStrategy: its shape or dtype is wrong, a number is negative or not finite, or the numbers of a position and a
            hand don't sum to 1.
    """
    shape = (rows_in(rules), hands_in(rules))
    if table.shape != shape:
        raise BadStrategy(f"the table's shape is {table.shape}; for these rules it is {shape}")
    if table.dtype != np.float32 or not table.flags.c_contiguous:
        raise BadStrategy(f"the table holds {table.dtype}; it must be float32 in C order")
    if normalized:
        return
    states = states_of(rules)
    check = quickest(first_fault, table.size)
    row, hand = check(table, states.tree, np.zeros(most_waiting(states), np.int64))
    if row != _FINE:
        raise BadStrategy(f"row {row}, hand {hand}: the probabilities of the position that begins here do not sum to 1")


def most_waiting(states: States) -> int:
    """Return the maximum number of waiting positions in a depth-first walk: those that branch off the longest line."""
    return 1 + sum(map(len, states.edges))


def first_fault(table: NDArray[np.float32], tree: Tree, waiting: Ints) -> tuple[int, int]:
    """Find the first position and hand whose numbers aren't probabilities; return its row and the hand, or -1 twice.

    Args:
        table: float32 `[rows, hands]`.
        tree: the states of the game.
        waiting: int64 `[most_waiting]`, a buffer for the states of the positions still to be visited.
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
    """Return a read-only view of an array."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view

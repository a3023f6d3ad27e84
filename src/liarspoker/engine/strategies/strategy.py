"""A strategy of a small digit game: for every public position, every hand and every action, a chance."""

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
from liarspoker.engine.strategies.checking import check_chances
from liarspoker.engine.strategies.hands import hands_in
from liarspoker.engine.strategies.tree import Position, check_finite, position_after, positions, rows_in
from liarspoker.games.digits.options import DigitOptions, Rules, packed


@dataclass(frozen=True, eq=False)
class Strategy:
    """What every seat does in one hand of a digit game, whoever opens it: a table of chances.

    A row of the table is one action at one public position, a column is one hand of the seat that is to act. Rows are
    in the order of `liarspoker.engine.strategies.tree`, columns in that of `liarspoker.engine.strategies.hands`. The
    numbers of a position and a hand are 0 or more and add up to 1 within `checking.TOLERANCE`; a reader divides them
    by their sum. Positions with a single action have no rows.

    Seats are counted from the opener, who is seat 0. The stake is any fixed one, since it multiplies every payoff.

    Attributes:
        game: the catalogue id.
        options: the options that it is for.
        seats: how many players.
        rules_version: of the game, as in the catalogue.
        probabilities: float32 `[rows, hands]`, read only; of a large file, mapped into memory and not read.
        training: how it was made, as JSON knows it: of a solution `algorithm`, `iterations`, `seconds`,
            `exploitability`, `value` and `curve`, of a bot `bot`.
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
        """The strategy with this table, which is not copied and must not be changed any more.

        Args:
            game: `dollar-bill`, `salomon-1986` or `slips`.
            seats: 2 to 16.
            options: those that differ from the game's own, names and values as in a record.
            probabilities: float32 `[rows, hands]`, in C order.
            training: how it was made; what JSON can write.
            normalized: the caller vouches that each position's numbers are probabilities, so they aren't checked.

        Raises:
            UnknownGame, BadSeats, BadOption: as the rules have it.
            CannotPlay: it is no digit game, or its positions cannot be listed.
            BadStrategy: the table has another shape or kind of numbers, or the numbers are no chances.

        >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
        >>> sizes = [position.rows for position in positions(rules)]
        >>> uniform = np.concatenate([np.full((size, 2), 1 / max(size, 1), np.float32) for size in sizes])
        >>> strategy = Strategy.of("salomon-1986", 2, {"hand_size": 1, "symbols": 2}, uniform)
        >>> strategy.at((1,)).actions, strategy.chances_at((1,))[:, 0].round(3).tolist()
        ((-1, 2, 3), [0.333, 0.333, 0.333])
        """
        game_options = options_of(game, seats, options or {})
        rules = packed(game_options, seats)
        check_shape(table := _read_only(probabilities), rules)
        if not normalized:
            check_chances(table, rules)
        return cls(game, game_options, seats, catalogue.row(game).rules_version, table, dict(training or {}))

    @cached_property
    def rules(self) -> Rules:
        """Options and seats as ints, as the rules read them."""
        return packed(self.options, self.seats)

    def at(self, moves: Sequence[int]) -> Position:
        """The position after these actions, and where its rows are; numbered as `liarspoker.engine.table` tells.

        Raises:
            CannotPlay: an action is not legal, or the auction is over.
        """
        return position_after(moves, self.rules)

    def chances_at(self, moves: Sequence[int]) -> NDArray[np.float64]:
        """What the seat to act does after these actions: float64 `[actions, hands]`; every column adds up to 1.

        Raises:
            CannotPlay: an action is not legal, or the auction is over.
        """
        return self.chances_of(self.at(moves))

    def chances_of(self, position: Position) -> NDArray[np.float64]:
        """The same for a position of `walk` or `at`."""
        if not position.rows:
            return np.ones((1, self.probabilities.shape[1]))
        some = self.probabilities[position.row : position.row + position.rows].astype(np.float64)
        chances: NDArray[np.float64] = some / some.sum(axis=0)
        return chances

    def walk(self) -> Iterator[tuple[Position, NDArray[np.float64]]]:
        """Every public position in the order of the table, each with what is done there; see `chances_at`."""
        for position in positions(self.rules):
            yield position, self.chances_of(position)

    def replaced(self, probabilities: NDArray[np.float32], training: Mapping[str, Any]) -> Strategy:
        """Another strategy for the same table; what is given is as in `of`.

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
        from liarspoker.engine.strategies.files import write

        write(self, path, overwrite)

    @staticmethod
    def load(path: str | PathLike[str]) -> Strategy:
        """The strategy in a file that `save` wrote; see `liarspoker.engine.strategies.files`.

        Raises:
            BadStrategy: there is none, or it is damaged, cut short, of a newer format, or for other rules than these.
        """
        from liarspoker.engine.strategies.files import read

        return read(path)

    def require(self, game: str, seats: int, options: Mapping[str, object] | None = None) -> None:
        """Refuse to be used for another table than this one.

        Args:
            game: the catalogue id.
            seats: how many players.
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
    """The options of a table whose positions can be listed.

    Raises:
        UnknownGame, BadSeats, BadOption: as the rules have it.
        CannotPlay: it is no digit game, or its positions cannot be listed.
    """
    from liarspoker.engine.table import Table

    check_finite(Table.of(game, seats, dict(changes), family="digits", from_slips=False).rules)
    loaded: Any = catalogue.load(game)
    options: DigitOptions = loaded.options(dict(changes))
    return options


def check_table(probabilities: NDArray[np.float32], rules: Rules) -> None:
    """Refuse what is no table of chances for these rules.

    Raises:
        BadStrategy: its shape or its kind of numbers is another, or the numbers are no chances.
    """
    check_shape(probabilities, rules)
    check_chances(probabilities, rules)


def check_shape(probabilities: NDArray[np.float32], rules: Rules) -> None:
    """Reject a table of another shape or another kind of numbers.

    Raises:
        BadStrategy: the message states what these rules need.
    """
    shape = (rows_in(rules), hands_in(rules))
    if probabilities.shape != shape:
        raise BadStrategy(f"the table's shape is {probabilities.shape}; for these rules it is {shape}")
    if probabilities.dtype != np.float32 or not probabilities.flags.c_contiguous:
        raise BadStrategy(f"the table holds {probabilities.dtype}; float32 in C order is wanted")


def _read_only(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same numbers, as an array that refuses to be written to."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view

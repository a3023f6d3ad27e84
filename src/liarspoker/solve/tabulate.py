"""A bot as a strategy: asked at every public position with every hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.memory import check_fits, in_short
from liarspoker.games.digits.auction import Auction
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.result import DigitView
from liarspoker.games.digits.round import Terms
from liarspoker.solve.hands import hands_in, numbers_of
from liarspoker.solve.strategy import Strategy, options_of
from liarspoker.solve.tree import Position, positions, rows_in

Floats = NDArray[np.float32]
Chances = Callable[[DigitView], Iterable[tuple[int, float]]]
"""What a bot plays: pairs of a legal action and its probability; see `liarspoker.bots.protocol.Mixer`."""
Heard = Callable[[DigitView], Hashable]
"""What a bot makes of the moves, `None` if it listens to none; see `liarspoker.bots.protocol.Listener`."""
Progress = Callable[[int, int], None]
"""Called now and then with the rows that are done, and their number."""

_TERMS = Terms(0, 0, 1, 1, ())

_TURNS = 1 << 10
"""Positions between two reports of progress."""


def table_size(rules: Rules) -> int:
    """Return the exact number of bytes of a table for these rules, however large.

    Raises:
        CannotPlay: its positions can't be enumerated.
    """
    return rows_in(rules) * hands_in(rules) * np.dtype(np.float32).itemsize


def tabulated(
    game: str,
    seats: int,
    options: Mapping[str, object],
    chances: Chances,
    heard: Heard | None = None,
    *,
    name: str = "bot",
    progress: Progress | None = None,
) -> Strategy:
    """Return what a bot plays in every seat, as a strategy.

    The bot sees a hand with the digits from the lowest of the order up, in a single round at stake 1 that seat 0 opens.
    Where it hears the same at the same auction it is asked once; if it hears nothing at all, what follows two such
    positions is copied as a whole.

    Args:
        game: the catalogue id.
        seats: the number of players.
        options: those that differ from the game's own.
        chances: what the bot plays with a view.
        heard: what it makes of the moves; without it the bot is asked at every single position.
        name: what the bot is called, for the record and for errors.
        progress: called with how far it is.

    Raises:
        UnknownGame, BadSeats, BadOption, CannotPlay: there is no such table, or its positions can't be enumerated.
        CannotFit: the table does not fit into memory.
        BadStrategy: the bot plays what isn't legal, or its probabilities don't add up to 1.
    """
    game_options = options_of(game, seats, options)
    rules = packed(game_options, seats)
    rows, hands = rows_in(rules), hands_in(rules)
    check_fits(table_size(rules), f"a table of {in_short(rows)} rows of {hands:,} hands")
    asked = _Asked(game, game_options, rules, chances, heard)
    for turn, position in enumerate(positions(rules, asked.fill), 1):
        if progress is not None and turn % _TURNS == 0:
            progress(position.row, rows)
    if progress is not None:
        progress(rows, rows)
    return Strategy.of(game, seats, options, asked.table, {"bot": name})


class _Asked:
    """A bot that is asked at every position, or at every one that differs."""

    def __init__(self, game: str, options: DigitOptions, rules: Rules, chances: Chances, heard: Heard | None) -> None:
        self._game, self._score = (game, options, rules), (0,) * rules.seats
        self._chances, self._heard, self._numbers = chances, heard, numbers_of(rules)
        self._blocks: dict[Hashable, Floats] = {}
        self._filled: dict[Auction, int] = {}
        self.table = np.zeros((rows_in(rules), hands_in(rules)), np.float32)

    def fill(self, position: Position) -> bool:
        """Write the rows of a position; true if the rows of all that follows it are written as well."""
        auction, row = position.auction, position.row
        size, rows = position.size, position.rows
        steps, number = position.steps, self._numbers[0]
        view = DigitView(*self._game, auction.to_act, _TERMS, auction, steps, number, (), 0, self._score, None, ())
        heard = steps if self._heard is None else self._heard(view)
        if heard is None and auction in self._filled:
            before = self._filled[auction]
            self.table[row : row + size] = self.table[before : before + size]
            return True
        self._filled[auction] = row
        if rows:
            block = self._blocks.get((auction, heard))
            if block is None:
                block = self._answers(view, position.actions)
                if self._heard is not None:
                    self._blocks[auction, heard] = block
            self.table[row : row + rows] = block
        return False

    def _answers(self, view: DigitView, actions: tuple[int, ...]) -> Floats:
        """The rows of a position: what the bot says with every hand."""
        block = np.zeros((len(actions), len(self._numbers)), np.float32)
        for column, number in enumerate(self._numbers):
            for action, likely in self._chances(replace(view, number=number)):
                if action not in actions:
                    raise BadStrategy(f"the bot plays {action} with {number} after {view.moves}, which is not legal")
                block[actions.index(action), column] += likely
        return block

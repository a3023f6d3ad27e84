"""Convert a bot to a strategy by querying it in every public position with every hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.memory import check_fits, in_short
from liarspoker.games.digits.auction import Auction
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.result import DigitView
from liarspoker.games.digits.round import Terms
from liarspoker.solve.hands import hands_in, numbers_of
from liarspoker.solve.memory import strategy_size
from liarspoker.solve.strategy import Strategy, options_of
from liarspoker.solve.tree import Position, positions, rows_in

Floats = NDArray[np.float32]
"""A float32 array."""
ActionProbabilities = Callable[[DigitView], Iterable[tuple[int, float]]]
"""A bot's mixed action; see :class:`liarspoker.bots.protocol.MixedBot`."""
HistoryKey = Callable[[DigitView], Hashable]
"""What a bot derives from the moves; see :class:`liarspoker.bots.protocol.HistoryBot`."""
Rows = Callable[[Rules, Auction, tuple[tuple[int, int], ...], tuple[int, ...]], NDArray[Any]]
"""Returns the probabilities of actions with every hand, `[actions, hands]`, given auction, moves and actions."""
Progress = Callable[[int, int], None]
"""Called from time to time with the number of rows done and the total number of rows."""

_TERMS = Terms(0, 0, 1, 1, ())

_TURNS = 1 << 10
"""Positions between two reports of progress."""


def tabulate_bot(
    game: str,
    seats: int,
    options: Mapping[str, object],
    action_probabilities: ActionProbabilities,
    history_key: HistoryKey | None = None,
    *,
    rows: Rows | None = None,
    name: str = "bot",
    progress: Progress | None = None,
) -> Strategy:
    """Return what a bot plays in every seat, as a strategy.

    The bot sees a hand with its digits in ascending order, in a single round at stake 1 that seat 0 opens. With equal
    history keys in the same auction, it is asked only once; if the key is `None`, whole subtrees are copied.

    Args:
        game: the catalogue id.
        seats: the number of players.
        options: options that differ from the game's defaults.
        action_probabilities: returns what the bot plays, given a view.
        history_key: returns what the bot derives from the moves; without it, the bot is asked in every single position.
        rows: returns the probabilities of the actions with every hand, if there is a faster way than asking the bot
            about each.
        name: the bot's name, for the record and for errors.
        progress: called with the progress.

    Raises:
        UnknownGame, BadSeats, BadOption, CannotPlay: the table isn't valid, or its positions can't be enumerated.
        CannotFit: the table doesn't fit into memory.
        BadStrategy: the bot plays an illegal action, or doesn't return pairs of an action and its probability, or its
            probabilities don't sum to 1.
    """
    game_options = options_of(game, seats, options)
    rules = packed(game_options, seats)
    number, hands = rows_in(rules), hands_in(rules)
    check_fits(strategy_size(rules), f"a table of {in_short(number)} rows of {hands:,} hands")
    tabulation = _Tabulation(game, game_options, rules, action_probabilities, history_key, rows)
    for turn, position in enumerate(positions(rules, tabulation.fill), 1):
        if progress is not None and turn % _TURNS == 0:
            progress(position.row, number)
    if progress is not None:
        progress(number, number)
    return Strategy.of(game, seats, options, tabulation.table, {"bot": name})


class _Tabulation:
    """A bot that is asked in every position, or in every position that differs."""

    def __init__(
        self,
        game: str,
        options: DigitOptions,
        rules: Rules,
        action_probabilities: ActionProbabilities,
        history_key: HistoryKey | None,
        rows: Rows | None,
    ) -> None:
        self._game, self._score = (game, options, rules), (0,) * rules.seats
        self._action_probabilities, self._history_key, self._numbers = (
            action_probabilities,
            history_key,
            numbers_of(rules),
        )
        self._rows = rows
        self._blocks: dict[Hashable, Floats] = {}
        self._filled: dict[Auction, int] = {}
        self.table = np.zeros((rows_in(rules), hands_in(rules)), np.float32)

    def fill(self, position: Position) -> bool:
        """Write the rows of a position; return true if the rows of its whole subtree are written too."""
        auction, row = position.auction, position.row
        size, rows = position.size, position.rows
        steps, number = position.steps, self._numbers[0]
        if self._rows is not None:
            if rows:
                self.table[row : row + rows] = self._rows(self._game[2], auction, steps, position.actions)
            return False
        view = DigitView(*self._game, auction.to_act, _TERMS, auction, steps, number, (), 0, self._score, None, ())
        history_key = steps if self._history_key is None else self._history_key(view)
        if history_key is None and auction in self._filled:
            before = self._filled[auction]
            self.table[row : row + size] = self.table[before : before + size]
            return True
        self._filled[auction] = row
        if rows:
            block = self._blocks.get((auction, history_key))
            if block is None:
                block = self._answers(view, position.actions)
                if self._history_key is not None:
                    self._blocks[auction, history_key] = block
            self.table[row : row + rows] = block
        return False

    def _answers(self, view: DigitView, actions: tuple[int, ...]) -> Floats:
        """Return the rows of a position: the bot's action probabilities with every hand."""
        block = np.zeros((len(actions), len(self._numbers)), np.float32)
        for column, number in enumerate(self._numbers):
            found = self._action_probabilities(replace(view, number=number))
            try:
                pairs = [(action, float(likely)) for action, likely in found]
            except (TypeError, ValueError) as error:
                where = f"with {number} after {view.moves}"
                raise BadStrategy(
                    f"the bot returns {found!r} {where}; it must return pairs of an action and its probability"
                ) from error
            for action, likely in pairs:
                if action not in actions:
                    raise BadStrategy(f"the bot plays {action} with {number} after {view.moves}, which is not legal")
                block[actions.index(action), column] += likely
        return block

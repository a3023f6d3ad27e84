"""A bot as a strategy: asked at every public position with every hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import BadStrategy
from liarspoker.engine.memory import check_fits, in_short
from liarspoker.engine.strategies.hands import hands_in, numbers_of
from liarspoker.engine.strategies.strategy import Strategy, options_of
from liarspoker.engine.strategies.tree import actions_at, block_sizes, kind_of, rows_in
from liarspoker.games.digits.auction import Auction, after, opening
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.round import Terms
from liarspoker.games.digits.view import DigitView

Floats = NDArray[np.float32]
Chances = Callable[[DigitView], Iterable[tuple[int, float]]]
"""What a bot plays: pairs of a legal action and how likely it is; see `liarspoker.bots.protocol.Mixer`."""
Heard = Callable[[DigitView], Hashable]
"""What a bot makes of the moves, `None` if it listens to none; see `liarspoker.bots.protocol.Listener`."""
Progress = Callable[[int, int], None]
"""Is told now and then how many rows are done, and of how many."""

_TURNS = 1 << 10
"""After so many positions it is told how far it is."""


def table_size(rules: Rules) -> int:
    """How many bytes a table for these rules has, exactly, however many.

    Raises:
        CannotPlay: its positions cannot be listed.
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
    """What a bot plays in every seat, as a strategy.

    It is shown a hand with the digits from the lowest of the order up, in a single round at stake 1 that seat 0 opens.
    Where it hears the same at the same auction it is asked once; if it hears nothing at all, what follows two such
    positions is copied as a whole.

    Args:
        game: the catalogue id.
        seats: how many players.
        options: those that differ from the game's own.
        chances: what the bot plays with a view.
        heard: what it makes of the moves; without it the bot is asked at every single position.
        name: what the bot is called, for the record and for errors.
        progress: is told how far it is.

    Raises:
        UnknownGame, BadSeats, BadOption, CannotPlay: there is no such table, or its positions cannot be listed.
        CannotFit: the table does not fit into memory.
        BadStrategy: the bot plays what is not legal, or its chances do not add up to 1.
    """
    rules = packed(options_of(game, seats, options), seats)
    rows, hands = rows_in(rules), hands_in(rules)
    check_fits(table_size(rules), f"a table of {in_short(rows)} rows of {hands:,} hands")
    asked = _Asked(game, options_of(game, seats, options), rules, chances, heard)
    table = np.zeros((rows, hands), np.float32)
    for done in asked.fill(table):
        if progress is not None:
            progress(done, rows)
    return Strategy.of(game, seats, options, table, {"bot": name})


@dataclass(frozen=True, slots=True)
class _Stop:
    """What is always the same where the auction stands so.

    Attributes:
        actions: what is legal.
        following: the actions after which there is something to choose, the last first, with the auction after each.
        rows: how many rows this position and all that follow it have.
    """

    actions: tuple[int, ...]
    following: tuple[tuple[int, Auction], ...]
    rows: int


class _Asked:
    """A bot that is asked at every position, or at every one that differs."""

    def __init__(self, game: str, options: DigitOptions, rules: Rules, chances: Chances, heard: Heard | None) -> None:
        self._nobody = DigitView(
            game, options, rules, None, Terms(0, 0, 1, 1, ()), None, (), None, (), 0, (0,) * rules.seats, None, ()
        )
        self._rules, self._chances, self._heard = rules, chances, heard
        self._numbers = numbers_of(rules)
        self._stops: dict[Auction, _Stop] = {}
        self._blocks: dict[Hashable, Floats] = {}
        self._filled: dict[Auction, int] = {}

    def fill(self, table: Floats) -> Iterator[int]:
        """Write the whole table; now and then, how many rows are done."""
        row, turn = 0, 0
        waiting: list[tuple[tuple[tuple[int, int], ...], Auction]] = [((), opening(0))]
        while waiting:
            moves, auction = waiting.pop()
            stop = self._stop(auction)
            view = replace(self._nobody, seat=auction.to_act, auction=auction, moves=moves, number=self._numbers[0])
            heard = moves if self._heard is None else self._heard(view)
            if heard is None and auction in self._filled:
                before = self._filled[auction]
                table[row : row + stop.rows] = table[before : before + stop.rows]
                row += stop.rows
                continue
            self._filled[auction] = row
            if len(stop.actions) > 1:
                table[row : row + len(stop.actions)] = self._block(view, heard)
                row += len(stop.actions)
            waiting += [((*moves, (auction.to_act, action)), after) for action, after in stop.following]
            turn += 1
            if turn % _TURNS == 0:
                yield row
        yield row

    def _stop(self, auction: Auction) -> _Stop:
        """What is always the same at an auction, worked out once."""
        if auction not in self._stops:
            actions, sizes = actions_at(auction, self._rules), block_sizes(self._rules)
            following = [(action, after(auction, action, self._rules)) for action in reversed(actions)]
            there = tuple((action, later) for action, later in following if sizes.get(kind_of(later, self._rules), 0))
            self._stops[auction] = _Stop(actions, there, sizes[kind_of(auction, self._rules)])
        return self._stops[auction]

    def _block(self, view: DigitView, heard: Hashable) -> Floats:
        """The rows of a position; asked once where the same was heard at the same auction."""
        if self._heard is None:
            return self._answers(view)
        key = (view.auction, heard)
        if key not in self._blocks:
            self._blocks[key] = self._answers(view)
        return self._blocks[key]

    def _answers(self, view: DigitView) -> Floats:
        """The rows of a position: what the bot says with every hand."""
        assert view.auction is not None
        actions = self._stop(view.auction).actions
        block = np.zeros((len(actions), len(self._numbers)), np.float32)
        for column, number in enumerate(self._numbers):
            for action, likely in self._chances(replace(view, number=number)):
                if action not in actions:
                    raise BadStrategy(f"the bot plays {action} with {number} after {view.moves}, which is not legal")
                block[actions.index(action), column] += likely
        return block

"""Small games and random strategies for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from liarspoker.games.digits.options import Rules, packed
from liarspoker.solve.hands import Floats, hands_in
from liarspoker.solve.solver import Solver
from liarspoker.solve.strategy import Strategy, options_of
from liarspoker.solve.tree import positions


class Small(NamedTuple):
    """A game small enough to be enumerated."""

    game: str
    seats: int
    options: Mapping[str, object]

    @property
    def rules(self) -> Rules:
        return packed(options_of(self.game, self.seats, self.options), self.seats)


def arrays_of(solver: Solver) -> dict[str, Floats]:
    """Return everything that a solver stores between iterations, by name: float32 `[rows, hands * LANES]` each."""
    numbers = range(len(solver.block_rows))
    return {name: np.concatenate([solver.block(number, name) for number in numbers]) for name in solver.array_names}


SIZES = ((2, 1, 2), (2, 2, 2), (2, 1, 3), (3, 1, 2))
TINY = ((2, 1, 2), (2, 1, 3), (3, 1, 2))
"""Players, digits in a hand, symbols."""

SETTLEMENTS: tuple[Mapping[str, object], ...] = (
    {},
    {"level_bonus": True, "sixes": True, "hero": True, "none_wins": True},
    {"level_bonus": True, "hero": True, "none_wins": True, "two_player_none": "push", "order": "ace_high"},
)


@st.composite
def small_games(draw: st.DrawFn, sizes: tuple[tuple[int, int, int], ...] = SIZES) -> Small:
    seats, hand_size, symbols = draw(st.sampled_from(sizes))
    flags = ("rebid", "level_bonus", "sixes", "hero", "none_wins")
    options: dict[str, object] = {name: draw(st.booleans()) for name in flags}
    options |= {"hand_size": hand_size, "symbols": symbols}
    options["order"] = draw(st.sampled_from(["zero_low", "zero_high", "ace_high"]))
    options["two_player_none"] = draw(st.sampled_from(["loses", "push"]))
    return Small("dollar-bill", seats, options)


class Lines(NamedTuple):
    """The position of each row of a table, and the seat to act there."""

    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    movers: NDArray[np.int64]


@lru_cache(maxsize=64)
def lines_of(rules: Rules) -> Lines:
    """Return the first row and the number of rows of every position with rows, and the seat to act for every row."""
    found = [(at.row, at.rows, at.auction.to_act) for at in positions(rules) if at.rows]
    starts, sizes, movers = np.array(found).T
    return Lines(starts, sizes, np.repeat(movers, sizes))


def random_strategy(small: Small, seed: int, sparse: float = 0.3) -> Strategy:
    """Return a strategy with random probabilities, some of which are 0."""
    chance, lines = np.random.default_rng(seed), lines_of(small.rules)
    shape = (len(lines.movers), hands_in(small.rules))
    table = chance.random(shape) * (chance.random(shape) > sparse)
    table[lines.starts + chance.integers(lines.sizes)] += 0.01
    table /= np.repeat(np.add.reduceat(table, lines.starts), lines.sizes, axis=0)
    return Strategy.of(small.game, small.seats, small.options, table.astype(np.float32))

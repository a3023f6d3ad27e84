"""Small games and tables of chances for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from liarspoker.engine.strategies.hands import hands_in
from liarspoker.engine.strategies.strategy import Strategy, options_of
from liarspoker.engine.strategies.tree import positions
from liarspoker.rules.digits.options import Rules, packed


class Small(NamedTuple):
    """A game small enough to be looked at whole."""

    game: str
    seats: int
    options: Mapping[str, object]

    @property
    def rules(self) -> Rules:
        return packed(options_of(self.game, self.seats, self.options), self.seats)


SIZES = ((2, 1, 2), (2, 2, 2), (2, 1, 3), (3, 1, 2))
"""Players, digits in a hand, symbols."""

SETTLEMENTS: tuple[Mapping[str, object], ...] = (
    {},
    {"level_bonus": True, "sixes": True, "hero": True, "none_wins": True},
    {"level_bonus": True, "hero": True, "none_wins": True, "two_player_none": "push", "order": "ace_high"},
)


@st.composite
def small_games(draw: st.DrawFn, sizes: tuple[tuple[int, int, int], ...] = SIZES) -> Small:
    seats, hand_size, symbols = draw(st.sampled_from(sizes))
    options = {
        **draw(st.sampled_from(SETTLEMENTS)),
        "rebid": draw(st.booleans()),
        "hand_size": hand_size,
        "symbols": symbols,
    }
    return Small("dollar-bill", seats, options)


def random_strategy(small: Small, seed: int, sparse: float = 0.3) -> Strategy:
    """A strategy with random chances, some of which are 0."""
    chance, rules = np.random.default_rng(seed), small.rules
    hands = hands_in(rules)

    def blocks() -> Iterator[np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
        for position in positions(rules):
            block = chance.random((position.rows, hands)) * (chance.random((position.rows, hands)) > sparse)
            if position.rows:
                block[chance.integers(position.rows)] += 0.01
                yield block / block.sum(axis=0)

    return Strategy.of(small.game, small.seats, small.options, np.concatenate(list(blocks())).astype(np.float32))

"""Small tables, random policies and positions for tests of beliefs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from liarspoker.engine.table import Table
from liarspoker.games.digits.hands import count_of, packed_counts
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.solve.beliefs.policies import MixedPolicy
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.hands import Floats

SIZES = ((2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 1, 3), (3, 2, 2))
"""Players, digits in a hand, symbols."""

SETTLEMENTS: tuple[dict[str, object], ...] = (
    {"game": "dollar-bill"},
    {"game": "salomon-1986"},
    {"game": "slips", "order": "ace_high"},
    {"game": "salomon-1986", "rebid": False, "loose_order": True},
)


@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    """Draw tables small enough to enumerate all deals."""
    seats, hand_size, symbols = draw(st.sampled_from(SIZES))
    options = dict(draw(st.sampled_from(SETTLEMENTS)))
    game = str(options.pop("game"))
    return Table.of(game, seats, {**options, "hand_size": hand_size, "symbols": symbols}, from_slips=False)


@dataclass(frozen=True)
class Whims(MixedPolicy):
    """A policy with random probabilities, some of them 0, which depend only on the seed, the moves and the hand."""

    seed: int
    never: float = 0.3

    def matrix(self, position: Position) -> Floats:
        matrix = np.zeros((position.hands.size, position.rules.symbols * position.rules.hand_size * 9 + 2))
        matrix = matrix[:, : bids_of(position.rules) + 2]
        for hand, counts in enumerate(position.hands.counts.tolist()):
            key = hashlib.sha256(repr((self.seed, position.moves, counts)).encode()).digest()
            chance = np.random.default_rng(list(key))
            row = chance.random(position.columns.size) * (chance.random(position.columns.size) > self.never)
            row[chance.integers(row.size)] += 0.1
            matrix[hand, position.columns] = row / row.sum()
        return matrix


def bids_of(rules: Rules) -> int:
    return rules.seats * rules.hand_size * rules.symbols


def wander(position: Position, chance: Random, steps: int) -> Position:
    """Return a position a few actions later, with a seat to act."""
    for _ in range(steps):
        later = position.after(chance.choice(small_steps(position)))
        if later.is_over:
            return position
        position = later
    return position


def small_steps(position: Position) -> list[int]:
    """Return the answer and the next few bids."""
    return [*position.legal.answers, *position.legal.claims[: position.rules.symbols + 2]]


def deals(rules: Rules) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all deals, equally likely, as counts of each digit for each seat, computed from the numbers themselves."""
    digits = [str(digit_of(rank, rules)) for rank in range(rules.symbols)]
    numbers = ["".join(number) for number in product(digits, repeat=rules.hand_size)]
    held = [tuple(count_of(packed_counts(number), int(digit)) for digit in digits) for number in numbers]
    yield from product(held, repeat=rules.seats)


def position_of(session: Any) -> Position:
    """Return the position of a session in mid-hand."""
    table = Table(session.setup.preset.id, session.setup.rules, None)
    position = Position.at(table, session.round.terms.opener)
    for _, action in session.round.moves:
        position = position.after(action)
    return position

"""Compiled policies that return probabilities: rollouts agree with them, and so do beliefs about them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.engine.errors import CannotBelieve, CannotCompile
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import Rollout, play
from liarspoker.engine.table import Table
from liarspoker.games.digits.bot_values import value_function
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel_bots import bot_policy as compiled_bot
from liarspoker.games.digits.ladder import digit_of
from liarspoker.solve.beliefs.bot_policy import BotPolicy
from liarspoker.solve.beliefs.function_policy import FunctionPolicy
from liarspoker.solve.beliefs.policies import MixedPolicy
from liarspoker.solve.beliefs.positions import Position, action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from tests.effort import effort
from tests.solve.beliefs.functions import careless, fond, ordered
from tests.solve.beliefs.playing import small_tables, wander

FOND = FunctionPolicy(fond, (2.0,))


@settings(max_examples=effort(6, quick=4, soak=1000))
@given(table=small_tables().filter(lambda table: not table.rules.loose), seed=st.integers(0, 2**32))
def test_matrix_likelihoods_and_split_agree(table: Table, seed: int) -> None:
    position = wander(Position.at(table), Random(seed), 4)
    belief, matrix = position.hands.prior, FOND.matrix(position)
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    column = int(matrix.sum(axis=0).argmax())
    likely = FOND.likelihoods(position, action_at(column, table.rules))
    assert np.abs(likely - matrix[:, column]).max() < 1e-15
    assert FOND.split(position, belief).probabilities == pytest.approx(belief @ matrix)


def test_no_policy_can_read_the_order_of_its_digits() -> None:
    with pytest.raises(CannotCompile, match=r"ordered: numba can't compile it: (?s:.*)'number'"):
        FunctionPolicy(ordered).matrix(Position.at(Table.of("slips", seats=2)))


@pytest.mark.parametrize("each", [0.0, 1.0, -1.0, float("nan"), 1 / 162])
def test_a_function_that_does_not_return_probabilities_is_rejected(each: float) -> None:
    position = Position.at(Table.of("slips", seats=2))
    for ask in (
        FunctionPolicy(careless, (each,)).matrix,
        lambda at: FunctionPolicy(careless, (each,)).likelihoods(at, 3),
    ):
        with pytest.raises(CannotBelieve, match=r"careless: with the hand \[0, .* doesn't return probabilities"):
            ask(position)


@pytest.mark.parametrize(
    ("mixed", "plays"),
    [
        (FOND, FOND.drawing()),
        pytest.param(
            BotPolicy(value_function("binomial")),
            compiled_bot("binomial", Table.of("salomon-1986", seats=3).rules),
            marks=pytest.mark.soak(only=True),
        ),
    ],
    ids=["fond", "binomial"],
)
def test_beliefs_agree_with_rollouts_at_full_size(mixed: MixedPolicy, plays: Policy) -> None:
    table = Table.of("salomon-1986", seats=3)
    rounds = play(table, 20_000, seed=1986, policies=[plays], keep_deals=True, keep_moves=2)
    actions, counts = rounds.moves[:, 0, :, 1], held(rounds, table)
    for depth in (1, 2):
        begun = actions[:, :depth]
        ways, times = np.unique(begun, axis=0, return_counts=True)
        for way in ways[np.argsort(-times)][:2]:
            beliefs = Beliefs.at(table, [mixed])
            for action in way.tolist():
                beliefs = beliefs.after(action)
            chosen = counts[(begun == way).all(axis=1)]
            for seat in range(3):
                means = beliefs.seats[seat] @ beliefs.hands.counts
                spread = np.sqrt(beliefs.seats[seat] @ (beliefs.hands.counts.astype(float) - means) ** 2)
                off = np.abs(chosen[:, seat].mean(axis=0) - means)
                assert (off <= 4.5 * spread / np.sqrt(len(chosen)) + 1e-12).all(), (way, seat, off, spread)


def held(rounds: Rollout, table: Table) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return how many of each digit each seat holds, `[sessions, seats, symbols]`."""
    packs = np.zeros_like(rounds.numbers[:, 0])
    for place in range(table.rules.hand_size):
        packs += np.int64(1) << 4 * (rounds.numbers[:, 0] >> 4 * place & 15)
    digits = [digit_of(rank, table.rules) for rank in range(table.rules.symbols)]
    return np.stack([count_of(packs, digit) for digit in digits], axis=-1)  # type: ignore[arg-type, misc]  # all at once

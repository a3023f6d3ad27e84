"""Mixed policies agree with the bots, and all their methods agree with each other."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.bots import catalogue
from liarspoker.engine import memory
from liarspoker.engine.errors import CannotBelieve, CannotFit
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.bot_values import VALUE_FUNCTIONS, value_function
from liarspoker.games.digits.bots import Bluffer
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.session import DigitSession
from liarspoker.solve.beliefs.bot_policy import BotPolicy
from liarspoker.solve.beliefs.function_policy import FunctionPolicy
from liarspoker.solve.beliefs.policies import BlendPolicy, MixedPolicy, UniformPolicy
from liarspoker.solve.beliefs.positions import Position, action_at, column_of
from liarspoker.solve.hands import all_hands, count_probabilities, counts_of, digit_probabilities, index_of
from tests.bots.tables import in_play, with_other_numbers
from tests.effort import effort
from tests.solve.beliefs.functions import careless
from tests.solve.beliefs.playing import Whims, position_of, small_tables, wander

SEEDS = st.integers(0, 2**32)
BOTS: dict[str, tuple[Any, MixedPolicy]] = {
    "uniform": (catalogue.load("uniform", "digits"), UniformPolicy()),
    **{name: (catalogue.load(name, "digits"), BotPolicy(values)) for name, values in VALUE_FUNCTIONS.items()},
    "a believer": (Bluffer(trust=0.8, bluffs=0.6), BotPolicy(value_function(Bluffer(trust=0.8, bluffs=0.6)))),
}


def believed(*more: tuple[int, int]) -> st.SearchStrategy[DigitSession]:
    """Draw hands in play for which there are beliefs, by digits in a hand and symbols."""
    sizes = st.sampled_from([*more, (1, 2), (3, 3), (5, 4), (15, 2)])
    options = st.builds(
        lambda size, **others: DigitOptions(hand_size=size[0], symbols=size[1], **others),
        sizes,
        rebid=st.booleans(),
        hero=st.booleans(),
        none_wins=st.booleans(),
        two_player_none=st.sampled_from(["loses", "push"]),
        loose_order=st.sampled_from([False, False, True]),
        order=st.sampled_from(["zero_low", "zero_high", "ace_high"]),
    )
    return in_play(options)


@settings(max_examples=effort(10, quick=8, soak=2000))
@given(session=believed((8, 10)), name=st.sampled_from(sorted(BOTS)), seed=SEEDS)
def test_a_policy_agrees_with_the_bot(session: DigitSession, name: str, seed: int) -> None:
    bot, policy = BOTS[name]
    position, seat = position_of(session), session.to_act
    assert seat is not None
    matrix = policy.matrix(position)
    for number in range(4):
        other = with_other_numbers(session, (seat + 1) % session.seats, seed + number) if number else session
        view = other.view(seat)
        row = matrix[index_of(counts_of(view.number or "", position.rules))]
        expected = np.zeros(row.size)
        for action, chance in bot.action_probabilities(view):
            expected[column_of(action, position.rules)] += chance
        assert np.abs(row - expected).max() < 1e-12, (view.number, position.moves)


@pytest.mark.parametrize("name", ["binomial", "bluffer"])
def test_the_answer_is_preferred_to_a_bid_of_equal_value(name: str) -> None:
    """Challenged by all, a player with three nines expects as much from one as from two: the bot counts."""
    position = Position.at(Table.of("salomon-1986", seats=2)).after(8).after(CHALLENGE)
    sure = index_of((1, 1, 1, 1, 1, 0, 0, 0, 3, 0))
    assert BOTS[name][1].likelihoods(position, COUNT)[sure] == 1.0


@settings(max_examples=effort(8, quick=6, soak=1000))
@given(session=believed(), name=st.sampled_from(sorted(BOTS)), seed=SEEDS)
def test_matrix_likelihoods_and_split_agree(session: DigitSession, name: str, seed: int) -> None:
    position, policy = position_of(session), BOTS[name][1]
    hands, chance = position.hands, np.random.default_rng(seed)
    belief = chance.random(hands.size) * (chance.random(hands.size) > 0.5)
    matrix = policy.matrix(position)
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    assert set(np.flatnonzero(matrix.any(axis=0))) <= set(position.columns)
    for column in {position.columns[0], position.columns[-1], int(matrix.sum(axis=0).argmax())}:
        action = action_at(int(column), position.rules)
        assert np.abs(policy.likelihoods(position, action) - matrix[:, column]).max() < 1e-12
    for mine, plain in zip(policy.split(position, belief), MixedPolicy.split(policy, position, belief), strict=True):
        assert np.abs(mine - plain).max() < 1e-9


@settings(max_examples=effort(8, quick=6, soak=1000))
@given(table=small_tables(), seed=SEEDS, weight=st.floats(0.01, 0.99))
def test_a_blend_is_the_weighted_sum_of_its_parts(table: Table, seed: int, weight: float) -> None:
    position = wander(Position.at(table), Random(seed), 4)
    parts = Whims(seed), BotPolicy(value_function("bluffer"))
    blend = BlendPolicy(((weight, parts[0]), (1 - weight, parts[1])))
    expected = weight * parts[0].matrix(position) + (1 - weight) * parts[1].matrix(position)
    assert np.abs(blend.matrix(position) - expected).max() < 1e-12
    action = position.legal.actions[0]
    assert np.abs(blend.likelihoods(position, action) - expected[:, position.columns[0]]).max() < 1e-12
    belief = position.hands.prior
    for mine, plain in zip(blend.split(position, belief), MixedPolicy.split(blend, position, belief), strict=True):
        assert np.abs(mine - plain).max() < 1e-12


@pytest.mark.parametrize("read", ["slip", "number", "played_rows", "score"])
def test_a_policy_that_reads_more_than_a_single_hand_is_rejected(read: str) -> None:
    policy = BotPolicy(lambda view: getattr(view, read))
    with pytest.raises(CannotBelieve, match=f"reads `{read}` .*not the other rows of its slip"):
        policy.matrix(Position.at(Table.of("slips", seats=2)))


@pytest.mark.parametrize(
    "policy",
    [UniformPolicy(), BotPolicy(value_function("bluffer")), FunctionPolicy(careless)],
    ids=["uniform", "w", "t"],
)
def test_probabilities_that_do_not_fit_into_memory_are_rejected(
    policy: MixedPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1 << 19)
    position = Position.at(Table.of("dollar-bill", seats=3, options={"hand_size": 4, "symbols": 10}))
    with pytest.raises(CannotFit, match=r"of 122 actions with 715 hands would take 697\.8 kB of memory"):
        policy.matrix(position)


@given(size=st.sampled_from([(1, 2), (3, 4), (15, 2), (2, 10)]), seed=SEEDS)
def test_hands_are_in_ascending_order_with_the_probability_of_their_numbers(size: tuple[int, int], seed: int) -> None:
    rules = packed(DigitOptions(hand_size=size[0], symbols=size[1]), seats=2)
    hands = all_hands(rules)
    rows = hands.counts.tolist()
    assert rows == sorted(rows)
    assert [index_of(row) for row in rows] == list(range(hands.size))
    assert hands.prior.sum() == pytest.approx(1)
    assert not hands.counts.flags.writeable
    belief = np.random.default_rng(seed).random(hands.size)
    chances = count_probabilities(hands, belief)
    for rank in range(size[1]):
        assert chances[rank] == pytest.approx(np.bincount(hands.counts[:, rank], belief, size[0] + 1))
        assert digit_probabilities(hands, belief, rank) == pytest.approx(chances[rank])


@pytest.mark.parametrize("number", ["0674208", "067420888", "0674208?", "abcdefgh", ""])
def test_a_number_that_is_not_a_hand_is_rejected(number: str) -> None:
    with pytest.raises(CannotBelieve, match="a hand of 8 digits of the 10"):
        counts_of(number, packed(DigitOptions(), seats=2))
    with pytest.raises(CannotBelieve, match="digits of the 3"):
        counts_of("19", packed(DigitOptions(hand_size=2, symbols=3), seats=2))

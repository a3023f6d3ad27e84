"""Best responses compared with plain enumeration, and properties that hold for every strategy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.engine.errors import CannotPlay
from liarspoker.solve.best_response import Certificate, certify, choices_after, first_choices, response
from liarspoker.solve.hands import all_hands
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tree import positions
from tests.effort import effort
from tests.solve.tables import SETTLEMENTS, TINY, Small, lines_of, random_strategy, small_games
from tests.solve.worlds import best_value, chances_of, value, world

SEEDS = st.integers(0, 1 << 30)
SPARSE = st.sampled_from([0.0, 0.3, 0.8])
EXACT = 1e-12
"""The tolerance of 64-bit sums; both sides read the same table of 32-bit floats."""


def merged(mine: Strategy, others: Strategy, seat: int) -> Strategy:
    """Return a strategy in which one seat plays the first strategy, and all others the second one."""
    own = lines_of(others.rules).movers == seat
    table = np.where(own[:, None], mine.probabilities, others.probabilities)
    return others.replaced(table, {})


@given(small_games(), SEEDS, SEEDS, SPARSE)
def test_no_strategy_does_better_than_a_best_response(small: Small, mine: int, theirs: int, sparse: float) -> None:
    others = random_strategy(small, theirs, sparse)
    for seat in range(small.seats):
        mixed = certify(merged(random_strategy(small, mine, sparse), others, seat))
        found = response(others, seat)
        assert mixed.responses[seat].on_policy <= found.best + EXACT
        assert mixed.responses[seat].best == pytest.approx(found.best, abs=EXACT)
        assert found.gain >= -EXACT


@given(small_games(), SEEDS, SPARSE)
def test_the_best_actions_written_have_the_value_reported(small: Small, seed: int, sparse: float) -> None:
    strategy = random_strategy(small, seed, sparse)
    for seat in range(small.seats):
        table = strategy.probabilities.copy()
        found = response(strategy, seat, into=table)
        answered = strategy.replaced(table, {})
        again = response(answered, seat)
        assert again.on_policy == pytest.approx(found.best, abs=EXACT)
        assert again.gain == pytest.approx(0, abs=EXACT)


@given(small_games(), SEEDS, SPARSE)
def test_on_policy_values_are_zero_sum(small: Small, seed: int, sparse: float) -> None:
    certificate = certify(random_strategy(small, seed, sparse))
    assert sum(found.on_policy for found in certificate.responses) == pytest.approx(0, abs=EXACT)
    assert certificate.nash_conv == pytest.approx(sum(found.best for found in certificate.responses), abs=EXACT)


@given(small_games(), SEEDS, st.integers(1, 1 << 40))
def test_the_stake_multiplies_everything(small: Small, seed: int, stake: int) -> None:
    strategy = random_strategy(small, seed)
    for one, many in zip(certify(strategy).responses, certify(strategy, stake, threads=2).responses, strict=True):
        assert many.best == pytest.approx(stake * one.best, rel=1e-9, abs=stake * EXACT)
        assert many.on_policy == pytest.approx(stake * one.on_policy, rel=1e-9, abs=stake * EXACT)


@settings(max_examples=effort(5, quick=4, soak=500))
@given(small_games(TINY), SEEDS, SPARSE)
def test_values_agree_with_enumerated_deals_and_sessions(small: Small, seed: int, sparse: float) -> None:
    found, strategy = world(small), random_strategy(small, seed, sparse)
    chances = chances_of(strategy)
    for one in certify(strategy).responses:
        assert one.on_policy == pytest.approx(value(found, chances, one.seat), abs=EXACT)
        assert one.best == pytest.approx(best_value(found, chances, one.seat), abs=EXACT)


@pytest.mark.parametrize(("settlement", "rebid"), [(SETTLEMENTS[0], False), (SETTLEMENTS[1], True)])
def test_two_digits_of_two_agree_with_enumerated_deals_and_sessions(settlement: dict[str, object], rebid: bool) -> None:
    small = Small("dollar-bill", 2, {**settlement, "rebid": rebid, "hand_size": 2, "symbols": 2})
    found, strategy = world(small, stake=3), random_strategy(small, 5)
    chances = chances_of(strategy)
    for one in certify(strategy, stake=3).responses:
        assert one.on_policy == pytest.approx(value(found, chances, one.seat), abs=EXACT)
        assert one.best == pytest.approx(best_value(found, chances, one.seat), abs=EXACT)


@given(small_games(), SEEDS, SPARSE, st.data())
def test_action_values_sum_to_the_value_of_the_game(
    small: Small, seed: int, sparse: float, data: st.DataObject
) -> None:
    strategy = random_strategy(small, seed, sparse)
    opening = choices_after(strategy)
    prior = all_hands(small.rules).prior
    assert opening.reached == 1
    assert prior @ opening.values.max(axis=0) == pytest.approx(response(strategy, 0).best, abs=EXACT)
    if small.seats == 2:
        total = 0.0
        for action in opening.position.actions:
            answers = choices_after(strategy, (action,))
            if answers.reached:
                total += answers.reached * (prior @ answers.values.max(axis=0))
            else:
                assert np.isnan(answers.values).all()
        assert total == pytest.approx(response(strategy, 1).best, abs=EXACT)
    some = data.draw(st.sampled_from(list(positions(small.rules))[:300]))
    found = choices_after(strategy, some.moves)
    assert found.values.shape == found.probabilities.shape == (len(some.actions), prior.size)
    assert 0 <= found.reached <= 1


@pytest.mark.parametrize(("seat", "stake", "threads"), [(2, 1, 1), (-1, 1, 1), (0, 0, 1), (0, (1 << 40) + 1, 1)])
def test_arguments_out_of_range_are_rejected(seat: int, stake: int, threads: int) -> None:
    strategy = random_strategy(Small("dollar-bill", 2, {"hand_size": 1, "symbols": 2}), 1)
    with pytest.raises(CannotPlay, match=r"seat|stake"):
        response(strategy, seat, stake)
    with pytest.raises(CannotPlay, match="threads"):
        certify(strategy, threads=0)


def test_best_responses_bound_the_value_for_two_players_and_not_for_more() -> None:
    two = certify(random_strategy(Small("dollar-bill", 2, {"hand_size": 1, "symbols": 3}), 1))
    assert two.interval is not None
    assert two.exploitability is not None
    low, high = two.interval
    assert low <= two.value <= high
    assert high - low == pytest.approx(2 * two.exploitability)
    three = certify(random_strategy(Small("dollar-bill", 3, {"hand_size": 1, "symbols": 2}), 1))
    assert isinstance(three, Certificate)
    assert three.interval is None
    assert three.exploitability is None


@given(small_games(), SEEDS)
def test_first_choices_follow_the_most_frequent_line_of_play(small: Small, seed: int) -> None:
    strategy = random_strategy(small, seed)
    found = first_choices(strategy)
    assert [choices.position.auction.to_act for choices in found] == list(range(len(found)))
    for number, choices in enumerate(found):
        assert len(choices.position.moves) == number
        assert choices.reached > 0
    likely = found[0].probabilities @ all_hands(small.rules).prior
    assert len(found) == 1 or found[1].position.moves == (found[0].position.actions[int(likely.argmax())],)

"""The five tasks that researchers try first: a few lines each, with one import line from `liarspoker`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest


def needs(module: str, extra: str) -> pytest.MarkDecorator:
    """Skip a test where an extra is not installed."""
    return pytest.mark.skipif(find_spec(module) is None, reason=f"the extra {extra} is not installed")


@needs("numba", "engine")
def test_play_many_rounds() -> None:
    from liarspoker import Table, play

    rounds = play(Table.of("salomon-1986", seats=5), matches=1_000, seed=1986, policies=["uniform"])
    assert rounds.payoffs.shape == (1_000, 1, 5)
    assert rounds.payoffs.sum() == 0


@needs("numba", "engine")
def test_follow_the_beliefs_in_a_hand() -> None:
    from liarspoker import Beliefs, Table, bot_policy

    beliefs = Beliefs.at(Table.of("dollar-bill", seats=3), [bot_policy("bluffer")])
    before = beliefs.counts(0)[8]  # the probability that the opener holds 0, 1, ..., 8 eights
    after = beliefs.after("3x8").counts(0)[8]
    assert after.sum() == pytest.approx(1)
    assert after @ range(9) > before @ range(9)


@needs("numba", "engine")
def test_solve_a_game_and_look_up_the_strategy(tmp_path: Path) -> None:
    from liarspoker import Strategy, certify, solve_game

    strategy = solve_game("dollar-bill", options={"hand_size": 2, "symbols": 2, "rebid": True}, target=1e-2)
    opening = strategy.action_probabilities("10")
    reply = strategy.action_probabilities("11", ["1x1"])
    assert sum(opening.values()) == pytest.approx(1)
    assert set(reply) > {"challenge", "2x1"}
    strategy.save(tmp_path / "strategy")
    exploitability = certify(Strategy.load(tmp_path / "strategy")).exploitability
    assert exploitability is not None
    assert exploitability < 1.01e-2


def cautious(view: Any, chance: Random) -> int:
    """Open with the lowest bid, and otherwise challenge or count."""
    action: int = view.legal.answers[0] if view.legal.answers else view.legal.claims[0]
    return action


def test_write_a_bot_and_rate_it() -> None:
    from liarspoker import digit_of, level_of, rate_bot

    def careful(view: Any, chance: Random) -> int:
        """Bid as high as its own number allows, and otherwise challenge or count."""
        held = {bid: view.number.count(str(digit_of(bid, view.rules))) for bid in view.legal.claims}
        safe: list[int] = [bid for bid in view.legal.claims if level_of(bid, view.rules) <= held[bid]]
        return safe[-1] if safe else int(view.legal.answers[0])

    ratings = {rating.opponent: rating for rating in rate_bot(careful, "dollar-bill", hands=300)}
    assert set(ratings) >= {"uniform", "beginner", "binomial", "bluffer"}
    assert ratings["uniform"].mean > 0
    assert all(rating.played == 300 for rating in ratings.values())


@needs("pettingzoo", "research")
def test_step_through_an_environment() -> None:
    from liarspoker import env

    table = env("queen-annes", 3)
    table.reset(seed=42)
    total = 0.0
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, _ = table.last()
        total += reward
        over = terminated or truncated
        table.step(None if over else int(observation["action_mask"].nonzero()[0][-1]))
        assert agent in table.possible_agents
    assert total == 0


@pytest.mark.slow
def test_a_bot_gets_the_same_rating_from_two_processes() -> None:
    from liarspoker import rate_bot

    one, two = (rate_bot(cautious, "slips", ["beginner"], hands=2_500, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_a_bot_is_rated_by_the_matches_it_wins() -> None:
    from liarspoker import rate_bot

    (rating,) = rate_bot("beginner", "queen-annes", ["uniform"], seats=3, hands=20)
    assert rating.played == 20
    assert rating.mean > 1 / 3
    assert str(rating).endswith("% of the matches")


def test_a_table_of_one_is_rejected() -> None:
    from liarspoker import LiarsPokerError, rate_bot

    with pytest.raises(LiarsPokerError, match="1 players; it takes 2 or more"):
        rate_bot(cautious, "slips", seats=1)
    with pytest.raises(LiarsPokerError, match="'2' players"):
        rate_bot(cautious, "slips", seats="2")  # type: ignore[arg-type]

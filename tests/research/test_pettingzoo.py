"""PettingZoo's own conformance tests for every game, and what they don't cover."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (  # type: ignore[import-untyped,unused-ignore]
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

from liarspoker.research.errors import BadEnvironment
from liarspoker.research.pettingzoo import SequentialEnvironment, env, parallel_env, raw_env
from tests.research.playouts import GAMES

# The test expects plain arrays, and warns about observations with masks, which PettingZoo's own card games have too.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((game, {"rounds": rounds}) for game in GAMES for rounds in (1, None)),
    ("thorin", {"rounds": None, "options": {"dealers_choice": True}}),
    ("queen-annes-stud", {"rounds": 3, "options": {"who_may_challenge": "anyone", "stud_deal_to": "everyone"}}),
    ("salomon-1986", {"options": {"loose_order": True, "hand_size": 2, "symbols": 3}}),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "variant" in metafunc.fixturenames:
        names = [f"{game}-{number}" for number, (game, _) in enumerate(VARIANTS)]
        metafunc.parametrize("variant", VARIANTS, ids=names)


@pytest.mark.parametrize("check", [api_test, seed_test])
@pytest.mark.parametrize("players", [2, 3])
def test_the_aec_environment_conforms(check: Any, variant: tuple[str, dict[str, Any]], players: int) -> None:
    game, how = variant
    made = partial(env, game, players, **how)
    check(made() if check is api_test else made, num_cycles=20)


@pytest.mark.parametrize("players", [2, 3])
def test_the_parallel_environment_conforms(variant: tuple[str, dict[str, Any]], players: int) -> None:
    game, how = variant
    made = partial(parallel_env, game, players, **how)
    max_cycles_test(SimpleNamespace(env=partial(env, game, players, **how), parallel_env=made))
    parallel_api_test(made(max_cycles=30), num_cycles=60)
    parallel_api_test(made(), num_cycles=30)
    parallel_seed_test(partial(made, max_cycles=20), num_cycles=10)


def episode(table: SequentialEnvironment, seed: int) -> dict[str, float]:
    """Return what each agent was rewarded in a random episode."""
    table.reset(seed=seed)
    chance = np.random.default_rng(seed)
    earned = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, ended, _, _ = table.last()
        earned[agent] += reward
        table.step(None if ended else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return earned


@pytest.mark.parametrize("seed", range(2))
def test_rewards_sum_to_the_units_won(variant: tuple[str, dict[str, Any]], seed: int) -> None:
    game, how = variant
    table = raw_env(game, 3, **how)
    earned = episode(table, seed)
    assert list(earned.values()) == list(table.game_state.units)
    assert sum(earned.values()) == 0


def test_an_eliminated_agent_terminates_while_the_others_play_on() -> None:
    table = raw_env("thorin", 3, rounds=None)
    table.reset(seed=1)
    chance, ends = np.random.default_rng(1), []
    for _ in table.agent_iter():
        seen, reward, ended, _, _ = table.last()
        if ended:
            ends.append((reward, table.game_state.is_over))
        table.step(None if ended else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    assert ends[0] == (-1.0, False)
    assert sorted(ends[1:]) == [(-1.0, True), (2.0, True)]


def test_only_the_agent_to_act_has_legal_actions() -> None:
    table = raw_env("dollar-bill", 3)
    table.reset(seed=1)
    masks = [table.observe(agent)["action_mask"].sum() for agent in table.possible_agents]
    assert masks == [240, 0, 0]


def test_an_illegal_action_raises_an_error_or_costs_the_largest_possible_loss() -> None:
    table = raw_env("dollar-bill")
    table.reset(seed=1)
    with pytest.raises(BadEnvironment, match="legal now"):
        table.step(160)
    wrapped = env("dollar-bill")
    wrapped.reset(seed=1)
    wrapped.step(160)
    assert wrapped.rewards["player_0"] == -1


def test_an_illegal_action_wastes_its_cycle() -> None:
    table = parallel_env("dollar-bill", max_cycles=5)
    seen, _ = table.reset(seed=1)
    wait = table.spec.wait
    assert np.flatnonzero(seen["player_1"]["action_mask"]).tolist() == [wait]
    later, rewards, *_ = table.step({"player_0": wait - 1, "player_1": wait})
    assert (later["player_0"]["observation"] == seen["player_0"]["observation"]).all()
    assert set(rewards.values()) == {0.0}


def test_an_unknown_render_mode_and_a_missing_action_are_rejected() -> None:
    with pytest.raises(BadEnvironment, match="render_mode: rgb_array; it must be human, ansi or None"):
        raw_env("dollar-bill", render_mode="rgb_array")
    table = raw_env("dollar-bill")
    table.reset(seed=1)
    with pytest.raises(BadEnvironment, match="action: None isn't legal now, since player_0 is still in the game"):
        table.step(None)


def test_at_least_one_cycle_is_required() -> None:
    with pytest.raises(BadEnvironment, match="max_cycles: 0"):
        parallel_env("dollar-bill", max_cycles=0)


def test_rendering_shows_what_the_player_to_act_sees(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env("dollar-bill", render_mode="ansi", options={"hand_size": 2, "symbols": 3})
    table.reset(seed=1)
    own, other = (table.game_state.session.round.numbers[seat] for seat in (0, 1))
    assert table.render() == (
        f"Dollar-bill Liar's Poker, 2 players, round 1\n  seat 0\n  holds {own}\n  stake 1\nPlayer 0 is to act."
    )
    for action in (4, 12):
        table.step(action)
    assert "counts" in (table.render() or "")
    assert f"shown {own} {other}" in (table.render() or "")
    shown = raw_env("dollar-bill", render_mode="human")
    shown.reset(seed=1)
    shown.step(3)
    assert "0: 1x3" in capsys.readouterr().out
    shown.close()

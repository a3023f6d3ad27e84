"""The engine's own functions are plain Python, and return the same whether or not they are compiled."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from liarspoker.engine import batch as batches
from liarspoker.engine.batch import Batch, batch_state
from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling.dependencies import dependencies_of
from liarspoker.engine.lineup import Policy, Together, chosen
from liarspoker.engine.rollout import Players, RolloutConfig, _trajectory, play, play_rounds, workspace
from liarspoker.engine.running import COMPLETED, NO_ROW
from liarspoker.engine.table import Table

STUD: dict[str, object] = {"who_may_challenge": "anyone", "jokers": 1, "stud_deal_to": "everyone"}
THORIN: dict[str, object] = {"jokers": 2, "passes": 1, "or_better": "words"}
TABLES = [
    Table.of("salomon-1986", seats=3, letters=True),
    Table.of("slips", seats=3),
    Table.of("dollar-bill", 2, {"hand_size": 2, "symbols": 3, "loose_order": True}),
    Table.of("queen-annes-indian", seats=3),
    Table.of("queen-annes-stud", 3, STUD),
    Table.of("thorin", 3, THORIN),
]


@pytest.fixture(autouse=True)
def words_that_wrap_around() -> Iterator[None]:
    """Let 64-bit integers wrap around without a warning, as in machine code."""
    with np.errstate(over="ignore"):
        yield


def plain(function: Any, substitutes: Any, made: dict[Any, Any] | None = None) -> Any:
    """Return a function with the substitutes in place, but not compiled."""
    made = {} if made is None else made
    if function not in made:
        names = dict(function.__globals__)
        made[function] = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        names |= {
            name: plain(each, substitutes, made) for name, each in dependencies_of(function, substitutes).calls.items()
        }
    return made[function]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_matches_have_the_same_results(table: Table) -> None:
    kernel, seats = table.kernel, table.rules.seats
    width = kernel.deal_width(20, table.rules)
    kept = _trajectory(table, 3, 3, width, 20)
    policy: Policy = kernel.policy("uniform", table.rules)
    together = Together([policy], table)
    run = plain(play_rounds, kernel.bound() | {chosen: together.choose})
    players = Players(np.zeros(seats, np.int64), np.zeros(seats, np.bool_), together.data())
    kind, *_ = run(
        seed_of(3), RolloutConfig(5, 1, 1, 0), table.rules, table.extra, players, workspace(table, width), kept
    )
    assert kind == COMPLETED
    rollout = play(table, 3, 3, rounds=3, first=5, rotate=True, keep_deals=20, keep_moves=20)
    assert all(map(np.array_equal, kept, rollout.trajectory))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_steps_have_the_same_results(table: Table) -> None:
    rows, chance = 3, np.random.default_rng(1)
    mine, other = batch_state(table, rows), Batch(table, rows, 1)
    mask, features = np.ones((rows, table.actions), np.bool_), np.ones((rows, len(other.features)), np.float32)
    refusals, actions = np.zeros(rows, np.int32), np.zeros(rows, np.int64)

    def run(name: str, *arguments: Any) -> Any:
        function = plain(getattr(batches, name), table.kernel.bound())
        return function(mine, table.rules, table.extra, *arguments)

    run("begin_all", seed_of(1), 0, 0)
    for _ in range(2):
        run("deal_all")
        other.deal()
        while not other.is_over.all():
            run("mask_all", mask)
            run("observe_all", features)
            assert np.array_equal(mask, other.legal())
            assert np.array_equal(features, other.observe())
            columns = (mask * chance.random(mask.shape)).argmax(axis=1)
            run("actions_all", columns, actions)
            assert actions.tolist() == other.actions_at(columns).tolist()
            wild = np.array([-2, 5, 1 << 12])
            run("judge_all", wild, refusals)
            assert refusals.tolist() == other.refusals(wild).tolist()
            assert run("judge_all", actions, refusals) == NO_ROW
            run("step_all", actions)
            other.step(actions)
    assert np.array_equal(mine.lines, other._state.lines)
    assert np.array_equal(mine.rounds, other.rounds)

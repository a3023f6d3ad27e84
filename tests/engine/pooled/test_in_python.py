"""The engine's own functions are plain Python too, and say the same when nobody has compiled them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from liarspoker.engine.chance import seed_of
from liarspoker.engine.pooled.batch import Batch
from liarspoker.engine.pooled.batch import _room as batch_room
from liarspoker.engine.pooled.observing import observe_all
from liarspoker.engine.pooled.play import _room as play_room
from liarspoker.engine.pooled.play import play
from liarspoker.engine.pooled.rounds import Run, new_desk, play_matches
from liarspoker.engine.pooled.stepping import begin_all, deal_all, judge_all, mask_all, step_all
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.running import FINE, NO_ROW
from liarspoker.games.queen_annes.course import CHALLENGE, packed_losses

OPTIONS: dict[str, object] = {"who_may_challenge": "anyone", "jokers": 1, "stud_deal_to": "everyone"}
TABLES = [Table.of("queen-annes-indian", seats=3), Table.of("queen-annes-stud", seats=3, options=OPTIONS)]


@pytest.fixture(autouse=True)
def words_that_wrap_around() -> Iterator[None]:
    """As 64 bits do in machine code, without a word."""
    with np.errstate(over="ignore"):
        yield


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_matches_come_out_the_same(table: Table) -> None:
    kept = play_room(table, 2, 3, True, 20)
    run, desk = Run(5, 1, 0, packed_losses(table.losses)), new_desk(table.most_moves, table.rules)
    lineup, shouts = np.zeros(3, np.int64), np.zeros(3, np.bool_)
    kind, *_ = play_matches(seed_of(3), run, table.rules, table.wants, lineup, shouts, ((),), desk, kept)
    assert kind == FINE
    matches = play(table, 2, 3, rounds=3, first=5, rotate=True, keep_deals=True, keep_moves=20)
    assert all(np.array_equal(array, getattr(matches, name)) for name, array in kept._asdict().items())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_steps_come_out_the_same(table: Table) -> None:
    rules, rows = table.rules, 3
    mine, other = batch_room(table, rows), Batch(table, rows, 1)
    mask = np.ones((rows, table.actions), np.bool_)
    features = np.ones((rows, len(other.features)), np.float32)
    refusals = np.zeros(rows, np.int32)
    begin_all(mine, seed_of(1), 0, 0, 0, rules)
    for _ in range(2):
        deal_all(mine, rules)
        other.deal()
        for step, actions in enumerate(([3, 50, 5000], [4, CHALLENGE, 5001], [CHALLENGE, 0, CHALLENGE])):
            mask_all(mine, rules, mask)
            observe_all(mine, table.wants, rules, features)
            assert np.array_equal(mask, other.legal())
            assert np.array_equal(features, other.observe())
            assert (judge_all(mine, np.array([-20, 5, 5]), rules, refusals) == NO_ROW) == (step > 2)
            assert refusals.tolist() == other.refusals([-20, 5, 5]).tolist()
            assert judge_all(mine, np.array(actions), rules, refusals) == NO_ROW
            step_all(mine, np.array(actions), table.wants, rules)
            other.step(actions)
        compared: Any = zip(mine, other._state, strict=True)
        assert all(np.array_equal(one, same) for one, same in compared)

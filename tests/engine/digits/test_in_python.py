"""The engine's own functions are plain Python too, and say the same when nobody has compiled them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.digits.batch import _room as batch_room
from liarspoker.engine.digits.observing import feature_names, observe_all
from liarspoker.engine.digits.play import _room as play_room
from liarspoker.engine.digits.play import play
from liarspoker.engine.digits.policies import Policy
from liarspoker.engine.digits.sessions import MOST_STAKE, Run, new_desk, play_sessions
from liarspoker.engine.digits.stepping import begin_all, deal_all, judge_all, mask_all, step_all
from liarspoker.engine.digits.table import Table
from liarspoker.engine.lineup import together
from liarspoker.engine.running import FINE, NO_ROW

TABLES = [
    Table.of("salomon-1986", seats=3, letters=True),
    Table.of("slips", seats=2),
    Table.of("dollar-bill", seats=3, options={"hand_size": 2, "symbols": 3, "loose_order": True}),
]


@pytest.fixture(autouse=True)
def words_that_wrap_around() -> Iterator[None]:
    """As 64 bits do in machine code, without a word."""
    with np.errstate(over="ignore"):
        yield


def same(left: Any, right: Any) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(left, right, strict=True))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_sessions_come_out_the_same(table: Table) -> None:
    seats = table.rules.seats
    kept = play_room(4, 11, seats, True, 20)
    run, desk = Run(5, 11, 1, 0), new_desk(table.most_moves, table.rules)
    lineup = np.zeros(seats, np.int64)
    kind, *_ = play_sessions(seed_of(3), run, table.source, table.rules, lineup, ((),), desk, kept)
    assert kind == FINE
    rounds = play(table, 4, 3, hands=11, first=5, rotate=True, keep_deals=True, keep_moves=20)
    assert all(np.array_equal(array, getattr(rounds, name)) for name, array in kept._asdict().items())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.game)
def test_steps_come_out_the_same(table: Table) -> None:
    rules, source, rows = table.rules, table.source, 5
    mine, other = batch_room(table, rows), batch_room(table, rows)
    masks = [np.ones((rows, table.actions), np.bool_) for _ in range(2)]
    features = [np.ones((rows, len(feature_names(rules))), np.float32) for _ in range(2)]
    refusals = [np.zeros(rows, np.int32) for _ in range(2)]
    begin_all(mine, seed_of(1), 0, 1, source, rules)
    compiled(begin_all)(other, seed_of(1), 0, 1, source, rules)
    for _ in range(2):
        assert deal_all(mine, MOST_STAKE, source, rules) == NO_ROW
        compiled(deal_all)(other, MOST_STAKE, source, rules)
        while (mine.auctions[:, 4] >= 0).any():
            mask_all(mine, rules, masks[0])
            compiled(mask_all)(other, rules, masks[1])
            observe_all(mine, rules, features[0])
            compiled(observe_all)(other, rules, features[1])
            bids = table.actions - 2
            answers = np.where(masks[0][:, bids], -1, -2)
            actions = np.where(masks[0][:, bids:].any(axis=1), answers, masks[0].argmax(axis=1))
            assert judge_all(mine, actions - 7, rules, refusals[0]) != NO_ROW
            compiled(judge_all)(other, actions - 7, rules, refusals[1])
            assert same([*mine, masks[0], features[0], refusals[0]], [*other, masks[1], features[1], refusals[1]])
            step_all(mine, actions, source, rules)
            compiled(step_all)(other, actions, source, rules)
    assert same(mine, other)
    assert deal_all(mine, 0, source, rules) == 0


def test_a_lineup_asks_each_policy_with_its_own_data() -> None:
    three: Any = together([Policy(first), Policy(second), Policy(first)])
    assert [three(which, None, None, ((1,), (2,), (3,))) for which in range(3)] == [101, 202, 103]


def first(seen: Any, chance: Any, data: Any) -> int:
    return int(100 + data[0])


def second(seen: Any, chance: Any, data: Any) -> int:
    return int(200 + data[0])

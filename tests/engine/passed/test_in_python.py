"""The engine's own functions are plain Python too, and say the same when nobody has compiled them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from liarspoker.engine.chance import seed_of
from liarspoker.engine.passed.batch import Batch
from liarspoker.engine.passed.batch import _room as batch_room
from liarspoker.engine.passed.observing import observe_all
from liarspoker.engine.passed.play import _room as play_room
from liarspoker.engine.passed.play import play
from liarspoker.engine.passed.rounds import Game, Run, new_desk, play_matches
from liarspoker.engine.passed.stepping import (
    actions_all,
    begin_all,
    deal_all,
    judge_all,
    mask_all,
    step_all,
)
from liarspoker.engine.passed.table import Table
from liarspoker.engine.running import FINE, NO_ROW
from liarspoker.games.thorin.actions import CHALLENGE, TAKE

TABLE = Table.of("thorin", seats=3, options={"jokers": 2, "passes": 1, "or_better": "words"})
GAME = Game(TABLE.rules, TABLE.ladder, TABLE.worths)


@pytest.fixture(autouse=True)
def words_that_wrap_around() -> Iterator[None]:
    """As 64 bits do in machine code, without a word."""
    with np.errstate(over="ignore"):
        yield


def test_matches_come_out_the_same() -> None:
    kept = play_room(TABLE, 3, 3, 20, 20)
    run, desk = Run(5, 1, 0), new_desk(TABLE.most_moves, 20, TABLE.rules)
    kind, *_ = play_matches(seed_of(3), run, GAME, np.zeros(3, np.int64), ((),), desk, kept)
    assert kind == FINE
    matches = play(TABLE, 3, 3, rounds=3, first=5, rotate=True, keep_cards=20, keep_moves=20)
    assert all(np.array_equal(array, getattr(matches, name)) for name, array in kept._asdict().items())


def test_steps_come_out_the_same() -> None:
    rows, claims = 3, TABLE.claims
    mine, other = batch_room(TABLE, rows, 0), Batch(TABLE, rows, 1)
    mask, features = np.ones((rows, TABLE.actions), np.bool_), np.ones((rows, len(other.features)), np.float32)
    refusals, actions = np.zeros(rows, np.int32), np.zeros(rows, np.int64)
    begin_all(mine, seed_of(1), 0, 0, GAME)
    deal_all(mine, GAME)
    other.deal()
    script = (
        [100, 50, 30_000],
        [claims, claims + 1, claims + 2],
        [claims + 3 + 17, 0, claims],
        [9_000, 0, claims + 3],
        [claims + 1, 0, 33_000],
    )
    mask_all(mine, GAME, mask)
    assert np.array_equal(mask, other.legal())
    for columns in script:
        actions_all(mine, np.array(columns), GAME, actions)
        assert actions.tolist() == other.actions_at(columns).tolist()
        judge_all(mine, np.array([TAKE, CHALLENGE, 5]), GAME, refusals)
        assert refusals.tolist() == other.refusals([TAKE, CHALLENGE, 5]).tolist()
        assert judge_all(mine, actions, GAME, refusals) == NO_ROW
        step_all(mine, actions, GAME)
        other.step(actions)
        observe_all(mine, GAME, features)
        assert np.array_equal(features, other.observe())
    compared: Any = zip(mine, other._state, strict=True)
    assert all(np.array_equal(one, same) for one, same in compared)

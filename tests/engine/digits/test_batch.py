"""Batches action by action: masks are the rules' own, nothing hidden is observed, bad actions change nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from liarspoker.engine.digits.batch import Batch
from liarspoker.engine.digits.play import play
from liarspoker.engine.digits.table import Table
from liarspoker.engine.digits.texts import number_text
from liarspoker.engine.errors import CannotPlay, IllegalActions, OutgrownStake
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitDeal
from tests.engine.digits.replaying import Setting, random_setting, setting

ROWS = 6


def finite_setting(chance: random.Random) -> Setting:
    """A table whose actions can be numbered, and not too many of them to look at each in Python."""
    while True:
        of = random_setting(chance)
        if of.table.is_finite and of.table.actions <= (200 if of.table.rules.loose else 700):
            return of


def sessions_like(batch: Batch, of: Setting) -> list[Any]:
    """The sessions of the Python rules that have been dealt what the batch was dealt."""
    rules = of.table.rules
    dealt = [tuple(number_text(number, rules) for number in row) for row in batch.numbers]
    if of.table.source.from_slips:
        return [of.session.deal(DigitDeal(slips=tuple((number,) * 15 for number in row))) for row in dealt]
    return [of.session.deal(DigitDeal(numbers=row)) for row in dealt]


def test_masks_refusals_and_payoffs_are_those_of_the_python_rules() -> None:
    chance = random.Random(20)
    for _ in range(25):
        of = finite_setting(chance)
        batch = Batch(of.table, ROWS, chance.randrange(1000))
        batch.deal()
        sessions = sessions_like(batch, of)
        bids, ends = of.table.actions - 2, 1 - 0.5 / (of.table.rules.seats - 1)
        while not batch.is_over.all():
            legal = batch.legal()
            columns = []
            for row, session in enumerate(sessions):
                allowed = session.legal().actions
                assert set(batch.actions_at(np.flatnonzero(legal[row])).tolist()) == set(allowed)
                assert batch.to_act[row] == (-1 if session.to_act is None else session.to_act)
                hasty = (
                    bids
                    if legal[row, bids] and chance.random() < ends
                    else chance.choice([*np.flatnonzero(legal[row]), 0])
                )
                columns.append(int(hasty))
            wild = [chance.randrange(-4, bids + 3) for _ in range(ROWS)]
            refused = [
                session.refusal(action) if session.in_play else 0
                for session, action in zip(sessions, wild, strict=True)
            ]
            assert batch.refusals(wild).tolist() == refused
            actions = np.where(legal[np.arange(ROWS), columns], batch.actions_at(columns), firsts(batch, legal))
            batch.step(actions)
            sessions = [s.apply(int(action)) if s.in_play else s for s, action in zip(sessions, actions, strict=True)]
        assert [tuple(row) for row in batch.payoffs.tolist()] == [session.round_result.payoffs for session in sessions]
        assert batch.outcomes.tolist() == [session.round_result.settlement.outcome for session in sessions]
        assert (batch.scores == batch.payoffs).all()


def firsts(batch: Batch, legal: Any) -> Any:
    """The weakest legal action of each row."""
    return batch.actions_at(legal.argmax(axis=1))


@pytest.mark.parametrize("game", ["dollar-bill", "slips"])
def test_a_batch_is_dealt_what_play_deals(game: str) -> None:
    table = Table.of(game, seats=3)
    played = play(table, 40, 5, hands=12, first=3, keep_deals=True, keep_moves=60)
    assert played.decisions.max() <= 60
    batch = Batch(table, 40, 5, first=3)
    for hand in range(12):
        batch.deal()
        assert np.array_equal(batch.numbers, played.numbers[:, hand])
        assert np.array_equal(batch.stakes, played.stakes[:, hand])
        for step in range(60):
            batch.step(played.moves[:, hand, step, 1])
        assert np.array_equal(batch.payoffs, played.payoffs[:, hand])
        assert np.array_equal(batch.claims, played.claims[:, hand])
    assert np.array_equal(batch.scores, played.scores)


def test_nothing_hidden_is_observed() -> None:
    table = Table.of("salomon-1986", seats=3)
    batch, other = Batch(table, 50, 1), Batch(table, 50, 1)
    for each in (batch, other):
        each.deal()
        each.step(np.arange(50))
        each.step(np.full(50, 100))
    hidden = other._state
    hidden.numbers[:, :2], hidden.counts[:, :2] = 0, 8
    assert np.array_equal(batch.observe(), other.observe())
    assert np.array_equal(batch.legal(), other.legal())
    hidden.counts[:, 2] = 8
    assert not np.array_equal(batch.observe(), other.observe())


def test_an_observation_tells_what_its_columns_are_called() -> None:
    table = Table.of("salomon-1986", seats=3, options={"hand_size": 3, "symbols": 3})
    batch = Batch(table, 20, 4, opener=1)
    batch.deal()
    batch.step(np.full(20, 4))  # two twos
    batch.step(np.full(20, CHALLENGE))
    seen = dict(zip(batch.features, batch.observe().T, strict=True))
    told = {name: set(column) for name, column in seen.items() if not name.startswith("own")}
    assert told == {
        "level": {2},
        "standing 1": {0},
        "standing 2": {1},
        "standing 3": {0},
        "open": {0},
        "respond": {1},
        "decide": {0},
        "challenges": {1},
        "is rebid": {0},
        "bidder": {1},
        "stake": {1},
        "hand of ten": {0},
        **{f"bid {digit} by {seat}": {2 if (digit, seat) == (2, 1) else 0} for digit in (1, 2, 3) for seat in range(3)},
    }
    texts = [number_text(number, table.rules) for number in batch.numbers[:, 0]]
    for digit in "123":
        assert seen[f"own {digit}"].tolist() == [text.count(digit) for text in texts]
    assert sum(seen[f"own {digit}"] for digit in "123").tolist() == [3] * 20


def test_arrays_may_be_given_and_must_fit() -> None:
    batch = Batch(Table.of("slips", seats=2), 4, 1)
    mask, features = np.ones((4, batch.table.actions), np.bool_), np.ones((4, len(batch.features)), np.float32)
    assert batch.legal(mask) is mask
    assert batch.observe(features) is features
    assert not mask.any()  # nothing has been dealt
    assert not features.any()
    wrong: Any
    for wrong in (np.ones((3, 162), np.bool_), np.ones((4, 162), np.int8), np.ones((162, 4), np.bool_).T):
        with pytest.raises(CannotPlay, match="out: "):
            batch.legal(wrong)


def test_one_refused_action_changes_nothing() -> None:
    batch = Batch(Table.of("slips", seats=2), 3, 1)
    batch.deal()
    before: list[Any] = [array.copy() for array in batch._state]
    with pytest.raises(IllegalActions, match="round 2: action 160: no-such-claim") as caught:
        batch.step([5, 6, 160])
    assert caught.value.row == 2
    assert all(np.array_equal(old, new) for old, new in zip(before, list(batch._state), strict=True))


def test_what_is_no_action_a_row_is_refused() -> None:
    batch = Batch(Table.of("slips", seats=2), 3, 1)
    batch.deal()
    for wrong in ([1, 2], [[1, 2, 3]], [1.0, 2.0, 3.0], 4):
        with pytest.raises(CannotPlay, match="whole numbers"):
            batch.step(wrong)
    with pytest.raises(CannotPlay, match="still in play"):
        batch.deal()
    for change in ({"sessions": 0}, {"first": -1}, {"opener": 2}):
        with pytest.raises(CannotPlay, match=next(iter(change))):
            Batch(**({"table": batch.table, "sessions": 1, "seed": 1} | change))  # type: ignore[arg-type]


def test_a_stake_without_bounds_is_not_dealt() -> None:
    of = setting("salomon-1986", 3, {"compound_carry": True, "none_carry": "bid"}, from_slips=False)
    batch = Batch(of.table, 2, 1)
    while batch.stakes.max() < 1 << 37:
        batch.deal()
        for action in (239, CHALLENGE, CHALLENGE, COUNT):
            batch.step([action, action])
    before = batch.numbers
    with pytest.raises(OutgrownStake):
        batch.deal()
    assert np.array_equal(batch.numbers, before)
    assert batch.is_over.all()


def test_a_ladder_without_a_top_has_no_mask() -> None:
    batch = Batch(Table.of("slips", seats=2, options={"cap_level": False}), 1, 1)
    batch.deal()
    batch.step([5000])
    assert batch.refusals([CHALLENGE]) == [0]
    with pytest.raises(CannotPlay, match="no top"):
        batch.legal()
    with pytest.raises(CannotPlay, match="no top"):
        batch.actions_at([0])

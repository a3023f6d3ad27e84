"""A review as arrays: every field agrees with the review."""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np
import pytest

import liarspoker
from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.arrays import ReviewArrays, save
from liarspoker.coach.models import model_of, table_of
from liarspoker.coach.review import Review
from liarspoker.coach.verdicts import VERDICTS
from liarspoker.games.digits.session import DigitSession
from liarspoker.solve.beliefs.positions import Position, action_at
from liarspoker.solve.hands import counts_of, index_of
from tests.coach.records import SMALL


def reviewed(document: dict[str, Any], **named: Any) -> Review:
    found = liarspoker.review(liarspoker.replay(document), playouts=60, **named)
    assert isinstance(found, Review)
    return found


def hidden() -> dict[str, Any]:
    document = copy.deepcopy(SMALL)
    document["rounds"][0] |= {"deal": ["112", "???", "131"], "counts": [2, 0, 2]}
    return document


def known(number: float | None) -> float:
    return np.nan if number is None else number


@pytest.mark.parametrize("seat", [None, 1])
@pytest.mark.parametrize("document", [SMALL, hidden()])
def test_each_row_agrees_with_the_review(document: dict[str, Any], seat: int | None) -> None:
    review = reviewed(document, seat=seat)
    found = review.arrays()
    rows = [(hand, place) for hand in review.hands for place in range(len(hand.heard))]
    assert len(rows) == 10
    assert {array.shape[0] for array in found} == {10}
    assert found.before.shape[1:] == found.after.shape[1:] == (3, 4)
    assert found.values.shape[1:] == found.policy.shape[1:] == (3 * 3 * 3 + 2,)
    for row, (hand, place) in enumerate(rows):
        heard, decision = hand.heard[place], hand.decisions[place]
        assert (found.hand[row], found.seat[row], found.action[row]) == (hand.number, heard.seat, heard.action)
        assert (hand.hand.terms.opener + found.position[row]) % 3 == heard.seat
        bids = [action for _, action in hand.hand.moves[:place] if action >= 0]
        assert found.standing[row] == (bids[-1] if bids else -1)
        assert found.level[row] == (heard.action // 3 + 1 if heard.action >= 0 else -1)
        assert found.held[row] == (-1 if heard.held is None else heard.held)
        np.testing.assert_array_equal(found.expected[row], known(heard.expected))
        np.testing.assert_array_equal(found.before[row], heard.before)
        np.testing.assert_array_equal(found.after[row], heard.after)
        _agrees(found, row, decision)


def _agrees(found: ReviewArrays, row: int, decision: Any) -> None:
    """Check the columns of a decision."""
    if decision is None:
        floats = [found.value, found.best, found.loss, found.half_width, found.odds, found.truth]
        assert all(np.isnan(array[row]).all() for array in (*floats, found.values, found.policy))
        assert found.verdict[row] == -1
        return
    appraisal, rules = decision.appraisal, start().setup.rules
    assert VERDICTS[found.verdict[row]] == appraisal.verdict
    assert (found.loss[row], found.half_width[row]) == (appraisal.loss, appraisal.half_width)
    np.testing.assert_array_equal(found.odds[row], known(decision.odds))
    np.testing.assert_array_equal(found.truth[row], known(decision.truth))
    columns = np.flatnonzero(~np.isnan(found.values[row])).tolist()
    considered = {action_at(column, rules): found.values[row, column] for column in columns}
    assert considered == {value.action: value.mean for value in appraisal.values}
    assert found.value[row] == considered[decision.action]
    assert found.best[row] == considered[appraisal.best]
    np.testing.assert_array_equal(found.policy[row], decision.plays)


def start() -> DigitSession:
    session = liarspoker.replay(SMALL).start
    assert isinstance(session, DigitSession)
    return session


def test_the_policy_is_that_of_the_model() -> None:
    found = reviewed(SMALL, model="binomial", hand=1).arrays()
    policy, position = model_of("binomial", start()).policy, Position.at(table_of(start()))
    hand = index_of(counts_of("112", position.rules))
    np.testing.assert_allclose(found.policy[0], policy.matrix(position)[hand])
    np.testing.assert_allclose(found.policy.sum(axis=1), 1.0)


def test_a_record_without_counted_hands_has_no_rows() -> None:
    found = reviewed({**SMALL, "rounds": []}).arrays()
    assert {array.shape[0] for array in found} == {0}
    assert found.before.shape == (0, 3, 4)
    assert found.policy.shape == (0, 29)


def test_a_saved_review_is_read_without_pickles() -> None:
    review, file = reviewed(hidden()), io.BytesIO()
    save(review, file)
    file.seek(0)
    with np.load(file, allow_pickle=False) as saved:
        for name, array in review.arrays()._asdict().items():
            np.testing.assert_array_equal(saved[name], array)
            assert saved[name].dtype == array.dtype
        assert saved["players"].tolist() == ["Ann", "Bob", "Cy"]
        assert saved["verdicts"].tolist() == list(VERDICTS)
        assert "".join(saved["digits"]) == "123"
        assert (str(saved["game"]), str(saved["model"])) == (review.game, review.model)

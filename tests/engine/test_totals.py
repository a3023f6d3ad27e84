"""Totals over many hands and matches equal the sums over the rounds, however the work is divided."""

from __future__ import annotations

import numpy as np
import pytest

from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.engine.totals import CHUNK, MATCHES_CHUNK, totals


@pytest.mark.parametrize(("game", "number"), [("salomon-1986", CHUNK), ("queen-annes-indian", MATCHES_CHUNK)])
def test_totals_are_the_sums_over_the_rounds_in_any_seating(game: str, number: int) -> None:
    table, number = Table.of(game, seats=3), number + 3
    parts = list(totals(table, number, 5, ["uniform"]))
    assert [part.matches for part in parts] == [number - 3, 3]
    assert parts == list(totals(table, number, 5, ["uniform"], threads=2))
    rollout = play(table, number, 5, rotate=True)
    seats = (np.arange(3) + np.arange(number)[:, None]) % 3
    won = np.take_along_axis(rollout.units, seats, axis=1)
    sums = {name: np.sum([getattr(part, name) for part in parts], axis=0).tolist() for name in parts[0]._fields}
    assert sums["won"] == won.sum(axis=0).tolist()
    assert sums["squares"] == (won**2).sum(axis=0).tolist()
    assert sums["rounds"] == rollout.lengths.sum()
    assert sums["decisions"] == rollout.decisions.sum()
    if table.most_rounds:
        wins = np.bincount((rollout.winners - np.arange(number)) % 3)
        assert sums["wins"] == wins.tolist()
        assert sums["outcomes"] == []
        assert wins.min() > number / 3 - 4 * (number * 2 / 9) ** 0.5
    else:
        assert sums["wins"] == [0, 0, 0]
        assert sums["outcomes"] == np.bincount(rollout.outcomes.ravel(), minlength=4).tolist()


def test_a_shorter_last_session_is_a_chunk_of_its_own() -> None:
    parts = list(totals(Table.of("slips", seats=4), 2_005, 5, ["uniform"], session=10))
    assert [(part.matches, part.rounds) for part in parts] == [(200, 2_000), (1, 5)]


def test_compounding_stakes_are_rejected() -> None:
    table = Table.of("salomon-1986", seats=2, options={"compound_carry": True})
    with pytest.raises(CannotPlay, match="compound_carry"):
        list(totals(table, 10, 1, ["uniform"], session=10))

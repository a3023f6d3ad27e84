"""Each bot beats the one before it; benchmarks/bot_ladder.py says by how much."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from liarspoker.bots.catalogue import BOTS
from liarspoker.bots.contest import Contest
from liarspoker.bots.processes import totals
from liarspoker.bots.tally import Tally
from tests.bots.tables import PRESETS

HANDS = 4000
MANUAL = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
TABLES = [pytest.param(players, marks=[pytest.mark.slow] if players > 2 else []) for players in (2, 3, 5)]


@pytest.mark.parametrize("game", PRESETS)
@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize(("weaker", "better"), list(pairwise(row.name for row in BOTS)))
def test_one_among_copies_of_the_weaker_wins(game: str, players: int, weaker: str, better: str) -> None:
    *_, total = totals(Contest(game, (better, *[weaker] * (players - 1)), HANDS, seed=1), jobs=1)
    assert isinstance(total, Tally)
    average, half = total.units_a_hand(0)
    assert half is not None
    assert average - half > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", PRESETS)
def test_of_all_three_at_one_table_the_better_wins_more(game: str) -> None:
    *_, total = totals(Contest(game, ("bluffer", "binomial", "beginner"), HANDS, seed=1), jobs=1)
    assert isinstance(total, Tally)
    best, middle, worst = total.won
    assert best > middle > worst


@pytest.mark.slow
@pytest.mark.parametrize("game", PRESETS)
def test_a_table_of_bluffers_stays_sane(game: str) -> None:
    *_, total = totals(Contest(game, ("bluffer",) * 5, HANDS // 2, seed=1), jobs=1)
    assert isinstance(total, Tally)
    failed, *others = total.outcomes
    assert 0.2 < failed / total.hands < 0.8
    assert sum(others) > 0
    assert total.decisions / total.hands < 40
    assert max(abs(won) for won in total.won) / total.hands < 0.5


def test_the_manual_tells_of_every_bot() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    for row in BOTS:
        assert f"`{row.name}`" in text
        assert row.title in text


def test_in_the_manual_every_bot_wins_every_game_at_every_size() -> None:
    rows = re.findall(r"^\| (\S+) \| (\d) \| (.+) \|$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    assert {(game, int(players)) for game, players, _ in rows} == {(game, n) for game in PRESETS for n in (2, 3, 5)}
    for _, _, cells in rows:
        won = re.findall(r"([+−-][\d.]+) ± ([\d.]+)", cells)
        assert len(won) == len(BOTS) - 1
        assert all(float(average) - float(half) > 0 for average, half in won)

"""Each bot beats the one before it; benchmarks/bot_ladder.py measures by how much."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from liarspoker.bots.catalogue import bots
from liarspoker.bots.contest import Contest, totals
from liarspoker.bots.tally import Tally
from liarspoker.core import catalogue
from tests.bots.tables import PRESETS
from tests.effort import effort

LADDER = [row.name for row in bots() if not row.is_network and all(map(row.plays, catalogue.games()))]
"""The bots that play every game without a network, from the weakest up."""

HANDS = effort(1000, quick=1000, soak=2000)
MANUAL = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
TABLES = effort((2,), quick=(2,), soak=(2, 3, 5))
SOME = effort(PRESETS[:1], quick=PRESETS[:1], soak=PRESETS)


@pytest.mark.soak
@pytest.mark.parametrize("game", PRESETS)
@pytest.mark.parametrize("players", TABLES)
def test_a_stronger_bot_beats_copies_of_a_weaker_one(game: str, players: int) -> None:
    for weaker, better in pairwise(LADDER):
        *_, total = totals(Contest(game, (better, *[weaker] * (players - 1)), HANDS, seed=1), jobs=1)
        assert isinstance(total, Tally)
        average, half = total.units_per_hand(0)
        assert average - (half or 0.0) > 0, better  # there is no interval if all hands had the same result


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("game", SOME)
def test_stronger_bots_win_more_at_one_table_and_bluffers_play_sensibly_together(game: str) -> None:
    *_, mixed = totals(Contest(game, ("bluffer", "binomial", "beginner"), HANDS, seed=1), jobs=1)
    *_, bluffers = totals(Contest(game, ("bluffer",) * 5, HANDS // 4, seed=1), jobs=1)
    assert isinstance(mixed, Tally)
    assert isinstance(bluffers, Tally)
    best, middle, worst = mixed.won
    assert best > middle > worst
    failed, *others = bluffers.outcomes
    assert 0.2 < failed / bluffers.hands < 0.8
    assert sum(others) > 0
    assert bluffers.decisions / bluffers.hands < 40
    assert max(abs(won) for won in bluffers.won) / bluffers.hands < 0.5


def test_the_manual_describes_every_bot() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    for row in bots():
        assert f"`{row.name}`" in text
        assert row.title in text


def rows_of(games: list[str]) -> list[tuple[int, list[tuple[float, float]]]]:
    """Return the manual's rows for these games: the number of players, and the stronger bot's winnings in each cell."""
    rows = re.findall(r"^\| (\S+) \| (\d) \| (.+) \|$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)
    found = {(game, int(players)): cells for game, players, cells in rows if game in games}
    assert set(found) == {(game, players) for game in games for players in (2, 3, 5)}
    return [
        (players, [(float(won), float(half)) for won, half in re.findall(r"([+-]?[\d.]+) ± ([\d.]+)", cells)])
        for (_, players), cells in found.items()
    ]


def test_in_the_manual_every_bot_beats_the_weaker_one_at_every_digit_game_and_size() -> None:
    for _, cells in rows_of(PRESETS):
        assert len(cells) == len(LADDER) - 1
        assert all(won - half > 0 for won, half in cells)


def test_in_the_manual_every_bot_wins_more_than_its_share_at_every_card_game_and_size() -> None:
    for players, cells in rows_of([row.id for row in catalogue.games() if row.has_winner]):
        assert len(cells) == len(LADDER)  # each one against the one before it, and the last against the first
        assert all(won - half > 100 / players for won, half in cells)

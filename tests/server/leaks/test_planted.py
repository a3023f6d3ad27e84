"""The search finds leaks: each of these is made on purpose."""

from __future__ import annotations

import pytest

from liarspoker.protocol.settings import Settings
from liarspoker.tables.settings import read_settings
from tests.effort import effort
from tests.server.leaks.plants import PLANTS
from tests.server.leaks.walks import found_in, walk
from tests.server.leaks.world import World

SEEDS = range(1, 7)
CLEAN = effort(2, quick=1, soak=6)
"""How many of the evenings are searched without a plant; random ones are searched in `test_no_leak` too."""

GAMES = ("salomon-1986", "slips", "thorin", "queen-annes-stud")


def _settings(game: str) -> Settings:
    return read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})


def _found(somewhere: World, settings: Settings, seed: int) -> list[str]:
    return somewhere.run(found_in(somewhere.run(walk(somewhere, settings, seed, 30))))


@pytest.mark.parametrize("game", GAMES)
def test_the_same_evenings_have_no_leak_of_their_own(somewhere: World, game: str) -> None:
    for seed in SEEDS[:CLEAN]:
        assert _found(somewhere, _settings(game), seed) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("planted", PLANTS)
def test_a_planted_leak_is_found(somewhere: World, game: str, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, channel = PLANTS[planted]
    settings = _settings(game)
    with monkeypatch.context() as patch:
        plant(patch, somewhere)
        for seed in SEEDS:
            found = _found(somewhere, settings, seed)
            if any(one.partition(" to ")[0].partition(":")[0].endswith(channel) for one in found):
                return
    raise AssertionError(f"nobody has noticed {planted}")

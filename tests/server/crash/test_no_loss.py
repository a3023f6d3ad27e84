"""Kill -9 under load, again and again: every move that was acknowledged is there afterwards, once, and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.effort import effort
from tests.server.crash.load import check_acknowledged, check_logs, play_until, seat, start

POINTS = ("before-commit", "after-commit", "before-publish", "after-publish", "before-answer")
GAMES = ["salomon-1986", "slips", "thorin", "queen-annes-stud", "dollar-bill"]
KILLS = effort(1, quick=1, soak=200)


@pytest.mark.slow
@pytest.mark.soak
def test_no_acknowledged_move_is_lost_when_the_server_is_killed(url: str, tmp_path: Path) -> None:
    chance = Random(7)
    first = start(url, tmp_path)
    players = asyncio.run(seat(first.port, GAMES, chance))
    first.kill()
    first.wait()
    for number in range(1, KILLS + 1):
        if number % 2:
            server = start(url, tmp_path, POINTS[number // 2 % len(POINTS)], chance.randrange(5, 60))
        else:
            server = start(url, tmp_path)
            asyncio.run(check_acknowledged(server.port, players))
        asyncio.run(play_until(server.port, players, chance.randrange(20, 120), server.kill))
        server.kill()
        server.wait()
    last = start(url, tmp_path)
    assert asyncio.run(check_acknowledged(last.port, players)) > 0
    last.kill()
    last.wait()
    asyncio.run(check_logs(url, tmp_path, players))

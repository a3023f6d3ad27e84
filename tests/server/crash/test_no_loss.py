"""A server killed under load, a database restarted, a full disk: what was acknowledged is there afterwards, once."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Literal

import pytest

from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address, sqlite_path
from tests.effort import effort
from tests.server.crash.load import Player, Server, check_acknowledged, check_logs, play_until, seat, start
from tests.server.postgres import Server as Postgres

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


ANSWERS = 40
"""So many before the restart, and again so many after it."""
SECONDS = 10.0
"""After so many at most, play goes on."""


class Restart:
    """Players who play on while their server's database is restarted once."""

    def __init__(self, postgres: Postgres, server: Server, how: Literal["fast", "immediate"]) -> None:
        self.seconds = 0.0
        self._postgres, self._server, self._how = postgres, server, how
        self._answers = 0
        self._back_at: float | None = None
        self._back, self._over = asyncio.Event(), asyncio.Event()

    async def play(self, players: list[Player]) -> None:
        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(self._play_on(player))

    async def _play_on(self, player: Player) -> None:
        """Play, and connect again where the connection was lost."""
        await player.play(self._server.port, self._answered)
        while not self._over.is_set():
            await self._back.wait()
            await player.play(self._server.port, self._answered)

    def _answered(self) -> None:
        self._answers += 1
        if self._answers == ANSWERS:
            self._restarting = asyncio.create_task(asyncio.to_thread(self._restart))
            self._restarting.add_done_callback(self._is_back)
        elif self._back_at is not None:
            self.seconds = self.seconds or monotonic() - self._back_at
            if self._answers >= 2 * ANSWERS and not self._over.is_set():
                self._over.set()
                self._server.kill()

    def _restart(self) -> None:
        self._postgres.stop(self._how)
        self._postgres.start()

    def _is_back(self, restarting: asyncio.Task[None]) -> None:
        restarting.result()
        self._back_at = monotonic()
        self._back.set()


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("how", effort(["immediate"], quick=["immediate"], soak=["immediate", "fast"]))
def test_play_goes_on_when_the_database_is_restarted(
    postgres: Postgres, tmp_path: Path, how: Literal["fast", "immediate"]
) -> None:
    url = postgres.new_database()

    server = start(url, tmp_path)
    players = asyncio.run(seat(server.port, ["salomon-1986", "thorin", "slips"], Random(7)))

    async def play() -> float:
        restart = Restart(postgres, server, how)
        async with asyncio.timeout(60):
            await restart.play(players)
        return restart.seconds

    assert 0 < asyncio.run(play()) < SECONDS
    server.wait()
    again = start(url, tmp_path)
    assert asyncio.run(check_acknowledged(again.port, players)) >= ANSWERS
    again.kill()
    again.wait()
    asyncio.run(check_logs(url, tmp_path, players))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_full_disk_ends_the_server_with_an_error_and_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    url = address(tmp_path)
    migrate(url)
    server = start(url, tmp_path)
    players = asyncio.run(seat(server.port, ["dollar-bill", "thorin"], Random(7)))
    playing = play_until(server.port, players, 50, lambda: _fill_the_disk(server, url))
    asyncio.run(asyncio.wait_for(playing, 60))
    assert server.wait() == 1, "a service that ends like this is started again only after somebody has looked"
    lines = (tmp_path / "server.log").read_text().splitlines()
    last = json.loads([line for line in lines if line.startswith("{")][-1])
    assert (last["level"], last["code"]) == ("critical", "storage-failed")
    assert "StorageFailed: the database cannot be written any more" in lines[-1]

    with_room = start(url, tmp_path)
    assert asyncio.run(check_acknowledged(with_room.port, players)) >= 50
    asyncio.run(play_until(with_room.port, players, 20, with_room.kill))
    with_room.wait()
    asyncio.run(check_logs(url, tmp_path, players))


def _fill_the_disk(server: Server, url: str) -> None:
    """From now on the files of the server grow no more."""
    path = sqlite_path(url)
    assert path is not None
    size = path.with_name(path.name + "-wal").stat().st_size
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

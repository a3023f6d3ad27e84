"""PostgreSQL restarted under load: play goes on by itself, nothing is lost and nothing happens twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from time import monotonic
from typing import Literal

import pytest

from tests.effort import effort
from tests.server.crash.load import Player, Server, check_acknowledged, check_logs, seat, start
from tests.server.postgres import Server as Postgres

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

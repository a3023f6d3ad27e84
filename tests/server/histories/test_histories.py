"""Commands that come twice, late, crossed or forged: each takes effect once, and its id has one answer for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

import pytest

from liarspoker.server.tables.registry import IDLE_SECONDS, TableRegistry
from tests.effort import effort
from tests.server.histories.history import History
from tests.server.inprocess import with_empty_database
from tests.server.registries import Lives, until

HISTORIES = effort(200, quick=40, soak=100_000)
AT_ONCE = 100
STEPS = 8

Part = Callable[[History, TableRegistry], Coroutine[None, None, None]]


@pytest.mark.soak
def test_whatever_comes_twice_late_crossed_or_forged_takes_effect_once(tmp_path: Path) -> None:
    for first in range(0, HISTORIES, AT_ONCE):
        folder = tmp_path / str(first)
        histories = [History(seed) for seed in range(first, min(first + AT_ONCE, HISTORIES))]
        _live_through(Lives(with_empty_database(folder)), histories, first, kill=bool(first // AT_ONCE % 2))


def _live_through(lives: Lives, histories: Sequence[History], first: int, kill: bool) -> None:
    """Two lives of a registry, and in the first a while in which no table is in memory."""

    async def together(registry: TableRegistry, part: Part) -> None:
        async def one(seed: int, history: History) -> None:
            try:
                await part(history, registry)
            except BaseException as error:
                error.add_note(f"history {seed} of {history.game}, where the last was {history.sent[-8:]}")
                raise

        await asyncio.gather(*(one(seed, history) for seed, history in enumerate(histories, first)))

    async def first_life(registry: TableRegistry) -> None:
        await together(registry, History.begin)
        await together(registry, _some_steps)
        actors = [await registry.table(history.table) for history in histories]
        lives.clock.time += IDLE_SECONDS + 1
        await until(lambda: all(actor.gone for actor in actors))
        await together(registry, _after_a_rest)

    async def second_life(registry: TableRegistry) -> None:
        await together(registry, _after_a_rest)
        await together(registry, History.check)

    lives.live(first_life, kill=kill)
    lives.live(second_life)


async def _some_steps(history: History, registry: TableRegistry) -> None:
    for _ in range(STEPS):
        await history.step(registry)


async def _after_a_rest(history: History, registry: TableRegistry) -> None:
    history.forget()
    await _some_steps(history, registry)

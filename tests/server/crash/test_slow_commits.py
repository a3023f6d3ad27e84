"""If a commit takes too long, the caller gets an error first and the real answer later; the table continues."""

from __future__ import annotations

import asyncio
from math import inf

import pytest

from liarspoker.server.config import NodeConfig, WallClock
from liarspoker.server.storage.errors import Unavailable
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry
from tests.server.clocks import waits
from tests.server.registries import Lives, opened, say, until
from tests.server.storage.test_storage import DelayedCommits


def test_a_command_stored_late_gets_its_answer_when_repeated(lives: Lives) -> None:
    async def play() -> None:
        delayed = DelayedCommits()
        async with await Storage.open(lives.url, Sealer(lives.key), delayed, timeout=inf) as storage:
            registry = TableRegistry(storage, lives.bots, WallClock(), NodeConfig())
            await registry.start(alone=True)
            actor = await opened(registry)
            version = actor.table.version
            delayed.free.clear()
            storage.timeout = 0.1
            late, behind = await asyncio.gather(
                say(actor, "user-0", "c1", do="say", text="late"),
                say(actor, "user-1", "c2", do="say", text="behind it"),
                return_exceptions=True,
            )
            assert isinstance(late, Unavailable)
            assert isinstance(behind, Unavailable)
            assert actor.busy
            with pytest.raises(Unavailable):
                await say(actor, "user-0", "c1", do="say", text="late")
            assert actor.table.version == version
            storage.timeout = 60
            delayed.free.set()
            await actor.idle()
            assert actor.table.version == version + 1
            assert (await say(actor, "user-0", "c1", do="say", text="late")).version == version + 1
            assert (await say(actor, "user-1", "c2", do="say", text="behind it")).version == version + 2
            assert [line.text for line in actor.table.lines] == ["late", "behind it"]
            await registry.close()

    asyncio.run(play())


def test_bots_and_clocks_retry_after_a_slow_commit(lives: Lives) -> None:
    async def play() -> None:
        delayed = DelayedCommits()
        async with await Storage.open(lives.url, Sealer(lives.key), delayed, timeout=inf) as storage:
            registry = TableRegistry(storage, lives.bots, lives.clock, NodeConfig())
            await registry.start(alone=True)
            actor = await waits.for_a_bot(registry)
            turn, bots = actor.table.turn, lives.bots
            await until(lambda: len(bots.asked) == 1)
            delayed.free.clear()
            storage.timeout = 0.1
            late = asyncio.create_task(say(actor, "user-0", do="say", text="late"))
            await asyncio.sleep(0)
            bots.answer()
            with pytest.raises(Unavailable):
                await late
            storage.timeout = 60
            delayed.free.set()
            await until(lambda: len(bots.asked) == 2)
            bots.answer()
            await until(lambda: actor.table.turn > turn)
            await registry.close()

    asyncio.run(play())

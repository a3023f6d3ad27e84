"""A table with a long log is opened in turns with other work, so that heartbeats aren't late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from liarspoker.server.storage import storage
from liarspoker.server.storage.log import TableLog
from liarspoker.server.tables.log_reading import ENTRIES_AT_ONCE, read_log, read_log_in_turns
from liarspoker.server.tables.registry import TableRegistry
from tests.server.registries import Lives, opened, say

ROUNDS = 4


def test_other_work_runs_while_a_long_log_is_read(lives: Lives) -> None:
    async def life(registry: TableRegistry) -> None:
        actor = await opened(registry)
        for number in range(ROUNDS * ENTRIES_AT_ONCE):
            assert (await say(actor, "user-0", f"c{number}", do="say", text="Ahoy")).ok
        before, turns = actor.table, 0
        registry.evict(before.id)

        async def others() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        stored = await registry.storage.log(before.id)
        working = asyncio.create_task(others())
        found = await read_log_in_turns(registry.storage.log_in_parts(before.id))
        working.cancel()
        assert turns >= ROUNDS
        assert found.table == read_log(stored).table
        assert found.answered == {entry.command_id: entry.version for entry in stored.entries if entry.command_id}
        assert found.last_at == stored.entries[-1].at
        assert (await registry.table(before.id)).table.version == before.version

    lives.live(life)


def test_a_log_may_grow_while_it_is_read(lives: Lives, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another node may take the table over at that time; the seeds of its deals are read with its entries."""
    monkeypatch.setattr(storage, "PART", 2)

    async def life(registry: TableRegistry) -> None:
        actor = await opened(registry)
        for number in range(4):
            assert (await say(actor, "user-0", f"c{number}", do="say", text="Ahoy")).ok
        parts = registry.storage.log_in_parts(actor.table.id)
        first = await anext(parts)
        assert not first.seeds
        assert (await say(actor, "user-0", "start", do="start")).ok

        async def all_parts() -> AsyncIterator[TableLog]:
            yield first
            async for part in parts:
                yield part

        found = await read_log_in_turns(all_parts())
        assert found.table == actor.table
        assert found.table.ready_phase is not None
        assert found.table.ready_phase.seed

    lives.live(life)

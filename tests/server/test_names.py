"""A server has its name alone: one that starts under the name of a living one is refused, of a dead one it is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from liarspoker.server.storage import leases as membership
from liarspoker.server.storage.errors import NameTaken
from liarspoker.server.storage.leases import Membership
from liarspoker.server.storage.storage import Storage

REFUSED = "a server named main already uses this database: stop it, or start this one with --node NAME"


@asynccontextmanager
async def living(member: Membership) -> AsyncIterator[None]:
    """A server that has heartbeats, much more often than a real one."""

    async def beats() -> None:
        while True:
            await member.beat(None)
            await asyncio.sleep(0.01)

    beating = asyncio.create_task(beats())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.wait([beating])


async def test_who_is_certain_to_be_alone_starts_at_once_though_the_clock_was_set_back(storage: Storage) -> None:
    first, second = Membership(storage, "main"), Membership(storage, "main")
    await first.enter(0.0, alone=False)
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = expires + 3600"))
    await asyncio.wait_for(second.enter(0.0, alone=True), 60)


async def test_a_name_that_a_living_server_has_is_refused_and_its_tables_stay_its_own(storage: Storage) -> None:
    first, second, other = Membership(storage, "main"), Membership(storage, "main"), Membership(storage, "other")
    await first.enter(0.0, alone=False)
    await storage.create_table("T", 1.0, first.instance)
    async with living(first):
        with pytest.raises(NameTaken, match=REFUSED):
            await second.enter(0.0, alone=False)
        await other.enter(0.0, alone=False)
        assert await storage.owned(first.instance) == {"T": 1}
        assert await first.beat(None) is None


async def test_of_two_servers_of_one_name_that_start_together_one_is_refused(storage: Storage) -> None:
    async def start(member: Membership) -> None:
        await member.enter(0.0, alone=False)
        async with living(member):
            await over.wait()

    over = asyncio.Event()
    starts = [asyncio.ensure_future(start(Membership(storage, "main"))) for _ in range(2)]
    done, going_on = await asyncio.wait(starts, return_when=asyncio.FIRST_EXCEPTION)
    assert [type(one.exception()) for one in done] == [NameTaken]
    assert len(going_on) == 1
    over.set()
    await asyncio.wait(going_on)


@pytest.mark.parametrize("alone", [False, True])
async def test_the_name_and_the_tables_of_a_server_that_died_are_taken_over(
    storage: Storage, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_SECONDS", 0.3)
    dead, heir = Membership(storage, "main"), Membership(storage, "main")
    await dead.enter(17.0, alone=False)
    await storage.create_table("T", 1.0, dead.instance)
    await heir.enter(90.0, alone)
    assert await storage.claim("T", heir.instance) == 2
    lease = await storage.lease("T")
    assert lease is not None
    assert lease.alive == 17.0, "the heir gives back the time since then"

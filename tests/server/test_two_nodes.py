"""Two servers on one database: each table has one owner, and when it moves everybody finds it again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from liarspoker.server.house.house import HEARTBEAT_SECONDS, LEASE_SECONDS, House, HouseRules
from liarspoker.server.house.watchers import Watcher
from liarspoker.server.storage.errors import Leased, NotOwner, Unavailable
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.storage import Storage
from tests.server.houses import Homestead, expire, opened, say, until
from tests.server.inprocess import PATIENCE, Person, Running, running


def _elsewhere(person: Person, server: Running) -> Person:
    """The same user, who talks to another server."""
    secret = person.post("/api/tokens", {"label": "elsewhere"}).json()["secret"]
    other = server.person(authorization=f"Bearer {secret}")
    other.user = person.user
    return other


def _give_up(server: Running, table: str) -> None:
    """Let the lease of a server run out."""
    storage = server.service.storage

    async def release() -> None:
        lease = await storage.lease(table)
        assert lease is not None
        await storage.release(table, lease.epoch)

    asyncio.run_coroutine_threadsafe(release(), server.loop).result(PATIENCE)


def test_a_table_that_moves_closes_its_sockets_and_is_played_on_elsewhere(tmp_path: Path) -> None:
    with (
        running(tmp_path, house=HouseRules("a")) as first,
        running(tmp_path, house=HouseRules("b")) as second,
    ):
        ann = first.person("Ann")
        table = first.table(ann)
        there = _elsewhere(ann, second)
        with there.socket(table) as socket:
            assert socket.end() == (4503, "table-moved"), "the owner is alive"
        with ann.socket(table) as socket:
            said = socket.ask("c1", do="say", text="once")
            _give_up(first, table)
            assert there.view(table)["version"] == said["version"]
            socket.send({"kind": "command", "id": "c2", "command": {"do": "say", "text": "where?"}})
            assert socket.end() == (4503, "table-moved")
        with ann.socket(table) as socket:
            assert socket.end() == (4503, "table-moved")
        with there.socket(table) as socket:
            assert socket.ask("c1", do="say", text="once") == said
            assert socket.ask("c2", do="say", text="where?")["version"] == said["version"] + 1


def test_an_owner_whose_lease_was_taken_learns_it_from_its_heartbeat(homestead: Homestead) -> None:
    async def life(house: House) -> None:
        actor, watcher = await opened(house), Watcher("user-0", behind=False)
        actor.watch(watcher)
        await house.storage.release(actor.table.id, actor.epoch)
        await house.storage.claim(actor.table.id, "b", LEASE_SECONDS)
        homestead.clock.time += HEARTBEAT_SECONDS
        await until(lambda: watcher.closed is not None)
        assert watcher.closed == "table-moved"
        with pytest.raises(Leased):
            await house.table(actor.table.id)

    homestead.live(life)


def test_the_old_owner_stores_nothing_any_more_not_even_that_time_is_up(homestead: Homestead) -> None:
    async def life(house: House) -> None:
        old = await opened(house, clock={"turn": 20, "ready": 15})
        assert (await say(old, "user-0", do="start")).ok
        await house.storage.release(old.table.id, old.epoch)
        async with await Storage.open(homestead.url, Sealer(homestead.key)) as storage:
            other = homestead.house(storage, "b")
            new = await other.table(old.table.id)
            before = new.table
            homestead.clock.time += 15
            with pytest.raises(NotOwner):
                await expire(old)
            await until(lambda: new.table.version == before.version + 1)
            await other.close()

    homestead.live(life)


def test_a_lost_table_judges_nothing_any_more(homestead: Homestead) -> None:
    async def life(house: House) -> None:
        actor = await opened(house)
        await house.storage.release(actor.table.id, actor.epoch)
        await house.storage.claim(actor.table.id, "b", LEASE_SECONDS)
        first, second, third = await asyncio.gather(
            say(actor, "user-0", "c1", do="say", text="hello"),
            say(actor, "user-1", "c2", do="start"),
            say(actor, "user-0", "c3", do="start"),
            return_exceptions=True,
        )
        assert isinstance(first, NotOwner)
        assert isinstance(second, Unavailable), "a refusal would be the word of a table that has moved on"
        assert isinstance(third, Unavailable)

    homestead.live(life)

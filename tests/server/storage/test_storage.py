import asyncio
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from liarspoker.server.storage import leases, sqlite, writer
from liarspoker.server.storage.connection import Connection, Row, database_at
from liarspoker.server.storage.errors import (
    BadDatabase,
    BadKey,
    Conflict,
    NoSuchTable,
    NotOwner,
    Repeated,
    TableExists,
    Unavailable,
)
from liarspoker.server.storage.location import address
from liarspoker.server.storage.log import Listed, Stored, shard_of
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import with_empty_database
from tests.server.storage.tables import NODE, SEALER, entry, given, listing, owned, tables


async def test_entries_and_seeds_are_read_back_by_another_process(url: str, storage: Storage) -> None:
    await tables(storage, "T", "U")
    await storage.append(entry("T", 1, "a", seeds=((0, b"zero"), (1, b"one"))))
    await storage.append(entry("T", 2))
    await storage.append(entry("U", 1, "a", seeds=((0, b"other"),)))
    async with await Storage.open(url, SEALER) as another:
        log = await another.log("T")
    assert [(stored.version, stored.command_id) for stored in log.entries] == [(1, "a"), (2, None)]
    first = entry("T", 1, "a")
    assert log.entries[0] == Stored("T", 1, 1, "a", first.at, first.body)
    assert (log.version, log.created_at, log.seeds) == (2, 1.0, {0: b"zero", 1: b"one"})


async def test_each_error_is_specific_and_nothing_is_stored(storage: Storage) -> None:
    await tables(storage, "T")
    await storage.append(entry("T", 1, "a"))
    with pytest.raises(Conflict, match="version 1 doesn't follow version 1"):
        await storage.append(entry("T", 1, "b", seeds=((0, b"x"),), members_added=("ann",), listing=listing()))
    with pytest.raises(Conflict):
        await storage.append(entry("T", 3, "b"))
    with pytest.raises(Repeated) as repeated:
        await storage.append(entry("T", 2, "a"))
    assert repeated.value.version == 1
    with pytest.raises(NotOwner):
        await storage.append(entry("T", 2, "b", epoch=0))
    with pytest.raises(NoSuchTable):
        await storage.append(entry("V", 1))
    with pytest.raises(NoSuchTable):
        await storage.log("V")
    for body in ("\0", "\ud800"):
        with pytest.raises(ValueError, match=r"can't be stored|surrogates not allowed"):
            await storage.append(entry("T", 2, body))
    with pytest.raises(ValueError, match="can't be stored"):
        await storage.append(entry("T", 2, listing=listing(game="\0")))
    log = await storage.log("T")
    assert (log.version, log.seeds) == (1, {})
    assert await storage.listings(member="ann") == await storage.listings() == []


async def test_rejected_entries_do_not_affect_their_batch(storage: Storage) -> None:
    await tables(storage, "T", "U")
    entries = [entry("T", 1, "a"), entry("T", 1, "b"), entry("U", 2), entry("T", 2, "a"), entry("U", 1)]
    outcomes = await asyncio.gather(*map(storage.append, entries), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, Conflict, Repeated, type(None)]
    assert [(await storage.log(table_id)).version for table_id in "TU"] == [1, 1]


async def test_a_process_owns_a_table_until_handover_or_expiry(storage: Storage) -> None:
    await tables(storage, "T", "U")
    assert await owned(storage, "node-2") == {}
    await given(storage, "T", 1, "node-2")
    await given(storage, "T", 1, "node-3")  # has an old epoch, so nothing happens
    for epoch in (0, 1, 3):
        with pytest.raises(NotOwner):
            await storage.append(entry("T", 1, epoch=epoch))
    await storage.append(entry("T", 1, epoch=2))
    await storage.append(entry("U", 1, epoch=1))
    away = partial(leases.heartbeat, node=leases.Node("node-2", "node-2"), alive=2.0, lease_seconds=0.0)
    await storage.write(away)
    taken = await owned(storage, "node-3")
    assert taken == {shard_of("T"): 3}
    found = await storage.read(leases.read_map)
    assert set(found.nodes) == {NODE, "node-3"}
    assert found.leases[shard_of("T")] == ("node-3", 3, 2.0)
    with pytest.raises(NoSuchTable):
        await storage.append(entry("V", 1, epoch=taken.get(shard_of("V"), 1)))


async def test_an_append_waits_for_a_concurrent_takeover_and_fails(storage: Storage, url: str) -> None:
    await tables(storage, "T")
    with closing(database_at(url).connect()) as other:
        other.begin()
        leases.hand_over(other, {shard_of("T"): (1, "node-2")}, alive=2.0)
        appending = asyncio.ensure_future(storage.append(entry("T", 1, epoch=1)))
        await asyncio.wait([appending], timeout=0.2)
        assert not appending.done()
        other.commit()
    with pytest.raises(NotOwner):
        await appending


async def test_the_last_owner_that_resumed_clocks_determines_the_downtime(storage: Storage) -> None:
    shard = shard_of("T")
    await owned(storage, "a")
    await storage.write(partial(leases.clocks_resumed, epochs={shard: 1}))
    for instance, alive in (("b", 10.0), ("c", 20.0)):  # the first owner dies before it resumes the clocks
        await given(storage, "T", (await storage.read(leases.read_map)).leases[shard].epoch, instance)
        await storage.write(
            partial(leases.heartbeat, node=leases.Node(instance, instance), alive=alive, lease_seconds=30.0)
        )
    assert (await storage.read(leases.read_map)).leases[shard] == ("c", 3, 2.0)
    await storage.write(partial(leases.clocks_resumed, epochs={shard: 3}))
    await storage.write(partial(leases.heartbeat, node=leases.Node("c", "c"), alive=30.0, lease_seconds=0.0))
    assert (await owned(storage, "d"))[shard] == 4
    assert (await storage.read(leases.read_map)).leases[shard] == ("d", 4, 30.0)


@hypothesis.given(st.sets(st.text(min_size=1), min_size=1, max_size=5), st.text(min_size=1))
def test_joining_and_leaving_nodes_move_no_other_shards(instances: set[str], other: str) -> None:
    before, after = leases.assigned(instances), leases.assigned(instances | {other})
    assert all(new in (old, other) for old, new in zip(before, after, strict=True))


async def test_a_table_is_created_once(storage: Storage) -> None:
    await tables(storage, "T")
    await storage.append(entry("T", 1))
    for created_at in (1.0, 2.0):
        with pytest.raises(TableExists):
            await storage.create_table("T", created_at)


async def test_the_lobby_lists_recent_changes_first_in_pages(storage: Storage) -> None:
    await tables(storage, *"ABCD")
    await storage.append(entry("A", 1, listing=listing(updated_at=1.0), members_added=("ann", "bob")))
    await storage.append(entry("B", 1, listing=listing(updated_at=3.0, game="thorin")))
    await storage.append(entry("C", 1, listing=listing(updated_at=3.0), members_added=("ann",)))
    await storage.append(entry("D", 1, listing=listing(updated_at=2.0, visibility="private")))

    async def listed(**wanted: object) -> str:
        rows: list[Listed] = await storage.listings(**wanted)  # type: ignore[arg-type]
        return "".join(row.table_id for row in rows)

    assert await listed() == "CBDA"
    assert await listed(limit=2) == "CB"
    assert await listed(limit=2, before=(3.0, "B")) == "DA"
    assert await listed(game="slips", visibility="public") == "CA"
    assert await listed(member="ann") == "CA"
    assert await listed(status="over") == ""
    over = listing("over", updated_at=4.0, running=True)
    await storage.append(entry("A", 2, listing=over, members_added=("cyd",)))
    assert await storage.listings(limit=1) == [Listed("A", over)]
    assert await listed() == "ACBD"
    assert await listed(status="over") == await listed(running=True) == await listed(member="cyd") == "A"
    assert await listed(running=False) == "CBD"


async def test_a_failed_job_is_rolled_back_without_affecting_its_batch(storage: Storage) -> None:
    await tables(storage, "T")
    bad = "INSERT INTO members (table_id, user_id) VALUES ('T', 'ann')"
    outcomes = await asyncio.gather(
        storage.append(entry("T", 1)),
        storage.write(lambda connection: [connection.execute(bad), connection.execute(bad)]),
        storage.write(lambda connection: connection.execute("SELECT 7")),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], Exception)
    assert (outcomes[0], outcomes[2]) == (None, [(7,)])
    assert await storage.read(lambda connection: connection.execute("SELECT user_id FROM members")) == []


async def test_an_entry_that_cannot_be_stored_does_not_affect_its_batch(storage: Storage) -> None:
    await tables(storage, "T", "U")
    entries = [entry("T", 1), entry("U", 1, seeds=((0, b"a"), (0, b"b"))), entry("T", 2)]
    outcomes = await asyncio.gather(*map(storage.append, entries), return_exceptions=True)
    assert (outcomes[0], outcomes[2]) == (None, None)
    assert isinstance(outcomes[1], Exception)
    assert [(await storage.log(table_id)).version for table_id in "TU"] == [2, 0]


async def test_a_wrong_key_is_rejected_on_open(url: str) -> None:
    await (await Storage.open(url, SEALER)).close()
    with pytest.raises(BadKey, match="another key"):
        await Storage.open(url, Sealer(new_key()))


async def test_a_closed_storage_raises_unavailable(url: str) -> None:
    storage = await Storage.open(url, SEALER)
    await storage.close()
    with pytest.raises(Unavailable):
        await storage.append(entry("T", 1))
    with pytest.raises(Unavailable):
        await storage.log("T")


async def test_a_missing_database_is_reported(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/none.sqlite3", f"postgresql:///none?host={tmp_path}"):
        with pytest.raises(BadDatabase, match="can't be opened"):
            await Storage.open(url, SEALER)
    with pytest.raises(BadDatabase, match="can't be prepared"):
        migrate(f"postgresql:///none?host={tmp_path}")
    with pytest.raises(BadDatabase, match="must begin with"):
        address(database="mysql://localhost/x")


async def test_writes_wait_for_another_process_but_reads_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    url = with_empty_database(tmp_path)
    async with await Storage.open(url, SEALER) as storage:
        await tables(storage, "T")
        with closing(database_at(url).connect()) as other:
            other.begin()
            appending = asyncio.ensure_future(storage.append(entry("T", 1)))
            await asyncio.wait([appending], timeout=0.2)
            assert not appending.done()
            assert (await storage.log("T")).version == 0
            other.rollback()
            await appending
        assert (await storage.log("T")).version == 1


class DelayedCommits:
    """A probe that delays commits until `free` is set."""

    def __init__(self) -> None:
        self.reached, self.free = threading.Event(), threading.Event()
        self.free.set()

    def __call__(self, name: str) -> None:
        if name == "before-commit" and not self.free.is_set():
            self.reached.set()
            assert self.free.wait(20)


async def test_a_write_that_has_begun_takes_effect_after_a_timeout(url: str) -> None:
    delayed = DelayedCommits()
    async with await Storage.open(url, SEALER, delayed, timeout=60) as storage:
        await tables(storage, "T")
        results: list[object] = []
        insert = "INSERT INTO members (table_id, user_id) VALUES ('T', '{}') RETURNING user_id"
        delayed.free.clear()
        storage.timeout = 0.1
        for user in ("begun", "waiting"):
            job = partial(_execute, sql=insert.format(user))
            with pytest.raises(Unavailable):
                await storage.write(job, then=results.append)
        assert await asyncio.to_thread(delayed.reached.wait, 20)
        during = storage.unreachable
        storage.timeout = 60
        delayed.free.set()
        await storage.write(lambda connection: None)
        assert (during, storage.unreachable) == (True, False)
        assert results == [[("begun",)]]
        members = await storage.read(lambda connection: connection.execute("SELECT user_id FROM members"))
        assert members == [("begun",)], "an abandoned write isn't begun"


async def test_entries_of_several_tables_share_a_transaction_and_a_table_alone_does_not_wait(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    points: list[str] = []
    async with await Storage.open(url, SEALER, points.append, timeout=60) as storage:
        await tables(storage, "T", "U", "V")
        monkeypatch.setattr(writer, "COMMIT_INTERVAL", 1.0)
        points.clear()
        await storage.append(entry("T", 1))
        await asyncio.gather(*(storage.append(entry(table, 1)) for table in "UV"))
        assert points.count("after-commit") == 2
        monkeypatch.setattr(writer, "COMMIT_INTERVAL", 3600.0)
        for version in range(2, 6):
            await storage.append(entry("V", version))
        assert points.count("after-commit") == 6


def _execute(connection: Connection, sql: str) -> list[Row]:
    return connection.execute(sql)


async def test_an_abandoned_read_is_not_run(url: str) -> None:
    async with await Storage.open(url, SEALER, timeout=60) as storage:
        free, made = threading.Event(), list[str]()
        first = asyncio.create_task(storage.read(lambda connection: free.wait(20)))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await storage.read(lambda connection: made.append("abandoned"), timeout=0.05)
        free.set()
        assert await first
        await storage.read(lambda connection: made.append("wanted"))
        assert made == ["wanted"]

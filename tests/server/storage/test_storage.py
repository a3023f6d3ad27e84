import asyncio
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies as st

from liarspoker.server.storage import leases, sqlite
from liarspoker.server.storage.connection import Connection, Row, database_at
from liarspoker.server.storage.errors import (
    BadKey,
    BadPlace,
    Conflict,
    NoSuchTable,
    NotOwner,
    Repeated,
    TableExists,
    Unavailable,
)
from liarspoker.server.storage.log import Listed, Stored, shard_of
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import with_empty_database
from tests.server.storage.tables import NODE, SEALER, entry, given, listing, owned, tables


async def test_what_is_appended_is_read_back_with_its_seeds_also_by_the_next_process(
    url: str, storage: Storage
) -> None:
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


async def test_each_refusal_says_what_is_wrong_and_stores_nothing(storage: Storage) -> None:
    await tables(storage, "T")
    await storage.append(entry("T", 1, "a"))
    with pytest.raises(Conflict, match="version 1 does not follow 1"):
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
        with pytest.raises(ValueError, match=r"cannot be stored|surrogates not allowed"):
            await storage.append(entry("T", 2, body))
    with pytest.raises(ValueError, match="cannot be stored"):
        await storage.append(entry("T", 2, listing=listing(game="\0")))
    log = await storage.log("T")
    assert (log.version, log.seeds) == (1, {})
    assert await storage.listings(member="ann") == await storage.listings() == []


async def test_a_batch_with_refusals_stores_the_rest(storage: Storage) -> None:
    await tables(storage, "T", "U")
    entries = [entry("T", 1, "a"), entry("T", 1, "b"), entry("U", 2), entry("T", 2, "a"), entry("U", 1)]
    outcomes = await asyncio.gather(*map(storage.append, entries), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, Conflict, Repeated, type(None)]
    assert [(await storage.log(table_id)).version for table_id in "TU"] == [1, 1]


async def test_a_table_is_one_processs_until_it_gives_it_away_or_its_leases_expire(storage: Storage) -> None:
    await tables(storage, "T", "U")
    assert await owned(storage, "node-2") == {}
    await given(storage, "T", 1, "node-2")
    await given(storage, "T", 1, "node-3")  # whose epoch is over
    for epoch in (0, 1, 3):
        with pytest.raises(NotOwner):
            await storage.append(entry("T", 1, epoch=epoch))
    await storage.append(entry("T", 1, epoch=2))
    await storage.append(entry("U", 1, epoch=1))
    away = partial(leases.beat, node=leases.Node("node-2", "node-2"), alive=2.0, lease_seconds=0.0)
    await storage.write(away)
    taken = await owned(storage, "node-3")
    assert taken == {shard_of("T"): 3}
    found = await storage.read(leases.look)
    assert set(found.nodes) == {NODE, "node-3"}
    assert found.leases[shard_of("T")] == ("node-3", 3, 2.0)
    with pytest.raises(NoSuchTable):
        await storage.append(entry("V", 1, epoch=taken.get(shard_of("V"), 1)))


async def test_an_append_waits_for_a_takeover_that_is_on_its_way_and_is_refused_by_it(
    storage: Storage, url: str
) -> None:
    await tables(storage, "T")
    with closing(database_at(url).connect()) as other:
        other.begin()
        leases.give(other, {shard_of("T"): (1, "node-2")}, alive=2.0)
        appending = asyncio.ensure_future(storage.append(entry("T", 1, epoch=1)))
        await asyncio.wait([appending], timeout=0.2)
        assert not appending.done()
        other.commit()
    with pytest.raises(NotOwner):
        await appending


async def test_clocks_stood_still_since_their_last_owner_that_took_them_up_was_alive(storage: Storage) -> None:
    shard = shard_of("T")
    await owned(storage, "a")
    await storage.write(partial(leases.taken_up, epochs={shard: 1}))
    for instance, alive in (("b", 10.0), ("c", 20.0)):  # the first dies before it has taken them up
        await given(storage, "T", (await storage.read(leases.look)).leases[shard].epoch, instance)
        await storage.write(partial(leases.beat, node=leases.Node(instance, instance), alive=alive, lease_seconds=30.0))
    assert (await storage.read(leases.look)).leases[shard] == ("c", 3, 2.0)
    await storage.write(partial(leases.taken_up, epochs={shard: 3}))
    await storage.write(partial(leases.beat, node=leases.Node("c", "c"), alive=30.0, lease_seconds=0.0))
    assert (await owned(storage, "d"))[shard] == 4
    assert (await storage.read(leases.look)).leases[shard] == ("d", 4, 30.0)


@hypothesis.given(st.sets(st.text(min_size=1), min_size=1, max_size=5), st.text(min_size=1))
def test_who_comes_or_goes_moves_no_other_shards(instances: set[str], other: str) -> None:
    before, after = leases.assigned(instances), leases.assigned(instances | {other})
    assert all(new in (old, other) for old, new in zip(before, after, strict=True))


async def test_a_table_is_made_once(storage: Storage) -> None:
    await tables(storage, "T")
    await storage.append(entry("T", 1))
    for created_at in (1.0, 2.0):
        with pytest.raises(TableExists):
            await storage.create_table("T", created_at)


async def test_the_lobby_lists_what_changed_last_first_page_by_page(storage: Storage) -> None:
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


async def test_a_job_that_fails_is_undone_and_leaves_its_batch_alone(storage: Storage) -> None:
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


async def test_an_entry_that_the_database_cannot_take_leaves_its_batch_alone(storage: Storage) -> None:
    await tables(storage, "T", "U")
    entries = [entry("T", 1), entry("U", 1, seeds=((0, b"a"), (0, b"b"))), entry("T", 2)]
    outcomes = await asyncio.gather(*map(storage.append, entries), return_exceptions=True)
    assert (outcomes[0], outcomes[2]) == (None, None)
    assert isinstance(outcomes[1], Exception)
    assert [(await storage.log(table_id)).version for table_id in "TU"] == [2, 0]


async def test_another_key_is_refused_at_once(url: str) -> None:
    await (await Storage.open(url, SEALER)).close()
    with pytest.raises(BadKey, match="another key"):
        await Storage.open(url, Sealer(new_key()))


async def test_a_closed_storage_refuses(url: str) -> None:
    storage = await Storage.open(url, SEALER)
    await storage.close()
    with pytest.raises(Unavailable):
        await storage.append(entry("T", 1))
    with pytest.raises(Unavailable):
        await storage.log("T")


async def test_a_database_that_is_not_there_is_named_as_the_fault(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/none.sqlite3", f"postgresql:///none?host={tmp_path}"):
        with pytest.raises(BadPlace, match="cannot be opened"):
            await Storage.open(url, SEALER)
    with pytest.raises(BadPlace, match="cannot be made ready"):
        migrate(f"postgresql:///none?host={tmp_path}")
    with pytest.raises(BadPlace, match="must begin with"):
        address(database="mysql://localhost/x")


async def test_another_process_that_writes_is_waited_for_and_reads_go_on(
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


class Held:
    """A probe that keeps a commit from being done until it is let go."""

    def __init__(self) -> None:
        self.reached, self.free = threading.Event(), threading.Event()
        self.free.set()

    def __call__(self, name: str) -> None:
        if name == "before-commit" and not self.free.is_set():
            self.reached.set()
            assert self.free.wait(20)


async def test_who_waits_no_longer_is_told_so_and_what_was_begun_takes_effect_all_the_same(url: str) -> None:
    held = Held()
    async with await Storage.open(url, SEALER, held, timeout=60) as storage:
        await tables(storage, "T")
        told: list[object] = []
        insert = "INSERT INTO members (table_id, user_id) VALUES ('T', '{}') RETURNING user_id"
        held.free.clear()
        storage.timeout = 0.1
        for user in ("begun", "waiting"):
            job = partial(_execute, sql=insert.format(user))
            with pytest.raises(Unavailable):
                await storage.write(job, then=told.append)
        assert await asyncio.to_thread(held.reached.wait, 20)
        during = storage.away
        storage.timeout = 60
        held.free.set()
        await storage.write(lambda connection: None)
        assert (during, storage.away) == (True, False)
        assert told == [[("begun",)]]
        members = await storage.read(lambda connection: connection.execute("SELECT user_id FROM members"))
        assert members == [("begun",)], "what nobody waits for is not begun any more"


def _execute(connection: Connection, sql: str) -> list[Row]:
    return connection.execute(sql)


async def test_a_read_for_which_nobody_waits_any_more_is_not_made(url: str) -> None:
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

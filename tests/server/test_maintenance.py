"""Background maintenance: closing, archiving and deleting, without losing anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from liarspoker.protocol.events import Gathered
from liarspoker.server.accounts.accounts import DAY, SEEN_SECONDS, Accounts
from liarspoker.server.accounts.people import People
from liarspoker.server.config import no_limits, no_probe, with_limits
from liarspoker.server.maintenance import TABLES_AT_ONCE, Maintenance
from liarspoker.server.storage import retention
from liarspoker.server.storage.archive import back_up, restore
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.location import address
from liarspoker.server.storage.log import Entry, Listing, TableLog, shard_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.log_reading import read_log
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import Watcher
from liarspoker.tables.export import audit_of, records_of
from tests.server.inprocess import CHEAP
from tests.server.registries import Lives, opened, say
from tests.server.storage.tables import given, owned
from tests.tables.play import GAMES, Played, new_table, written

Work = Callable[[TableRegistry, "Background"], Awaitable[Any]]


class Background:
    """The background work of a registry, done when a test asks for it."""

    def __init__(self, lives: Lives, registry: TableRegistry) -> None:
        self.lives = lives
        self.registry = registry
        self.accounts = Accounts(registry.storage, lives.clock.now, CHEAP)
        self.limit()

    def limit(self, *changes: str) -> None:
        """Use these limits from now on."""
        self.upkeep = Maintenance(self.registry, self.accounts, with_limits(no_limits(), changes))

    async def days(self, days: float) -> None:
        """Advance the clock, and do all due work."""
        self.lives.clock.time += days * DAY
        await self.all()

    async def all(self) -> None:
        while await self.upkeep.once():
            pass


@pytest.fixture
def lives(url: str) -> Lives:
    """A database of either kind."""
    return Lives(url)


@pytest.fixture
def background(lives: Lives, registry: TableRegistry) -> Iterator[Background]:
    background = Background(lives, registry)
    yield background
    background.accounts.close()


def at(lives: Lives, work: Work, *changes: str, kill: bool = False, probe: Any = no_probe) -> Any:
    """Run `life` with a registry and background work under these limits; return its result."""

    async def life(registry: TableRegistry) -> Any:
        background = Background(lives, registry)
        background.limit(*changes)
        try:
            return await work(registry, background)
        finally:
            background.accounts.close()

    return lives.live(life, kill=kill, probe=probe)


async def stages(registry: TableRegistry, *actors: TableActor) -> list[str]:
    """Return the stages of tables, loading those that were unloaded."""
    return [(await registry.table(actor.table.id)).table.stage for actor in actors]


async def rows(registry: TableRegistry, kind: str) -> int:
    """Return the number of rows in a database table."""
    found = await registry.storage.read(lambda connection: connection.execute(f"SELECT count(*) FROM {kind}"))
    return int(found[0][0])


async def ended(registry: TableRegistry, **settings: Any) -> TableActor:
    """Create a table with two players and close it during its first round."""
    actor = await opened(registry, **settings)
    for do in ("start", "end"):
        assert (await say(actor, "user-0", do, do=do)).ok
    return actor


async def test_an_unused_table_is_closed_by_an_event_with_a_reason(
    registry: TableRegistry, background: Background
) -> None:
    background.limit("abandoned_days=7")
    waiting, playing = await opened(registry), await opened(registry)
    assert (await say(playing, "user-0", "s", do="start")).ok
    await background.days(6.9)
    assert await stages(registry, waiting, playing) == ["waiting", "gathering"]
    await background.days(0.2)
    assert await stages(registry, waiting, playing) == ["ended", "ended"]
    for actor in (waiting, playing):
        log = await registry.storage.log(actor.table.id)
        assert '"why":"nobody has been here for a long time"' in log.entries[-1].body
        assert audit_of(read_log(log).table)["fair"]


async def test_a_table_with_people_or_a_running_clock_stays_open(
    lives: Lives, registry: TableRegistry, background: Background
) -> None:
    background.limit("abandoned_days=0.5")
    watched, clocked, talking, followed = [
        await opened(registry), await opened(registry, clock={"turn": 86_400, "ready": 86_400}),
        await opened(registry), await registry.create("fay", "Fay", (await opened(registry)).table.settings),
    ]  # fmt: skip
    watched.watch(Watcher("user-0", behind=False))
    async for _ in registry.follow(Watcher("fay", behind=False)):
        pass
    assert (await say(clocked, "user-0", "s", do="start")).ok
    lives.clock.time += 0.4 * DAY
    assert (await say(talking, "user-1", "t", do="say", text="still here")).ok
    lives.clock.time += 0.2 * DAY
    await background.upkeep.once()
    assert await stages(registry, watched, talking, followed, clocked) == ["waiting"] * 3 + ["gathering"]


async def test_old_tables_in_use_do_not_prevent_closing_others(
    lives: Lives, registry: TableRegistry, background: Background
) -> None:
    background.limit("abandoned_days=7")
    watched = [await opened(registry, users=1) for _ in range(TABLES_AT_ONCE + 1)]
    for actor in watched:
        actor.watch(Watcher("user-0", behind=False))
    lives.clock.time += 1
    forsaken = await opened(registry, users=1)
    await background.days(8)
    assert await stages(registry, forsaken, *watched) == ["ended"] + ["waiting"] * len(watched)


async def test_tables_of_other_servers_are_left_alone(registry: TableRegistry, background: Background) -> None:
    background.limit("abandoned_days=7", "archive_days=7", "delete_days=8")
    away, finished = await opened(registry), await ended(registry)
    await owned(registry.storage, "another", seconds=1e9, leaving=True)
    for table_id in (away.table.id, finished.table.id):
        await given(registry.storage, table_id, 1, "another")
    await registry.membership.heartbeat(1.0)
    await background.days(30)
    assert (await registry.storage.log(away.table.id)).version == away.table.version
    assert await rows(registry, "archives") == 0


def a_finished_game(game: str) -> Played:
    played = new_table(game, 3, 7)
    played.play_round()
    played.do("user-1", "say", text="Zoë ☂")
    played.do("user-0", "end")
    return played


async def store(registry: TableRegistry, table_id: str, played: Played) -> None:
    """Return the log of a table as its owner stores it."""
    await registry.storage.create_table(table_id, 1000.0)
    epoch = registry.membership.leases[shard_of(table_id)].epoch
    for version, (body, events) in enumerate(zip(written(played.log), played.log, strict=True), 1):
        seeds = tuple((event.deal, played.seeds[event.deal]) for event in events if isinstance(event, Gathered))
        at, listing = 1000.1 + version / 7, Listing("ended", "slips", "", "private", 0, 2, 1000.0)
        await registry.storage.append(Entry(table_id, version, epoch, f"user/{version}", at, body, seeds, listing))


def told(log: TableLog) -> tuple[object, ...]:
    """Return everything that anyone can know of a finished table."""
    found = read_log(log)
    table = found.table
    return table, audit_of(table), records_of(table, None), records_of(table, "user-1"), found.answered.get("user/1")


async def test_the_history_of_a_table_is_the_same_before_and_after_it_is_archived(
    registry: TableRegistry, background: Background
) -> None:
    background.limit("archive_days=1")
    for game in GAMES:
        await store(registry, game, a_finished_game(game))
    before = {game: await registry.storage.log(game) for game in GAMES}
    size = await rows(registry, "events")
    await background.all()
    assert await rows(registry, "events") == 0
    assert await rows(registry, "archives") == len(GAMES)
    after = {game: await registry.storage.log(game) for game in GAMES}
    assert after == before
    assert sum(len(log.entries) for log in after.values()) == size
    for game in GAMES:
        assert told(after[game]) == told(before[game])


async def test_an_archived_table_is_opened_from_its_link_as_before(
    registry: TableRegistry, background: Background
) -> None:
    background.limit("archive_days=7")
    actor = await ended(registry)
    watched = await ended(registry)
    watched.watch(Watcher("user-0", behind=False))
    table, view, audit = actor.table, actor.state_for("user-0").text, await actor.audit_text()
    await background.days(8)
    assert actor.gone
    again = await registry.table(table.id)
    assert again.table == table
    now = view.partition(',"now":')
    assert again.state_for("user-0").text.startswith(now[0])
    assert await again.audit_text() == audit
    assert not (await say(again, "user-0", "late", do="say", text="late")).ok
    assert not watched.gone, "a watched table isn't archived yet"
    assert await rows(registry, "events") == watched.table.version


def test_a_log_is_deleted_in_small_transactions_and_can_be_read_in_between(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention.clear, "__defaults__", (4,))
    seen = []

    def look(name: str) -> None:
        if name == "clearing":
            seen.append(name)

    async def work(registry: TableRegistry, background: Background) -> None:
        await store(registry, "T", a_finished_game("slips"))
        entries = await rows(registry, "events")
        await background.all()
        assert len(seen) == entries // 4
        assert await rows(registry, "events") == 0

    at(lives, work, "archive_days=1", probe=look)


@pytest.mark.parametrize("point", ["archived", "clearing"])
def test_a_server_killed_while_archiving_loses_nothing(
    lives: Lives, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    monkeypatch.setattr(retention.clear, "__defaults__", (4,))

    class Killed(BaseException):
        pass

    def kill(name: str) -> None:
        if name == point:
            raise Killed

    async def begin(registry: TableRegistry, background: Background) -> TableLog:
        await store(registry, "T", a_finished_game("slips"))
        before = await registry.storage.log("T")
        with pytest.raises(Killed):
            await background.all()
        assert await rows(registry, "archives") == 1
        assert 0 < await rows(registry, "events") <= before.version
        assert await registry.storage.log("T") == before
        return before

    async def go_on(registry: TableRegistry, background: Background) -> None:
        assert await registry.storage.log("T") == before
        await background.all()
        assert await rows(registry, "events") == 0
        assert await registry.storage.log("T") == before

    before = at(lives, begin, "archive_days=1", kill=True, probe=kill)
    at(lives, go_on, "archive_days=1")


async def test_two_servers_archiving_at_once_agree(registry: TableRegistry, background: Background) -> None:
    background.limit("archive_days=1")
    await store(registry, "T", a_finished_game("slips"))
    before = await registry.storage.log("T")
    found = await registry.storage.read(lambda connection: retention.log_to_archive(connection, "T"))
    assert found is not None
    packed = retention.packed(found)
    for _ in range(2):
        assert await registry.storage.write(
            lambda connection: retention.archive(connection, "T", len(found), packed, 1)
        )
    await background.all()
    stale = await registry.storage.write(lambda connection: retention.archive(connection, "T", len(found), b"", 1))
    assert not stale, "its log was moved"
    assert await registry.storage.log("T") == before


def test_backups_contain_archives(lives: Lives, tmp_path: Any) -> None:
    async def work(registry: TableRegistry, background: Background) -> TableLog:
        await store(registry, "T", a_finished_game("thorin"))
        await background.all()
        return await registry.storage.log("T")

    async def look(registry: TableRegistry, background: Background) -> TableLog:
        return await registry.storage.log("T")

    before = at(lives, work, "archive_days=1")
    back_up(lives.url, tmp_path / "friday.zip")
    restored = Lives(address(tmp_path / "restored"), lives.clock, key=lives.key)
    restore(restored.url, tmp_path / "friday.zip")
    assert at(restored, look) == before


def test_finished_tables_are_deleted_only_if_configured(lives: Lives) -> None:
    async def keep(registry: TableRegistry, background: Background) -> str:
        actor = await ended(registry)
        await background.days(10_000)
        assert await rows(registry, "tables") == 1
        return actor.table.id

    async def forget(registry: TableRegistry, background: Background) -> None:
        playing = await opened(registry)
        await background.days(31)
        for kind in ("tables", "listings"):
            assert await rows(registry, kind) == 1, kind
        assert await rows(registry, "events") == playing.table.version
        for kind in ("archives", "secrets"):
            assert await rows(registry, kind) == 0, kind

    at(lives, keep, "archive_days=7")
    at(lives, forget, "delete_days=30")


async def test_guests_who_never_played_are_deleted_with_all_their_data(
    lives: Lives, registry: TableRegistry, background: Background
) -> None:
    background.limit("guest_days=90")
    accounts = background.accounts
    idle, player, member, visitor = [await accounts.create_guest(name) for name in ("Ann", "Bob", "Cyd", "Dan")]
    await accounts.register(member.user.user_id, "cyd", "seven grey herons")
    await accounts.create_token(idle.user.user_id, "bot")
    people = People(registry.storage, lives.clock.now)
    await people.befriend(idle.user.user_id, visitor.user.user_id)
    await people.block(player.user.user_id, idle.user.user_id)
    await registry.create(player.user.user_id, "Bob", (await opened(registry)).table.settings)
    lives.clock.time += 60 * DAY
    assert await accounts.identify(visitor.secret) is not None
    await background.days(32)
    known = await registry.storage.read(lambda connection: connection.execute("SELECT name FROM users ORDER BY name"))
    assert known == [("Bob",), ("Cyd",), ("Dan",)]
    assert await accounts.identify(idle.secret) is None
    assert [await rows(registry, name) for name in ("tokens", "relations")] == [0, 0]
    again = await accounts.identify(visitor.secret)
    assert again is not None
    assert again.user == visitor.user


async def test_a_guest_who_returns_during_deletion_stays_or_is_fully_deleted(
    lives: Lives, background: Background
) -> None:
    background.limit("guest_days=90")
    accounts, clock = background.accounts, lives.clock
    back, late = await accounts.create_guest("Ann"), await accounts.create_guest("Bob")
    clock.time += 91 * DAY + SEEN_SECONDS + 1
    assert await accounts.identify(back.secret) is not None
    await background.all()
    assert await accounts.identify(back.secret) is not None
    assert await accounts.identify(late.secret) is None


async def test_expired_sessions_are_deleted_in_batches(
    registry: TableRegistry, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("liarspoker.server.accounts.accounts", "liarspoker.server.maintenance"):
        monkeypatch.setattr(f"{module}.ROWS_AT_ONCE", 2)
    sessions = [await background.accounts.create_guest(f"Guest {number}") for number in range(5)]
    for session in sessions[:4]:
        await background.accounts.log_out(session.secret)
    assert await background.upkeep.once()
    assert await rows(registry, "sessions") == 3
    await background.all()
    assert await rows(registry, "sessions") == 1


async def test_a_damaged_table_keeps_its_entries_and_does_not_block_archiving(
    registry: TableRegistry, background: Background
) -> None:
    background.limit("archive_days=7")
    damaged, sound = await ended(registry), await ended(registry)
    spoil = "UPDATE events SET body = body || ' ' WHERE table_id = :table_id AND version = 1"
    await registry.storage.write(lambda connection: connection.execute(spoil, table_id=damaged.table.id))
    await background.days(8)
    archived = await registry.storage.read(lambda connection: connection.execute("SELECT table_id FROM archives"))
    assert archived == [(sound.table.id,)]
    assert registry.storage.damaged == {damaged.table.id}
    assert await rows(registry, "events") == damaged.table.version


async def test_logs_are_cleared_completely_and_deleted_with_their_table(
    registry: TableRegistry, background: Background
) -> None:
    """Simulate another server deleting entries, or the table, at the same time."""
    await store(registry, "T", a_finished_game("slips"))
    found = await registry.storage.read(lambda connection: retention.log_to_archive(connection, "T"))
    assert found is not None
    packed = retention.packed(found)

    def play(connection: Connection) -> None:
        assert retention.archive(connection, "T", len(found), packed, 1)
        assert not retention.clear(connection, "T", 1.0, limit=1)
        assert not retention.clear(connection, "T", 1.0, limit=len(found) - 2)
        retention.delete(connection, "T", 1)
        assert retention.clear(connection, "T", 1.0), "nothing is left to do"

    await registry.storage.write(play)
    assert await rows(registry, "events") == 0


async def test_the_heartbeat_continues_after_an_unexpected_error(
    lives: Lives, registry: TableRegistry, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats = asyncio.Event()
    beat, failures = registry.membership.heartbeat, [RuntimeError("unforeseen")]

    async def fails_once(alive: float) -> None:
        if failures:
            raise failures.pop()
        beats.set()
        await beat(alive)

    monkeypatch.setattr(registry.membership, "heartbeat", fails_once)
    while not beats.is_set():
        await lives.pass_time(1.0)

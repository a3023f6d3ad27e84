"""Startup errors are reported in one line; a server's name is exclusive unless the other server is dead."""

from __future__ import annotations

import asyncio
import errno
import gc
import re
import resource
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from liarspoker.cli import main, serve
from liarspoker.server.cluster import membership
from liarspoker.server.cluster.membership import Membership
from liarspoker.server.config import NodeConfig, WallClock
from liarspoker.server.listening import CannotListen, listen
from liarspoker.server.settings import ServerSettings
from liarspoker.server.storage.errors import BadDatabase, NameTaken, OlderNode
from liarspoker.server.storage.leases import Lease, assigned, new_instance
from liarspoker.server.storage.location import predecessor
from liarspoker.server.storage.log import SHARD_COUNT
from liarspoker.server.storage.migrate import reporting_database_errors
from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import running, written_lines


def _full() -> sa.exc.DatabaseError:
    """Return the error of a full SQLite database, as SQLAlchemy raises it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        try:
            connection.execute("CREATE TABLE one (two)")
        except sqlite3.OperationalError as error:
            return sa.exc.OperationalError("CREATE TABLE", {}, error)
    raise AssertionError


Started = Callable[..., str]
REFUSED = "a server named main already uses this database: stop it, or start this one with --node NAME"


def member(storage: Storage, name: str = "main") -> Membership:
    """A server process that hasn't been started."""
    return Membership(storage, NodeConfig(name), WallClock(), new_instance())


async def until_owned(shards: int, *members: Membership) -> None:
    """Wait until the running processes own this number of shards each."""
    async with asyncio.timeout(20):
        while any(len(one.leases) != shards for one in members):
            await asyncio.sleep(0)


@pytest.fixture
def started(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Started]:
    """Start a server that can't start, and return its message. Changes to the process are undone."""
    interval, threshold, files = sys.getswitchinterval(), gc.get_threshold(), resource.getrlimit(resource.RLIMIT_NOFILE)

    def start(*words: str) -> str:
        with written_lines():
            assert main(["serve", "--port", "0", "--data", str(tmp_path), *words]) == 1
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        assert told.out == ""
        serious = re.findall('{.*"level": "(?:error|critical)".*}', told.err)
        assert len(serious) <= 1
        assert all('"reason": ' in line for line in serious)
        return told.err[told.err.rindex("liarspoker: ") :].strip()

    yield start
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    resource.setrlimit(resource.RLIMIT_NOFILE, files)


def test_a_second_server_with_the_same_name_is_refused(url: str, tmp_path: Path, started: Started) -> None:
    with running(tmp_path, database=url):
        taken = "a server already uses " if url.startswith("sqlite") else REFUSED
        assert started("--database", url).startswith(f"liarspoker: {taken}")


def test_a_missing_or_wrong_key_is_reported_and_not_replaced(
    tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path):
        pass
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, new_key())
        assert "encrypted with another key" in started()
    (tmp_path / KEY_FILE).unlink()
    assert "restore it" in started()
    assert not (tmp_path / KEY_FILE).exists()


def test_a_missing_database_is_reported(tmp_path: Path, started: Started) -> None:
    assert started("--database", f"postgresql://nobody@/nothing?host={tmp_path}").startswith("liarspoker: the database")


def test_a_damaged_database_is_reported_with_its_remedy(tmp_path: Path, started: Started) -> None:
    damaged = tmp_path / "liarspoker.sqlite3"
    damaged.write_bytes(b"damaged" * 1000)
    told = started()
    assert told.startswith(f"liarspoker: {damaged.as_posix()} can't be prepared: file is not a database; move")
    assert "restore a backup with liarspoker restore" in told


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), _full()])
def test_a_full_disk_is_not_blamed_on_the_location_of_the_database(error: Exception) -> None:
    with pytest.raises(BadDatabase, match=r"can't be prepared: .*; free some space on its disk$"):  # noqa: SIM117
        with reporting_database_errors("sqlite:///club/liarspoker.sqlite3"):
            raise error


def test_a_metrics_address_in_use_is_reported(tmp_path: Path, started: Started) -> None:
    with listen("127.0.0.1", 0) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        told = started("--set", f"metrics={place}")
    assert told.startswith(f"liarspoker: metrics = '{place}': Address already in use")


@pytest.mark.parametrize(
    ("host", "remedy"),
    [
        ("nosuch.invalid", "choose another host with --host"),
        ("192.0.2.1", "Cannot assign requested address; choose another host with --host"),
        ("a" * 300, "choose another host with --host"),
        ("[::1]", "write the address without brackets, as in ::1"),
    ],
)
def test_a_host_that_is_not_this_machine_is_named_with_a_remedy(host: str, remedy: str, started: Started) -> None:
    told = started("--host", host)
    assert told.startswith(f"liarspoker: {host}: ")
    assert remedy in told
    assert "Unknown error" not in told
    assert "--port" not in told


def test_an_internal_host_that_is_not_this_machine_is_set_with_its_own_option() -> None:
    with pytest.raises(CannotListen, match=r"^192\.0\.2\.1: .*; choose another host with --internal, "):
        listen("192.0.2.1", 7000, option="--internal")


def test_a_port_in_use_is_reported_with_its_option(started: Started) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        told = started("--port", str(port))
    assert told == f"liarspoker: 127.0.0.1:{port}: Address already in use; choose another port with --port"


@pytest.mark.parametrize(("host", "shown"), [("::", "[::]"), ("::1", "[::1]"), ("", "127.0.0.1"), ("pc", "pc")])
def test_the_printed_url_is_valid_with_ipv6(host: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    serve._tell_ready(ServerSettings(host=host), 8000, show=False)
    assert capsys.readouterr().out == f"Serving on http://{shown}:8000 (Ctrl-C stops)\n"


def test_a_folder_for_backups_in_which_no_files_can_be_made_is_refused(tmp_path: Path, started: Started) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    for place, reason in ((taken, "not a folder"), (taken / "in", "Not a directory")):
        told = started("--backup-to", str(place))
        assert told.startswith(f"liarspoker: backup_to: {place}: {reason}; choose a folder in which the server can")


def test_the_open_file_limit_is_raised_to_the_maximum(tmp_path: Path, started: Started) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most - 1, most))
    started("--database", f"sqlite:///{tmp_path}")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)


@asynccontextmanager
async def living(member: Membership) -> AsyncIterator[None]:
    """A server with heartbeats that are much more frequent than normal."""

    async def beats() -> None:
        while True:
            await member.heartbeat(1.0)
            await asyncio.sleep(0.01)

    beating = asyncio.create_task(beats())
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.wait([beating])


async def test_a_server_known_to_be_alone_starts_immediately_after_a_clock_change(storage: Storage) -> None:
    first, second = member(storage), member(storage)
    await first.join(alone=False)
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = expires + 3600"))
    await asyncio.wait_for(second.join(alone=True), 60)
    assert len(second.leases) == SHARD_COUNT


async def test_a_name_in_use_is_refused_and_a_new_name_gets_a_share(storage: Storage) -> None:
    first, second, other = member(storage), member(storage), member(storage, "other")
    await first.join(alone=False)
    async with living(first):
        with pytest.raises(NameTaken, match=REFUSED):
            await second.join(alone=False)
        assert len(first.leases) == SHARD_COUNT
        await other.join(alone=False)
        async with living(other):
            fair = assigned([one.node.instance for one in (first, other)]).count(other.node.instance)
            await until_owned(fair, other)
            await until_owned(SHARD_COUNT - fair, first)
            assert not first.leases.keys() & other.leases.keys()
            await other.hand_over()
            assert not other.leases
            await until_owned(SHARD_COUNT, first)


async def test_one_of_two_servers_starting_with_the_same_name_is_refused(storage: Storage) -> None:
    async def start(member: Membership) -> None:
        await member.join(alone=False)
        async with living(member):
            await over.wait()

    over = asyncio.Event()
    starts = [asyncio.ensure_future(start(member(storage))) for _ in range(2)]
    done, going_on = await asyncio.wait(starts, return_when=asyncio.FIRST_EXCEPTION)
    assert [type(one.exception()) for one in done] == [NameTaken]
    assert len(going_on) == 1
    over.set()
    await asyncio.wait(going_on)


@pytest.mark.parametrize("alone", [False, True])
async def test_the_name_and_tables_of_a_dead_server_are_taken_over(
    storage: Storage, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_SECONDS", 0.3)
    dead, heir = member(storage), member(storage)
    await dead.join(alone=False)
    await dead.clocks_resumed(dead.leases)
    await dead.heartbeat(17.0)
    await heir.join(alone)
    assert set(heir.leases.values()) == {Lease(heir.node.instance, 2, 17.0)}


async def test_a_restarted_server_need_not_wait_until_its_predecessor_is_silent(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "SILENT_SECONDS", 3600.0)
    first, second, third = member(storage), member(storage), member(storage)
    with predecessor(tmp_path, "main/1", first.node.instance) as ended:
        assert ended == ""
        await first.join(alone=False, ended=ended)
        with predecessor(tmp_path, "main/1", second.node.instance) as ended:
            assert ended == ""  # it is running
    with predecessor(tmp_path, "main/1", third.node.instance) as ended:
        assert ended == first.node.instance
        await asyncio.wait_for(third.join(alone=False, ended=ended), 60)
    assert len(third.leases) == SHARD_COUNT


def test_a_note_that_cannot_be_written_says_nothing(tmp_path: Path) -> None:
    with predecessor(tmp_path / "absent", "main", "1") as ended:
        assert ended == ""


async def test_a_server_that_hung_beyond_its_leases_loses_tables_and_learns_of_it(storage: Storage) -> None:
    still, other = member(storage, "still"), member(storage, "other")
    await still.join(alone=False)
    await still.heartbeat(17.0)
    lost, lapsed = list[int](), list[float]()
    still.when_lost, still.when_lapsed = lost.extend, lapsed.append
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = 0"))
    await other.join(alone=False)
    await still.heartbeat(90.0)
    assert (sorted(lost), lapsed, still.leases) == (list(range(SHARD_COUNT)), [17.0], {})


async def test_after_a_database_outage_other_servers_get_time_to_return(storage: Storage) -> None:
    first, second = member(storage, "a"), member(storage, "b")
    await first.join(alone=False)
    await second.join(alone=False)
    while len(first.leases) + len(second.leases) < SHARD_COUNT or not second.leases:
        await first.heartbeat(1.0)
        await second.heartbeat(1.0)
    before = dict(second.leases)
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = 0"))
    await first.heartbeat(2.0)
    await second.heartbeat(2.0)
    assert second.leases == before


async def test_a_server_does_not_start_beside_an_older_version(storage: Storage) -> None:
    await member(storage, "older").join(alone=False)
    await storage.write(lambda connection: connection.execute("UPDATE nodes SET log_form = 0"))
    with pytest.raises(OlderNode, match="older"):
        await member(storage).join(alone=False)

"""What keeps a server from starting is told in a line; a server has its name alone, unless the other is dead."""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.server.storage import leases as membership
from liarspoker.server.storage.errors import NameTaken
from liarspoker.server.storage.leases import Membership
from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import running, written_lines

Started = Callable[..., str]
REFUSED = "a server named main already uses this database: stop it, or start this one with --node NAME"


@pytest.fixture
def started(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Started]:
    """Starts a server that cannot start; what is told then. What it arranges for its process is undone."""
    interval, threshold, files = sys.getswitchinterval(), gc.get_threshold(), resource.getrlimit(resource.RLIMIT_NOFILE)

    def start(*words: str) -> str:
        with written_lines():
            assert main(["serve", "--port", "0", "--data", str(tmp_path), *words]) == 1
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        assert told.out == ""
        return told.err[told.err.rindex("liarspoker: ") :].strip()

    yield start
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    resource.setrlimit(resource.RLIMIT_NOFILE, files)


def test_another_server_of_the_same_name_is_told(url: str, tmp_path: Path, started: Started) -> None:
    with running(tmp_path, database=url):
        assert started("--database", url) == f"liarspoker: {REFUSED}"


def test_a_key_that_is_missing_or_another_one_is_told_and_no_new_one_is_made(
    tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path):
        pass
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, new_key())
        assert "sealed with another key" in started()
    (tmp_path / KEY_FILE).unlink()
    assert "put it back" in started()
    assert not (tmp_path / KEY_FILE).exists()


def test_a_database_that_is_not_there_is_told(tmp_path: Path, started: Started) -> None:
    assert started("--database", f"postgresql://nobody@/nothing?host={tmp_path}").startswith("liarspoker: the database")


def test_a_server_may_have_as_many_connections_as_the_system_permits(tmp_path: Path, started: Started) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
    started("--database", f"sqlite:///{tmp_path}")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)


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

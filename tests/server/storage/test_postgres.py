"""PostgreSQL becomes unreachable and comes back, and answers are lost."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Any, Literal

import psycopg
import pytest

from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.storage import leases, writer
from liarspoker.server.storage.connection import Connection, database_at
from liarspoker.server.storage.errors import Unavailable
from liarspoker.server.storage.leases import LEASE_SECONDS
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.postgres import connect
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import CHEAP
from tests.server.postgres import Server
from tests.server.storage.tables import SEALER, entry, given, owned

Moment = Literal["before-commit", "after-commit"]


@pytest.fixture
def database(postgres: Server) -> str:
    """The URL of a database with the current schema."""
    return postgres.new_database()


def lost_every_other_time(moment: Moment) -> Callable[[Moment], None]:
    """A probe that breaks the connection at a point; `after-commit`, the transaction is done but not acknowledged."""
    calls = 0

    def probe(name: Moment) -> None:
        nonlocal calls
        calls += name == moment
        if name == moment and calls % 2:
            raise psycopg.OperationalError("the connection was lost")

    return probe


@pytest.mark.parametrize("moment", ["before-commit", "after-commit"])
async def test_a_lost_answer_is_repeated_and_nothing_happens_twice(database: str, moment: Moment) -> None:
    async with await Storage.open(database, SEALER, lost_every_other_time(moment)) as storage:
        await storage.create_table("T", 1.0)
        epochs = await owned(storage)
        for version in range(1, 6):
            seeds = ((version, b"seed"),)
            await storage.append(entry("T", version, str(version), epochs[shard_of("T")], seeds=seeds))
        log = await storage.log("T")
        assert [stored.command_id for stored in log.entries] == ["1", "2", "3", "4", "5"]
        assert len(log.seeds) == 5


@pytest.mark.slow
async def test_a_process_suspended_in_a_write_blocks_others_for_less_than_a_lease(database: str) -> None:
    async with await Storage.open(database, SEALER, timeout=LEASE_SECONDS) as storage:
        epochs = await owned(storage)
        with closing(database_at(database).connect()) as still:
            still.begin()
            assert still.epochs(list(epochs)) == epochs
            await given(storage, "T", epochs[shard_of("T")], None)


async def test_a_process_suspended_in_a_pipeline_loses_its_shards(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's own timeout doesn't run there."""
    monkeypatch.setattr(leases, "SILENT_SECONDS", 0.2)
    async with await Storage.open(database, SEALER) as storage:
        await owned(storage, "still", seconds=0.0)
        still = await asyncio.to_thread(connect, database, autocommit=True)
        still.execute("BEGIN")
        with suppress(psycopg.Error), still.pipeline():
            still.execute("SELECT epoch FROM shards FOR NO KEY UPDATE")
            still.pgconn.send_flush_request()
            still.pgconn.flush()
            await asyncio.sleep(0.3)
            epochs = await owned(storage, "heir")
            assert set(epochs.values()) == {2}
        still.close()


@pytest.mark.parametrize("moment", ["before-commit", "after-commit"])
async def test_accounts_survive_a_lost_answer(database: str, moment: Moment) -> None:
    async with await Storage.open(database, SEALER, lost_every_other_time(moment)) as storage:
        accounts = Accounts(storage, hasher=CHEAP)
        guest = await accounts.create_guest("Ann")
        user_id = guest.user.user_id
        revoked: list[bytes] = []
        accounts.when_revoked(revoked.append)
        session = await accounts.register(user_id, "ann", "seven grey herons")
        assert len(revoked) == 1
        assert await accounts.identify(guest.secret) is None
        token, secret = await accounts.create_token(user_id, "bot")
        assert await accounts.tokens(user_id) == [token]
        for known in (session.secret, secret, (await accounts.log_in("ann", "seven grey herons")).secret):
            identity = await accounts.identify(known)
            assert identity is not None
            assert identity.user.user_id == user_id
        accounts.close()


async def test_a_read_is_retried_after_a_lost_connection(database: str) -> None:
    made = 0

    def query(connection: Connection) -> int:
        nonlocal made
        made += 1
        if made == 1:
            connection.cut()
            connection.execute("SELECT 1")
        return made

    async with await Storage.open(database, SEALER) as storage:
        assert await storage.read(query) == 2


async def test_a_write_without_an_answer_is_aborted_and_retried(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_Attempt", partial(writer._Attempt, cut_seconds=0.0))
    begun, made = threading.Event(), 0

    def job(connection: Connection) -> int:
        nonlocal made
        made += 1
        if made == 1:
            begun.set()
            connection.execute("SELECT pg_sleep(60)")
        return made

    async with await Storage.open(database, SEALER, timeout=20) as storage:
        writing = asyncio.ensure_future(storage.write(job))
        assert await asyncio.to_thread(begun.wait, 20)
        await storage.write(lambda connection: None)
        assert await writing == 2


@pytest.mark.slow
async def test_closing_while_the_server_is_unreachable_reports_an_unknown_outcome(
    postgres: Server, database: str
) -> None:
    storage = await Storage.open(database, SEALER)
    await storage.create_table("T", 1.0)
    await asyncio.to_thread(postgres.stop, "fast")
    try:
        appending: asyncio.Future[Any] = storage.append(entry("T", 1))
        reading: asyncio.Future[Any] = asyncio.ensure_future(storage.log("T"))
        await asyncio.wait([appending, reading], timeout=0.2)
        assert not appending.done()
        await storage.close()
        for pending in (appending, reading):
            with pytest.raises(Unavailable):
                await pending
    finally:
        await asyncio.to_thread(postgres.start)

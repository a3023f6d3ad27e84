"""Helpers for the tests of the storage."""

from collections.abc import Iterable

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.log import SHARD_COUNT, Entry, Listing, TableLog, shard_of
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage

NODE = "node-1"
SEALER = Sealer(new_key())


def entry(table_id: str, version: int, command_id: str | None = None, epoch: int = 1, **rest: object) -> Entry:
    """Return an entry with a unique body."""
    body = f'[{{"event": "é", "version": {version}, "command": "{command_id}"}}]'
    return Entry(table_id, version, epoch, command_id, at=1000.0 + version, body=body, **rest)  # type: ignore[arg-type]


def listing(
    status: str = "waiting",
    game: str = "slips",
    updated_at: float = 1.0,
    visibility: str = "public",
    running: bool = False,
) -> Listing:
    """Return a listing with defaults for irrelevant fields."""
    return Listing(status, game, "Friday", visibility, 1, 4, updated_at, '{"stake": 1}', running=running)


async def owned(storage: Storage, instance: str = NODE, seconds: float = 30.0, leaving: bool = False) -> dict[int, int]:
    """Start a process and take all free shards; return the epochs of its shards.

    Args:
        storage: the storage of the process.
        instance: its id, which is also its name.
        seconds: the duration of its leases.
        leaving: whether it is about to stop, so that it is given no shards.
    """
    node = leases.Node(instance, instance, leaving=leaving)

    def own(connection: Connection) -> dict[int, int]:
        assert leases.join(connection, node, 1.0, seconds, 0.0) == ()
        leases.take(connection, instance, range(SHARD_COUNT))
        found = leases.read_map(connection).leases
        return {shard: lease.epoch for shard, lease in enumerate(found) if lease.instance == instance}

    return await storage.write(own)


async def given(storage: Storage, table_id: str, epoch: int, instance: str | None) -> None:
    """Hand the shard of a table over."""
    handovers = {shard_of(table_id): (epoch, instance)}
    await storage.write(lambda connection: leases.hand_over(connection, handovers, alive=2.0))


async def logs(storage: Storage, table_ids: Iterable[str]) -> dict[str, TableLog]:
    """Return the logs of several tables."""
    return {table_id: await storage.log(table_id) for table_id in table_ids}


async def tables(storage: Storage, *table_ids: str) -> None:
    """Create tables owned by `NODE` with epoch 1."""
    assert set((await owned(storage)).values()) == {1}
    for table_id in table_ids:
        await storage.create_table(table_id, 1.0)

"""Short ways to say what the storage's tests store."""

from collections.abc import Iterable

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.log import SHARD_COUNT, Entry, Listing, TableLog, shard_of
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage

NODE = "node-1"
SEALER = Sealer(new_key())


def entry(table_id: str, version: int, command_id: str | None = None, epoch: int = 1, **rest: object) -> Entry:
    """An entry whose body tells it from others."""
    body = f'[{{"event": "é", "version": {version}, "command": "{command_id}"}}]'
    return Entry(table_id, version, epoch, command_id, at=1000.0 + version, body=body, **rest)  # type: ignore[arg-type]


def listing(
    status: str = "waiting",
    game: str = "slips",
    updated_at: float = 1.0,
    visibility: str = "public",
    running: bool = False,
) -> Listing:
    """A listing, of which most does not matter."""
    return Listing(status, game, "Friday", visibility, 1, 4, updated_at, '{"stake": 1}', running=running)


async def owned(storage: Storage, instance: str = NODE, seconds: float = 30.0, leaving: bool = False) -> dict[int, int]:
    """Have a process begin, whose name is its id, and own all shards that nobody does; the epochs of its shards.

    Args:
        storage: of the process.
        instance: its id.
        seconds: for how long its leases are valid.
        leaving: it is about to stop, so that nobody gives it anything.
    """
    node = leases.Node(instance, instance, leaving=leaving)

    def own(connection: Connection) -> dict[int, int]:
        assert leases.enter(connection, node, 1.0, seconds, 0.0) == ()
        leases.take(connection, instance, range(SHARD_COUNT))
        found = leases.look(connection).leases
        return {shard: lease.epoch for shard, lease in enumerate(found) if lease.instance == instance}

    return await storage.write(own)


async def given(storage: Storage, table_id: str, epoch: int, instance: str | None) -> None:
    """Have the shard of a table change its owner."""
    gifts = {shard_of(table_id): (epoch, instance)}
    await storage.write(lambda connection: leases.give(connection, gifts, alive=2.0))


async def logs(storage: Storage, table_ids: Iterable[str]) -> dict[str, TableLog]:
    """The logs of several tables."""
    return {table_id: await storage.log(table_id) for table_id in table_ids}


async def tables(storage: Storage, *table_ids: str) -> None:
    """Make tables, owned by `NODE` with epoch 1."""
    assert set((await owned(storage)).values()) == {1}
    for table_id in table_ids:
        await storage.create_table(table_id, 1.0)

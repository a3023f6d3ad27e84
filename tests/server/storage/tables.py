"""Short ways to say what the storage's tests store."""

from collections.abc import Iterable

from liarspoker.server.storage import leases
from liarspoker.server.storage.log import Entry, Listing, TableLog
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


async def alive(storage: Storage, instance: str, seconds: float = 30.0) -> None:
    """Have a heartbeat of a process, whose leases are valid for so long; its name is its id."""
    await storage.write(lambda connection: leases.beat(connection, leases.Node(instance, instance), None, seconds))


async def logs(storage: Storage, table_ids: Iterable[str]) -> dict[str, TableLog]:
    """The logs of several tables."""
    return {table_id: await storage.log(table_id) for table_id in table_ids}


async def tables(storage: Storage, *table_ids: str) -> None:
    """Make tables, owned by `NODE` with epoch 1."""
    for table_id in table_ids:
        assert await storage.create_table(table_id, 1.0, NODE) == 1

"""A process that stores the end of a rated table and kills itself.

`python -m tests.server.rated_close URL KEY EPOCH AT`, where `AT` is `before-commit` or `after-commit`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from liarspoker.server.ratings import rate_table
from liarspoker.server.storage.log import Entry
from liarspoker.server.storage.sealing import Sealer
from liarspoker.server.storage.storage import Storage
from liarspoker.tables.rated import Standing


def close_entry(table_id: str, epoch: int, *places: tuple[str, ...], game: str = "slips") -> Entry:
    """Return an entry that ends a rated table with this standing."""
    also = rate_table(table_id, 5.0, Standing(game, places))
    return Entry(table_id, 1, epoch, None, at=5.0, body="[]", also=also)


async def _close(url: str, key: str, epoch: int, at: str) -> None:
    armed = False

    def probe(name: str) -> None:
        if armed and name == at:
            os.kill(os.getpid(), signal.SIGKILL)

    async with await Storage.open(url, Sealer(key), probe) as storage:
        armed = True
        await storage.append(close_entry("T", epoch, ("ann",), ("bob",)))


if __name__ == "__main__":
    asyncio.run(_close(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))

"""A process that appends to some tables as fast as it can, tells what was acknowledged, and ends badly.

It is started as a module with the database's address, how it ends, and after how many commits. For each entry that
`append` acknowledged it writes a line, `T3 17`, straight to the pipe.
"""

import asyncio
import itertools
import os
import resource
import signal
import sys
from pathlib import Path

from liarspoker.server.storage.errors import NoSuchTable, StorageFailed
from liarspoker.server.storage.place import sqlite_path
from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.storage.storage import Storage
from tests.server.storage.tables import NODE, entry

TABLE_IDS = [f"T{number}" for number in range(8)]


async def play(storage: Storage, table_id: str) -> None:
    """Go on with a table from where its log ends, until the storage fails."""
    try:
        epoch = await storage.claim(table_id, NODE)
    except NoSuchTable:
        epoch = await storage.create_table(table_id, 1.0, NODE)
    log = await storage.log(table_id)
    for version in itertools.count(log.version + 1):
        await storage.append(
            entry(table_id, version, f"{table_id}-{version}", epoch, seeds=((version, str(version).encode()),))
        )
        os.write(sys.stdout.fileno(), f"{table_id} {version}\n".encode())


async def main(url: str, ending: str, commits: int) -> None:
    """Play all tables at once; at the given commit be killed, `before-commit` or `after-commit`."""
    left = itertools.count(commits, -1)

    def probe(name: str) -> None:
        if name == ending and next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    storage = await Storage.open(url, Sealer(find_key(Path.cwd())), probe)
    if ending == "disk-full":
        _let_files_grow_no_further(url, 4096 * commits)
    outcomes = await asyncio.gather(*(play(storage, table_id) for table_id in TABLE_IDS), return_exceptions=True)
    assert all(isinstance(outcome, StorageFailed) for outcome in outcomes), outcomes
    assert (await storage.failure) in outcomes
    # Nothing is tried again: the next one is refused without a look at the disk.
    try:
        await storage.append(entry(TABLE_IDS[0], 1))
    except StorageFailed:
        os._exit(3)


def _let_files_grow_no_further(url: str, more: int) -> None:
    path = sqlite_path(url)
    assert path is not None
    size = path.with_name(path.name + "-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, resource.RLIM_INFINITY))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))

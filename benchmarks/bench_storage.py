"""The cost of storing an event on SQLite, and of reading logs back.

The peer is the bare `sqlite3` module, which writes as many rows of the same bytes in transactions of the same size, in
the same run and with the same durability (WAL, synced at every commit). The targets are 45 µs of processor time per
event, 5 ms to open a table of 200 entries, and 2 s to read 500,000 of them at a start.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from provenance import provenance

from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import SHARD_COUNT, Entry
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage

AT_ONCE = 50
TABLES = 500
ENTRIES = 200
BODY = '[{"type": "bid", "seat": 2, "claim": 1234567, "deadline": 1799999999.25, "rules": 1}]' + " " * 115
DIGEST = bytes(16)
EVENT_TARGET, OPEN_TARGET, START_TARGET = 45.0, 5.0, 2.0


def table_id(number: int) -> str:
    """Return an id of the usual length."""
    return f"table-{number:016d}"


def own_all(connection: Connection) -> None:
    """Own every shard, in epoch 1."""
    leases.join(connection, leases.Node("bench", "bench"), 1.7e9, 1e6, 0.0)
    leases.take(connection, "bench", range(SHARD_COUNT))


async def append_all(storage: Storage) -> None:
    """Fill every table, 50 of them at once."""

    async def game(number: int) -> None:
        for version in range(1, ENTRIES + 1):
            await storage.append(Entry(table_id(number), version, 1, f"command-{version:014d}", 1.7e9, BODY))

    await storage.write(own_all)
    for start in range(0, TABLES, AT_ONCE):
        numbers = range(start, start + AT_ONCE)
        for number in numbers:
            await storage.create_table(table_id(number), 1.7e9)
        await asyncio.gather(*map(game, numbers))


def bare(path: Path) -> float:
    """Return the peer's processor time per event in microseconds."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        start = process_time()
        for first in range(0, TABLES, AT_ONCE):
            for version in range(1, ENTRIES + 1):
                rows = [
                    (table_id(number), version, 1, f"command-{version:014d}", 1.7e9, BODY, DIGEST)
                    for number in range(first, first + AT_ONCE)
                ]
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                connection.execute("COMMIT")
        return (process_time() - start) / (TABLES * ENTRIES) * 1e6


async def measure(url: str, peer: float) -> None:
    """Print the cost of writing and reading."""
    events = TABLES * ENTRIES
    async with await Storage.open(url, Sealer(new_key())) as storage:
        busy, wall = process_time(), perf_counter()
        await append_all(storage)
        busy, wall = (process_time() - busy) / events * 1e6, perf_counter() - wall
        print(f"{events:,} events appended to {TABLES} tables, {AT_ONCE} at once")
        print(f"  {busy:.1f} µs of processor time each, {_verdict(busy, EVENT_TARGET)} {EVENT_TARGET:g} µs;", end="")
        print(f" {busy / peer:.1f} times the bare module ({peer:.1f} µs); {events / wall:,.0f} a second")
        opened = []
        for number in range(TABLES):
            begin = perf_counter()
            await storage.log(table_id(number))
            opened.append((perf_counter() - begin) * 1000)
        typical = median(opened)
        print(f"  {typical:.2f} ms to open a table of {ENTRIES}, {_verdict(typical, OPEN_TARGET)} {OPEN_TARGET:g} ms")
        busy = process_time()
        for number in range(TABLES):
            await storage.log(table_id(number))
        start = (process_time() - busy) * 500_000 / events
        print(f"  {start:.2f} s of processor time to read 500,000 at this pace, ", end="")
        print(f"{_verdict(start, START_TARGET)} {START_TARGET:g} s")


def _verdict(figure: float, target: float) -> str:
    return "within" if figure <= target else "BEYOND"


def main() -> None:
    print(provenance())
    with TemporaryDirectory() as folder:
        for name in ("bare", "ours"):
            migrate(address(Path(folder) / name))
        path = sqlite_path(address(Path(folder) / "bare"))
        assert path is not None
        asyncio.run(measure(address(Path(folder) / "ours"), bare(path)))


if __name__ == "__main__":
    main()

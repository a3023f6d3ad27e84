"""What stored tables cost the server that owns them: commit times and bytes written, by their number.

The peer is the same server without stored tables, in the same run. For each number of tables, the server sends
heartbeats and stores 200 entries a second at 50 other tables. The target is that neither the slowest commits (p99) nor
the bytes written grow: at most 1.5 times the peer's.

`python benchmarks/bench_ownership.py [--postgres URL] [NUMBER ...]`: on SQLite, and on a PostgreSQL database, if given,
which is filled; with 100,000 stored tables by default.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from provenance import provenance

from liarspoker.server.bots.table_bots import TableBots
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.server.config import NodeConfig, WallClock
from liarspoker.server.storage.connection import Connection, database_at
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import Entry, shard_of
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry

SECONDS = 12
TIMES = 3
RATE = 200
PLAYED = 50
TARGET = 1.5
BODY = '{"v": 1, "events": []}' + " " * 180
AT_ONCE = 10_000
KEY = Sealer(new_key())


def fill(url: str, tables: int) -> None:
    """Store this number of tables with one entry each, and wait until everything is on the disk."""
    with closing(database_at(url).connect()) as connection:
        for first in range(0, tables, AT_ONCE):
            ids = [f"stored-{number:015d}" for number in range(first, min(first + AT_ONCE, tables))]
            connection.begin()
            connection.execute_many(
                "INSERT INTO tables (table_id, created_at) VALUES (:id, 1.0)", [{"id": id_} for id_ in ids]
            )
            connection.execute_many(
                "INSERT INTO events (table_id, version, epoch, at, body) VALUES (:id, 1, 1, 1.0, :body)",
                [{"id": id_, "body": BODY} for id_ in ids],
            )
            connection.commit()
        for settle in (
            ("PRAGMA wal_checkpoint(TRUNCATE)",) if connection.in_process else ("VACUUM ANALYZE", "CHECKPOINT")
        ):
            connection.execute(settle)
    os.sync()


def written(connection: Connection) -> float:
    """Return the number of bytes written so far, by this process to files or by the server to its log."""
    if connection.in_process:
        counters = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
        return float(counters["wchar"])
    return float(connection.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")[0][0])


async def commits(registry: TableRegistry, run: int) -> list[float]:
    """Store entries at a steady pace at new tables; return the milliseconds of each."""
    taken, storage = list[float](), registry.storage

    async def play(number: int) -> None:
        table_id = f"played-{run:03d}-{number:011d}"
        await storage.create_table(table_id, 1.0)
        epoch = registry.membership.leases[shard_of(table_id)].epoch
        for version in range(1, SECONDS * RATE // PLAYED + 1):
            due = begin + (version - 1 + number / PLAYED) * PLAYED / RATE
            await asyncio.sleep(max(0.0, due - perf_counter()))
            since = perf_counter()
            await storage.append(Entry(table_id, version, epoch, f"c{version}", 1.0, BODY))
            taken.append((perf_counter() - since) * 1000)

    begin = perf_counter() + 0.5
    await asyncio.gather(*map(play, range(PLAYED)))
    return taken


async def measure(url: str, run: int) -> tuple[float, float]:
    """Return the p99 of commit times in milliseconds, and the megabytes written per second."""
    async with await Storage.open(url, KEY) as storage:
        registry = TableRegistry(storage, TableBots(BotWorkers(0)), WallClock(), NodeConfig())
        await registry.start(alone=True)
        with closing(database_at(url).connect()) as connection:
            before = written(connection)
            taken = sorted(await commits(registry, run))
            megabytes = (written(connection) - before) / SECONDS / 1e6
        await registry.close()
    return taken[len(taken) * 99 // 100], megabytes


def compare(name: str, urls: dict[int, str]) -> None:
    """Print the figures for each number of stored tables, and their ratios to those without any."""
    print(f"{name}: {RATE} entries a second at {PLAYED} tables, {TIMES} times {SECONDS} s each in turn, the best p99")
    for tables, url in urls.items():
        migrate(url)
        fill(url, tables)
    rounds = [[asyncio.run(measure(url, run)) for url in urls.values()] for run in range(TIMES)]
    best = [tuple(map(min, zip(*each, strict=True))) for each in zip(*rounds, strict=True)]
    for tables, (p99, megabytes) in zip(urls, best, strict=True):
        ratios = p99 / best[0][0], megabytes / best[0][1]
        verdict = "within" if max(ratios) <= TARGET else "BEYOND"
        print(f"  {tables:>9,} stored: p99 {p99:.1f} ms ({ratios[0]:.2f} times none), ", end="")
        print(f"{megabytes:.3f} MB/s written ({ratios[1]:.2f} times none), {verdict} {TARGET:g}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("tables", type=int, nargs="*", default=[100_000])
    parser.add_argument("--postgres", metavar="URL")
    args = parser.parse_args()
    print(provenance())
    numbers = [0, *args.tables]
    with TemporaryDirectory() as folder:
        urls = {number: address(Path(folder) / str(number)) for number in numbers}
        assert all(sqlite_path(url) for url in urls.values())
        compare("SQLite", urls)
    if args.postgres:
        with closing(database_at(args.postgres).connect()) as connection:
            for number in numbers:
                connection.execute(f"DROP SCHEMA IF EXISTS bench_{number} CASCADE")
                connection.execute(f"CREATE SCHEMA bench_{number}")
        sign = "&" if "?" in args.postgres else "?"
        schemas = {number: f"{args.postgres}{sign}options=-csearch_path%3Dbench_{number}" for number in numbers}
        compare("PostgreSQL", schemas)
        with closing(database_at(args.postgres).connect()) as connection:
            for number in numbers:
                connection.execute(f"DROP SCHEMA bench_{number} CASCADE")


if __name__ == "__main__":
    main()

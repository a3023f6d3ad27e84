"""How long a server takes to recover: a cold start with 500,000 log entries, and opening one table.

The peer reads the same rows with the bare `sqlite3` module and parses them with `json.loads`, in the same run; every
recovery must do at least that. The targets are 2 s for a start, even if a clock runs at every table, and 5 ms for a
table of 200 entries. Tables with a running clock are loaded after the start, while others are already served.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from provenance import provenance

from liarspoker.games.digits.messages import DigitsHand
from liarspoker.protocol.events import Event, Gathered
from liarspoker.server.bots.table_bots import TableBots
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.server.config import NodeConfig, WallClock
from liarspoker.server.run import GENERATIONS, YOUNG
from liarspoker.server.storage import leases
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import SHARD_COUNT, Entry, Listing
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.server.tables.views import listing_of
from liarspoker.tables.decide import CommandContext, decide, make, read_command
from liarspoker.tables.reducers import write_entry
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import Table
from liarspoker.tables.view import private

TABLE = "t" * 22
USERS = ("Ann", "Bob", "Cy", "Dee")
BEGIN = 1.7e9
TABLES = 2_500
ENTRIES = 200
OPENED = 100
AT_ONCE = 250
START_TARGET, OPEN_TARGET = 2.0, 5.0
WITHOUT, WITH = "no clock runs", "a clock runs at every table"


def table_id(number: int) -> str:
    return f"{number:0{len(TABLE)}d}"


def evening(clock: bool) -> tuple[Table, list[tuple[tuple[Event, ...], bytes]]]:
    """Return a table after a number of commands, and its log."""
    chance = Random(1986)
    settings = {"game": "dollar-bill", "seats": len(USERS), "clock": {"turn": 60, "ready": 60} if clock else None}
    events, table = make(TABLE, read_settings(settings), context(USERS[0], chance))
    log = [(events, b"")]
    while len(log) < ENTRIES or table.stage != "round":
        user, command = next_command(table, chance)
        asking = context(user, chance)
        events, table = decide(table, read_command(command), asking)
        log.append((events, asking.seed))
    return table, log


def context(user: str, chance: Random) -> CommandContext:
    return CommandContext(user, user, BEGIN, chance.randbytes(32))


def next_command(table: Table, chance: Random) -> tuple[str, dict[str, Any]]:
    """Return the next command: a player sits down, starts, is ready, or bids or challenges as their view allows."""
    if len(table.seated) < len(USERS):
        return USERS[len(table.seated)], {"do": "join"}
    if table.ready_phase is not None:
        return next(user for user in USERS if user not in table.ready_phase.ready), {"do": "ready"}
    user = table.to_act
    if user is None:
        return USERS[0], {"do": "start"}
    hand = private(table, user).hand
    assert isinstance(hand, DigitsHand)
    assert hand.legal is not None
    answers = [answer for answer in (hand.legal.challenge, hand.legal.count) if answer]
    bids = hand.legal.claims and (not answers or chance.random() < 0.4)
    return user, {"do": "act", "turn": table.turn, "action": hand.legal.claims[0] if bids else answers[0]}


def entries(number: int, log: list[tuple[tuple[Event, ...], bytes]], listing: Listing) -> Iterator[Entry]:
    """Yield the log of a table as if it had been played at table `number`, whose seeds deal other digits."""
    for version, (events, seed) in enumerate(log, 1):
        body = write_entry(events)
        yield Entry(
            table_id(number),
            version,
            1,
            f"user/{version}",
            BEGIN,
            body.replace(TABLE, table_id(number)),
            seeds=tuple((event.deal, seed) for event in events if isinstance(event, Gathered)),
            listing=listing if version == len(log) else None,
        )


def own_all(connection: Connection) -> None:
    """Own every shard, in epoch 1."""
    leases.join(connection, leases.Node("bench", "bench"), BEGIN, 0.0, 0.0)
    leases.take(connection, "bench", range(SHARD_COUNT))


async def fill(url: str, key: str, clock: bool) -> None:
    table, log = evening(clock)
    listing = listing_of(table, BEGIN)

    async def one(storage: Storage, number: int) -> None:
        await storage.create_table(table_id(number), BEGIN)
        await asyncio.gather(*(storage.append(entry) for entry in entries(number, log, listing)))

    async with await Storage.open(url, Sealer(key)) as storage:
        await storage.write(own_all)
        for first in range(0, TABLES, AT_ONCE):
            await asyncio.gather(*(one(storage, number) for number in range(first, first + AT_ONCE)))


async def started(url: str, key: str) -> tuple[float, float, list[float]]:
    """Return the seconds until a registry is ready, the processor time until all tables are loaded, and milliseconds
    per table.
    """
    begin, busy = perf_counter(), process_time()
    async with await Storage.open(url, Sealer(key)) as storage:
        registry = TableRegistry(storage, TableBots(BotWorkers(0)), WallClock(BEGIN), NodeConfig())
        await registry.start(alone=True)
        ready, opened = perf_counter() - begin, list[float]()
        while not registry.all_opened:
            await asyncio.sleep(0.01)
        busy = process_time() - busy
        for number in range(OPENED):
            begin = process_time()
            await registry.table(table_id(number))
            opened.append((process_time() - begin) * 1000)
        await registry.close()
    return ready, busy, opened


def read(url: str, where: str = "", values: tuple[str, ...] = ()) -> float:
    """Return the peer's processor time in seconds."""
    path = sqlite_path(url)
    begin = process_time()
    with closing(sqlite3.connect(str(path))) as connection:
        for (body,) in connection.execute(f"SELECT body FROM events {where} ORDER BY table_id, version", values):
            json.loads(body)
    return process_time() - begin


def measure(folder: Path, name: str) -> None:
    folder.mkdir()
    url, key = address(folder), new_key()
    migrate(url)
    asyncio.run(fill(url, key, clock=name == WITH))
    everything = read(url)
    ready, busy, opened = asyncio.run(started(url, key))
    verdict = "within" if ready <= START_TARGET else "BEYOND"
    print(f"{name}")
    print(f"  ready in {ready:.2f} s, {verdict} {START_TARGET:g} s; ", end="")
    print(
        f"all taken up after {busy:.2f} s of processor time, {busy / everything:.2f} times reading and parsing all rows"
    )
    if name == WITHOUT:
        one = median(read(url, "WHERE table_id = ?", (table_id(number),)) for number in range(OPENED)) * 1000
        typical = median(opened)
        verdict = "within" if typical <= OPEN_TARGET else "BEYOND"
        print(f"  {typical:.2f} ms to open a table of {ENTRIES} entries, {verdict} {OPEN_TARGET:g} ms; ", end="")
        print(f"{typical / one:.1f} times reading and parsing its rows ({one:.2f} ms)")


def main() -> None:
    print(provenance())
    gc.set_threshold(YOUNG, *GENERATIONS)  # as in the server
    print(f"{TABLES:,} tables with {ENTRIES} entries each")
    with TemporaryDirectory() as folder:
        for number, name in enumerate((WITHOUT, WITH)):
            measure(Path(folder) / str(number), name)


if __name__ == "__main__":
    main()

"""The memory that an open socket takes in the server, and whether it is freed when the socket closes.

Every seat of many tables gets more sockets; the increase of the server's resident memory is divided by their number.
Then all are closed and opened again, several times; memory that isn't freed would accumulate. There is no peer: the
target is in kilobytes.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench_live_tables import process
from live_load import SEATS, LiveTable, live_tables
from provenance import provenance
from websockets.asyncio.client import ClientConnection, connect

TARGET = 25.0
"""The target: the maximum kilobytes per socket."""


def resident(pid: int) -> float:
    """Return the resident memory of a process in kilobytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith("VmRSS:")).split()[1])


async def opened(tables: list[LiveTable], each: int) -> list[ClientConnection]:
    """Open this number of further sockets for each seat, and wait until each has received the table's state."""
    sockets = [
        await connect(table.uri, additional_headers={"cookie": cookie}, compression=None)
        for table in tables
        for cookie in table.cookies * each
    ]
    for one in sockets:
        await one.recv()
    return sockets


async def measure(args: argparse.Namespace) -> None:
    """Print the memory per socket, and what remains of it after each round of closing and opening."""
    each = args.sockets // (SEATS * args.tables)
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "liarspoker", "serve", "--port", "0", "--data", folder, "--no-limits")
        with process(*command) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().split(":")[2].split()[0])
            tables = await live_tables(port, args.tables)
            before = resident(server.pid)
            for number in range(args.rounds):
                sockets = await opened(tables, each)
                taken = (resident(server.pid) - before) / len(sockets)
                print(f"round {number + 1}: {len(sockets):,} sockets take {taken:.1f} kB each", end="; ", flush=True)
                await asyncio.gather(*(one.close() for one in sockets))
                print(
                    f"{(resident(server.pid) - before) / 1024:.1f} MB are the process's own still when they are closed"
                )
    print(f"target: at most {TARGET} kB each, and no more in a later round than in the first")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(provenance())
    asyncio.run(measure(args))


if __name__ == "__main__":
    main()

"""Several nodes compared with one: processor time per move, and the resulting capacity, given a core for each.

Each node has as many tables and, with `--rate`, as many moves a second as the single node, since a move costs less when
many share a commit. All nodes listen on one port, so that a table's four sockets connect to any of them, and sockets of
other nodes' tables are forwarded. `python benchmarks/bench_nodes.py --postgres URL` needs a PostgreSQL server whose
user may create databases.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import psycopg
import sqlalchemy as sa
from bench_live_tables import measured, process
from live_load import live_tables
from provenance import provenance

TARGET = 1.7
"""The target for the load that two nodes handle, as a multiple of that of one, given a core for each."""


@contextmanager
def database(server: str, name: str) -> Iterator[str]:
    """Create a database and yield its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield sa.make_url(server).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def nodes_of(parent: subprocess.Popen[str], nodes: int) -> list[psutil.Process]:
    """Return the processes that serve."""
    if nodes == 1:
        return [psutil.Process(parent.pid)]
    return [one for one in psutil.Process(parent.pid).children() if "serve" in one.cmdline()]


async def cost(server: str, nodes: int, args: argparse.Namespace) -> tuple[float, float]:
    """Return the processor time per move of all nodes together in microseconds, and the moves per second."""
    with database(server, f"bench_nodes_{nodes}") as url, tempfile.TemporaryDirectory() as folder:
        words = ("serve", "--port", "0", "--data", folder, "--no-limits", "--database", url, "--processes", str(nodes))
        with process(sys.executable, "-m", "liarspoker", *words) as parent:
            assert parent.stdout is not None
            port = int(parent.stdout.readline().split(":")[2].split()[0])
            time.sleep(args.settle)  # until every node has its share of the tables
            tables = await live_tables(port, args.tables * nodes)
            serving = nodes_of(parent, nodes)
            assert len(serving) == nodes
            before = sum(sum(one.cpu_times()[:2]) for one in serving)
            rate = None if args.rate is None else args.rate * nodes
            seen, _ = await measured(tables, parent.pid, rate, args.seconds)
            used = sum(sum(one.cpu_times()[:2]) for one in serving) - before
            for table in tables:
                for one in table.sockets:
                    await one.close()
    return used / (seen.commands * (args.seconds + 2) / args.seconds) * 1e6, seen.commands / args.seconds


async def compare(args: argparse.Namespace) -> None:
    """Print each, and the comparison."""
    one = 0.0
    for nodes in (1, *args.nodes):
        spent, pace = await cost(args.postgres, nodes, args)
        one = one or spent
        load = nodes * one / spent
        print(f"{nodes} nodes: {spent:.0f} us of processor time a move, {pace:,.0f} moves a second here", end="")
        print(f"; with a core each they handle {load:.2f} times the load of one" if nodes > 1 else "")
    print(f"target for two: {TARGET}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL", required=True)
    parser.add_argument("--nodes", type=int, nargs="*", default=[2])
    parser.add_argument("--tables", type=int, default=100, help="for each node")
    parser.add_argument("--rate", type=float, help="moves a second for each node; by default as many as possible")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--settle", type=float, default=8.0)
    args = parser.parse_args()
    print(provenance())
    asyncio.run(compare(args))


if __name__ == "__main__":
    main()

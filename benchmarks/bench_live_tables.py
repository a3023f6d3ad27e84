"""Live tables compared with a bare echo of Starlette: processor time per command, and latency of a command.

The server stores every command durably and sends every seat a view of its own. The echo sends as many bytes to as many
sockets and does nothing else. A second echo stores each message durably before it sends it on, but neither checks it
nor renders views. All run under uvicorn, one after the other, with the same load from this process: first at a given
rate, then with every table as fast as it is answered, when commands arrive together and share commits. The cost of
rendering an HTML page for every seat is measured too, at a tenth of the rate.
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from live_load import SEATS, Measured, echo_tables, live_tables, run
from provenance import provenance

TARGET, TARGET_FULL = 1.5, 3.5
"""The target ratios of processor time per command: to the durable echo at the given rate, and to the bare echo at full
load."""

TARGET_PAGES = 2000
"""The target in microseconds of processor time for rendering a page for every seat after a command."""


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process within a `with` block."""
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process and its threads have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Costs(NamedTuple):
    """The measured costs of a server.

    Attributes:
        seen: what the load measured at the given rate.
        cpu: seconds of processor time per command at that rate.
        full: the same at full load.
        pace: commands per second at full load.
    """

    seen: Measured
    cpu: float
    full: float
    pace: float


async def measured(tables: list, pid: int, rate: float | None, seconds: float) -> tuple[Measured, float]:  # type: ignore[type-arg]
    """Return what the load measured, and the processor time per command."""
    await run(tables, rate, 2)
    before = cpu_seconds(pid)
    seen = await run(tables, rate, seconds)
    return seen, (cpu_seconds(pid) - before) / seen.commands


async def costs(tables: list, pid: int, args: argparse.Namespace) -> Costs:  # type: ignore[type-arg]
    """Return what a server does with this load."""
    seen, cpu = await measured(tables, pid, args.rate, args.seconds)
    flat_out, full = await measured(tables, pid, None, args.seconds)
    return Costs(seen, cpu, full, flat_out.commands / args.seconds)


async def compare(args: argparse.Namespace) -> None:
    """Print both, and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "liarspoker", "serve", "--port", "0", "--data", folder, "--no-limits")
        with process(*command) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().split(":")[2].split()[0])
            tables = await live_tables(port, args.tables)
            ours = await costs(tables, server.pid, args)
            plain = (await measured(tables, server.pid, args.rate / 10, args.seconds))[1]
            for table in tables:
                await table.open_pages()
            drawn = (await measured(tables, server.pid, args.rate / 10, args.seconds))[1] - plain
            for table in tables:
                for one in table.sockets:
                    await one.close()
                for page in table.pages:
                    page.cancel()
    size = ours.seen.bytes // (SEATS * ours.seen.commands)
    echo = await echoed(args, size)
    with tempfile.TemporaryDirectory() as folder:
        durable = await echoed(args, size, str(Path(folder) / "messages.sqlite3"))
    served = (("live tables", ours), ("bare echo", echo), ("durable echo", durable))
    print(f"{args.tables} tables of {SEATS}, {size} bytes to each socket a command")
    print(f"at {args.rate:.0f} commands a second")
    for name, cost in served:
        p50, p99 = cost.seen.quantile(0.5) * 1e3, cost.seen.quantile(0.99) * 1e3
        print(f"  {name:12} {cost.cpu * 1e6:5.0f} us of processor time a command; p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print("at full load (every table as fast as it is answered)")
    for name, cost in served:
        print(f"  {name:12} {cost.full * 1e6:5.0f} us of processor time a command; {cost.pace:,.0f} a second")
    print(f"ours against the bare echo:    {ratios(ours, echo)}; wanted {TARGET_FULL} at full load")
    print(f"the durable echo against it:   {ratios(durable, echo)}")
    print(f"ours against the durable echo: {ratios(ours, durable)}; wanted {TARGET} in processor time")
    print(
        f"pages: {drawn * 1e6:.0f} us of processor time to draw and send {SEATS} after a command; wanted {TARGET_PAGES}"
    )


def ratios(one: Costs, other: Costs) -> str:
    """Return the ratios of one server's figures to another's."""
    p99 = one.seen.quantile(0.99) / other.seen.quantile(0.99)
    return f"{one.cpu / other.cpu:.2f} in processor time, {one.full / other.full:.2f} at full load, {p99:.2f} in p99"


async def echoed(args: argparse.Namespace, size: int, *file: str) -> Costs:
    """Return what an echo does; it stores messages if `file` is given."""
    port = free_port()
    with process(sys.executable, str(Path(__file__).with_name("bare_echo.py")), str(port), *file) as server:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.1)
        return await costs(await echo_tables(port, args.tables, size), server.pid, args)


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--rate", type=float, default=500.0, help="commands a second, all tables together")
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    print(provenance())
    asyncio.run(compare(args))


if __name__ == "__main__":
    main()

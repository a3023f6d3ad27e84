"""Live tables against a bare echo of Starlette's: processor time a command, and how long a command takes.

Ours stores every command durably and sends every seat a view of its own; the echo sends as many bytes to as many
sockets and does nothing else. A second echo stores what it is sent, durably, before it sends it on, but neither judges
nor views it. All run under uvicorn, one after the other, with the same load from this process. Beside that: what it
costs to draw a page of HTML for every seat, at a tenth of the rate.
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

from live_load import SEATS, Measured, echo_tables, live_tables, run
from provenance import provenance

TARGET, TARGET_P99 = 1.7, 2.5
"""How many times the echo's a command of ours should take at most, in processor time and in p99."""


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended."""
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


def cpu_seconds(pid: int) -> float:
    """Processor time that a process and its threads have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(tables: list, pid: int, rate: float, seconds: float) -> tuple[Measured, float]:  # type: ignore[type-arg]
    """What the load saw, and the processor time a command."""
    await run(tables, rate, 2)
    before = cpu_seconds(pid)
    seen = await run(tables, rate, seconds)
    return seen, (cpu_seconds(pid) - before) / seen.commands


async def compare(args: argparse.Namespace) -> None:
    """Print both, and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "liarspoker", "serve", "--port", "0", "--data", folder, "--no-limits")
        with process(*command) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().split(":")[2].split()[0])
            tables = await live_tables(port, args.tables)
            ours, ours_cpu = await measured(tables, server.pid, args.rate, args.seconds)
            plain = (await measured(tables, server.pid, args.rate / 10, args.seconds))[1]
            for table in tables:
                await table.open_pages()
            drawn = ((await measured(tables, server.pid, args.rate / 10, args.seconds))[1] - plain) / SEATS
            for table in tables:
                for one in table.sockets:
                    await one.close()
                for page in table.pages:
                    page.cancel()
    size = ours.bytes // (4 * ours.commands)
    echo, echo_cpu = await echoed(args, size)
    with tempfile.TemporaryDirectory() as folder:
        durable, durable_cpu = await echoed(args, size, str(Path(folder) / "messages.sqlite3"))
    print(f"{args.tables} tables of 4, {args.rate:.0f} commands a second, {size} bytes to each socket a command")
    for name, seen, cpu in (
        ("live tables", ours, ours_cpu),
        ("bare echo", echo, echo_cpu),
        ("durable echo", durable, durable_cpu),
    ):
        p50, p99 = seen.quantile(0.5) * 1e3, seen.quantile(0.99) * 1e3
        print(f"{name:12} {cpu * 1e6:6.0f} us of processor time a command; p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    print(f"pages        {drawn * 1e6:6.0f} us of processor time to draw and send one after a command")
    print(f"ours against the bare echo:    {ratios(ours, ours_cpu, echo, echo_cpu)} (targets {TARGET}, {TARGET_P99})")
    print(f"the durable echo against it:   {ratios(durable, durable_cpu, echo, echo_cpu)}")
    print(f"ours against the durable echo: {ratios(ours, ours_cpu, durable, durable_cpu)}")


def ratios(one: Measured, one_cpu: float, other: Measured, other_cpu: float) -> str:
    """How many times the other's this one's figures are."""
    return f"{one_cpu / other_cpu:.2f} in processor time, {one.quantile(0.99) / other.quantile(0.99):.2f} in p99"


async def echoed(args: argparse.Namespace, size: int, *file: str) -> tuple[Measured, float]:
    """What the load saw at an echo, one that stores in `file` where one is given, and the processor time a command."""
    port = free_port()
    with process(sys.executable, str(Path(__file__).with_name("bare_echo.py")), str(port), *file) as server:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.1)
        return await measured(await echo_tables(port, args.tables, size), server.pid, args.rate, args.seconds)


def free_port() -> int:
    """A port that nobody listens on."""
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

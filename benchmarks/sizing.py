"""What a server for many players needs: nodes, database, bus and memory, and which resource is exhausted first.

Nothing is measured here. The inputs below were measured by the benchmarks that they name; measure them on your own
machines, and pass the results as options. The players' behavior is assumed, and can be changed too:

    python benchmarks/sizing.py --players 100000 --seconds-per-move 12 --page-ms 0.8

Averages are exact; the reconnections after the loss of a node are simulated second by second.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from math import ceil
from random import Random

SEATS = 4
SHARDS = 128
SPARE_CPU = 0.4
"""The share of every process that is kept free, so that queues stay short and a lost node's work can be taken over."""
STORM_SECONDS = 5.0
"""Clients reconnect after a random time up to this many seconds; a browser waits between 0 and 5 s."""
MOST_STORM_SECONDS = 600


def measured(default: float, unit: str, by: str) -> float:
    """Define an input that a benchmark measures."""
    found: float = field(default=default, metadata={"unit": unit, "by": by})
    return found


def assumed(default: float, meaning: str) -> float:
    """Define an assumption about players and machines that can't be measured beforehand."""
    found: float = field(default=default, metadata={"unit": meaning, "by": "assumed"})
    return found


@dataclass(frozen=True)
class Inputs:
    """The inputs of the calculation."""

    players: float = assumed(100_000, "players at tables of four")
    seconds_per_move: float = assumed(10, "seconds between two commands that take effect at a table")
    browsers: float = assumed(0.9, "share of players with a page; all others are programs that read JSON")
    chat_per_minute: float = assumed(0.2, "lines of chat a player a minute")
    strangers: float = assumed(0.5, "share of connections that come to a node other than the table's owner")
    bus_per_command: float = assumed(0.2, "messages on the bus a command: lobby, presence, limits")
    cores: float = assumed(8, "cores of a machine, each with one process")
    database_commits: float = assumed(10_000, "durable commits a second that the database can make")
    database_megabytes: float = assumed(100, "megabytes of log a second that its disk can write")
    bus_messages: float = assumed(10_000, "messages a second that the bus can carry (NOTIFY; NATS carries more)")
    network_megabytes: float = assumed(100, "megabytes a second of one machine's network")
    connection_files: float = assumed(100_000, "connections a process, by LimitNOFILE")

    command_ms: float = measured(0.38, "ms of CPU, with four JSON views, at full load", "bench_live_tables.py")
    command_alone_ms: float = measured(0.85, "ms of CPU, with four JSON views, at 500/s", "bench_live_tables.py")
    page_ms: float = measured(1.81, "ms of CPU to draw what one page shows", "bench_live_tables.py")
    forward_ms: float = measured(0.018, "ms of CPU a frame and its answer passed on", "bench_forward.py")
    bus_ms: float = measured(0.1, "ms of CPU a message sent or received", "bench_bus.py")
    connect_ms: float = measured(2.0, "ms of CPU to connect and receive the full state", "bench_live_tables.py")
    open_ms: float = measured(5.1, "ms of CPU to open a table from 200 entries of its log", "bench_recovery.py")
    commit_ms: float = measured(2.0, "ms until a commit is durable", "bench_storage.py")
    bus_hop_ms: float = measured(2.0, "ms from one node to another", "bench_bus.py")
    entry_bytes: float = measured(120, "bytes of a stored command", "bench_storage.py")
    log_factor: float = measured(6, "bytes of write-ahead log a stored byte, with rows and indexes", "bench_storage.py")
    state_bytes: float = measured(3900, "bytes of a JSON view", "bench_live_tables.py")
    page_bytes: float = measured(6000, "bytes of what one page is sent", "bench_pages.py")
    process_megabytes: float = measured(120, "MB of a process without tables", "bench_startup.py")
    table_kilobytes: float = measured(60, "kB of an open table", "bench_live_tables.py")
    socket_kilobytes: float = measured(40, "kB of a socket, in the process and the kernel", "bench_live_tables.py")


@dataclass(frozen=True)
class Load:
    """The load that follows from the inputs; all rates are per second.

    Attributes:
        commands: stored commands.
        busy: the number of processes that would be busy all the time.
        processes: the number of processes needed, including the reserve.
        machines: the number of machines for them, and one more that may be lost.
        commits: database transactions.
        log_bytes: bytes that the database writes to its log.
        bus: messages on the bus.
        sent_bytes: bytes sent to clients.
        memory_bytes: the memory of all processes together.
        sockets: connections of clients, including those between nodes.
    """

    commands: float
    busy: float
    processes: int
    machines: int
    commits: float
    log_bytes: float
    bus: float
    sent_bytes: float
    memory_bytes: float
    sockets: float


def command_ms(given: Inputs, a_second: float) -> float:
    """Return the CPU time of a command in a process with this many per second: the more there are, the more share a
    commit.
    """
    full = 1000 / given.command_ms
    share = min(1.0, max(0.0, (a_second - 500) / (full - 500)))
    return given.command_alone_ms + share * (given.command_ms - given.command_alone_ms)


def load(given: Inputs) -> Load:
    """Return the average load of a server."""
    tables = given.players / SEATS
    commands = tables / given.seconds_per_move + given.players * given.chat_per_minute / 60
    pages, views = commands * SEATS * given.browsers, commands * SEATS * (1 - given.browsers)
    bus = commands * given.bus_per_command
    processes = 1
    while True:  # with more processes, each has fewer commands, and fewer of them share a commit
        each = commands / processes
        seconds = commands * command_ms(given, each) + pages * given.page_ms
        # A command needs one frame to the server and one frame to each seat.
        seconds += commands * SEATS * given.strangers * given.forward_ms + bus * given.bus_ms * 2
        busy = seconds / 1000
        if busy <= processes * (1 - SPARE_CPU):
            break
        processes = max(processes + 1, ceil(busy / (1 - SPARE_CPU)))
    machines = ceil(processes / given.cores) + 1
    # A process commits what arrived during the previous commit: one commit at a time.
    waiting = each * given.commit_ms / 1000
    commits = processes * (each / (1 + waiting))
    memory = processes * given.process_megabytes * 1e6 + tables * given.table_kilobytes * 1e3
    sockets = given.players * (1 + given.strangers)
    return Load(
        commands=commands,
        busy=busy,
        processes=processes,
        machines=machines,
        commits=commits,
        log_bytes=commands * given.entry_bytes * given.log_factor,
        bus=bus,
        sent_bytes=views * given.state_bytes + pages * given.page_bytes,
        memory_bytes=memory + sockets * given.socket_kilobytes * 1e3,
        sockets=sockets,
    )


def storm(given: Inputs, carried: Load, seed: int = 1) -> tuple[int, float]:
    """Simulate the loss of a machine: its players reconnect to the other machines, which load its tables again.

    Returns:
        The seconds until no player waits any more, and the longest wait of a player, in seconds.
    """
    left = (carried.machines - 1) * given.cores  # every machine, including the spare one, runs a process on each core
    lost = given.players / carried.machines
    chance, came = Random(seed), [0.0] * (int(STORM_SECONDS) + 1)
    sample = 10_000
    for _ in range(sample):
        came[int(chance.random() * STORM_SECONDS)] += lost / sample
    page = given.browsers * given.page_ms
    each = given.connect_ms + page + given.open_ms / SEATS
    spare = max(0.0, left - carried.busy) * 1000  # ms of CPU time per second that the others have free
    waiting, longest = 0.0, 0.0
    for second in range(MOST_STORM_SECONDS):
        waiting += (came[second] if second < len(came) else 0.0) * each
        longest = max(longest, waiting / spare if spare else float("inf"))
        waiting = max(0.0, waiting - spare)
        if waiting == 0.0 and second >= STORM_SECONDS:
            return second, longest
    return MOST_STORM_SECONDS, longest


def limits(given: Inputs, carried: Load) -> Iterator[tuple[str, float]]:
    """Yield each resource that can be exhausted, with the multiple of this load that it can carry."""
    yield "the database's commits", given.database_commits / carried.commits
    yield "the database's log", given.database_megabytes * 1e6 / carried.log_bytes
    yield "the bus", given.bus_messages / max(carried.bus, 1e-9)
    machines = max(1, carried.machines - 1)
    yield "the machines' network", given.network_megabytes * 1e6 * machines / carried.sent_bytes
    yield "open files", given.connection_files * carried.processes / carried.sockets
    # A table's commands are sequential: each waits for its commit.
    yield "one table's commands", 1000 / given.commit_ms * given.seconds_per_move
    yield f"processes, each owning one of {SHARDS} shards", SHARDS / carried.processes


def report(given: Inputs) -> Iterator[str]:
    """Yield the lines of a report."""
    carried = load(given)
    cpu = {
        "commands": carried.commands * command_ms(given, carried.commands / carried.processes),
        "pages": carried.commands * SEATS * given.browsers * given.page_ms,
        "passing on": carried.commands * SEATS * given.strangers * given.forward_ms,
        "the bus": carried.bus * given.bus_ms * 2,
    }
    yield f"{given.players:,.0f} players, {given.players / SEATS:,.0f} tables, a move each {given.seconds_per_move:g} s"
    yield f"  commands            {carried.commands:10,.0f} /s"
    shares = ", ".join(f"{name} {100 * ms / sum(cpu.values()):.0f} %" for name, ms in cpu.items())
    yield f"  busy processors     {carried.busy:10,.1f}    ({shares})"
    yield f"  processes           {carried.processes:10,}    with {100 * SPARE_CPU:.0f} % to spare"
    yield f"  machines            {carried.machines:10,}    of {given.cores:g} cores, one of which may be lost"
    yield f"  database commits    {carried.commits:10,.0f} /s"
    yield f"  database log        {carried.log_bytes / 1e6:10,.2f} MB/s, {carried.log_bytes * 86400 / 1e9:,.0f} GB/day"
    yield f"  bus messages        {carried.bus:10,.0f} /s"
    yield f"  sent to clients     {carried.sent_bytes / 1e6:10,.1f} MB/s"
    yield f"  memory of processes {carried.memory_bytes / 1e9:10,.1f} GB ({carried.sockets:,.0f} sockets)"
    seconds, longest = storm(given, carried)
    often = "never, the others are too few" if seconds == MOST_STORM_SECONDS else f"after {seconds} s"
    yield f"  after the loss of a machine, all players are back {often}; the longest wait is {longest:.1f} s"
    elsewhere = given.commit_ms + given.bus_hop_ms
    yield f"  another node receives a move after {elsewhere:.1f} ms, without queueing"
    yield "What gives out first, and at how many times this load:"
    for name, times in sorted(limits(given, carried), key=lambda pair: pair[1]):
        yield f"  {name:46} {times:12,.1f}"


def given_by(words: list[str] | None = None) -> Inputs:
    """Return the inputs with the changes of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for one in fields(Inputs):
        text = f"{one.metadata['unit']} ({one.metadata['by']}; {one.default:g})"
        parser.add_argument(
            f"--{one.name.replace('_', '-')}", type=float, default=one.default, help=text.replace("%", "%%")
        )
    options = vars(parser.parse_args(words))
    for name, value in options.items():
        if not value > 0 and name not in ("browsers", "strangers", "chat_per_minute", "bus_per_command"):
            parser.error(f"--{name.replace('_', '-')} must be above 0")
    return replace(Inputs(), **options)


def main() -> None:
    """Print the results for the given number of players and for fewer."""
    given = given_by()
    for share in (0.01, 0.1, 1.0):
        print("\n".join(report(replace(given, players=given.players * share))), end="\n\n")


if __name__ == "__main__":
    main()

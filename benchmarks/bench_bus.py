"""The latency of a message between nodes over NOTIFY and over NATS, and its processor time.

Both buses are measured alternately in the same run, at 2,000 messages a second. The target is a latency of at most 50
ms (p99) on either. Sender and receiver share a process, so its processor time covers both.

`python benchmarks/bench_bus.py --postgres URL --nats nats://HOST:PORT [--rate N]`
"""

from __future__ import annotations

import argparse
import asyncio
from statistics import median, quantiles
from time import perf_counter, process_time

from provenance import provenance

from liarspoker.server.cluster.bus import Counted, Message, open_bus

SECONDS, TURNS, TICK = 3, 3, 0.005
TARGET = 0.050


async def hops(address: str, database: str, rate: int) -> tuple[list[float], float]:
    """Return the latency of each message in seconds, and the processor time per second."""
    first, second = [await open_bus(address, database, instance, "benchmark") for instance in ("a", "b")]
    sent, taken, received = dict[int, float](), list[float](), asyncio.Event()

    def hear(message: Message) -> None:
        assert isinstance(message, Counted)
        taken.append(perf_counter() - sent[int(message.key)])
        if len(taken) == SECONDS * rate:
            received.set()

    second.listeners.append(hear)
    begin, spent = perf_counter(), process_time()
    for number in range(SECONDS * rate):
        while (wait := begin + number / rate - perf_counter()) > 0:
            await asyncio.sleep(min(wait, TICK))
        sent[number] = perf_counter()
        first.publish(Counted("a-table-of-22-letters-", str(number)))
    await received.wait()
    used = (process_time() - spent) / (perf_counter() - begin)
    await first.close()
    await second.close()
    return taken, used


def run(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="The hop over the bus.")
    parser.add_argument("--postgres", required=True, metavar="URL")
    parser.add_argument("--nats", required=True, metavar="URL")
    parser.add_argument("--rate", type=int, default=2000, metavar="N", help="messages a second")
    args = parser.parse_args(argv)
    print(provenance())
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found: dict[str, list[tuple[list[float], float]]] = {"notify": [], "nats": []}
        for _ in range(TURNS):
            for name, address in (("notify", "notify"), ("nats", args.nats)):
                found[name].append(runner.run(hops(address, args.postgres, args.rate)))
    p99s = {}
    for name, turns in found.items():
        taken = [hop for hops, _ in turns for hop in hops]
        p99s[name] = quantiles(taken, n=100)[98]
        used = median(used for _, used in turns)
        print(
            f"{name:6}  {args.rate} messages/s: p50 {median(taken) * 1000:.2f} ms, p99 {p99s[name] * 1000:.2f} ms, "
            f"{used:.0%} of a core; target p99 {TARGET * 1000:.0f} ms: {'met' if p99s[name] <= TARGET else 'missed'}"
        )
    print(f"p99 of notify / p99 of nats: {p99s['notify'] / p99s['nats']:.2f}")


if __name__ == "__main__":
    run()

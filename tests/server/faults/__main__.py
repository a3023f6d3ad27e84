"""Many runs of every fault, and an hour of play with a fault per minute: `python -m tests.server.faults`.

Each result is a line of `build/soak/faults.jsonl`. Runs that have passed aren't repeated, so an interrupted campaign
continues where it stopped. SOAK selects faults or worlds by a part of their names, as in `SOAK="kill"`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.chance import ROOT
from tests.server.faults.campaign import Result, campaign, stage
from tests.server.faults.strikes import FAULTS
from tests.server.faults.world import Shape

SHAPES = (Shape("sqlite", 1), Shape("postgres", 1), Shape("postgres", 3, "notify"), Shape("postgres", 3, "nats"))
AT_ONCE = 5
"""The number of runs of a fault that share a world."""
SAMPLE_SECONDS = 5.0
FLAT = 1.25
"""The factor by which a server's memory may grow from the first to the last quarter of the time, plus `SOME` MiB:
tables remember the ids of all commands."""
SOME = 30.0
EVENING = 10
"""Minutes after which the players end their tables and sit down at new ones. In an hour, they would play far more than
people do in an evening, and the longer its log, the longer it takes to take over a table."""

Line = dict[str, Any]


def main(words: Sequence[str] | None = None) -> int:
    """Run the rest of the campaign; return 1 if something has failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.server.faults", description=__doc__)
    parser.add_argument("--times", type=int, default=20, metavar="N", help="runs of each fault in each world (20)")
    parser.add_argument("--minutes", type=float, default=60, metavar="M", help="of play with a fault per minute (60)")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "soak" / "faults.jsonl", metavar="FILE")
    parser.add_argument(
        "--slack", type=float, default=1.0, metavar="X", help="multiply all time limits by X on a busy machine"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(words)
    args.results.parent.mkdir(parents=True, exist_ok=True)
    wanted = os.environ.get("SOAK", "")
    asyncio.run(_all_faults(args, wanted))
    if args.minutes and (not wanted or wanted in "minutes"):
        asyncio.run(_minutes(args))
    lines = _lines(args.results)
    print(report(lines))
    return 0 if all(line["passed"] for line in latest(lines)) else 1


async def _all_faults(args: argparse.Namespace, wanted: str) -> None:
    for shape in SHAPES:
        for fault in FAULTS:
            if not fault().fits(shape) or wanted not in f"{fault.name} {shape}":
                continue
            passed = {
                line["number"]
                for line in _lines(args.results)
                if line["passed"] and (line["fault"], line["shape"]) == (fault.name, str(shape))
            }
            left = [number for number in range(1, args.times + 1) if number not in passed]
            for start in range(0, len(left), AT_ONCE):
                runs = [(fault(), number) for number in left[start : start + AT_ONCE]]
                seed = args.seed + left[start]
                async for result in campaign(shape, runs, seed, args.slack, args.results.with_suffix("")):
                    _keep(args.results, result)


async def _minutes(args: argparse.Namespace) -> None:
    """Play with a fault per minute; check the logs and the deals of every evening, and the memory of the servers."""
    shape = SHAPES[-1]
    chance = Random(args.seed)
    memory: dict[str, list[float]] = defaultdict(list)
    async with stage(shape, args.seed, slack=args.slack) as made:
        made.crowd.pause, made.crowd.sample = 0.5, 0.02
        sampling = asyncio.create_task(_sample(made.world.nodes, memory))
        begin = time.monotonic()
        possible = [fault for fault in FAULTS if fault().fits(shape)]
        total = Result(f"{args.minutes:.0f} minutes", str(shape), 1)
        # Run each fault once before repeating any.
        order: list[Any] = []
        for minute in range(1, int(args.minutes) + 1):
            order = order or chance.sample(possible, len(possible))
            result = await made.strike(order.pop()(), minute)
            result.fault = f"minute: {result.fault}"
            _keep(args.results, result)
            await asyncio.sleep(max(0.0, begin + 60 * minute - time.monotonic()))
            if minute % EVENING == 0 and minute < args.minutes:
                await made.check(total)
                total.wrong += await made.end()
                await made.leave()
                await made.sit_down()
        sampling.cancel()
        await made.check(total)
        total.wrong += await made.end()
        for name, samples in memory.items():
            quarters = [
                statistics.median(samples[len(samples) * i // 4 : len(samples) * (i + 1) // 4]) for i in range(4)
            ]
            print(f"memory of {name} by quarters: {', '.join(f'{one:.0f} MiB' for one in quarters)}", flush=True)
            if quarters[-1] > FLAT * quarters[0] + SOME:
                total.wrong.append(f"the memory of {name} grows: {quarters}")
        _keep(args.results, total)


async def _sample(nodes: Iterable[Any], memory: dict[str, list[float]]) -> None:
    while True:
        await asyncio.sleep(SAMPLE_SECONDS)
        for node in nodes:
            if node.alive:
                memory[node.name].append(node.memory)


def _keep(path: Path, result: Result) -> None:
    line = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **result.as_json()}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    seconds = "" if result.seconds is None else f"{result.seconds:.1f} s"
    print(f"{result.shape}, {result.fault} {result.number}: {'passed' if result.passed else 'FAILED'} {seconds}")
    for one in result.wrong:
        print(f"    {one}")
    sys.stdout.flush()


def _lines(path: Path) -> list[Line]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def latest(lines: Iterable[Line]) -> list[Line]:
    """Return the last result of every run."""
    return list({(line["fault"], line["shape"], line["number"]): line for line in lines}.values())


def report(lines: Iterable[Line]) -> str:
    """Return a table of all results."""
    groups: dict[tuple[str, ...], list[Line]] = defaultdict(list)
    for line in latest(lines):
        groups[line["fault"], *line["shape"].split()].append(line)
    rows: list[tuple[str, ...]] = [
        ("fault", "database", "nodes", "bus", "runs", "passed", "worst s", "acknowledged", "lost")
    ]
    for group, ran in groups.items():
        times = [line["seconds"] for line in ran if line["seconds"] is not None]
        rows.append(
            (
                *group,
                str(len(ran)),
                str(sum(line["passed"] for line in ran)),
                f"{max(times):.1f}" if times else "-",
                str(sum(line["acknowledged"] for line in ran)),
                str(sum(line["lost"] for line in ran)),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(text.rstrip() for text in texts)


if __name__ == "__main__":
    sys.exit(main())

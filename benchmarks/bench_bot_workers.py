"""The cost of running bots in processes of their own.

The peer is the bot called directly in the same run, on the same views. The target is that an idle worker
adds at most 5 ms to the time that the bot itself takes.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from provenance import provenance

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue as games
from liarspoker.server.bots.workers import BotWorkers

VIEWS = 200
TOGETHER = 64
TARGET = 5.0
SEATS = 5
BOT = "binomial"
GAMES = ("slips", "thorin", "queen-annes")


def views(game_id: str) -> list[Any]:
    """Return what the seats to act see in rounds between bots."""
    found: Any = games.load(game_id)
    bot, chance = bots.load(BOT, found.preset.family), Random(game_id)
    seen: list[Any] = []
    while len(seen) < VIEWS:
        session = found.session(SEATS)
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play and len(seen) < VIEWS:
            seen.append(session.view(session.to_act))
            session = session.apply(bot(seen[-1], chance))
    return seen


def seed(number: int) -> bytes:
    """Return the seed for the view with this number."""
    return number.to_bytes(4)


def memory(pid: int) -> str:
    """Return the memory of a process as text, where the system reports it."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((f"{int(line.split()[1]) / 1024:.0f} MiB" for line in lines if line.startswith("VmRSS")), "unknown")


async def one_by_one(workers: BotWorkers, family: str, seen: list[Any]) -> tuple[list[int], list[float]]:
    """Return the actions of an idle worker, and the milliseconds that each took."""
    actions, times = [], []
    for number, view in enumerate(seen):
        start = perf_counter()
        actions.append(await workers.action(BOT, family, view, seed(number)))
        times.append((perf_counter() - start) * 1000)
    return actions, times


async def together(workers: BotWorkers, family: str, seen: list[Any]) -> float:
    """Return the actions per second with many tables asking at once."""
    numbers = iter(range(len(seen)))

    async def table() -> None:
        for number in numbers:
            await workers.action(BOT, family, seen[number], seed(number))

    start = perf_counter()
    await asyncio.gather(*(table() for _ in range(TOGETHER)))
    return len(seen) / (perf_counter() - start)


async def compared(game_id: str) -> None:
    """Print the results for one game."""
    family, seen = games.preset(game_id).family, views(game_id)
    bot = bots.load(BOT, family)
    rates = []
    for processes in (1, 2):
        async with BotWorkers(processes, seconds=60, timeout=60) as workers:
            # Both sides have seen every view once before they are measured, because bots cache what they have computed.
            for _ in range(processes):
                await together(workers, family, seen)
            rates.append(await together(workers, family, seen))
            actions, times = await one_by_one(workers, family, seen)
            size = memory(workers.pids[0])
    direct, played = [], []
    for number, view in enumerate(seen):
        start = perf_counter()
        played.append(bot(view, Random(seed(number))))
        direct.append((perf_counter() - start) * 1000)
    assert played == actions
    more, slowest = median(times) - median(direct), quantiles(times, n=100)[-1]
    print(
        f"  {game_id:<12} direct {median(direct):6.3f} ms, {1000 * len(direct) / sum(direct):8,.0f} actions/s;"
        f" one worker {rates[0]:6,.0f}, two {rates[1]:6,.0f} actions/s; worker's memory {size}\n"
        f"  {'':<12} an idle worker: {median(times):6.3f} ms, of a hundred the slowest {slowest:.3f};"
        f" {more:.3f} ms more than direct, {'within' if more < TARGET else 'BEYOND'} {TARGET:g} ms"
    )


async def started() -> float:
    """Return the seconds until the first action, including the start of the worker."""
    view = views("slips")[0]
    start = perf_counter()
    async with BotWorkers() as workers:
        await workers.action(BOT, "digits", view, b"")
        return perf_counter() - start


def main() -> None:
    print(provenance())
    print(f"{BOT}, {SEATS} players, {VIEWS} views a game, {TOGETHER} tables asking at once")
    for game_id in GAMES:
        asyncio.run(compared(game_id))
    print(f"  first action of a fresh worker after {asyncio.run(started()):.2f} s")


if __name__ == "__main__":
    main()

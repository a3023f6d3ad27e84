"""Campaigns: a sequence of faults in a world with players, and the result of each fault."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from liarspoker.server.storage.leases import LEASE_SECONDS
from tests.server.faults.audit import Outage, audit, verified
from tests.server.faults.players import PATIENCE, Crowd
from tests.server.faults.strikes import Fault
from tests.server.faults.world import Shape, World, world

GAMES = ("dollar-bill", "salomon-1986", "slips", "thorin", "queen-annes", "queen-annes-indian", "queen-annes-stud")
CLOCK = {"turn": 8.0, "bank": 0.0, "ready": 8.0}
ENOUGH = 30
"""The number of moves between two faults."""


@dataclass
class Result:
    """The result of one fault.

    Attributes:
        number: the number of the run in this kind of world.
        seconds: the longest time until play resumed at a table.
        acknowledged: the number of acknowledged moves since the previous result.
        lost: the number of them that aren't in the log.
        wrong: descriptions of all other errors.
        ruined: whether the world can't be used any more.
    """

    fault: str
    shape: str
    number: int
    seconds: float | None = None
    acknowledged: int = 0
    lost: int = 0
    wrong: list[str] = field(default_factory=list)
    ruined: bool = False

    @property
    def passed(self) -> bool:
        """Whether no error was found."""
        return not self.wrong and not self.lost

    def as_json(self) -> dict[str, Any]:
        """Return the result as a line of JSON."""
        return {**asdict(self), "passed": self.passed}


@dataclass
class Stage:
    """A world and its players.

    Attributes:
        world: the world.
        crowd: the players, after `sit_down`.
        chance: the source of their randomness.
        outages: when tables couldn't be used.
        slack: a factor for time limits on a busy machine.
    """

    world: World
    crowd: Crowd
    chance: Random
    outages: list[Outage] = field(default_factory=list)
    slack: float = 1.0
    _known: dict[str, int] = field(default_factory=dict)
    _counted: tuple[int, int] = (0, 0)

    async def sit_down(self) -> None:
        """Let new players sit down: two and a bot at a table of each game, and an idle one at a table with a clock."""
        before, self._counted = self.crowd, (0, 0)
        self.crowd = Crowd(before.ports, self.chance, before.pause, before.sample)
        for game in GAMES:
            await self.crowd.sit_down(game, people=2, bots=1, clock=None)
        await self.crowd.sit_down(self.chance.choice(GAMES), people=2, bots=1, clock=CLOCK, sleepers=1)
        self.crowd.begin()
        self.world.people = [(player.books.table, player.cookie) for player in self.crowd.players]

    async def leave(self) -> None:
        """Let the players leave."""
        await self.crowd.leave()

    async def strike(self, fault: Fault, number: int = 1) -> Result:
        """Cause a fault during play, and measure the time until play resumes."""
        result = Result(fault.name, str(self.world.shape), number)
        if await self.crowd.moved_on(time.monotonic()) is None:
            result.wrong.append("nobody plays before it")
            return result
        if fault.rested:
            await self.crowd.rest()
        try:
            await self._strike(fault, result)
        except (AssertionError, OSError, RuntimeError, subprocess.SubprocessError) as error:
            result.wrong.append(f"{type(error).__name__}: {error}")
            result.ruined = True
        self._look_at_logs(result, fault)
        return result

    async def _strike(self, fault: Fault, result: Result) -> None:
        began, struck = time.time(), time.monotonic()
        await asyncio.to_thread(fault.strike, self.world)
        if fault.survived:
            lease = LEASE_SECONDS if fault.unowned else 0.0
            await self._goes_on(result, struck, lease, fault.limit)
        await asyncio.to_thread(fault.cure, self.world)
        self.crowd.paused = self.crowd.resting = False
        await self._goes_on(result, time.monotonic(), 0.0, fault.limit)
        if fault.dark:
            self.outages.append(Outage(began, time.time()))

    async def _goes_on(self, result: Result, since: float, lease: float, limit: float) -> None:
        seconds = await self.crowd.moved_on(since)
        if seconds is None:
            result.wrong.append(f"play does not go on within {PATIENCE:.0f} s")
            result.wrong += await asyncio.to_thread(self.world.waiting)
            return
        seconds = max(0.0, seconds - lease)
        result.seconds = max(result.seconds or 0.0, round(seconds, 2))
        if seconds > limit * self.slack:
            result.wrong.append(f"play went on after {seconds:.1f} s, {limit:.0f} s allowed")

    async def check(self, result: Result) -> None:
        """Interrupt the play, and compare the logs with the players' records."""
        await self.crowd.quiet()
        result.wrong += await self.crowd.ask_again(10)
        found = await audit(self.world, self.crowd.players, self.outages, self.slack)
        counted, self._counted = self._counted, (found.acknowledged, found.lost)
        result.acknowledged += found.acknowledged - counted[0]
        result.lost += found.lost - counted[1]
        result.wrong += found.wrong
        self.crowd.paused = False

    async def end(self) -> list[str]:
        """End all tables and verify every deal; return the errors."""
        await self.crowd.quiet()
        return await asyncio.to_thread(verified, await self.crowd.end(), self.world.folder)

    def _look_at_logs(self, result: Result, fault: Fault) -> None:
        """Find log lines that indicate bugs in the server."""
        for node in self.world.nodes:
            lines = list(node.lines())
            for line in lines[self._known.get(node.name, 0) :]:
                serious = line["level"] in ("error", "critical") or "exception" in line
                if serious and not fault.may_say & {line.get("code"), line.get("says"), line.get("from")}:
                    result.wrong.append(f"{node.name}: {line}")
            self._known[node.name] = len(lines)


@asynccontextmanager
async def stage(shape: Shape, seed: int, slack: float = 1.0) -> AsyncIterator[Stage]:
    """Create a world with players."""
    async with world(shape, seed) as made:
        chance = Random(seed)
        staged = Stage(made, Crowd(made.ports, chance), chance, slack=slack)
        await staged.sit_down()
        try:
            yield staged
        finally:
            await staged.leave()


async def campaign(
    shape: Shape, faults: Sequence[tuple[Fault, int]], seed: int, slack: float = 1.0, logs: Path | None = None
) -> AsyncIterator[Result]:
    """Run faults one after another in one world.

    Args:
        shape: the shape of the world.
        faults: the faults, each with the number of its run.
        seed: the random seed.
        slack: a factor for time limits on a busy machine.
        logs: the folder for the servers' logs of failed runs. If given, an audit follows each fault, not only the last.
    """
    async with stage(shape, seed, slack=slack) as made:
        for place, (fault, number) in enumerate(faults, 1):
            result = await made.strike(fault, number)
            last = place == len(faults) or result.ruined
            if (logs or last) and not result.ruined:
                await made.check(result)
            if last and not result.ruined:
                result.wrong += await made.end()
            if logs and not result.passed:
                made.world.keep_logs(logs / f"{fault.name} {shape} {number}")
            yield result
            if last:
                return

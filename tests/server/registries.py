"""Table registries on a real database and a clock that only tests advance, several in sequence or at once."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from liarspoker.protocol.commands import Expire
from liarspoker.server.config import NodeConfig, WallClock, no_probe
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables.decide import read_command
from liarspoker.tables.settings import read_settings

Done = TypeVar("Done")
START = 1_700_000_000.0


class HandClock(WallClock):
    """A clock that tests advance. Integer seconds stay exact."""

    def __init__(self, start: float = START) -> None:
        self.time = start

    def now(self) -> float:
        return self.time


class _Loop(asyncio.SelectorEventLoop):
    """An event loop whose timers follow a given clock."""

    def __init__(self, clock: HandClock) -> None:
        self._clock, self._start = clock, clock.time
        super().__init__()

    def time(self) -> float:
        return self._clock.time - self._start


class SlowBots:
    """Bots that wait for a test before they play the weakest action."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self._answers: list[asyncio.Future[None]] = []

    async def action(self, bot: str, family: str, view: Any, seed: bytes, left: float) -> int:
        self.asked.append(view)
        self._answers.append(asyncio.get_running_loop().create_future())
        await self._answers[-1]
        action: int = (*view.legal.answers, *view.legal.claims)[0]
        return action

    def answer(self) -> None:
        """Let the latest asked bot answer."""
        self._answers[-1].set_result(None)

    async def close(self) -> None:
        pass


@dataclass
class Lives:
    """A database with several registries in sequence, or two nodes at once.

    Attributes:
        url: address of the database.
        clock: clock of all registries.
        bots: the bots.
    """

    url: str
    clock: HandClock = field(default_factory=HandClock)
    bots: SlowBots = field(default_factory=SlowBots)
    key: str = field(default_factory=new_key)

    def live(
        self,
        life: Callable[[TableRegistry], Awaitable[Done]],
        node: str = "main",
        kill: bool = False,
        probe: Callable[[str], None] = no_probe,
    ) -> Done:
        """Run `life` with a new registry and return its result. With `kill`, the registry isn't closed."""

        async def lived() -> Done:
            async with await self.storage() as storage:
                registry = self.registry(storage, node, probe)
                await registry.start(alone=True)
                done = await life(registry)
                if not kill:
                    await registry.close()
                return done

        with asyncio.Runner(loop_factory=self.new_loop) as runner:
            return runner.run(lived())

    def new_loop(self) -> asyncio.AbstractEventLoop:
        """Return an event loop that follows the clock."""
        return _Loop(self.clock)

    async def storage(self) -> Storage:
        """Open the database without timeouts, since the clock advances in jumps."""
        return await Storage.open(self.url, Sealer(self.key), timeout=math.inf)

    def registry(self, storage: Storage, node: str, probe: Callable[[str], None] = no_probe) -> TableRegistry:
        """Return a registry that hasn't been started."""
        return TableRegistry(storage, self.bots, self.clock, NodeConfig(node), probe)

    async def pass_time(self, seconds: float, *actors: TableActor) -> None:
        """Advance the clock, and wait until all due timers have been handled."""
        self.clock.time += seconds
        await settled(*actors)


async def settled(*actors: TableActor) -> None:
    """Wait until due timers have fired and their commands are answered."""
    for _ in range(4):
        await asyncio.sleep(0)
    for actor in actors:
        await actor.idle()


async def until(condition: Callable[[], bool]) -> None:
    """Run other tasks until a condition is true; fail after a while."""
    patience = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < patience, "the condition isn't reached"
        await asyncio.sleep(0)


async def opened(registry: TableRegistry, users: int = 2, **settings: Any) -> TableActor:
    """Create a table with this number of people, with `user-0` as owner, that hasn't been started."""
    given = {"game": "dollar-bill", "seats": max(2, users), **settings}
    actor = await registry.create("user-0", "User 0", read_settings(given))
    for number in range(1, users):
        assert (await say(actor, f"user-{number}", do="join")).ok
    return actor


async def say(actor: TableActor, user: str, command_id: str | None = None, **command: Any) -> Answer:
    """Send a command as a client writes it, and return the answer."""
    return await actor.ask(user, user.replace("u", "U").replace("-", " "), command_id, read_command(command))


async def expire(actor: TableActor, turn: int | None = None) -> Answer:
    """Send a timeout, and return the answer."""
    return await actor.ask("", "", None, Expire(turn=actor.table.turn if turn is None else turn))

"""Houses whose time stands still until a test moves it, on a real database: life after life, in one process."""

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
    """A clock that is moved by hand. Whole seconds stay exact."""

    def __init__(self, start: float = START) -> None:
        self.time = start

    def now(self) -> float:
        return self.time


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that goes by a clock, so that its timers ring when the clock is moved."""

    def __init__(self, clock: HandClock) -> None:
        self._clock, self._start = clock, clock.time
        super().__init__()

    def time(self) -> float:
        return self._clock.time - self._start


class SlowBots:
    """Bots that think until they are told to answer, and then say the weakest thing."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self._answers: list[asyncio.Future[None]] = []

    async def action(self, bot: str, family: str, view: Any, seed: bytes) -> int:
        self.asked.append(view)
        self._answers.append(asyncio.get_running_loop().create_future())
        await self._answers[-1]
        action: int = (*view.legal.answers, *view.legal.claims)[0]
        return action

    def answer(self) -> None:
        """Let the bots say what they were asked for last."""
        self._answers[-1].set_result(None)

    async def close(self) -> None:
        pass


@dataclass
class Lives:
    """A database on which one registry after the other lives, or two nodes at once.

    Attributes:
        url: of the database.
        clock: the time of all registries.
        bots: who plays for the bots.
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
        """What comes of the life of a registry, which is closed in order or leaves everything as it is."""

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
        """An event loop that goes by the clock."""
        return _Loop(self.clock)

    async def storage(self) -> Storage:
        """The database, for which nobody loses patience, since time goes by leaps here."""
        return await Storage.open(self.url, Sealer(self.key), timeout=math.inf)

    def registry(self, storage: Storage, node: str, probe: Callable[[str], None] = no_probe) -> TableRegistry:
        """A registry that is yet to be started."""
        return TableRegistry(storage, self.bots, self.clock, NodeConfig(node), probe)

    async def pass_time(self, seconds: float, *actors: TableActor) -> None:
        """Move the clock, and wait until all that rings then is done."""
        self.clock.time += seconds
        await settled(*actors)


async def settled(*actors: TableActor) -> None:
    """Wait until the timers that are due have rung, and what they asked is answered."""
    for _ in range(4):
        await asyncio.sleep(0)
    for actor in actors:
        await actor.idle()


async def until(condition: Callable[[], bool]) -> None:
    """Let the others run until it is so; what never comes is missing after a while."""
    patience = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < patience, "it does not come"
        await asyncio.sleep(0)


async def opened(registry: TableRegistry, users: int = 2, **settings: Any) -> TableActor:
    """A table with so many people, `user-0` its owner, which is yet to be started."""
    given = {"game": "dollar-bill", "seats": max(2, users), **settings}
    actor = await registry.create("user-0", "User 0", read_settings(given))
    for number in range(1, users):
        assert (await say(actor, f"user-{number}", do="join")).ok
    return actor


async def say(actor: TableActor, user: str, command_id: str | None = None, **command: Any) -> Answer:
    """The answer to a command as a program writes it."""
    return await actor.ask(user, user.replace("u", "U").replace("-", " "), command_id, read_command(command))


async def expire(actor: TableActor, turn: int | None = None) -> Answer:
    """What comes of the claim that time is up."""
    return await actor.ask("", "", None, Expire(turn=actor.table.turn if turn is None else turn))

"""A server that asks one bot for an action, until a test kills it. Arguments: LOOP PIPE BOT SECONDS."""

import asyncio
import sys
from importlib import import_module

from liarspoker.server.bots.workers import BotWorkers


async def serve(pipe: str, bot: str, seconds: str) -> None:
    async with BotWorkers(2, float(seconds), first_seconds=0, loader="tests.server.bots.strange_bots:load") as workers:
        while len(workers.pids) < 2:
            await workers.action("draws", "digits", None, b"")
        print(*workers.pids, flush=True)
        await workers.action(bot, "digits", pipe, b"")


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=import_module(sys.argv[1]).new_event_loop) as runner:
        runner.run(serve(*sys.argv[2:]))

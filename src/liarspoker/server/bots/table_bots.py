"""The bots of live tables: most are fast, and some think, in a process of their own with the extra `engine`.

A bot that thinks must not delay a table. Where no thought comes in time, the bot with the same network plays at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from math import inf
from typing import Any

from liarspoker.bots import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.extras import has_engine
from liarspoker.server.bots.workers import ENGINE_VARIABLES, BotWorkers

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""The maximum time that a table waits for a thought, in seconds."""

WAIT = 3.0
"""The part of it in which another bot may still be thinking."""

LONGEST_QUEUE = 8
"""The maximum number of bots that wait for their turn to think."""

MOST_SECONDS, FIRST_SECONDS = 10.0, 180.0
"""The time limit of a thought, and the additional time for the first one, for which code may have to be compiled."""

NICENESS = 19
"""The niceness of the process: the lowest priority, so that all other bots and reviews go first."""

IDLE_SECONDS = 300.0
"""The process is stopped when no bot has thought for this time."""

TOO_LATE, NO_ENGINE = "bot-too-late", "engine-missing"
"""Why a bot didn't think, if nothing has failed: no thought came in time, or the packages aren't installed."""


def thinkers() -> BotWorkers:
    """Return the process in which bots think, one at a time. It is started when it is needed."""
    return BotWorkers(
        1,
        MOST_SECONDS,
        first_seconds=FIRST_SECONDS,
        timeout=WAIT,
        longest_queue=LONGEST_QUEUE,
        memory=0,  # compiled code and its threads reserve more address space than they use
        niceness=NICENESS,
        variables=ENGINE_VARIABLES,
        idle_seconds=IDLE_SECONDS,
    )


class TableBots:
    """Chooses the actions of bots at live tables. Use it within one event loop.

    Args:
        fast: the workers of bots that don't think.
        thinking: the process of those that do; by default the usual one.

    Attributes:
        fast: the workers of bots that don't think.
        thinking: the process of those that do.
        unthought: the number of decisions without a thought, by reason.
    """

    def __init__(self, fast: BotWorkers, thinking: BotWorkers | None = None) -> None:
        self.fast = fast
        self.thinking = thinkers() if thinking is None else thinking
        self.unthought = Counter(dict.fromkeys((*self.thinking.failures, TOO_LATE, NO_ENGINE), 0))
        self._thoughts: set[asyncio.Task[int]] = set()

    async def action(self, bot: str, family: str, view: Any, seed: bytes, left: float = inf) -> int:
        """Return a bot's action, which may be illegal; see :meth:`~.workers.BotWorkers.action`.

        Args:
            bot: its name in the catalogue.
            family: the game family.
            view: the view of the seat to act.
            seed: the bot's random seed. The same view and seed give the same action if the bot thinks in time.
            left: the seconds that are left for the action, of which a thought may use half.

        Raises:
            LiarsPokerError: a bot that doesn't think has failed, as has the one that plays for a bot that thinks.
        """
        network = network_of(bot)
        if not network:
            return await self.fast.action(bot, family, view, seed)
        try:
            return await self._thought(bot, family, view, seed, min(PATIENCE, left / 2))
        except LiarsPokerError as error:
            self.unthought[error.code] += 1
            log.warning("bot plays without thinking", extra={"bot": bot, "code": error.code})
        return await self.fast.action(network, family, view, seed)

    async def _thought(self, bot: str, family: str, view: Any, seed: bytes, patience: float) -> int:
        """Return the action of a bot that thinks.

        Raises:
            LiarsPokerError: it has failed, is too late, or can't think here.
        """
        if not has_engine():
            raise CannotThink(NO_ENGINE)
        thought = asyncio.create_task(self.thinking.action(bot, family, view, seed))
        self._thoughts.add(thought)
        thought.add_done_callback(self._forget)
        # A late thought isn't cancelled: this would end the process, which the next one would have to wait for.
        await asyncio.wait([thought], timeout=patience)
        if not thought.done():
            raise CannotThink(TOO_LATE)
        return thought.result()

    def _forget(self, thought: asyncio.Task[int]) -> None:
        self._thoughts.discard(thought)
        if not thought.cancelled():
            thought.exception()  # nobody may have waited for it

    async def close(self) -> None:
        """End all processes and wait for their end. Pending requests fail."""
        await asyncio.gather(self.fast.close(), self.thinking.close())


class CannotThink(LiarsPokerError):
    """A bot can't think, or not in time."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def network_of(bot: str) -> str:
    """Return the name of the bot that plays as the network of a bot that thinks; empty for all others.

    >>> network_of("champion:500ms"), network_of("champion"), network_of("nobody")
    ('champion', '', '')
    """
    return next((row.network for row in catalogue.THINKING if row.name == bot), "")

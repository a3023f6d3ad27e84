"""Reviews of finished hands, computed in a process of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import zlib
from asyncio.subprocess import PIPE, Process
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from liarspoker.coach.document import Refusal, ReviewDocument, appraisal_of
from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.extras import has_engine
from liarspoker.language import LANGUAGES
from liarspoker.server.bots.workers import ENGINE_VARIABLES

log = logging.getLogger(__name__)

MODULE = "liarspoker.coach.worker"

MOST_SECONDS = 120.0
"""The time limit of a review."""

MOST_ACTIONS, MOST_CLAIMS = 300, 100
"""The maximum number of actions of a hand that is reviewed, and of a round of a card game."""

PLAYOUTS_TOGETHER, FEWEST, MOST = 12_000, 100, 1_000
"""A hand with more actions gets fewer playouts for each, so that it doesn't take much longer."""

IDLE_SECONDS = 300.0
"""The process is stopped when nobody has asked for this time; it takes about 300 MB of memory."""

LONGEST_QUEUE = 20
"""The maximum number of reviews that wait."""

PER_ADDRESS = 2
"""The maximum number of them from one address."""

KEPT = 8_192
"""The number of reviews that are kept, about 10 kB each."""

LONGEST_ID = 100
"""The maximum length of the id of a table that is looked for in a record."""

LONGEST_LINE = 1 << 24


class NoReview(LiarsPokerError):
    """A hand can't be reviewed.

    Attributes:
        code: `reviews-missing`, `reviews-busy`, `review-failed` or `review-refused`.
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(why or code)
        self.code = code


class JudgedDecision(NamedTuple):
    """A decision on which a review has a verdict.

    Attributes:
        seat: the seat that decided.
        verdict: `best`, `fine`, `inaccuracy`, `mistake` or `blunder`.
        loss: what the best action was worth more, in units at stake 1; 0 or more.
    """

    seat: int
    verdict: str
    loss: float


class _Kept(NamedTuple):
    """A review that is kept: packed, with its decisions (`None` if it was refused) and the id of the record's table."""

    packed: bytes
    decisions: tuple[JudgedDecision, ...] | None
    table: str


class Reviews:
    """Reviews hands one at a time, in a process that is started when it is needed. Use it within one event loop.

    Attributes:
        waiting: the number of reviews that wait or are being computed, by address.
        tables: the number of reviews that are kept, by the id of the table that their record names. Anybody may upload
            a record that names any table, so a number above 0 only means that it is worth looking.
    """

    def __init__(self) -> None:
        self.waiting: Counter[str] = Counter()
        self.tables: Counter[str] = Counter()
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._found: OrderedDict[str, _Kept] = OrderedDict()
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @staticmethod
    def are_installed() -> bool:
        """Return whether the packages are installed that a review needs."""
        return has_engine()

    async def review(
        self, record: Mapping[str, Any], hand: int, language: str, address: str, admit: Callable[[], None]
    ) -> ReviewDocument:
        """Return the review of a hand, as `liarspoker review --json` prints it.

        Args:
            record: a record, limited to what the reader may know.
            hand: the number of the hand in it, from 1.
            language: the language of its sentences.
            address: who asks.
            admit: called before a review is computed; it may raise an error.

        Raises:
            NoReview: the packages aren't installed, too many reviews are waiting, or this hand can't be reviewed.
        """
        key = keys_of(record, language)[hand - 1]
        if key not in self._found:
            if not self.are_installed():
                raise NoReview("reviews-missing")
            if self.waiting.total() >= LONGEST_QUEUE or self.waiting[address] >= PER_ADDRESS:
                raise NoReview("reviews-busy")
            admit()
            self.waiting[address] += 1
            try:
                async with self._turn:
                    if key not in self._found:  # somebody else may have asked for the same one
                        self._keep(key, await self._asked(record, hand, language), record)
            finally:
                self.waiting[address] -= 1
                self.waiting += Counter()  # without the addresses that wait no longer
        found = self.kept(key)
        assert found is not None
        if "refused" in found:
            raise NoReview(found["refused"], found["why"])
        return found

    def kept(self, key: str) -> ReviewDocument | Refusal | None:
        """Return what is known of a review: the review, or why there is none; `None` if it wasn't asked for."""
        found = self._found.get(key)
        if found is None:
            return None
        self._found.move_to_end(key)
        kept: ReviewDocument | Refusal = json.loads(zlib.decompress(found.packed))
        return kept

    def decisions(self, hand: str) -> tuple[JudgedDecision, ...] | None:
        """Return the judged decisions of a hand, in their order; `None` if no review of it in any language is kept.

        It doesn't change which review is dropped next.

        Args:
            hand: the key of the hand; see `hands_of`.
        """
        kept = (self._found.get(_key(hand, language)) for language in LANGUAGES)
        return next((one.decisions for one in kept if one is not None and one.decisions is not None), None)

    def _keep(self, key: str, found: ReviewDocument | Refusal, record: Mapping[str, Any]) -> None:
        table = record.get("x-table")
        table = table if isinstance(table, str) and len(table) <= LONGEST_ID else ""
        self._found[key] = _Kept(zlib.compress(json.dumps(found).encode(), 1), _judged(found), table)
        self.tables[table] += 1
        while len(self._found) > KEPT:
            _oldest, dropped = self._found.popitem(last=False)
            self.tables[dropped.table] -= 1
            if not self.tables[dropped.table]:
                del self.tables[dropped.table]

    async def close(self) -> None:
        """Stop the process for good."""
        self._closed = True
        await self._stop()

    async def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _asked(self, record: Mapping[str, Any], hand: int, language: str) -> ReviewDocument | Refusal:
        """Return the answer of the process, which is started if it doesn't run; a failure is an answer too."""
        if self._idle is not None:
            self._idle.cancel()
        actions = len(record["rounds"][hand - 1]["actions"])
        is_match = catalogue.preset(record["game"]).has_winner
        if actions > (MOST_CLAIMS if is_match else MOST_ACTIONS):
            return {"refused": "review-too-long", "why": ""}
        playouts = max(FEWEST, min(MOST, PLAYOUTS_TOGETHER // max(1, actions)))
        wanted = {"record": {**record, "rounds": record["rounds"][:hand]}, "hand": hand}
        request = json.dumps({**wanted, "language": language, "playouts": playouts}).encode()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                process = await self._running()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(request + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
            found: ReviewDocument | Refusal = json.loads(line)
        except (TimeoutError, OSError, ValueError) as error:
            log.warning("review failed", extra={"error": type(error).__name__})
            await self._stop()
            return {"refused": "review-failed", "why": ""}
        except asyncio.CancelledError:
            await self._stop()  # it would answer the next request with this review
            raise
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(IDLE_SECONDS, lambda: loop.create_task(self._rest()))
        return found

    async def _rest(self) -> None:
        async with self._turn:
            await self._stop()

    async def _running(self) -> Process:
        """Return the process, which is started if it doesn't run.

        Raises:
            OSError: it can't be started, or the server is stopping.
        """
        if self._closed:
            raise OSError("the server is stopping")
        if self._process is None or self._process.returncode is not None:
            # -P: don't import modules from the current folder.
            command = (sys.executable, "-P", "-m", MODULE)
            environment = {name: os.environ[name] for name in ENGINE_VARIABLES if name in os.environ}
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=environment, limit=LONGEST_LINE
            )
        return self._process


def _judged(review: ReviewDocument | Refusal) -> tuple[JudgedDecision, ...] | None:
    """Return the judged decisions of a review, `None` if it was refused."""
    if "refused" in review:
        return None
    actions = [(action["seat"], appraisal_of(action)) for action in review["hands"][0]["actions"]]
    return tuple(
        JudgedDecision(seat, sys.intern(appraisal["verdict"]), appraisal["loss"])
        for seat, appraisal in actions
        if appraisal is not None
    )


def keys_of(record: Mapping[str, Any], language: str) -> list[str]:
    """Return the key of the review of each hand in a language; see `hands_of`."""
    return [_key(hand, language) for hand in hands_of(record)]


def hands_of(record: Mapping[str, Any]) -> list[str]:
    """Return the key of each hand of a record: a hash of the record up to that hand, whatever the order of its keys."""
    head = {name: value for name, value in record.items() if name != "rounds"}
    so_far, keys = sha256(json.dumps(head, sort_keys=True).encode()), []
    for played in record["rounds"]:
        so_far.update(json.dumps(played, sort_keys=True).encode())
        keys.append(so_far.hexdigest())
    return keys


def _key(hand: str, language: str) -> str:
    return f"{language} {hand}"

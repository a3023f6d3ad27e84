"""A worker: `python -m liarspoker.server.bots.worker LOADER SECONDS BYTES` reads requests and answers each in turn.

It ends when its standard input does, even while a bot thinks: the server closes it, or has died. Bots find nothing to
read or write where a program usually does, so they cannot get between the server and its worker, nor put what they see
into the server's log. Nothing else of the server is loaded here.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from queue import SimpleQueue
from random import Random
from traceback import extract_tb
from typing import Any, BinaryIO, Literal, TypeAlias, cast, get_args

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.bots.protocol import Bot

HEAD = struct.Struct("!I")
"""Before every frame: how many bytes it has."""

LONGEST_ANSWER = 4096
"""Bytes in an answer, at most."""

Kind: TypeAlias = Literal["ready", "played", "crashed", "nonsense", "unknown"]


class Garbled(ValueError):
    """These bytes are no answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says.

    Attributes:
        kind: `ready` once after its start; then for every request whether the bot has `played`, has `crashed`, gave
            `nonsense` for an action, or is `unknown`.
        text: the action in decimals, or what was wrong.
    """

    kind: Kind
    text: str = ""

    def to_bytes(self) -> bytes:
        """The answer as it travels, cut where it is too long."""
        return f"{self.kind} {self.text}".encode(errors="replace")[:LONGEST_ANSWER]

    @classmethod
    def from_bytes(cls, body: bytes) -> Answer:
        """The answer that these bytes are.

        Raises:
            Garbled: they are none.
        """
        kind, _, text = body.decode(errors="replace").partition(" ")
        if kind not in get_args(Kind) or (kind == "played" and not text.removeprefix("-").isdecimal()):
            raise Garbled(f"{len(body)} bytes are no answer")
        return cls(cast("Kind", kind), text)


def request_of(bot: str, family: str, view: Any, seed: bytes) -> bytes:
    """A request as it travels: a bot by its name and family of games, what its seat may know, and its chance's seed."""
    return pickle.dumps((bot, family, view, seed), pickle.HIGHEST_PROTOCOL)


def framed(body: bytes) -> bytes:
    """A frame with its head.

    >>> list(framed(b"0x7")), len(framed(Answer("played", "-1").to_bytes()))
    ([0, 0, 0, 3, 48, 120, 55], 13)
    """
    return HEAD.pack(len(body)) + body


NICENESS = 10
"""How far a worker steps back behind the server."""

GRACE = 1.0
"""Seconds after the deadline in which the server usually ends a worker; after them it ends by itself."""

MOST_FILES = 1024
"""How many files a worker looks for that were opened before it began."""

Load: TypeAlias = Callable[[str, str], Bot]


def main(arguments: Sequence[str]) -> None:
    """Answer requests until the server is gone.

    Args:
        arguments: `module:name` of what finds a bot by name and family, as `liarspoker.bots.catalogue.load` does; the
            seconds that a bot has for an action; and how many bytes the process may take, 0 for any number.
    """
    place, seconds, memory = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the server decides
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    os.closerange(3, MOST_FILES)  # uvloop hands on more than the three streams
    requests, answers = _taken(0, "rb"), _taken(1, "wb")
    load = _loader(place)
    _limit(int(memory))
    _say(answers, Answer("ready"))
    _into_the_void(2)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, jobs), daemon=True).start()
    while True:
        body = jobs.get()
        _alarm(float(seconds) + GRACE)
        _say(answers, answered(body, load))
        _alarm(0)


def answered(body: bytes, load: Load) -> Answer:
    """The answer to a request. What a bot raises is told by its type and place: its text may tell what it has seen."""
    try:
        bot, family, view, seed = pickle.loads(body)  # the server has sent it, and workers trust the server
        action: object = load(bot, family)(view, Random(seed))
    except UnknownBot as error:
        return Answer("unknown", str(error))
    except BaseException as error:
        last = extract_tb(error.__traceback__)[-1]
        return Answer("crashed", f"{type(error).__name__} at {os.path.basename(last.filename)}:{last.lineno}")
    if not isinstance(action, int) or isinstance(action, bool):
        return Answer("nonsense", f"an action is an int, and no {type(action).__name__}")
    if action.bit_length() > LONGEST_ANSWER:
        return Answer("nonsense", f"an action of {action.bit_length()} bits")
    return Answer("played", str(int(action)))


def _loader(place: str) -> Load:
    module, _, name = place.partition(":")
    found: Load = getattr(import_module(module), name)
    return found


def _say(answers: BinaryIO, answer: Answer) -> None:
    try:
        answers.write(framed(answer.to_bytes()))
        answers.flush()
    except OSError:
        os._exit(1)  # Nobody listens any more.


def _listen(requests: BinaryIO, jobs: SimpleQueue[bytes]) -> None:
    """Pass on what the server asks; end the process when the server is gone, whatever the bot does."""
    with suppress(OSError):
        while len(head := requests.read(HEAD.size)) == HEAD.size:
            jobs.put(requests.read(*HEAD.unpack(head)))
    os._exit(0)


def _taken(stream: int, mode: str) -> BinaryIO:
    """A standard stream for the worker alone; what bots find in its place is empty."""
    own = cast("BinaryIO", os.fdopen(os.dup(stream), mode))
    _into_the_void(stream)
    return own


def _into_the_void(stream: int) -> None:
    void = os.open(os.devnull, os.O_RDWR)
    os.dup2(void, stream)
    os.close(void)


def _limit(memory: int) -> None:
    """Let the process take so many bytes and no more, where the system can do that."""
    if memory and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _alarm(seconds: float) -> None:
    """End the process after so many seconds, also when a bot never lets go of the interpreter; 0 for no more alarm."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main(sys.argv[1:])

"""A worker: `python -m liarspoker.server.bots.worker LOADER SECONDS BYTES NICENESS` answers requests in turn.

It ends when its standard input is closed, even during a request: the server has closed it, or has died. The standard
streams are replaced before bots run, so that a bot can't interfere with the protocol or write to the server's log. No
other part of the server is loaded.
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
"""The header of a frame: its length in bytes."""

LONGEST_ANSWER = 4096
"""The maximum length of an answer, in bytes."""

Kind: TypeAlias = Literal["ready", "played", "crashed", "nonsense", "unknown"]


class MalformedAnswer(ValueError):
    """Bytes that aren't a valid answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a worker.

    Attributes:
        kind: `ready` once after the start; then for every request whether the bot has `played`, has `crashed`, returned
            `nonsense` instead of an action, or is `unknown`.
        text: the action as a decimal number, or a description of the error.
    """

    kind: Kind
    text: str = ""

    def to_bytes(self) -> bytes:
        """Encode the answer, truncated to `LONGEST_ANSWER` bytes."""
        return f"{self.kind} {self.text}".encode(errors="replace")[:LONGEST_ANSWER]

    @classmethod
    def from_bytes(cls, body: bytes) -> Answer:
        """Decode an answer.

        Raises:
            MalformedAnswer: the bytes aren't a valid answer.
        """
        kind, _, text = body.decode(errors="replace").partition(" ")
        if kind not in get_args(Kind) or (kind == "played" and not text.removeprefix("-").isdecimal()):
            raise MalformedAnswer(f"{len(body)} bytes that aren't an answer")
        return cls(cast("Kind", kind), text)


def request_of(bot: str, family: str, view: Any, seed: bytes) -> bytes:
    """Encode a request: the bot's name, the game family, the view of its seat, and its random seed."""
    return pickle.dumps((bot, family, view, seed), pickle.HIGHEST_PROTOCOL)


def framed(body: bytes) -> bytes:
    """Return a frame: the header and the body.

    >>> list(framed(b"0x7")), len(framed(Answer("played", "-1").to_bytes()))
    ([0, 0, 0, 3, 48, 120, 55], 13)
    """
    return HEAD.pack(len(body)) + body


GRACE = 1.0
"""Seconds after the deadline until a worker ends by itself, in case the server hasn't killed it."""

MAX_FILES = 1024
"""The number of inherited file descriptors that a worker closes at its start."""

Load: TypeAlias = Callable[[str, str], Bot]


def main(arguments: Sequence[str]) -> None:
    """Answer requests until standard input is closed.

    Args:
        arguments: `module:name` of the function that loads a bot by name and family, such as
            `liarspoker.bots.catalogue.load`; the time limit of an action, in seconds; the memory limit of the process
            in bytes, 0 for none; and its niceness.
    """
    place, seconds, memory, niceness = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the server handles it
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    os.closerange(3, MAX_FILES)  # uvloop passes on more than the standard streams
    requests, answers = _take_over(0, "rb"), _take_over(1, "wb")
    load = _loader(place)
    _limit(int(memory))
    _send(answers, Answer("ready"))
    _redirect_to_null(2)
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, jobs), daemon=True).start()
    while True:
        body = jobs.get()
        _alarm(float(seconds) + GRACE)
        _send(answers, answered(body, load))
        _alarm(0)


def answered(body: bytes, load: Load) -> Answer:
    """Answer a request. Exceptions are reported by type and place, since their text may reveal a hand."""
    try:
        bot, family, view, seed = pickle.loads(body)  # requests come from the server, which is trusted
        action: object = load(bot, family)(view, Random(seed))
    except UnknownBot as error:
        return Answer("unknown", str(error))
    except BaseException as error:
        last = extract_tb(error.__traceback__)[-1]
        return Answer("crashed", f"{type(error).__name__} at {os.path.basename(last.filename)}:{last.lineno}")
    if not isinstance(action, int) or isinstance(action, bool):
        return Answer("nonsense", f"an action must be an int, not {type(action).__name__}")
    if action.bit_length() > LONGEST_ANSWER:
        return Answer("nonsense", f"the action has {action.bit_length()} bits")
    return Answer("played", str(int(action)))


def _loader(place: str) -> Load:
    module, _, name = place.partition(":")
    found: Load = getattr(import_module(module), name)
    return found


def _send(answers: BinaryIO, answer: Answer) -> None:
    try:
        answers.write(framed(answer.to_bytes()))
        answers.flush()
    except OSError:
        os._exit(1)  # the server has closed the pipe


def _listen(requests: BinaryIO, jobs: SimpleQueue[bytes]) -> None:
    """Queue the requests of the server; end the process when standard input is closed, whatever the bot does."""
    with suppress(OSError):
        while len(head := requests.read(HEAD.size)) == HEAD.size:
            jobs.put(requests.read(*HEAD.unpack(head)))
    os._exit(0)


def _take_over(stream: int, mode: str) -> BinaryIO:
    """Reserve a standard stream for the worker, and give bots the null device instead."""
    own = cast("BinaryIO", os.fdopen(os.dup(stream), mode))
    _redirect_to_null(stream)
    return own


def _redirect_to_null(stream: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, stream)
    os.close(null)


def _limit(memory: int) -> None:
    """Limit the memory of the process, if the system supports that."""
    if memory and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _alarm(seconds: float) -> None:
    """End the process after this many seconds, even if a bot never releases the interpreter; 0 cancels the alarm."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Bots that are programs of their own, in any language, over a protocol of lines.

The program is started without a shell and reads one request per line from its standard input: a JSON object with what
its seat may know. It answers each with one line, the action in Liar's Poker Notation. Its standard error is passed
through. One program plays any number of seats, so it should keep no state between requests.
"""

from __future__ import annotations

import shlex
import subprocess
from contextlib import suppress
from dataclasses import asdict
from random import Random
from threading import Lock, Timer
from typing import Any
from weakref import finalize

from msgspec import json

from liarspoker.core import catalogue as games
from liarspoker.core.errors import IllegalAction, LiarsPokerError
from liarspoker.language import _
from liarspoker.tables.settings import load_game, table_rules

PREFIX = "cmd:"
"""The prefix of a command line where bots are named."""

SECONDS = 60.0
"""The time limit of an answer."""


class BotProcessFailed(LiarsPokerError):
    """The program of a bot can't be started, has ended, took too long, or didn't answer with an action."""

    code = "bot-process"


class ProcessBot:
    """A bot that asks a program. The program is started at the first request and ends with this object.

    Args:
        command: the command line, split like a shell's but without running one.
        seconds: the time limit of an answer.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"{PREFIX}{self._command}"

    def __call__(self, view: Any, chance: Random) -> int:
        """Return the action that the program answers.

        Raises:
            BotProcessFailed: see the class.
        """
        with self._lock:
            answer = self._answer(request_of(view, chance))
        try:
            return action_of(answer, view)
        except IllegalAction as error:
            raise BotProcessFailed(f"{self!r}: {error}") from error

    def _answer(self, request: bytes) -> str:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = Timer(self._seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(request + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            why = _("it ended without an answer, or took more than {seconds:g} seconds", seconds=self._seconds)
            raise BotProcessFailed(f"{self!r}: {why}")
        return line.decode(errors="replace").strip()

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            words = shlex.split(self._command)
            if not words:
                raise BotProcessFailed(_("{bot}: the command is empty; name a program", bot=repr(self)))
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except FileNotFoundError as error:
            message = _("{bot}: the program {program} wasn't found", bot=repr(self), program=words[0])
            raise BotProcessFailed(message) from error
        except OSError as error:
            message = _(
                "{bot}: the program {program} can't be started: {reason}",
                bot=repr(self),
                program=words[0],
                reason=error.strerror,
            )
            raise BotProcessFailed(message) from error
        except ValueError as error:
            raise BotProcessFailed(f"{self!r}: {error}") from error
        self._process = process
        finalize(self, _end, process)
        return process


def request_of(view: Any, chance: Random) -> bytes:
    """Return a request: a JSON object on one line.

    Args:
        view: what the seat to act may know.
        chance: the bot's source of randomness, from which the request's seed is drawn.

    Returns:
        `game`, `options`, `seat`, a random `seed`, and `round` and `hand` as in the views of the live protocol.
    """
    rules, names = table_rules(view.game), tuple(str(seat) for seat in range(seats_of(view)))
    return json.encode(
        {
            "game": view.game,
            "options": asdict(view.options) if hasattr(view, "options") else {},
            "seat": view.seat,
            "seed": chance.getrandbits(32),
            "round": rules.public(view, names, names),
            "hand": rules.private(view),
        }
    )


def action_of(text: str, view: Any) -> int:
    """Return the action that a text in the notation denotes.

    Raises:
        IllegalAction: it isn't an action of the game.
    """
    if hasattr(view, "legal_texts"):
        known = dict(zip(view.legal_texts, view.legal.actions, strict=True))
        if text in known:
            return int(known[text])
    options = view.options if hasattr(view, "options") else None
    return load_game(games.preset(view.game).id).session(seats_of(view), options).read(text)


def seats_of(view: Any) -> int:
    """Return the number of seats at the table of a view."""
    return int(view.rules.seats if hasattr(view, "rules") else view.seats)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a program: close its input, and kill it if it goes on."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()

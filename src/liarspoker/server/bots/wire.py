"""What the server and a worker say to each other: frames of bytes, a request in one and its answer in the next.

Requests are pickled. Answers are plain text and never unpickled: whatever happens in a worker, nothing that comes out
of it is trusted.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

HEAD = struct.Struct("!I")
"""Before every frame: how many bytes it has."""

LONGEST_ANSWER = 4096
"""Bytes in an answer, at most."""

Kind: TypeAlias = Literal["ready", "played", "crashed", "nonsense", "unknown"]


class Garbled(ValueError):
    """These bytes are no answer."""


@dataclass(frozen=True, slots=True)
class Request:
    """One bot, asked for one action.

    Attributes:
        bot: the bot's name.
        family: the family of games, as `GameRow.family` names it.
        view: what the seat to act may know.
        seed: of the bot's chance.
    """

    bot: str
    family: str
    view: Any
    seed: bytes

    def to_bytes(self) -> bytes:
        """The request as it travels."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)

    @classmethod
    def from_bytes(cls, body: bytes) -> Request:
        """The request that the server has sent; for workers alone, who trust the server."""
        request: Request = pickle.loads(body)
        return request


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


def framed(body: bytes) -> bytes:
    """A frame with its head.

    >>> list(framed(b"0x7")), len(framed(Answer("played", "-1").to_bytes()))
    ([0, 0, 0, 3, 48, 120, 55], 13)
    """
    return HEAD.pack(len(body)) + body

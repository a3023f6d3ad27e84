"""Malformed frames for fuzzing."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from liarspoker.protocol.commands import KINDS
from liarspoker.server.run import MAX_FRAME_BYTES
from liarspoker.tables.decide import read_command
from liarspoker.tables.refused import Refused

Frame = tuple[str | bytes, bool]
"""The bytes to send, and whether they are sent as a text frame."""

_VALUES: dict[str, Any] = {"bot": "binomial", "nonce": "00", "options": {}, "kind": "undo", "text": "hello", "on": True}
_VALUES |= {"user": "somebody", "action": "1x1", "yes": True, "nonce_commitment": "00" * 32, "version": 1}
_ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0.5,
    10**400,
    float("nan"),
    float("-inf"),
    "",
    "\ud800",
    "\0",
    "\u202e",
    "x" * 400,
    [],
    {},
    [[]],
)
_ODD_TEXTS = (
    "",
    "null",
    "[]",
    '"x"',
    "1e999",
    "-",
    "{",
    "{}",
    "\ufeff{}",
    '{"kind":"ping"}{"kind":"ping"}',
    "[" * 9000,
)


def frame(chance: Random) -> Frame:
    """Any frame that can't have an effect."""
    while True:
        made = chance.choice(_MAKERS)(chance)
        if not _can_be_done(made[0]):
            return made


def _can_be_done(sent: str | bytes) -> bool:
    """Whether this is a command that the table might accept."""
    try:
        read_command(json.loads(sent)["command"])
    except (Refused, ValueError, RecursionError, TypeError, KeyError):
        return False
    return True


def message(chance: Random) -> dict[str, Any]:
    """Well-formed messages."""
    do = chance.choice(list(KINDS))
    fields = {name: _VALUES.get(name, chance.randrange(4)) for name in KINDS[do].__struct_fields__ if name != "version"}
    command = {"kind": "command", "id": f"c{chance.random()}", "command": {"do": do, **fields}}
    return chance.choice((command, command, {"kind": "check", "id": "k", "action": "1x1"}, {"kind": "ping"}))


def _bent(chance: Random) -> Frame:
    """Messages with one value or key changed."""
    told = message(chance)
    where = told
    while chance.random() < 0.6 and (inner := [value for value in where.values() if type(value) is dict and value]):
        where = chance.choice(inner)
    key, odd = chance.choice(list(where)), chance.choice(_ODD)
    change = chance.randrange(4)
    if change == 0:
        del where[key]
    elif change == 1:
        where[str(odd)[:300]] = where[key]
    else:
        where[key] = {"a": odd} if change == 2 else odd
    return json.dumps(told, ensure_ascii=True), True


def _deep(chance: Random) -> Frame:
    """Messages with a deeply nested value."""
    begin, end = chance.choice((("[", "]"), ('{"a":', "}")))
    depth = chance.choice((10, 300, 500, 900, 990, 1000, 2500))
    inner = begin * depth + "1" + end * depth
    text = json.dumps(message(chance)).replace("1", inner, 1)
    return (text if chance.random() < 0.7 else inner), True


def _cut(chance: Random) -> Frame:
    text = json.dumps(message(chance))
    return text[: chance.randrange(len(text))], True


def _doubled(chance: Random) -> Frame:
    """Messages with a duplicate key, whose second value is unexpected."""
    text = json.dumps(message(chance))
    return text[:-1] + "," + json.dumps({"kind": chance.choice(_ODD), "command": chance.choice(_ODD)})[1:], True


def _numbers(chance: Random) -> Frame:
    digits = chance.choice(("9" * 4000, "9" * 5000, "1e400", "-0", "0." + "1" * 3000, "Infinity", "NaN"))
    return '{"kind":"command","id":"n","command":{"do":"act","turn":' + digits + ',"action":"1x1"}}', True


def _noise(chance: Random) -> Frame:
    return chance.randbytes(chance.randrange(80)), chance.random() < 0.1


_MAKERS = (
    *(_bent,) * 40,
    *(_cut,) * 10,
    *(_deep,) * 10,
    *(_doubled,) * 10,
    *(_numbers,) * 10,
    _noise,
    lambda chance: (chance.choice(_ODD_TEXTS), True),
    lambda chance: (json.dumps(message(chance)).encode(), False),
    lambda chance: ("x" * (MAX_FRAME_BYTES + chance.choice((-1, 1))), True),
)

"""States and commands over HTTP, typed as the client has them."""

from __future__ import annotations

import json
from typing import Any

from msgspec import to_builtins

from liarspoker.protocol import frames
from liarspoker.protocol.commands import Command
from liarspoker.terminal.link import _read
from liarspoker.terminal.state import State
from tests.server.inprocess import Person


def state_of(view: dict[str, Any]) -> State:
    """The state of a table's view."""
    frame = _read(json.dumps({"kind": "state", "version": view["public"]["version"], **view}))
    assert isinstance(frame, frames.State)
    return State.of(frame)


def send(person: Person, table: str, command: Command) -> bool:
    """Whether a command takes effect."""
    fields = {name: value for name, value in to_builtins(command).items() if value is not None}
    return bool(person.ask(table, **fields)["ok"])

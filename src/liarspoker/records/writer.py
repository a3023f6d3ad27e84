"""Writing records: a session as a document, and a document as TOML or JSON."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from typing import Any

from liarspoker.records.family import Table, family_of
from liarspoker.records.faults import Fault
from liarspoker.records.reader import VERSION
from liarspoker.rules.protocol import Game, Session


def document_of(game: Game, session: Session, players: Sequence[str]) -> Table:
    """The record of a session: everything that was dealt and done, secrets included.

    Args:
        game: the session's game.
        session: the session, at any moment.
        players: the names, seat by seat.

    Returns:
        A document that `replay` plays through to this very session.
    """
    family = family_of(game)
    document: Table = {"lpn": VERSION, "game": game.row.id, "players": list(players), **family.record_parts(session)}
    changes = session.option_changes()
    if changes:
        document["options"] = changes
    document["rounds"] = family.round_parts(session)
    return document


def to_json(document: Table, indent: int | None = None) -> str:
    """The document as JSON; a date that stands under a private key becomes text."""
    return json.dumps(document, indent=indent, default=_plain_date)


def to_toml(document: Table) -> str:
    """The document as TOML, one round a table, one slip a line.

    Raises:
        Fault: `bad-record`: a private key holds null, which TOML cannot write.
    """
    import tomlkit  # 60 ms that reading a record need not pay

    written = tomlkit.document()
    for name, value in document.items():
        if name == "slips":
            rows = tomlkit.array().multiline(True)
            for slip in value:
                rows.append(slip)
            written.add(name, rows)
            continue
        try:
            written.add(name, tomlkit.item(value))
        except tomlkit.exceptions.ConvertError as error:
            raise Fault("bad-record", f"record: {name} holds a value that TOML cannot write; use JSON") from error
    return tomlkit.dumps(written)


def _plain_date(value: Any) -> str:
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} in a record")

"""Logs of tables as they were once stored, their seeds apart, and what is told of each table when it is read again."""

from __future__ import annotations

import json
from pathlib import Path

from liarspoker.tables.events import from_json
from liarspoker.tables.export import records_of
from liarspoker.tables.fold import fold_entry
from liarspoker.tables.state import Table
from liarspoker.tables.view import chat, private, public

FOLDER = Path(__file__).parent


def logs() -> list[str]:
    """The names of all logs that are kept."""
    return sorted(path.name.removesuffix(".log.jsonl") for path in FOLDER.glob("*.log.jsonl"))


def read(name: str) -> Table:
    """The table that a kept log makes."""
    seeds = json.loads((FOLDER / f"{name}.seeds.json").read_text())
    table = None
    for line in (FOLDER / f"{name}.log.jsonl").read_text().splitlines():
        table = fold_entry(
            table, [from_json(told, lambda deal: bytes.fromhex(seeds[deal])) for told in json.loads(line)]
        )
    assert table is not None
    return table


def written_now(name: str) -> str:
    """What is told of the table of a kept log, to everybody and to each of its users."""
    table = read(name)
    told = {
        "public": public(table),
        "behind": public(table, behind=True),
        "private": {user: private(table, user) for user in table.names},
        "chat": chat(table, None),
        "records": {user: records_of(table, user) for user in (*table.names, None)},
    }
    return json.dumps(told, indent=1) + "\n"

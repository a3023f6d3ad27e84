"""Logs of tables as they were once stored, their seeds apart, and what everybody sees at every version."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from liarspoker.server.tables.views import listing_of
from liarspoker.tables.export import records_of
from liarspoker.tables.fold import fold_entry, read_entry
from liarspoker.tables.state import Table
from liarspoker.tables.view import chat, private, public
from tests.tables.play import as_json

FOLDER = Path(__file__).parent


def logs() -> list[str]:
    """The names of all logs that are kept."""
    return sorted(path.name.removesuffix(".log.jsonl") for path in FOLDER.glob("*.log.jsonl"))


def states(name: str) -> Iterator[Table]:
    """The table of a kept log after each of its entries."""
    seeds = json.loads((FOLDER / f"{name}.seeds.json").read_text())
    table = None
    for line in (FOLDER / f"{name}.log.jsonl").read_text().splitlines():
        entry = read_entry(f'{{"v": 1, "events": {line}}}')
        table = fold_entry(table, entry, lambda deal: bytes.fromhex(seeds[deal]))
        yield table


Frames = list[dict[str, Any]]
"""By part of the views, what it is from a version on; a part that stays the same is left out."""


def frames_now(name: str) -> Frames:
    """What everybody sees of the table of a kept log, version by version; at the end also the records and the chat."""
    frames: Frames = []
    last: dict[str, Any] = {}
    every = list(states(name))
    for table in every:
        told: dict[str, Any] = {
            "public": public(table),
            "behind": public(table, behind=True),
            "listing": json.loads(listing_of(table, 0.0).summary),
            **{user: private(table, user) for user in (*table.names, "stranger")},
        }
        if table is every[-1]:
            told |= {f"records of {user}": records_of(table, user) for user in (*table.names, None)}
            told["chat"] = chat(table, None)
        now = as_json(told)
        frames.append({part: value for part, value in now.items() if last.get(part) != value})
        last = now
    return frames


def pack(frames: Frames) -> bytes:
    """The frames as they are kept."""
    return lzma.compress(json.dumps(frames, separators=(",", ":")).encode(), preset=9)


def frames_kept(name: str) -> Frames:
    """What everybody saw of the table of a kept log when it was kept."""
    frames: Frames = json.loads(lzma.decompress((FOLDER / f"{name}.frames.xz").read_bytes()))
    return frames

"""Golden logs of tables, as they were once stored, with their seeds and the views at every version."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from liarspoker.server.tables.views import listing_of
from liarspoker.tables.export import records_of
from liarspoker.tables.reducers import apply_entry, read_entry
from liarspoker.tables.state import Table
from liarspoker.tables.view import chat, private, public
from tests.tables.play import as_json

FOLDER = Path(__file__).parent


def logs() -> list[str]:
    """Return the names of all golden logs."""
    return sorted(path.name.removesuffix(".log.jsonl") for path in FOLDER.glob("*.log.jsonl"))


def states(name: str) -> Iterator[Table]:
    """Yield the table of a golden log after each entry."""
    seeds = json.loads((FOLDER / f"{name}.seeds.json").read_text())
    table = None
    for line in (FOLDER / f"{name}.log.jsonl").read_text().splitlines():
        entry = read_entry(f'{{"v": 1, "events": {line}}}')
        table = apply_entry(table, entry, lambda deal: bytes.fromhex(seeds[deal]))
        yield table


Frames = list[dict[str, Any]]
"""For each part of the views, the versions at which it changed, with its value."""


def frames_now(name: str) -> Frames:
    """Return all views of the table of a golden log by version, and at the end its records and chat."""
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
        for seen in (now["public"], now["behind"]):  # a translation may be improved
            ((seen.get("highlights") or {}).get("bluff") or {}).pop("in_languages", None)
        frames.append({part: value for part, value in now.items() if last.get(part) != value})
        last = now
    return frames


def pack(frames: Frames) -> bytes:
    """Return the stored frames."""
    return lzma.compress(json.dumps(frames, separators=(",", ":")).encode(), preset=9)


def frames_kept(name: str) -> Frames:
    """Return the stored views of the table of a golden log."""
    frames: Frames = json.loads(lzma.decompress((FOLDER / f"{name}.frames.xz").read_bytes()))
    return frames

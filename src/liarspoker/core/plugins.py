"""What other packages register as entry points: games, families of games, bots."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path


@cache
def registered(group: str) -> tuple[object, ...]:
    """Load every object that is registered as an entry point of `group`, in the order of their names."""
    tables = (table for place in sys.path for table in Path(place).glob("*-info/entry_points.txt"))
    if not any(group in table.read_text(encoding="utf-8") for table in tables):
        return ()  # importing importlib.metadata takes longer than all the rest of a short command
    from importlib.metadata import entry_points

    return tuple(entry.load() for entry in sorted(entry_points(group=group), key=lambda entry: entry.name))

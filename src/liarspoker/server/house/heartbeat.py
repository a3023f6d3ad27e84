"""The mark of a node that it is alive: until when it was, tells whoever takes up its tables after it."""

from __future__ import annotations

from liarspoker.server.storage.storage import Storage


async def beat(storage: Storage, node: str, alive: float) -> None:
    """Note that `node` was alive at this time."""
    name, value = _name(node), repr(alive).encode()
    await storage.write(
        lambda connection: connection.execute(
            "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, value),
        )
    )


async def last_beat(storage: Storage, node: str | None) -> float | None:
    """Until when `node` was alive; `None` where it has never told."""
    name = _name(node)
    rows = await storage.read(lambda connection: connection.execute("SELECT value FROM marks WHERE name = ?", (name,)))
    return float(bytes(rows[0][0])) if rows else None


def _name(node: str | None) -> str:
    return f"alive/{node}"

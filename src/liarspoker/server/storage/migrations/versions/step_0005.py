"""Add a column for whether a clock runs, which was only part of the summary before."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

LISTING = "table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary, owner"
ROWS_AT_ONCE = 1000


def upgrade() -> None:
    """Upgrade the schema, filling the column from the summaries. Damaged rows stay damaged."""
    op.add_column("listings", sa.Column("running", sa.Integer()))
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE listings SET running = 0"))
    rows = connection.execute(sa.text(f"SELECT {LISTING}, digest FROM listings")).all()
    sound = [row for row in rows if _digest(row[:-1]) == bytes(row[-1])]
    update = sa.text("UPDATE listings SET running = :running, digest = :digest WHERE table_id = :table_id")
    for start in range(0, len(sound), ROWS_AT_ONCE):
        connection.execute(update, [_change(row[:-1]) for row in sound[start : start + ROWS_AT_ONCE]])
    with op.batch_alter_table("listings") as listings:
        listings.alter_column("running", nullable=False)


def _change(row: Any) -> dict[str, Any]:
    running = _is_running(row[8])
    return {"table_id": row[0], "running": running, "digest": _digest((*row, running))}


def _is_running(summary: str) -> int:
    try:
        return int(json.loads(summary)["running"] is True)
    except (KeyError, TypeError, ValueError):
        return 0


def _digest(row: Any) -> bytes:
    """Return the digest of a listing, as computed at this revision."""
    return sha256("\0".join(map(str, row)).encode()).digest()[:16]

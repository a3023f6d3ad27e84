"""Add digests that detect damage to a log or a listing."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


LISTING = "table_id, status, game, title, visibility, seats_taken, seats, updated_at, summary, owner"


def upgrade() -> None:
    """Upgrade the schema. All listings get digests; existing log entries don't."""
    op.add_column("events", sa.Column("digest", sa.LargeBinary()))
    op.add_column("listings", sa.Column("digest", sa.LargeBinary()))
    connection = op.get_bind()
    rows = connection.execute(sa.text(f"SELECT {LISTING} FROM listings")).all()
    if rows:
        update = sa.text("UPDATE listings SET digest = :digest WHERE table_id = :table_id")
        connection.execute(update, [{"table_id": row[0], "digest": _digest(row)} for row in rows])
    with op.batch_alter_table("listings") as listings:
        listings.alter_column("digest", nullable=False)


def _digest(row: Any) -> bytes:
    """Return the digest of a listing, as computed at this revision."""
    return sha256("\0".join(map(str, row)).encode()).digest()[:16]

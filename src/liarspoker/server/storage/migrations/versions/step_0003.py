"""Add archives of ended tables, the owner of each listed table, and the time each user was last seen."""

from __future__ import annotations

import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Upgrade the schema. All users count as seen now, and the owner of an open table is the user who created it."""
    op.create_table(
        "archives",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_archives"),
    )
    op.add_column("listings", sa.Column("owner", sa.Text()))
    op.add_column("listings", sa.Column("archived_at", sa.Double()))
    op.create_index("ix_listings_owner", "listings", ["owner"])
    op.create_index("ix_listings_archived_at_status_updated_at", "listings", ["archived_at", "status", "updated_at"])
    op.add_column("users", sa.Column("seen_at", sa.Double()))
    op.create_index("ix_users_seen_at", "users", ["seen_at"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])
    op.create_index("ix_sessions_revoked_at", "sessions", ["revoked_at"])
    _fill()


def _fill() -> None:
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE users SET seen_at = :now"), {"now": time.time()})
    first = "SELECT table_id, body FROM events JOIN listings USING (table_id) WHERE version = 1 AND status <> 'ended'"
    for table_id, body in connection.execute(sa.text(first)).all():
        change = sa.text("UPDATE listings SET owner = :owner WHERE table_id = :table_id")
        connection.execute(change, {"owner": _owner(body), "table_id": table_id})


def _owner(body: str) -> str | None:
    """Return the user who created a table, from its first entry; `None` if the entry is damaged."""
    try:
        return next((event["owner"] for event in json.loads(body)["events"] if event["e"] == "Made"), None)
    except (KeyError, TypeError, ValueError):
        return None

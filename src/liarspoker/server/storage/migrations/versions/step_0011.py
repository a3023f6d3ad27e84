"""Add correspondence play: whose turn it is at a table and until when, and the vacations of users."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Upgrade the schema."""
    for name, kind in (("due", sa.Double()), ("awaits", sa.Text()), ("since", sa.Double())):
        op.add_column("listings", sa.Column(name, kind))
    for name in ("due", "awaits"):
        op.create_index(f"ix_listings_{name}", "listings", [name])
    op.create_table(
        "vacations",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("begins", sa.Double(), nullable=False),
        sa.Column("ends", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "begins", name="pk_vacations"),
    )

"""Add duplicate events, their players and their tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "duplicates",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("plan", sa.Text()),
        sa.Column("finished_at", sa.Double()),
        sa.PrimaryKeyConstraint("event_id", name="pk_duplicates"),
    )
    op.create_index("ix_duplicates_owner", "duplicates", ["owner"])
    op.create_index("ix_duplicates_created_at", "duplicates", ["created_at"])
    op.create_table(
        "duplicate_players",
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("share", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", "user_id", name="pk_duplicate_players"),
    )
    op.create_index("ix_duplicate_players_user_id", "duplicate_players", ["user_id"])
    op.create_table(
        "duplicate_tables",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("score", sa.Text()),
        sa.PrimaryKeyConstraint("table_id", name="pk_duplicate_tables"),
    )
    op.create_index("ix_duplicate_tables_event_id", "duplicate_tables", ["event_id"])

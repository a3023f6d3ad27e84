"""Add relations between users (friends, requests, blocks) and invitations to tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "relations",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "other_id", "kind", name="pk_relations"),
    )
    op.create_index("ix_relations_other_id", "relations", ["other_id"])
    op.create_index("ix_relations_kind_made_at", "relations", ["kind", "made_at"])
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("from_id", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("declined_at", sa.Double()),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_invitations"),
    )
    for name in ("user_id", "from_id", "made_at"):
        op.create_index(f"ix_invitations_{name}", "invitations", [name])

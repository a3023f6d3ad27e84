"""Add notices to users, the kinds that they have turned off, and their browsers' push subscriptions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "notices",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", "kind", name="pk_notices"),
    )
    op.create_index("ix_notices_table_id", "notices", ["table_id"])
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "channel", "kind", name="pk_mutes"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("subscription_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("session_hash", sa.LargeBinary(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("subscription_id", name="pk_subscriptions"),
    )
    for name in ("user_id", "session_hash"):
        op.create_index(f"ix_subscriptions_{name}", "subscriptions", [name])

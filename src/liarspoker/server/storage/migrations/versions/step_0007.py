"""Add the audit trail, which includes orders to servers, and bans of users."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "orders",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text()),
        sa.Column("user_id", sa.Text()),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("seen_by", sa.Text(), nullable=False),
        sa.Column("done_at", sa.Double()),
        sa.Column("outcome", sa.Text()),
        sa.PrimaryKeyConstraint("order_id", name="pk_orders"),
    )
    op.create_index("ix_orders_made_at", "orders", ["made_at"])
    op.create_index("ix_orders_user_id", "orders", ["user_id"])
    waits = sa.text("done_at IS NULL")
    op.create_index("ix_orders_waiting", "orders", ["made_at"], sqlite_where=waits, postgresql_where=waits)
    op.create_table(
        "bans",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_bans"),
    )

"""Add the e-mail addresses of users."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "mailboxes",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("confirmed_at", sa.Double()),
        sa.Column("mailed_at", sa.Double()),
        sa.PrimaryKeyConstraint("user_id", name="pk_mailboxes"),
    )

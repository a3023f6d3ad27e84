"""Add the languages of push notices and e-mail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Upgrade the schema."""
    for table in ("mailboxes", "subscriptions"):
        op.add_column(table, sa.Column("language", sa.Text(), nullable=False, server_default="en"))

"""Add the results of users at tables, and the records that they imported."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Upgrade the schema."""
    op.create_table(
        "results",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_results"),
    )
    op.create_index("ix_results_table_id", "results", ["table_id"])
    op.create_table(
        "imports",
        sa.Column("import_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("import_id", name="pk_imports"),
    )
    op.create_index("ix_imports_user_id", "imports", ["user_id"])

"""Add a table of server processes, whose rows hold the expiry of their leases."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ALIVE = "alive/"
"""Prefix of the former marks that recorded until when a server was alive."""


def upgrade() -> None:
    """Create the rows from the marks of servers, with the servers' names as ids, which `tables.node` contains."""
    nodes = op.create_table(
        "nodes",
        sa.Column("instance", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("alive", sa.Double()),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("instance", name="pk_nodes"),
    )
    marks = sa.table("marks", sa.column("name", sa.Text()), sa.column("value", sa.LargeBinary()))
    ours = marks.c.name.startswith(ALIVE, autoescape=True)
    stored = op.get_bind().execute(sa.select(marks).where(ours)).all()
    named = [(name.removeprefix(ALIVE), float(bytes(value))) for name, value in stored]
    rows = [{"instance": name, "name": name, "alive": alive, "expires": 0.0} for name, alive in named]
    if rows:
        op.bulk_insert(nodes, rows)
    op.execute(sa.delete(marks).where(ours))
    op.drop_column("tables", "lease_expires")

"""Add shards, which are owned by server processes, and the addresses of these processes.

Later revisions only add what older servers don't need, so that both can run on one database.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from liarspoker.server.storage.errors import OlderNode

revision = "0006"
down_revision = "0005"

SHARD_COUNT = 128


def upgrade() -> None:
    """Upgrade the schema. The epochs of shards begin at the highest epoch of the tables.

    Raises:
        OlderNode: a server of an older version is still running.
    """
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":  # only one server can use a SQLite file, and locks it
        running = "SELECT name FROM nodes WHERE expires > extract(epoch FROM clock_timestamp())"
        for (name,) in connection.execute(sa.text(running)):
            raise OlderNode(name)
    shards = op.create_table(
        "shards",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("instance", sa.Text()),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("alive", sa.Double()),
        sa.PrimaryKeyConstraint("shard", name="pk_shards"),
    )
    [[epoch]] = connection.execute(sa.text("SELECT max(epoch) FROM tables")).all()
    [[alive]] = connection.execute(sa.text("SELECT max(alive) FROM nodes")).all()
    if epoch is not None:  # otherwise the first server creates the rows
        rows = ({"shard": shard, "instance": None, "epoch": epoch, "alive": alive} for shard in range(SHARD_COUNT))
        op.bulk_insert(shards, list(rows))
    op.drop_index("ix_tables_node", "tables")
    for name in ("epoch", "node"):
        op.drop_column("tables", name)
    op.execute("DELETE FROM nodes")
    op.add_column("nodes", sa.Column("address", sa.Text()))
    for name, default in (("leaving", "0"), ("log_form", "1")):
        op.add_column("nodes", sa.Column(name, sa.Integer(), nullable=False, server_default=default))

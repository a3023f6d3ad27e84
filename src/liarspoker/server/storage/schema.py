"""The tables of the database, as the newest migration leaves them: every statement is built from them.

Times are seconds since 1970 as floats, ids are texts. A change here needs a migration as well; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

TABLES = Table(
    "tables",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("created_at", Double, nullable=False),
)

SHARDS = Table(
    "shards",
    METADATA,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("instance", Text),
    Column("epoch", BigInteger, nullable=False),
    Column("alive", Double),
)

NODES = Table(
    "nodes",
    METADATA,
    Column("instance", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("alive", Double),
    Column("expires", Double, nullable=False),
    Column("address", Text),
    Column("leaving", Integer, nullable=False, server_default="0"),
    Column("log_form", Integer, nullable=False, server_default="1"),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, nullable=False),
    Column("command_id", Text),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),
    Column("digest", LargeBinary),
    UniqueConstraint("table_id", "command_id"),
    # The rows of one table lie together, so that one table is read in one go.
    sqlite_with_rowid=False,
)

ARCHIVES = Table(
    "archives",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("entries", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

SECRETS = Table(
    "secrets",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("deal", BigInteger, primary_key=True, autoincrement=False),
    Column("sealed", LargeBinary, nullable=False),
)

LISTINGS = Table(
    "listings",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("seats_taken", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("updated_at", Double, nullable=False),
    Column("summary", Text, nullable=False),
    Column("owner", Text),
    Column("archived_at", Double),
    Column("digest", LargeBinary, nullable=False),
    Column("running", Integer, nullable=False),
    Index(None, "status", "updated_at"),
    Index(None, "owner"),
    Index(None, "archived_at", "status", "updated_at"),
)

MEMBERS = Table(
    "members",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Index(None, "user_id"),
)

USERS = Table(
    "users",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("login", Text, unique=True),
    Column("passphrase_hash", Text),
    Column("seen_at", Double),
    Index(None, "seen_at"),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("session_hash", LargeBinary, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("revoked_at", Double),
    Index(None, "user_id"),
    Index(None, "expires_at"),
    Index(None, "revoked_at"),
)

TOKENS = Table(
    "tokens",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("token_id", Text, nullable=False, unique=True),
    Column("user_id", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("revoked_at", Double),
    Index(None, "user_id"),
)

MARKS = Table(
    "marks",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

ORDERS = Table(
    "orders",
    METADATA,
    Column("order_id", Text, primary_key=True),
    Column("made_at", Double, nullable=False),
    Column("actor", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("table_id", Text),
    Column("user_id", Text),
    Column("details", Text, nullable=False),
    Column("seen_by", Text, nullable=False),
    Column("done_at", Double),
    Column("outcome", Text),
    Index(None, "made_at"),
    Index(None, "user_id"),
    # Servers look for orders all the time, and nearly always there are none.
    Index(
        "ix_orders_waiting", "made_at", sqlite_where=text("done_at IS NULL"), postgresql_where=text("done_at IS NULL")
    ),
)

BANS = Table(
    "bans",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("made_at", Double, nullable=False),
    Column("until", Double),
    Column("reason", Text, nullable=False),
)

"""The database schema after the newest migration, from which all statements are built.

Times are seconds since 1970 as floats, ids are strings. Every change here needs a migration; a test compares the two.
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
    # Clustered by primary key, so that the log of one table is read sequentially.
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
    Column("due", Double),
    Column("awaits", Text),
    Column("since", Double),
    Index(None, "status", "updated_at"),
    Index(None, "owner"),
    Index(None, "archived_at", "status", "updated_at"),
    Index(None, "due"),
    Index(None, "awaits"),
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
    Column("recovery_hash", LargeBinary),
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

MAILBOXES = Table(
    "mailboxes",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("confirmed_at", Double),
    Column("mailed_at", Double),
    Column("language", Text, nullable=False, server_default="en"),
)

VACATIONS = Table(
    "vacations",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("begins", Double, primary_key=True),
    Column("ends", Double, nullable=False),
)

SAVED_RULES = Table(
    "saved_rules",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("saved_at", Double, nullable=False),
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
    # Servers poll for orders all the time, and there are hardly ever any.
    Index(
        "ix_orders_waiting", "made_at", sqlite_where=text("done_at IS NULL"), postgresql_where=text("done_at IS NULL")
    ),
)

RESULTS = Table(
    "results",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "table_id"),
)

IMPORTS = Table(
    "imports",
    METADATA,
    Column("import_id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),
    Column("record", LargeBinary, nullable=False),
    Index(None, "user_id"),
)

RATINGS = Table(
    "ratings",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Index(None, "game", "players"),
)

RATED_GAMES = Table(
    "rated_games",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("place", Integer, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index(None, "table_id"),
)

BANS = Table(
    "bans",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("made_at", Double, nullable=False),
    Column("until", Double),
    Column("reason", Text, nullable=False),
)

NOTICES = Table(
    "notices",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("sent_at", Double, nullable=False),
    Index(None, "table_id"),
)

MUTES = Table(
    "mutes",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("channel", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
)

SUBSCRIPTIONS = Table(
    "subscriptions",
    METADATA,
    Column("subscription_id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("session_hash", LargeBinary, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("language", Text, nullable=False, server_default="en"),
    Index(None, "user_id"),
    Index(None, "session_hash"),
)

RELATIONS = Table(
    "relations",
    METADATA,
    Column("user_id", Text, primary_key=True),
    Column("other_id", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("made_at", Double, nullable=False),
    Index(None, "other_id"),
    Index(None, "kind", "made_at"),
)

INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Column("from_id", Text, nullable=False),
    Column("made_at", Double, nullable=False),
    Column("declined_at", Double),
    Index(None, "user_id"),
    Index(None, "from_id"),
    Index(None, "made_at"),
)

PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("passkey_id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("host", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("used_at", Double),
    Index(None, "user_id"),
)

PASSKEY_CHALLENGES = Table(
    "passkey_challenges",
    METADATA,
    Column("challenge", LargeBinary, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "expires_at"),
)

DUPLICATES = Table(
    "duplicates",
    METADATA,
    Column("event_id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("started_at", Double),
    Column("plan", Text),
    Column("finished_at", Double),
    Index(None, "owner"),
    Index(None, "created_at"),
)

DUPLICATE_PLAYERS = Table(
    "duplicate_players",
    METADATA,
    Column("event_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("share", Text, nullable=False),
    Column("joined_at", Double, nullable=False),
    Index(None, "user_id"),
)

DUPLICATE_TABLES = Table(
    "duplicate_tables",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("event_id", Text, nullable=False),
    Column("score", Text),
    Index(None, "event_id"),
)

OF_USER: tuple[Column[str], ...] = (
    *(
        table.c.user_id
        for table in (
            SESSIONS,
            TOKENS,
            SUBSCRIPTIONS,
            MUTES,
            NOTICES,
            RESULTS,
            IMPORTS,
            RATINGS,
            RATED_GAMES,
            VACATIONS,
            SAVED_RULES,
            MAILBOXES,
            PASSKEYS,
            PASSKEY_CHALLENGES,
            DUPLICATE_PLAYERS,
        )
    ),
    RELATIONS.c.user_id,
    RELATIONS.c.other_id,
    INVITATIONS.c.user_id,
    INVITATIONS.c.from_id,
)
"""The columns whose rows are deleted with their user."""

OF_TABLE = (EVENTS, ARCHIVES, SECRETS, MEMBERS, NOTICES, RESULTS, INVITATIONS, LISTINGS, TABLES)
"""The tables whose rows are deleted with their table of the game, the table itself last."""

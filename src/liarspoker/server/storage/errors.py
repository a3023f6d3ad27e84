"""Errors of the storage. Each has a `code`, and its details as attributes."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class StorageError(LiarsPokerError):
    """Base class of all storage errors."""

    code = "storage"


class Conflict(StorageError):
    """The version of an entry already exists or leaves a gap; the entry isn't stored."""

    code = "conflict"

    def __init__(self, table_id: str, version: int, last: int) -> None:
        super().__init__(f"table {table_id}: version {version} doesn't follow version {last}")


class Repeated(StorageError):
    """The command has taken effect before; the entry isn't stored."""

    code = "repeated"

    def __init__(self, table_id: str, command_id: str, version: int) -> None:
        super().__init__(f"table {table_id}: command {command_id} already made version {version}")
        self.command_id = command_id
        self.version = version


class NotOwner(StorageError):
    """The shard of the table has another epoch now, so the owner under `epoch` can't write to it any more."""

    code = "not-owner"

    def __init__(self, table_id: str, epoch: int) -> None:
        super().__init__(f"table {table_id}: the lease with epoch {epoch} has ended")


class NoSuchTable(StorageError):
    """No table has this id."""

    code = "no-such-table"


class TableExists(StorageError):
    """A table has this id already."""

    code = "table-exists"


class Leased(StorageError):
    """Another process owns the table, or no process yet."""

    code = "leased"

    def __init__(self, table_id: str, instance: str | None) -> None:
        super().__init__(f"table {table_id}: " + ("it has no owner yet" if instance is None else f"{instance} owns it"))


class NameTaken(StorageError):
    """A running server with this name uses the database."""

    code = "name-taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"a server named {name} already uses this database: stop it, or start this one with --node NAME"
        )


class FileInUse(StorageError):
    """A server uses the SQLite file, which only one server may use at a time."""

    code = "name-taken"

    def __init__(self, file: str) -> None:
        super().__init__(
            f"a server already uses {file}: stop it, or start this one with another --data; to run several servers on "
            "one database, use PostgreSQL (--database)"
        )


class OlderNode(StorageError):
    """A server of an older version uses the database, and couldn't read what this one writes."""

    code = "older-node"

    def __init__(self, name: str) -> None:
        super().__init__(f"the server {name} on this database runs an older version: stop it, then start this one")


class Unavailable(StorageError):
    """The database is unreachable. A write may or may not have happened, so check before retrying."""

    code = "unavailable"


class StorageFailed(StorageError):
    """A write failed in such a way that nothing may be written any more. Stop the process and check the disk."""

    code = "storage-failed"


class TableDamaged(StorageError):
    """The stored data of a table is corrupt or incomplete; retrying doesn't help."""

    code = "table-damaged"

    def __init__(self, table_id: str, reason: str) -> None:
        super().__init__(f"table {table_id} is damaged: {reason}")
        self.table_id = table_id
        self.reason = reason


class DatabaseDamaged(StorageError):
    """A part of the database that doesn't belong to a single table can't be read; retrying doesn't help."""

    code = "database-damaged"


class NewerDatabase(StorageError):
    """A newer version of liarspoker has upgraded this database, so this version can't read it."""

    code = "newer-database"


class BadDatabase(StorageError):
    """The database doesn't exist or can't be used, or its URL is invalid."""

    code = "bad-place"


class BadKey(StorageError):
    """No usable key was found, or it isn't the key that encrypted the stored data."""

    code = "bad-key"


class BadArchive(StorageError):
    """The file isn't a backup, or can't be restored here."""

    code = "bad-archive"

"""What storage refuses, and how it can fail. Every kind has a `code`, and what it names as attributes."""

from __future__ import annotations

from liarspoker.core.errors import LiarsPokerError


class StorageError(LiarsPokerError):
    """Anything that storage refuses or cannot do."""

    code = "storage"


class Conflict(StorageError):
    """The version of an entry is taken, or leaves a gap; nothing of the entry is stored."""

    code = "conflict"

    def __init__(self, table_id: str, version: int, last: int) -> None:
        super().__init__(f"table {table_id}: version {version} does not follow {last}")


class Repeated(StorageError):
    """The command took effect before; nothing of the entry is stored."""

    code = "repeated"

    def __init__(self, table_id: str, command_id: str, version: int) -> None:
        super().__init__(f"table {table_id}: command {command_id} made version {version} already")
        self.command_id = command_id
        self.version = version


class NotOwner(StorageError):
    """The lease on the table is another one now, so whoever holds `epoch` writes no more."""

    code = "not-owner"

    def __init__(self, table_id: str, epoch: int) -> None:
        super().__init__(f"table {table_id}: the lease with epoch {epoch} is over")


class NoSuchTable(StorageError):
    """No table has this id."""

    code = "no-such-table"


class TableExists(StorageError):
    """A table has this id already."""

    code = "table-exists"


class Leased(StorageError):
    """Another process owns the table, or nobody yet."""

    code = "leased"

    def __init__(self, table_id: str, instance: str | None) -> None:
        super().__init__(f"table {table_id}: " + ("nobody owns it yet" if instance is None else f"{instance} owns it"))


class NameTaken(StorageError):
    """A server of this name uses the database, and is alive."""

    code = "name-taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"a server named {name} already uses this database: stop it, or start this one with --node NAME"
        )


class FileInUse(StorageError):
    """A server uses the file of SQLite, which serves one at a time."""

    code = "name-taken"

    def __init__(self, file: str) -> None:
        super().__init__(
            f"a server already uses {file}: stop it, or start this one with another --data; several servers share a "
            "database of PostgreSQL (--database)"
        )


class OlderNode(StorageError):
    """A server of an older version uses the database, and would not understand what this one writes."""

    code = "older-node"

    def __init__(self, name: str) -> None:
        super().__init__(f"the server {name} on this database is of an older version: stop it, then start this one")


class Unavailable(StorageError):
    """The database cannot be reached; what was asked may or may not have been done, so look before asking again."""

    code = "unavailable"


class StorageFailed(StorageError):
    """A write failed in a way after which nothing may be written any more: end the process, see to the disk."""

    code = "storage-failed"


class TableDamaged(StorageError):
    """What is stored of a table was changed or lost on its way to the disk or there; asking again does not help."""

    code = "table-damaged"

    def __init__(self, table_id: str, reason: str) -> None:
        super().__init__(f"table {table_id} is damaged: {reason}")
        self.table_id = table_id
        self.reason = reason


class DatabaseDamaged(StorageError):
    """A part of the database that belongs to no single table cannot be read; asking again does not help."""

    code = "database-damaged"


class NewerDatabase(StorageError):
    """A newer version of liarspoker has changed this database; this one would misread it."""

    code = "newer-database"


class BadPlace(StorageError):
    """There is no such database, or the address is none."""

    code = "bad-place"


class BadKey(StorageError):
    """There is no usable key, or it is not the one that sealed what is stored."""

    code = "bad-key"


class BadArchive(StorageError):
    """The file is no backup, or cannot be restored here."""

    code = "bad-archive"

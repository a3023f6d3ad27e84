"""Modified, lost or exchanged data is detected, and reported as damage of one table."""

import asyncio
import logging
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from liarspoker.server.storage.archive import back_up, restore
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.errors import (
    BadArchive,
    BadDatabase,
    DatabaseDamaged,
    NewerDatabase,
    NoSuchTable,
    StorageFailed,
    TableDamaged,
)
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.migrate import columns, migrate
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import with_empty_database
from tests.server.storage.tables import SEALER, entry, listing, owned, tables

DAMAGES = {
    "a changed body": "UPDATE events SET body = replace(body, 'event', 'evert') WHERE table_id = 'T' AND version = 2",
    "a changed time": "UPDATE events SET at = at + 1 WHERE table_id = 'T' AND version = 3",
    "a changed command": "UPDATE events SET command_id = NULL WHERE table_id = 'T' AND version = 1",
    "a changed epoch": "UPDATE events SET epoch = 7 WHERE table_id = 'T' AND version = 3",
    "a missing entry": "DELETE FROM events WHERE table_id = 'T' AND version = 2",
    "a missing first entry": "DELETE FROM events WHERE table_id = 'T' AND version = 1",
    "a missing entry that nobody misses": "DELETE FROM events WHERE table_id = 'T' AND version = 2;"
    "UPDATE events SET version = 2 WHERE table_id = 'T' AND version = 3",
    "exchanged entries": "UPDATE events SET version = 9 WHERE table_id = 'T' AND version = 2;"
    "UPDATE events SET version = 2 WHERE table_id = 'T' AND version = 3;"
    "UPDATE events SET version = 3 WHERE table_id = 'T' AND version = 9",
    "an entry of another table": "DELETE FROM events WHERE table_id = 'T' AND version = 3;"
    "UPDATE events SET table_id = 'T' WHERE table_id = 'U' AND version = 3",
    "a foreign entry": "INSERT INTO events (table_id, version, epoch, at, body) VALUES ('T', 4, 1, 2000.0, '[]')",
    "a changed digest": "UPDATE events SET digest = (SELECT digest FROM events WHERE table_id = 'U' AND version = 1) "
    "WHERE table_id = 'T' AND version = 1",
    "a digest that is gone": "UPDATE events SET digest = NULL WHERE table_id = 'T' AND version = 2",
    "an exchanged seed": "UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE table_id = 'U') "
    "WHERE table_id = 'T'",
    "no table but its log": "DELETE FROM tables WHERE table_id = 'T'",
}


async def two_tables(storage: Storage) -> None:
    await tables(storage, "T", "U")
    for table_id in "TU":
        for version in range(1, 4):
            seeds = ((0, b"seed of " + table_id.encode()),) if version == 1 else ()
            await storage.append(entry(table_id, version, f"c{version}", seeds=seeds, listing=listing()))


def change(url: str, statements: str) -> None:
    with closing(database_at(url).connect()) as connection:
        connection.begin()
        for statement in statements.split(";"):
            connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_table_is_refused_and_others_are_intact(storage: Storage, url: str, damage: str) -> None:
    await two_tables(storage)
    other = await storage.log("U")
    change(url, DAMAGES[damage])
    with pytest.raises(TableDamaged) as damaged:
        await storage.log("T")
    assert damaged.value.table_id == "T"
    assert storage.damaged == {"T"}
    if damage != "an entry of another table":
        assert await storage.log("U") == other
    assert [listed.table_id for listed in await storage.listings()] == ["U", "T"]


async def test_a_repaired_log_is_readable_again(storage: Storage, url: str) -> None:
    await two_tables(storage)
    change(url, "UPDATE events SET at = at + 1 WHERE table_id = 'T'")
    with pytest.raises(TableDamaged):
        await storage.log("T")
    change(url, "UPDATE events SET at = at - 1 WHERE table_id = 'T'")
    assert (await storage.log("T")).version == 3
    assert storage.damaged == set()


async def test_the_digest_chain_begins_after_entries_of_older_releases(storage: Storage, url: str) -> None:
    await two_tables(storage)
    change(url, "UPDATE events SET digest = NULL WHERE table_id = 'T'")
    assert (await storage.log("T")).version == 3
    await storage.append(entry("T", 4, listing=listing()))
    await storage.append(entry("T", 5))
    assert (await storage.log("T")).version == 5
    change(url, "UPDATE events SET body = '[]' WHERE table_id = 'T' AND version = 4")
    with pytest.raises(TableDamaged, match="entry 4"):
        await storage.log("T")


async def test_upgrading_adds_digests(empty_url: str) -> None:
    migrate(empty_url, "0001")
    change(
        empty_url,
        "INSERT INTO tables VALUES ('T', 1.0, 1, NULL, 0.0);"
        "INSERT INTO events (table_id, version, epoch, at, body) VALUES ('T', 1, 1, 1.0, '[]');"
        "INSERT INTO listings VALUES ('T', 'waiting', 'slips', 'Évening', 'open', 1, 4, 1.5, '{}')",
    )
    migrate(empty_url)
    async with await Storage.open(empty_url, SEALER) as storage:
        assert [listed.table_id for listed in await storage.listings()] == ["T"]
        epochs = await owned(storage)
        await storage.append(entry("T", 2, epoch=epochs[shard_of("T")]))
        assert (await storage.log("T")).version == 2


async def test_a_damaged_listing_is_left_out(storage: Storage, url: str) -> None:
    await two_tables(storage)
    change(url, "UPDATE listings SET summary = '{' WHERE table_id = 'T'")
    assert [listed.table_id for listed in await storage.listings()] == ["U"]
    assert (await storage.log("T")).version == 3


def page_of(path: Path, name: str) -> int:
    """Return the offset of the root page of a table or index in the file."""
    import sqlite3

    with closing(sqlite3.connect(path)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    return 4096 * (int(page) - 1)


async def closed_with_two_tables(folder: Path) -> tuple[str, Path]:
    """Create a database that isn't in use; return its URL and its file."""
    url = with_empty_database(folder)
    async with await Storage.open(url, SEALER) as storage:
        await two_tables(storage)
    path = sqlite_path(url)
    assert path is not None
    return url, path


def zeroed(path: Path, name: str) -> None:
    start = page_of(path, name)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(bytes(4096))


async def test_an_unreadable_page_does_not_affect_other_work(tmp_path: Path) -> None:
    url, path = await closed_with_two_tables(tmp_path)
    zeroed(path, "events")
    async with await Storage.open(url, SEALER) as storage:
        with pytest.raises(TableDamaged, match="can't be read"):
            await storage.log("T")
        with pytest.raises(TableDamaged, match="can't be written"):
            await storage.append(entry("T", 4))
        await asyncio.gather(tables(storage, "V"), return_exceptions=True)
        assert [listed.table_id for listed in await storage.listings()] == ["U", "T"]
        assert await storage.write(lambda connection: connection.execute("SELECT 7")) == [(7,)]
        assert not storage.failure.done()
        await storage.check()
        assert storage.check_result == "damaged"


async def test_an_unreadable_page_of_the_lobby_is_reported(tmp_path: Path) -> None:
    url, path = await closed_with_two_tables(tmp_path)
    zeroed(path, "listings")
    async with await Storage.open(url, SEALER) as storage:
        with pytest.raises(DatabaseDamaged):
            await storage.listings()
        assert (await storage.log("T")).version == 3
        await storage.append(entry("T", 4))


async def test_a_check_of_an_intact_database_finds_nothing_and_stops_with_the_storage(tmp_path: Path) -> None:
    url, _ = await closed_with_two_tables(tmp_path)
    async with await Storage.open(url, SEALER) as storage:
        results = [storage.check_result]
        await storage.check()
        assert [*results, storage.check_result] == ["unknown", "sound"]


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def moved(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def without_its_newest_commits(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


@pytest.mark.parametrize("loss", [deleted, replaced, moved, without_its_newest_commits])
async def test_nothing_is_acknowledged_after_the_file_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, loss: Callable[[Path], None]
) -> None:
    url, path = await closed_with_two_tables(tmp_path)
    storage = await Storage.open(url, SEALER)
    await storage.append(entry("T", 4))
    loss(path)
    with pytest.raises(StorageFailed, match="deleted, moved or replaced"):
        await storage.append(entry("T", 5))
    with pytest.raises(StorageFailed):
        await owned(storage)
    assert isinstance(await storage.failure, StorageFailed)
    [line] = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert line.msg == "the database can't be written any more"
    assert "deleted" in line.__dict__["reason"]


async def test_backing_up_a_damaged_database_fails_unless_damage_is_left_out(
    url: str, storage: Storage, tmp_path: Path
) -> None:
    await two_tables(storage)
    back_up(url, tmp_path / "friday.zip")
    change(url, DAMAGES["a changed body"])
    with pytest.raises(BadArchive, match=r"damaged .*--leave-out-damaged"):
        back_up(url, tmp_path / "saturday.zip")
    assert not (tmp_path / "saturday.zip").exists()
    left_out: list[str] = []
    counts = back_up(url, tmp_path / "saturday.zip", left_out=left_out)
    assert (left_out, counts["tables"], counts["events"], counts["secrets"]) == (["T"], 1, 3, 1)
    restore(address(tmp_path / "restored"), tmp_path / "saturday.zip")
    async with await Storage.open(address(tmp_path / "restored"), SEALER) as storage:
        assert (await storage.log("U")).version == 3
        with pytest.raises(NoSuchTable):
            await storage.log("T")


def foreign_database(path: Path, revision: str | None = None) -> None:
    import sqlite3

    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        if revision is not None:
            connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
            connection.execute("INSERT INTO alembic_version VALUES (?)", (revision,))
        connection.commit()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a database of another program": foreign_database,
    "a database of another program with revisions": lambda path: foreign_database(path, "0001"),
    "a database of another program with other revisions": lambda path: foreign_database(path, "a1b2"),
    "a text": lambda path: path.write_text("not a database" * 1000),
    "a folder": lambda path: path.mkdir(),
    "the beginning of a database": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(50)),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_databases_are_rejected_unchanged(tmp_path: Path, kind: str) -> None:
    path, sound = tmp_path / "file.sqlite3", tmp_path / "sound.zip"
    migrate(address(tmp_path / "sound"))
    back_up(address(tmp_path / "sound"), sound)
    FOREIGN[kind](path)
    url, before = f"sqlite:///{path}", None if path.is_dir() else path.read_bytes()
    mode = path.stat().st_mode
    with pytest.raises((BadDatabase, NewerDatabase)):
        migrate(url)
    with pytest.raises((BadDatabase, BadArchive)):
        back_up(url, tmp_path / "backup.zip")
    with pytest.raises((BadDatabase, BadArchive)):
        restore(url, sound)
    assert not (tmp_path / "backup.zip").exists()
    assert before is None or path.read_bytes() == before
    assert path.stat().st_mode == mode


def test_tables_that_do_not_match_the_schema_are_rejected(url: str) -> None:
    change(url, "ALTER TABLE events RENAME COLUMN body TO bodx")
    with pytest.raises(BadDatabase, match="events doesn't match the schema"):
        migrate(url)


def test_only_creating_a_database_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "liarspoker")
    migrate(address(tmp_path))
    migrate(address(tmp_path))
    assert [record.msg for record in caplog.records if record.name.startswith("liarspoker")] == ["database created"]
    assert columns(address(tmp_path))[0] is not None
    assert os.listdir(tmp_path) == ["liarspoker.sqlite3"]

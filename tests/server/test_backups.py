"""Automatic backups: complete, verified, one at a time; old ones are deleted only after a new one is valid."""

from __future__ import annotations

import asyncio
import json
import zipfile
from pathlib import Path

import httpx2
import pytest

from liarspoker.server.backups import Backups, CannotBackUp, check_folder, make
from liarspoker.server.config import BackupConfig
from liarspoker.server.journal import table_mark
from liarspoker.server.storage.archive import MANIFEST, restore, verify
from liarspoker.server.storage.errors import BadArchive
from liarspoker.server.storage.location import FILE, address
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import eventually, running, written_lines
from tests.server.storage.tables import SEALER
from tests.server.storage.test_archive import an_evening, everything
from tests.server.storage.test_damage import change


def _files(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


async def test_one_of_two_servers_makes_a_complete_backup(url: str, tmp_path: Path) -> None:
    await an_evening(url)
    config = BackupConfig(str(tmp_path / "kept"))
    async with await Storage.open(url, SEALER) as one, await Storage.open(url, SEALER) as two:
        both = [Backups(storage, url, config, name) for storage, name in ((one, "a"), (two, "b"))]
        waits = await asyncio.gather(*(backups.once() for backups in both))
        assert config.seconds in waits
        [name] = _files(tmp_path / "kept")
        assert [await backups.once() > config.seconds - 60 for backups in both] == [True, True]
        assert both[0].last == both[1].last is not None
        assert _files(tmp_path / "kept") == [name]
    before = {table: rows for table, rows in everything(url).items() if table != "marks"}
    restore(address(tmp_path / "new"), tmp_path / "kept" / name)
    assert {table: rows for table, rows in everything(address(tmp_path / "new")).items() if table != "marks"} == before


async def test_a_server_that_dies_during_a_backup_loses_its_turn(url: str, tmp_path: Path) -> None:
    config = BackupConfig(str(tmp_path / "kept"))
    async with await Storage.open(url, SEALER) as storage:
        dead, other = (Backups(storage, url, config, name) for name in "ab")
        turn = await storage.write(lambda connection: dead._change(connection, dead._begun))
        assert "wait" not in turn
        assert 0 < await other.once() <= 180
        assert not (tmp_path / "kept").exists()
        await storage.write(lambda connection: other._change(connection, lambda row, now: {**row, "until": now - 1}))
        assert await other.once() == config.seconds
        assert len(_files(tmp_path / "kept")) == 1


@pytest.mark.parametrize("point", ["backup-written", "backup-verified", "backup-named", "backup-pruned"])
async def test_an_interrupted_backup_leaves_the_last_good_one_and_is_cleaned_up(
    url: str, tmp_path: Path, point: str
) -> None:
    folder = tmp_path / "kept"
    await an_evening(url)
    for day in (1, 2, 3):
        make(url, folder, 9).rename(folder / f"liarspoker-2020010{day}T000000Z.zip")

    def ended(name: str) -> None:
        if name == point:
            (folder / "liarspoker-20200105T000000Z.zip.unverified").write_bytes(b"left by a killed process")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(url, folder, 2, ended)
    kept = [name for name in _files(folder) if name.endswith(".zip")]
    if point in ("backup-written", "backup-verified"):
        assert [name[11:19] for name in kept] == ["20200101", "20200102", "20200103"]
    else:
        assert len(kept) == (4 if point == "backup-named" else 3)
    newest = make(url, folder, 2)
    assert _files(folder)[-1:] == [newest.name]
    assert len(_files(folder)) == 2


def test_a_modified_backup_is_rejected(tmp_path: Path) -> None:
    url = address(tmp_path)
    migrate(url)
    asyncio.run(an_evening(url))
    path = make(url, tmp_path / "kept", 1)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    counts = {"events": 1}
    with pytest.raises(BadArchive, match="doesn't match the database"):
        verify(path, counts)
    torn = tmp_path / "torn.zip"
    with zipfile.ZipFile(torn, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content if name == MANIFEST else content[:-3])
    with pytest.raises(BadArchive):
        verify(torn, counts)


def test_a_server_makes_automatic_backups_and_reports_their_outcome(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with running(tmp_path / "data", backup=BackupConfig(str(folder))) as server:
        server.hosted()
        backups = server.service.backups
        assert backups is not None
        eventually(lambda: backups.last is not None)
        assert httpx2.get(f"{server.url}/ready").json()["backup"] == {"outcome": "done", "last": backups.last}
        [name] = _files(folder)
    restore(address(tmp_path / "again"), folder / name)
    assert (tmp_path / "again" / FILE).exists()


def test_a_failed_backup_is_reported_and_keeps_earlier_ones(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.write_text("no folder")
    with running(tmp_path / "data", backup=BackupConfig(str(folder))) as server:
        backups = server.service.backups
        assert backups is not None
        eventually(lambda: backups.failed)
        assert httpx2.get(f"{server.url}/ready").json()["backup"] == {"outcome": "failed", "last": None}
    assert folder.read_text() == "no folder"


async def failure(url: str, folder: Path) -> dict[str, str]:
    """Return the log line of a backup that fails."""
    with written_lines() as lines:
        async with await Storage.open(url, SEALER) as storage:
            await Backups(storage, url, BackupConfig(str(folder)), "a").once()
    written: list[dict[str, str]] = list(map(json.loads, lines.getvalue().splitlines()))
    [line] = [one for one in written if one["event"] == "backup failed"]
    return line


async def test_the_log_explains_a_failed_backup(url: str, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    line = await failure(url, place / "kept")
    assert (line["folder"], line["reason"]) == (str(place / "kept"), "Not a directory")


async def test_the_log_names_damaged_tables_by_their_marks(url: str, tmp_path: Path) -> None:
    await an_evening(url)
    change(url, "UPDATE events SET at = at + 1 WHERE version = 2")
    line = await failure(url, tmp_path / "kept")
    damaged = [table_id for (table_id, version, *_) in everything(url)["events"] if version == 2]
    assert line["code"] == "bad-archive"
    assert any(table_mark(table_id) in line["reason"] for table_id in damaged)
    assert not any(table_id in line["reason"].split() for table_id in damaged)


def test_the_folder_for_backups_is_created_and_left_empty(tmp_path: Path) -> None:
    check_folder(tmp_path / "new" / "kept")
    assert _files(tmp_path / "new" / "kept") == []
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotBackUp, match="file: not a folder; choose a folder in which the server can create files"):
        check_folder(tmp_path / "file")

"""What lies on the disk is its owner's alone, whatever the folder and the umask allow."""

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from liarspoker.server.storage.archive import back_up, restore
from liarspoker.server.storage.errors import BadPlace
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import node_lock
from liarspoker.server.storage.sealing import VARIABLE, Sealer, find_key
from liarspoker.server.storage.storage import Storage


@pytest.fixture(autouse=True)
def open_to_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder that everybody may read, and a umask that lets new files be so too."""
    monkeypatch.delenv(VARIABLE, raising=False)
    tmp_path.chmod(0o755)
    before = os.umask(0o022)
    yield
    os.umask(before)


def use(folder: Path) -> dict[str, int]:
    """Use a database in `folder` as a server does; the modes of all files while it runs."""
    url = f"sqlite:///{folder}/club.sqlite3"

    async def play() -> dict[str, int]:
        migrate(url)
        with node_lock(url, "main"):
            async with await Storage.open(url, Sealer(find_key(folder))) as storage:
                await storage.lease("T")
                back_up(url, folder / "backup.zip", overwrite=True)
                return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}

    return asyncio.run(play())


NAMES = (
    "backup.zip",
    "club.sqlite3",
    "club.sqlite3-shm",
    "club.sqlite3-wal",
    "club.sqlite3.main.lock",
    "liarspoker.key",
)


def test_every_file_is_its_owners_alone_in_a_folder_that_is_open_to_all(tmp_path: Path) -> None:
    assert use(tmp_path) == dict.fromkeys(NAMES, 0o600)
    restore(f"sqlite:///{tmp_path}/new.sqlite3", tmp_path / "backup.zip")
    assert stat.S_IMODE((tmp_path / "new.sqlite3").stat().st_mode) == 0o600


def test_files_that_were_open_to_others_are_closed_at_the_next_start(tmp_path: Path) -> None:
    use(tmp_path)
    for path in tmp_path.iterdir():
        path.chmod(0o666)
    assert use(tmp_path) == dict.fromkeys(NAMES, 0o600)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    url = f"sqlite:///{tmp_path}/file/club.sqlite3"
    with pytest.raises(BadPlace, match="cannot be made ready"):
        migrate(url)
    with pytest.raises(BadPlace, match=r"main\.lock"), node_lock(url, "main"):
        pass


def test_a_lock_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite3.main.lock").mkdir()
    with pytest.raises(BadPlace, match=r"main\.lock"), node_lock(f"sqlite:///{tmp_path}/club.sqlite3", "main"):
        pass

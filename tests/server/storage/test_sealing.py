"""Seeds are encrypted, and all files are private regardless of the folder's mode and the umask."""

import asyncio
import os
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.server.storage.archive import back_up, restore
from liarspoker.server.storage.errors import BadDatabase, BadKey
from liarspoker.server.storage.location import only_server
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, Sealer, find_key, new_key
from liarspoker.server.storage.storage import Storage

SEALER = Sealer(new_key())
IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
DEALS = st.integers(0, 2**40)


@given(st.binary(), IDS, DEALS)
def test_an_encrypted_seed_is_bound_to_its_table_and_deal(seed: bytes, table_id: str, deal: int) -> None:
    sealed = SEALER.seal(seed, table_id, deal)
    assert SEALER.open(sealed, table_id, deal) == seed
    assert sealed != SEALER.seal(seed, table_id, deal)
    assert len(seed) < 4 or seed not in sealed


@given(st.binary(), IDS, IDS, DEALS, DEALS)
def test_an_encrypted_seed_needs_the_right_key_table_and_deal(
    seed: bytes, table_id: str, other_table: str, deal: int, other_deal: int
) -> None:
    sealed = SEALER.seal(seed, table_id, deal)
    with pytest.raises(BadKey):
        Sealer(new_key()).open(sealed, table_id, deal)
    # The digits of a deal may be part of a table's id too.
    others = {
        (table_id, other_deal),
        (other_table, deal),
        (f"{table_id}{deal}", deal),
        (f"{deal}{table_id}", other_deal),
    }
    for other in others - {(table_id, deal)}:
        with pytest.raises(BadKey):
            SEALER.open(sealed, *other)


@given(st.binary(), st.data())
def test_a_modified_seed_is_not_decrypted(seed: bytes, data: st.DataObject) -> None:
    sealed = SEALER.seal(seed, "T", 0)
    place = data.draw(st.integers(0, len(sealed) - 1))
    changed = sealed[:place] + bytes([sealed[place] ^ data.draw(st.integers(1, 255))]) + sealed[place + 1 :]
    for broken in (changed, sealed[:place], b""):
        with pytest.raises(BadKey):
            SEALER.open(broken, "T", 0)


@pytest.mark.parametrize("key", ["", "short", "x" * 42, "x" * 44, "é" * 43, "!" * 43, new_key() + " x"], ids=range(7))
def test_an_invalid_key_is_rejected_with_instructions(key: str) -> None:
    with pytest.raises(BadKey, match=r"; restore it, or create one for a new database with .*token_urlsafe"):
        Sealer(key)


def test_the_environment_has_priority_over_the_key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "from the environment")
    assert find_key(tmp_path) == "from the environment"
    assert list(tmp_path.iterdir()) == []


def test_a_key_file_is_created_once_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    old = os.umask(0)
    try:
        key = find_key(folder)
    finally:
        os.umask(old)
    Sealer(key)
    assert find_key(folder) == key
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [KEY_FILE]


def test_processes_that_start_together_use_the_same_key(tmp_path: Path) -> None:
    found: set[str] = set()
    gate = threading.Barrier(8)

    def start() -> None:
        gate.wait()
        found.add(find_key(tmp_path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1


def test_looking_for_a_missing_key_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match="is missing"):
        find_key(tmp_path / "data", make=False)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadKey, match=f"file.*{VARIABLE}"):
        find_key(tmp_path / "file")


def test_a_key_file_that_cannot_be_read_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / KEY_FILE
    path.write_bytes(b"\xff")
    with pytest.raises(BadKey, match=f"^{re.escape(str(path))}: not a text file; set the key in {VARIABLE} or"):
        find_key(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(BadKey, match=f"^{re.escape(str(path))}: Is a directory; set the key in {VARIABLE} or"):
        find_key(tmp_path)


@pytest.fixture(autouse=True)
def open_to_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a world-readable folder, and a umask that makes new files world-readable."""
    monkeypatch.delenv(VARIABLE, raising=False)
    tmp_path.chmod(0o755)
    before = os.umask(0o022)
    yield
    os.umask(before)


def use(folder: Path) -> dict[str, int]:
    """Use a database in `folder` as a server does; return the modes of all files while it runs."""
    url = f"sqlite:///{folder}/club.sqlite3"

    async def play() -> dict[str, int]:
        migrate(url)
        with only_server(url):
            async with await Storage.open(url, Sealer(find_key(folder))) as storage:
                await storage.listings()
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


def test_every_file_is_private_even_in_a_public_folder(tmp_path: Path) -> None:
    assert use(tmp_path) == dict.fromkeys(NAMES, 0o600)
    restore(f"sqlite:///{tmp_path}/new.sqlite3", tmp_path / "backup.zip")
    assert stat.S_IMODE((tmp_path / "new.sqlite3").stat().st_mode) == 0o600


def test_public_files_become_private_at_the_next_start(tmp_path: Path) -> None:
    use(tmp_path)
    for path in tmp_path.iterdir():
        path.chmod(0o666)
    assert use(tmp_path) == dict.fromkeys(NAMES, 0o600)


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    url = f"sqlite:///{tmp_path}/file/club.sqlite3"
    with pytest.raises(BadDatabase, match="can't be prepared"):
        migrate(url)
    with pytest.raises(BadDatabase, match=r"main\.lock"), only_server(url):
        pass


def test_a_lock_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite3.main.lock").mkdir()
    with pytest.raises(BadDatabase, match=r"main\.lock"), only_server(f"sqlite:///{tmp_path}/club.sqlite3"):
        pass

"""Key rotation: if it is interrupted, no seed becomes unreadable, and no server loses anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.server import orders as carrying_out
from liarspoker.server.admin import keys
from liarspoker.server.admin.keys import OLD_KEYS, rotate
from liarspoker.server.admin.queries import open_database
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.sealing import FILE_VARIABLE, KEY_FILE, VARIABLE, Sealer, find_key, new_key
from liarspoker.server.storage.storage import SECRET_MARKS, Storage, check_key, mark_of
from tests.server.admin.conftest import Admin
from tests.server.inprocess import PATIENCE, Running, running, with_empty_database
from tests.server.storage.tables import entry, tables

POINTS = ("key-written", "key-known", "mark-changed", "key-used", "batch-resealed", "resealed", "old-key-kept")
SEEDS = {("T", deal): bytes([deal]) * 32 for deal in range(5)} | {("U", 0): b"u" * 32}


async def _sealed(url: str, folder: Path) -> None:
    """Store seeds encrypted with the key in a folder."""
    async with await Storage.open(url, Sealer(find_key(folder))) as storage:
        for name in SECRET_MARKS:
            await storage.shared_secret(name)
        await tables(storage, "T", "U")
        await storage.append(entry("T", 1, seeds=tuple((deal, SEEDS["T", deal]) for deal in range(5))))
        await storage.append(entry("U", 1, seeds=((0, SEEDS["U", 0]),)))
        await storage.write(lambda connection: connection.execute("UPDATE nodes SET expires = 0"))


def _open_all(url: str, sealer: Sealer) -> None:
    """Check that a sealer's keys decrypt the mark and every seed."""
    with open_database(url) as connection:
        check_key(connection, sealer)
        assert all(sealer.opens(mark_of(connection, name), name, 0) for name in SECRET_MARKS)
        rows = connection.execute("SELECT table_id, deal, sealed FROM secrets")
    assert {(table, deal): sealer.open(bytes(sealed), table, deal) for table, deal, sealed in rows} == SEEDS


@pytest.mark.parametrize("point", POINTS)
async def test_an_interrupted_rotation_loses_no_seed_and_can_be_completed(
    url: str, tmp_path: Path, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "ROWS_AT_ONCE", 2)
    folder = tmp_path / "key"
    await _sealed(url, folder)
    before = find_key(folder)
    running_since_before = Sealer(before, again=lambda: find_key(folder))

    def ended(name: str) -> None:
        if name == point:
            raise KeyboardInterrupt

    with open_database(url) as connection, pytest.raises(KeyboardInterrupt):
        rotate(connection, folder, 1.0, ended)
    _open_all(url, running_since_before)
    _open_all(url, Sealer(find_key(folder)))
    with open_database(url) as connection:
        rotate(connection, folder, 1.0)
    after = find_key(folder)
    assert len(after.split()) == 1
    assert after != before
    assert (folder / OLD_KEYS).read_text().split() == [before]
    _open_all(url, Sealer(after))
    _open_all(url, running_since_before)
    with pytest.raises(BadKey):
        _open_all(url, Sealer(before))


def test_a_running_server_switches_to_the_new_key_without_loss(
    tmp_path: Path, admin: Callable[[str], Admin], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)

    async def open_anew(server: Running, table: str) -> int:
        registry = server.service.registry
        assert registry.unload(table)
        return (await registry.table(table)).table.version

    with running(tmp_path) as server:
        _, _, before = server.in_a_round()
        assert admin(f"--data {tmp_path}")("rotate-key")["resealed"] > 0
        _, _, after = server.in_a_round()
        for table in (before, after):
            assert asyncio.run_coroutine_threadsafe(open_anew(server, table), server.loop).result(PATIENCE) > 1
    assert len((tmp_path / KEY_FILE).read_text().split()) == 1
    with running(tmp_path) as server:
        for table in (before, after):
            assert asyncio.run_coroutine_threadsafe(open_anew(server, table), server.loop).result(PATIENCE) > 1


def test_rotation_changes_nothing_while_a_server_lacks_the_new_key(
    tmp_path: Path, admin: Callable[[str], Admin], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "POLL_SECONDS", 0.02)
    old, new = new_key(), new_key()
    run = admin(f"--data {tmp_path}")
    with running(tmp_path, key=old) as server:
        server.in_a_round()
        monkeypatch.setenv(VARIABLE, old)
        assert "contains one key" in run("rotate-key", code=1)
        monkeypatch.setenv(VARIABLE, f"{old} {new}")
        assert "server main doesn't know the new key" in run("rotate-key --wait 0.5", code=1)
    with running(tmp_path, key=f"{old} {new}") as server:
        server.in_a_round()
        assert run("rotate-key")["resealed"] > 1
        server.in_a_round()
    with running(tmp_path, key=new) as server:
        server.in_a_round()


@pytest.fixture
def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that `LIARSPOKER_KEY_FILE` names, as in the guide; the data folder has no key file."""
    path = tmp_path / "etc" / "key"
    path.parent.mkdir()
    path.write_text(f"{new_key()}\n")
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return path


def test_every_command_that_needs_the_key_finds_the_file_that_serve_reads(
    tmp_path: Path, key_file: Path, admin: Callable[[str], Admin], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = admin(f"--data {tmp_path}")
    with running(tmp_path, key=key_file.read_text()) as server:
        ann, _, table = server.in_a_round()
    assert run("table", table)["stage"] == "round"
    assert len(run("export-user", ann.user)["tables"]) == 1
    assert run("end", table)["outcome"] == "done"
    assert run("retention --run")["outcome"] == "done"
    assert run("delete-user", ann.user)["outcome"] == "done"
    assert not (tmp_path / KEY_FILE).exists()
    monkeypatch.setenv(FILE_VARIABLE, str(key_file.with_name("nowhere")))
    assert run("table", table, code=1).startswith(f"liarspoker: {FILE_VARIABLE}: No such file")
    monkeypatch.setenv(VARIABLE, key_file.read_text())
    assert f"{FILE_VARIABLE}: {VARIABLE} sets it too" in run("table", table, code=1)
    for variable in (VARIABLE, FILE_VARIABLE):
        monkeypatch.delenv(variable)
    missing = run("table", table, code=1)
    assert missing.endswith(f"restore it, or set the key in {VARIABLE} or {FILE_VARIABLE}\n")


def test_a_key_in_a_file_that_the_environment_names_is_changed_by_its_owner_only(
    tmp_path: Path, key_file: Path, admin: Callable[[str], Admin], capsys: pytest.CaptureFixture[str]
) -> None:
    data, old = tmp_path / "data", key_file.read_text()
    place = f"--database {with_empty_database(data)}"
    run = admin(place)
    with running(data, key=old) as server:
        _, _, table = server.in_a_round()
    assert f"the file that {FILE_VARIABLE} names contains one key" in run("rotate-key", code=1)
    assert key_file.read_text() == old
    key_file.write_text(f"{old}{new_key()}\n")
    both = key_file.read_text()
    found = run("rotate-key")
    assert (found["drop_from_environment"], found["drop_from_file"]) == (False, True)
    assert key_file.read_text() == both
    assert main(["admin", "rotate-key", *place.split()]) == 0
    assert f"Remove the old key from the file in {FILE_VARIABLE} now" in capsys.readouterr().out
    key_file.write_text(both.split()[1])
    assert run("table", table)["stage"] == "round"
    assert not (tmp_path / "home").exists()


def test_a_key_outside_the_data_folder_leaves_the_folder_alone(
    tmp_path: Path, key_file: Path, admin: Callable[[str], Admin], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, keys_in_turn = tmp_path / "data", f"{key_file.read_text().strip()} {new_key()}"
    run = admin(f"--database {with_empty_database(data)}")
    with running(data, key=keys_in_turn):
        pass
    monkeypatch.delenv(FILE_VARIABLE)
    assert "is missing" in run("rotate-key", code=1)
    monkeypatch.setenv(VARIABLE, keys_in_turn)
    found = run("rotate-key")
    assert (found["drop_from_environment"], found["drop_from_file"]) == (True, False)
    assert not (tmp_path / "home").exists()

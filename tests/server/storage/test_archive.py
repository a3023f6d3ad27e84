import asyncio
import json
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.files import CannotWrite, FileExists
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.storage import leases
from liarspoker.server.storage.archive import MANIFEST, back_up, restore
from liarspoker.server.storage.connection import Connection, Value, database_at, insert
from liarspoker.server.storage.errors import BadArchive, BadDatabase, BadKey, NotOwner
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.migrate import columns, migrate
from liarspoker.server.storage.retention import archive, log_to_archive, packed
from liarspoker.server.storage.schema import METADATA
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import CHEAP
from tests.server.postgres import Server
from tests.server.storage.tables import NODE, SEALER, entry, listing, owned, tables


def everything(url: str) -> dict[str, list[Any]]:
    """Return all rows of a database, without the expiry of leases."""
    found = {}
    with closing(database_at(url).connect()) as connection:
        for table, names in columns(url)[1].items():
            kept = [name for name in names if name != "expires"]
            found[table] = sorted(connection.execute(f"SELECT {', '.join(kept)} FROM {table}"), key=repr)
    return found


async def an_evening(url: str) -> str:
    """Add rows to every table of the database; return the secret of a session."""
    async with await Storage.open(url, SEALER) as storage:
        accounts = Accounts(storage, hasher=CHEAP)
        user_id = (await accounts.create_guest("Zoë ☂")).user.user_id
        session = await accounts.register(user_id, "zoe", "seven grey herons")
        await accounts.create_token(user_id, "bot")
        accounts.close()
        await tables(storage, "T", "U")
        beat = partial(leases.heartbeat, node=leases.Node(NODE, NODE), alive=17.0, lease_seconds=60.0)
        await storage.write(beat)
        seeds = ((0, bytes(range(256))),)
        await storage.append(entry("T", 1, "a", seeds=seeds, listing=listing(), members_added=(user_id,)))
        await storage.append(entry("T", 2))
        await storage.append(entry("U", 1))
        log = await storage.read(lambda connection: log_to_archive(connection, "U"))
        assert log is not None
        assert await storage.write(lambda connection: archive(connection, "U", 1, packed(log), 1))
        await storage.write(fill_empty_tables)
        return session.secret


SAMPLES: dict[type, Value] = {str: "ö", int: 7, float: 1.5, bytes: b"\0\xff"}


def fill_empty_tables(connection: Connection) -> None:
    """Add a row to every empty table."""
    for table in METADATA.sorted_tables:
        if not connection.execute(sa.select(sa.func.count()).select_from(table))[0][0]:
            connection.execute(insert(table), **{one.name: SAMPLES[one.type.python_type] for one in table.columns})


@pytest.fixture
def other_empty_url(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> str:
    """The URL of another empty database of the given kind."""
    if kind == "sqlite":
        return address(tmp_path / "restored")
    server: Server = request.getfixturevalue("postgres")
    return server.new_database(migrated=False)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_backup_restores_completely_into_either_kind_of_database(
    url: str, other_empty_url: str, tmp_path: Path
) -> None:
    secret = await an_evening(url)
    file = tmp_path / "friday.zip"
    counts = back_up(url, file)
    assert all(counts.values())
    assert restore(other_empty_url, file) == counts
    assert everything(other_empty_url) == everything(url)
    async with await Storage.open(other_empty_url, SEALER) as storage:
        assert (await storage.log("T")).seeds == {0: bytes(range(256))}
        assert (await owned(storage, "another node"))[shard_of("T")] == 2
        assert (await storage.read(leases.read_map)).leases[shard_of("T")].alive == 17.0
        with pytest.raises(NotOwner):
            await storage.append(entry("T", 3, epoch=1))
        await storage.append(entry("T", 3, epoch=2))
        accounts = Accounts(storage, hasher=CHEAP)
        identity = await accounts.identify(secret)
        assert identity is not None
        assert (await accounts.log_in("zoe", "seven grey herons")).user == identity.user
        accounts.close()


async def test_a_backup_of_a_running_server_is_a_consistent_snapshot(
    url: str, storage: Storage, tmp_path: Path
) -> None:
    await tables(storage, "T", "U")
    over = asyncio.Event()

    async def game() -> int:
        version = 0
        while not over.is_set():
            version += 1
            # U never has more entries than T.
            await storage.append(entry("T", version, seeds=((version, b"seed"),)))
            await storage.append(entry("U", version))
        return version

    playing = asyncio.ensure_future(game())
    for number in range(3):
        counts = await asyncio.to_thread(back_up, url, tmp_path / f"{number}.zip")
        assert counts["events"] in (2 * counts["secrets"], 2 * counts["secrets"] - 1)
    over.set()
    assert await playing > 0
    restore(address(tmp_path / "restored"), tmp_path / "2.zip")


async def test_seeds_stay_encrypted_in_a_backup(url: str, tmp_path: Path) -> None:
    await an_evening(url)
    file = tmp_path / "friday.zip"
    back_up(url, file)
    restore(address(tmp_path / "restored"), file)
    with pytest.raises(BadKey, match="another key"):
        await Storage.open(address(tmp_path / "restored"), Sealer(new_key()))


async def test_restoring_does_not_change_a_nonempty_database(url: str, tmp_path: Path) -> None:
    await an_evening(url)
    file = tmp_path / "friday.zip"
    back_up(url, file)
    before = everything(url)
    with pytest.raises(BadArchive, match="isn't empty"):
        restore(url, file)
    assert everything(url) == before


async def test_a_database_with_empty_tables_counts_as_empty(empty_url: str, tmp_path: Path) -> None:
    source = address(tmp_path / "source")
    migrate(source)
    await an_evening(source)
    file = tmp_path / "friday.zip"
    back_up(source, file)
    migrate(empty_url)
    restore(empty_url, file)
    assert everything(empty_url) == everything(source)


def test_a_backup_is_private_and_does_not_overwrite_files(url: str, tmp_path: Path) -> None:
    file = tmp_path / "friday.zip"
    back_up(url, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExists, match=r"friday\.zip already exists"):
        back_up(url, file)
    back_up(url, file, overwrite=True)
    with pytest.raises(CannotWrite, match="nowhere"):
        back_up(url, tmp_path / "nowhere" / "friday.zip")
    assert not list(tmp_path.glob("*.unfinished"))


def test_backing_up_a_missing_database_fails(empty_url: str, tmp_path: Path) -> None:
    with pytest.raises((BadDatabase, BadArchive), match=r"can't be opened|nothing to back up"):
        back_up(empty_url, tmp_path / "friday.zip")
    assert list(tmp_path.iterdir()) == []


def rewritten(source: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """Copy a backup with some parts changed or left out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return target


def test_a_backup_of_a_newer_version_is_refused(url: str, empty_url: str, tmp_path: Path) -> None:
    back_up(url, tmp_path / "old.zip")
    for key, value in (("form", 2), ("revision", "9999")):

        def renewed(name: str, content: bytes, key: str = key, value: object = value) -> bytes:
            return json.dumps(json.loads(content) | {key: value}).encode() if name == MANIFEST else content

        newer = rewritten(tmp_path / "old.zip", tmp_path / f"{key}.zip", renewed)
        with pytest.raises(BadArchive, match="a newer version"):
            restore(address(tmp_path / "restored"), newer)


@pytest.fixture(scope="module")
def friday(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of an intact backup."""
    folder = tmp_path_factory.mktemp("friday")
    migrate(address(folder))
    asyncio.run(an_evening(address(folder)))
    back_up(address(folder), folder / "friday.zip")
    return (folder / "friday.zip").read_bytes()


@given(data=st.data())
def test_a_damaged_backup_restores_nothing(
    friday: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    target, file = address(folder / "restored"), folder / "friday.zip"
    file.write_bytes(friday)
    damage = data.draw(
        st.sampled_from(["cut", "no zip", "no manifest", "no rows", "fewer rows", "no JSON", "columns", "tables"])
    )
    if damage == "cut":
        file.write_bytes(friday[: int(data.draw(st.floats(0, 1)) * (len(friday) - 1))])
    elif damage == "no zip":
        file.write_bytes(data.draw(st.binary(max_size=100)))
    else:
        rows = data.draw(st.sampled_from(["rows/events.jsonl", "rows/users.jsonl"]))
        part = MANIFEST if damage in ("no manifest", "tables") else rows
        damaged: dict[str, Callable[[bytes], bytes | None]] = {
            "no manifest": lambda content: None,
            "no rows": lambda content: None,
            "fewer rows": lambda content: b"".join(content.splitlines(keepends=True)[:-1]),
            "no JSON": lambda content: content.replace(b"]", b""),
            "columns": lambda content: content.replace(b"_id", b"_id) VALUES (1) --"),
            "tables": lambda content: content.replace(b"users", b"users (name) VALUES (1) --"),
        }
        file = rewritten(
            file, folder / "worse.zip", lambda name, content: damaged[damage](content) if name == part else content
        )
    with pytest.raises(BadArchive, match="not a backup, or damaged"):
        restore(target, file)
    assert not (folder / "restored").exists()


def test_a_missing_backup_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match=r"none\.zip: No such file"):
        restore(address(tmp_path), tmp_path / "none.zip")


@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_a_backup_with_a_changed_byte_restores_nothing_or_the_same(
    friday: bytes, tmp_path_factory: pytest.TempPathFactory, place: float, byte: int
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    target, file = address(folder / "restored"), folder / "friday.zip"
    damaged = bytearray(friday)
    damaged[int(place * len(friday))] = byte
    file.write_bytes(damaged)
    try:
        counts = restore(target, file)
    except BadArchive:
        assert [path.name for path in folder.iterdir()] == ["friday.zip"]
    else:
        assert {table: len(rows) for table, rows in everything(target).items()} == counts


def twice(content: bytes) -> bytes:
    """Return the rows of a table with the last one duplicated."""
    return content + content.splitlines(keepends=True)[-1]


def with_a_row_twice(backup: Path, target: Path) -> Path:
    """Copy a backup such that it violates a constraint of the database."""

    def change(name: str, content: bytes) -> bytes:
        if name == "rows/users.jsonl":
            return twice(content)
        if name == MANIFEST:
            manifest = json.loads(content)
            manifest["rows"]["users"] += 1
            return json.dumps(manifest).encode()
        return content

    return rewritten(backup, target, change)


def test_a_backup_that_violates_a_constraint_restores_nothing(friday: bytes, empty_url: str, tmp_path: Path) -> None:
    (tmp_path / "friday.zip").write_bytes(friday)
    with pytest.raises(BadArchive, match=r"damaged .users: "):
        restore(empty_url, with_a_row_twice(tmp_path / "friday.zip", tmp_path / "twice.zip"))
    path = sqlite_path(empty_url)
    assert path is None or not path.exists()
    assert columns(empty_url) == (None, {})


@pytest.mark.parametrize("prepared", [False, True])
def test_an_interrupted_restore_changes_nothing(
    prepared: bool, friday: bytes, empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "friday.zip").write_bytes(friday)
    if prepared:
        migrate(empty_url)
    path = sqlite_path(empty_url)
    before = (None, {}) if path is not None and not path.exists() else columns(empty_url)
    reads = json.loads

    def interrupted(line: bytes) -> Any:
        if b"zoe" in line:
            raise KeyboardInterrupt
        return reads(line)

    with monkeypatch.context() as patched:
        patched.setattr(json, "loads", interrupted)
        with pytest.raises(KeyboardInterrupt):
            restore(empty_url, tmp_path / "friday.zip")
    if path is not None and not prepared:
        assert not path.parent.exists() or list(path.parent.glob("*sqlite3*")) == []
    assert columns(empty_url) == before
    assert not any(everything(empty_url).values())
    restore(empty_url, tmp_path / "friday.zip")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limit on file sizes on this system")
@pytest.mark.parametrize("prepared", [False, True])
def test_a_full_disk_changes_nothing(prepared: bool, friday: bytes, tmp_path: Path) -> None:
    (tmp_path / "friday.zip").write_bytes(friday)
    target = tmp_path / "new" / "club"
    if prepared:
        migrate(address(target))
    before = sorted(tmp_path.rglob("*"))
    program = (
        "import resource, sys; from liarspoker.cli import main; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)); sys.exit(main(sys.argv[1:]))"
    )
    words = ["restore", "friday.zip", "--data", "new/club"]
    ended = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("liarspoker: new/club/liarspoker.sqlite3 can't be prepared: ")
    assert ended.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_database_created_during_a_restore_is_not_lost(
    friday: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "friday.zip").write_bytes(friday)
    target = tmp_path / "liarspoker.sqlite3"
    reads = json.loads

    def appearing(line: bytes) -> Any:
        target.write_bytes(b"mine")
        return reads(line)

    monkeypatch.setattr(json, "loads", appearing)
    with pytest.raises(BadArchive, match="isn't empty"):
        restore(address(tmp_path), tmp_path / "friday.zip")
    assert target.read_bytes() == b"mine"

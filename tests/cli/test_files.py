"""Files that commands write, which overwrite existing ones only with --force; and backups."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from liarspoker.cli import solve as solve_command
from liarspoker.files import data_folder
from liarspoker.server.storage.location import address
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.storage import Storage
from tests.cli.conftest import Run
from tests.server.storage.tables import SEALER, entry, tables

NEEDED = {"solve": "numba", "exploit": "numba", "odds": "matplotlib", "slips": "reportlab", "backup": "alembic"}
"""The package that a command needs."""
WRITING = [
    ("solve --hand-size 1 --symbols 2 --policy {}", "my.strategy"),
    ("exploit uniform --hand-size 1 --symbols 2 --save {}", "best.strategy"),
    ("odds --players 2 --plot {}", "chances.svg"),
    ("odds bid 2x7 --players 2 --own 1 --plot {}", "bid.svg"),
    ("odds --plot {} bid 2x7 --players 2 --own 1", "bid.svg"),
    ("slips -o {}", "friday.pdf"),
    ("backup {} --data club", "friday.zip"),
]
EVERY_COMMAND_THAT_WRITES = pytest.mark.parametrize(
    ("command", "name"),
    [
        pytest.param(
            *one, id=one[0], marks=pytest.mark.skipif(not find_spec(NEEDED[one[0].split()[0]]), reason="not installed")
        )
        for one in WRITING
    ],
)


@EVERY_COMMAND_THAT_WRITES
def test_a_file_that_exists_is_overwritten_only_with_force(command: str, name: str, run: Run) -> None:
    if command.startswith("backup"):
        migrate(address(Path("club")))
    line = command.format(name)
    Path(name).write_text("mine")
    before = sorted(Path().iterdir())
    message = f"liarspoker: {name} already exists; choose another name, or overwrite it with --force\n"
    assert run(line, code=2) == ("", message)
    assert Path(name).read_text() == "mine"
    run(f"{line} --force")
    assert Path(name).read_bytes() != b"mine"
    assert sorted(Path().iterdir()) == before


@EVERY_COMMAND_THAT_WRITES
def test_a_folder_is_never_overwritten(command: str, name: str, run: Run) -> None:
    Path(name).mkdir()
    said = run(f"{command.format(name)} --force", code=1)
    assert said == ("", f"liarspoker: {name}: this file can't be written\n")


@pytest.mark.skipif(not find_spec("numba"), reason="the extra engine is not installed")
def test_a_strategy_is_not_lost_to_a_file_that_appears_while_it_is_solved(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "solve --hand-size 1 --symbols 2 --policy my.strategy"
    with monkeypatch.context() as patched:
        patched.setattr(solve_command, "_show_progress", lambda *_: Path("my.strategy").write_text("mine"))
        error = run(line, code=2).err
    assert "the solution is saved; the same command writes it" in error
    assert "my.strategy already exists" in error
    assert Path("my.strategy").read_text() == "mine"
    assert "continuing from my.strategy.checkpoint" in run(f"{line} --force").err
    assert [path.name for path in Path().iterdir()] == ["my.strategy"]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A data folder with a table of a server."""
    folder = tmp_path / "club"

    async def play() -> None:
        async with await Storage.open(address(folder), SEALER) as storage:
            await tables(storage, "T")
            await storage.append(entry("T", 1))
            await storage.append(entry("T", 2))

    migrate(address(folder))
    asyncio.run(play())
    return folder


def test_a_backup_can_be_restored(club: Path, run: Run) -> None:
    assert run("backup friday.zip --data club").out.startswith("friday.zip: 1 table, 2 entries, 0 users\nThe key")
    target = f"sqlite:///{Path('other.sqlite3').absolute()}"
    restored = run(f"restore friday.zip --database {target}").out
    assert restored.startswith("restored 1 table, 2 entries, 0 users\nStart the server with the key")

    async def look() -> int:
        async with await Storage.open(target, SEALER) as storage:
            return (await storage.log("T")).version

    assert asyncio.run(look()) == 2
    full = run("restore friday.zip --data club", code=1).err
    assert full.startswith("liarspoker: the database isn't empty: restore into a new one")
    assert full.count("\n") == 1


def test_the_data_folder_is_the_users_unless_another_one_is_named(
    club: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    if tmp_path not in data_folder().parents:
        pytest.skip("this system has the user's data elsewhere")
    run("backup friday.zip --data club")
    run("restore friday.zip")
    assert [path.name for path in (tmp_path / "share" / "liarspoker").iterdir()] == ["liarspoker.sqlite3"]
    run("backup again.zip")

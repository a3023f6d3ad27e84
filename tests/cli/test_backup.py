"""`liarspoker backup` and `liarspoker restore`, at a prompt."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address, data_folder
from liarspoker.server.storage.storage import Storage
from tests.server.storage.tables import SEALER, entry, tables


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in which a server has stored something; the working folder is another one."""
    folder = tmp_path / "club"

    async def play() -> None:
        async with await Storage.open(address(folder), SEALER) as storage:
            await tables(storage, "T")
            await storage.append(entry("T", 1))
            await storage.append(entry("T", 2))

    migrate(address(folder))
    asyncio.run(play())
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return folder


def test_what_was_backed_up_can_be_restored(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "friday.zip", "--data", str(club)]) == 0
    assert capsys.readouterr().out.startswith("friday.zip: 1 table, 2 entries, 0 users\nThe key")
    target = f"sqlite:///{Path('other.sqlite3').absolute()}"
    assert main(["restore", "friday.zip", "--database", target]) == 0
    assert capsys.readouterr().out.startswith("restored 1 table, 2 entries, 0 users\nStart the server with the key")

    async def look() -> int:
        async with await Storage.open(target, SEALER) as storage:
            return (await storage.log("T")).version

    assert asyncio.run(look()) == 2


def test_a_fault_is_one_line_that_names_it(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "friday.zip", "--data", str(club)]) == 0
    for words, fault in (
        (
            ["backup", "new.zip", "--data", "nowhere"],
            "nowhere/liarspoker.sqlite3 cannot be opened: unable to open database file; say with --data",
        ),
        (["backup", "new.zip", "--database", "mysql://x"], "the database's address must begin with postgresql:// or"),
        (["restore", "friday.zip", "--data", str(club)], "the database is not empty: restore into a new one"),
        (["restore", "new.zip", "--data", "new"], "new.zip: No such file or directory"),
    ):
        capsys.readouterr()
        assert main(words) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"liarspoker: {fault}")
        assert error.count("\n") == 1
    assert main(["backup", "friday.zip", "--data", str(club), "--force"]) == 0
    assert not Path("nowhere").exists()


def test_the_data_lie_in_the_users_folder_unless_another_one_is_named(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    if tmp_path not in data_folder().parents:
        pytest.skip("this system has the user's data elsewhere")
    assert main(["backup", "friday.zip", "--data", str(club)]) == 0
    assert main(["restore", "friday.zip"]) == 0
    assert [path.name for path in (tmp_path / "share" / "liarspoker").iterdir()] == ["liarspoker.sqlite3"]
    assert main(["backup", "again.zip"]) == 0


@pytest.mark.parametrize(("missing", "command"), [("sqlalchemy", "backup"), ("alembic", "restore")])
def test_without_the_servers_packages_it_says_what_to_install(missing: str, command: str) -> None:
    without = f"import sys; sys.modules['{missing}'] = None"
    program = f"{without}; from liarspoker.cli import main; sys.exit(main(['{command}', 'x']))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == f"liarspoker: this needs {missing}: pip install 'liarspoker[serve]'\n"

"""Every command that writes a file asks for permission before it replaces one, and before it does any work."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.cli import solve as solve_command

NEEDED = {"solve": "numba", "exploit": "numba", "odds": "matplotlib", "slips": "reportlab", "backup": "alembic"}
"""The package without which a command does nothing."""

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


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@EVERY_COMMAND_THAT_WRITES
def test_a_file_that_exists_is_overwritten_only_with_force(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if command.startswith("backup"):
        from liarspoker.server.storage.migrate import migrate
        from liarspoker.server.storage.place import address

        migrate(address(Path("club")))
    words = command.format(name).split()
    Path(name).write_text("mine")
    before = sorted(Path().iterdir())
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"liarspoker: {name} already exists; choose another name, or overwrite it with --force\n"
    assert Path(name).read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert Path(name).read_bytes() != b"mine"
    assert sorted(Path().iterdir()) == before


@EVERY_COMMAND_THAT_WRITES
def test_a_folder_is_never_overwritten(command: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).mkdir()
    assert main([*command.format(name).split(), "--force"]) == 1
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"liarspoker: {name}: no file can be written there\n")


@pytest.mark.skipif(not find_spec("numba"), reason="the extra engine is not installed")
def test_a_strategy_is_not_lost_to_a_file_that_appears_while_it_is_solved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["solve", "--hand-size", "1", "--symbols", "2", "--policy", "my.strategy"]
    with monkeypatch.context() as patched:
        patched.setattr(solve_command, "_show_progress", lambda _: Path("my.strategy").write_text("mine"))
        assert main(words) == 2
    error = capsys.readouterr().err
    assert "the solution is kept; the same command writes it" in error
    assert "my.strategy already exists" in error
    assert Path("my.strategy").read_text() == "mine"
    assert main([*words, "--force"]) == 0
    assert "going on from my.strategy.checkpoint" in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["my.strategy"]

"""The command `liarspoker` before any command of its own: what it lists, what it loads, how it ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import liarspoker
from liarspoker.cli import COMMANDS, main

HEAVY = {"numpy", "numba", "torch", "matplotlib", "reportlab", "tomlkit"}
HEAVY |= {"sqlalchemy", "alembic", "psycopg", "cryptography", "argon2", "fastapi", "pydantic", "uvicorn"}
ROOMS = tuple(f"liarspoker.{room}" for room in ("odds", "records.digits", "bots", "terminal", "paper", "server"))
EVERY_COMMAND = pytest.mark.parametrize("command", COMMANDS)


def told(*words: str, code: int = 0) -> str:
    """What `liarspoker` prints in a process of its own, eighty columns wide, where it ends with `code`."""
    ended = subprocess.run(
        [sys.executable, "-m", "liarspoker", *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert ended.returncode == code, ended.stderr
    return ended.stdout or ended.stderr


def loaded_by(program: str) -> set[str]:
    """The modules that a fresh process has loaded at the end of `program`."""
    report = "import json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, check=True)
    names = json.loads(ended.stdout.splitlines()[-1])
    return {str(name) for name in names}


def test_help_lists_every_command_with_its_summary() -> None:
    listing = told("--help")
    for command, summary in COMMANDS.items():
        assert re.search(rf"^ +{command} +{re.escape(summary[:40])}", listing, re.MULTILINE)


def test_there_is_a_module_for_every_command_and_a_command_for_every_module_that_runs() -> None:
    folder = Path(liarspoker.__file__).parent / "cli"
    running = {path.stem for path in folder.glob("*.py") if re.search(r"^def run\(", path.read_text(), re.MULTILINE)}
    assert running == set(COMMANDS)


def test_help_fits_a_screen() -> None:
    lines = told("--help").splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80


@EVERY_COMMAND
def test_the_help_of_a_command_fits_a_screen_and_has_examples(command: str) -> None:
    lines = told(command, "--help").splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert len(lines) <= 40
    assert any("examples:" in line for line in lines)
    assert any(re.match(rf" +liarspoker {command}\b", line) for line in lines)


@EVERY_COMMAND
def test_every_argument_of_a_command_is_explained(command: str) -> None:
    text = told(command, "--help")
    options = text[text.index("\noptions:") : text.index("\nexamples:")]
    # An argument alone on its line is explained on the next one, further to the right.
    for line in re.findall(r"^  -.*$", options, re.MULTILINE):
        following = options.partition(line)[2].splitlines()[1:2]
        assert re.search(r"\S  +\S", line.strip()) or following[0].startswith("    " * 4), line


def test_an_unknown_command_is_wrong_usage_and_names_those_there_are() -> None:
    answer = told("cheat", code=2)
    assert "cheat" in answer
    assert all(command in answer for command in COMMANDS)


def test_no_command_at_all_is_wrong_usage() -> None:
    assert "COMMAND" in told(code=2)


def test_the_version_is_told() -> None:
    assert told("--version") == f"liarspoker {liarspoker.__version__}\n"


def test_the_command_and_the_module_are_the_same() -> None:
    command = Path(sys.executable).with_name("liarspoker")
    if not command.exists():
        pytest.skip("the command is not installed beside this Python")
    ended = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout == told("--version")


@pytest.mark.parametrize(
    "program",
    [
        "import liarspoker",
        "import liarspoker.core",
        "import liarspoker.records",
        "from liarspoker.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from liarspoker.cli import main\ntry: main(['--version'])\nexcept SystemExit: pass",
        "from liarspoker.cli import main\nmain(['games', 'slips'])",
        "import sys, io; sys.stdin = io.StringIO('quit')\nfrom liarspoker.cli import main\nmain(['play', 'slips'])",
    ],
    ids=["liarspoker", "rules", "records", "--help", "--version", "games", "play"],
)
def test_nothing_heavy_is_loaded_where_it_is_not_needed(program: str) -> None:
    assert {name.partition(".")[0] for name in loaded_by(program)} & HEAVY == set()


def test_importing_the_package_or_listing_the_commands_opens_none_of_its_rooms() -> None:
    help_ = "from liarspoker.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    for program in ("import liarspoker", "import liarspoker.core", help_):
        assert [name for name in loaded_by(program) if name.startswith(ROOMS)] == []


def test_an_error_of_the_input_is_one_line_and_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "whist"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("liarspoker: ")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_reader_who_goes_away_is_no_error() -> None:
    reader = "import sys; sys.stdin.readline()"
    command = f"'{sys.executable}' -m liarspoker odds --players 60 | '{sys.executable}' -c '{reader}'"
    ended = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


GAMES = [sys.executable, "-m", "liarspoker", "games"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_what_cannot_be_written_is_told_in_a_line() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(GAMES, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "liarspoker: [Errno 28] No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes no streams there")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_what_was_closed_before_the_start_stays_silent(closed: str) -> None:
    ended = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *GAMES], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ("slips" in ended.stdout) == (closed != ">&-")

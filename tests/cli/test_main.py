"""The command `liarspoker`: its help, what it imports, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import liarspoker
from liarspoker.cli import COMMANDS, main
from tests.cli.conftest import Run

RULES = {f"liarspoker.games.{family}.session" for family in ("digits", "queen_annes", "thorin")}
HEAVY = {"numpy", "numba", "torch", "matplotlib", "reportlab", "tomlkit"}
HEAVY |= {"argcomplete", "prompt_toolkit", "tqdm"}
HEAVY |= {"sqlalchemy", "alembic", "psycopg", "cryptography", "argon2", "fastapi", "pydantic", "uvicorn"}
LAYERS = {f"liarspoker.{layer}" for layer in ("odds", "records.digits", "bots", "terminal", "paper", "server")}
LIBRARY = {"typing", "pathlib", "secrets"}  # the slowest imports of the standard library
EVERY_COMMAND = pytest.mark.parametrize("command", COMMANDS)
GAMES = [sys.executable, "-m", "liarspoker", "games"]


def test_help_lists_every_command_with_its_summary(run: Run) -> None:
    listing = run("--help").out
    for command, summary in COMMANDS.items():
        assert re.search(rf"^ +{command} +{re.escape(summary[:40])}", listing, re.MULTILINE)
    assert all(command in run("cheat", code=2).err for command in COMMANDS)


def test_there_is_a_module_for_every_command_and_a_command_for_every_module_that_runs() -> None:
    folder = Path(liarspoker.__file__).parent / "cli"
    running = {path.stem for path in folder.glob("*.py") if re.search(r"^def run\(", path.read_text(), re.MULTILINE)}
    assert running == set(COMMANDS)


@pytest.mark.parametrize("command", ["", *COMMANDS, "odds bid", "odds pooled", "odds thorin"])
def test_help_fits_a_screen_has_examples_and_explains_every_argument(command: str, run: Run) -> None:
    text = run(f"{command} --help").out
    lines = text.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert len(lines) <= 40
    assert re.search(rf"^ +liarspoker.* {command}\b", text.partition("examples:")[2], re.MULTILINE)
    options = text[text.index("\noptions:") : text.index("\nexamples:")] if command else ""
    # An argument alone on its line is explained on the next one, further to the right.
    for line in re.findall(r"^  -.*$", options, re.MULTILINE):
        following = options.partition(line)[2].splitlines()[1:2]
        assert re.search(r"\S  +\S", line.strip()) or following[0].startswith("    " * 4), line


def test_the_command_and_the_module_have_the_same_version() -> None:
    for program in ([sys.executable, "-m", "liarspoker"], [str(Path(sys.executable).with_name("liarspoker"))]):
        if Path(program[0]).exists():
            ended = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
            assert ended.stdout == f"liarspoker {liarspoker.__version__}\n"


STEPS = [
    ("import liarspoker", HEAVY | LAYERS | LIBRARY),
    ("import liarspoker.core", HEAVY | LAYERS | LIBRARY),
    ("run('--help')", HEAVY | LAYERS | LIBRARY),
    ("run('--version')", HEAVY | LAYERS | LIBRARY),
    ("run('slips', '--help')", HEAVY | {"liarspoker.paper"}),
    ("run('games')", HEAVY | RULES | {"liarspoker.paper"}),
    ("run('games', 'slips')", HEAVY),
    ("import liarspoker.records", HEAVY),
    ("sys.stdin = io.StringIO('quit'); run('play', 'slips')", HEAVY),
]
"""Steps in one process, each with the modules that must not be loaded by then."""
PROGRAM = """
import io, json, sys
def run(*words):
    from liarspoker.cli import main
    try: main(words)
    except SystemExit: pass
for step in json.loads(sys.argv[1]):
    exec(step)
    print("\\n>", *sys.modules)
"""


def test_nothing_heavy_is_loaded_where_it_is_not_needed() -> None:
    program = [sys.executable, "-c", PROGRAM, json.dumps([step for step, _ in STEPS])]
    ended = subprocess.run(program, capture_output=True, text=True, check=True)
    loaded = [set(line.split()) for line in ended.stdout.splitlines() if line.startswith("> sys ")]
    for (step, unwanted), modules in zip(STEPS, loaded, strict=True):
        assert unwanted & modules == set(), step


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_write_errors_are_reported_in_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(GAMES, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "liarspoker: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes no streams there")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_stay_silent(closed: str) -> None:
    ended = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *GAMES], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ("slips" in ended.stdout) == (closed != ">&-")


@pytest.mark.skipif(sys.platform != "linux", reason="the browser is a script, found by the environment's BROWSER")
def test_serve_opens_the_lobby_in_a_browser_and_prints_the_address_for_friends(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "DISPLAY": ":0", "WAYLAND_DISPLAY": ""}
    words = ["serve", "--lan", "--open", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        [sys.executable, "-m", "liarspoker", *words], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            serving, friends = process.stdout.readline(), process.stdout.readline()
            here = re.fullmatch(r"Serving on (http://127\.0\.0\.1:(\d+)) \(Ctrl-C stops\)\n", serving)
            assert here is not None
            assert re.fullmatch(rf"Friends on your network come in at http://\S+:{here[2]}\n", friends)
            told = subprocess.run(["cat", opened], capture_output=True, text=True, timeout=60, check=True)
            assert told.stdout == f"{here[1]}/\n"
        finally:
            process.terminate()
            process.wait(60)


class Terminal(io.StringIO):
    """A terminal whose output is collected in a string."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("settings", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_terminals_get_bold_headings_and_red_errors(
    settings: dict[str, str], colours: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"NO_COLOR": "", "TERM": "xterm", **settings}.items():
        monkeypatch.setenv(name, value)
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with pytest.raises(SystemExit):
        main(["games", "--help"])
    assert main(["games", "poker"]) == 1
    assert ("\033[1musage:\033[0m" in out.getvalue()) == colours
    assert ("\033[1mexamples:\033[0m" in out.getvalue()) == colours
    assert err.getvalue().startswith("\033[1m\033[31mliarspoker:\033[0m" if colours else "liarspoker:")


def test_pipes_get_no_colours(run: Run) -> None:
    assert "\033" not in run("--help").out + run("games poker", code=1).err + run("cheat", code=2).err

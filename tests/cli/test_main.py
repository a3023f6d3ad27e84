"""The command `liarspoker` before any command of its own: what it lists, what it loads, how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import liarspoker
from liarspoker.cli import COMMANDS
from tests.cli.conftest import Run

RULES = {f"liarspoker.games.{family}.session" for family in ("digits", "queen_annes", "thorin")}
HEAVY = {"numpy", "numba", "torch", "matplotlib", "reportlab", "tomlkit"}
HEAVY |= {"sqlalchemy", "alembic", "psycopg", "cryptography", "argon2", "fastapi", "pydantic", "uvicorn"}
LAYERS = {f"liarspoker.{layer}" for layer in ("odds", "records.digits", "bots", "terminal", "paper", "server")}
LIBRARY = {"typing", "pathlib", "secrets"}  # of Python's own, what takes longest of all that would be loaded
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


def test_the_command_and_the_module_tell_the_same_version() -> None:
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
"""One after the other in one process, each with the modules that are not loaded even then."""
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


@pytest.mark.skipif(sys.platform != "linux", reason="the browser is a script, found by the environment's BROWSER")
def test_serve_opens_the_lobby_in_a_window_and_tells_friends_where_to_come_in(tmp_path: Path) -> None:
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

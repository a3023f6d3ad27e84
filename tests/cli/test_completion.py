"""`liarspoker completion`, and what the Tab key completes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def completed(line: str, folder: Path) -> set[str]:
    """Return what a shell would offer at the end of a line."""
    answer = folder / "completions"
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_SHELL": "bash",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    program = "from liarspoker.cli import main; main()"
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=60)
    return {word.strip() for word in answer.read_text().splitlines()}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(shell: str, run: Run) -> None:
    assert "liarspoker" in run(f"completion {shell}").out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("liarspoker s", {"serve", "simulate", "slips", "solve"}),
        ("liarspoker completion ", {"bash", "zsh", "fish", "-h", "--help"}),
        ("liarspoker games s", {"salomon-1986", "slips"}),
        ("liarspoker simulate slips --ro", {"--rounds"}),
        ("liarspoker simulate slips --bots bluffer,b", {"bluffer,beginner", "bluffer,binomial", "bluffer,bluffer"}),
        ("liarspoker rep", {"replay", "report"}),
        ("liarspoker arena slips thorin --spr", {"--sprt"}),
        ("liarspoker arena slips dollar-bill --option reb", {"rebid=true", "rebid=false"}),
        ("liarspoker play slips --option reb", {"rebid=true", "rebid=false"}),
    ],
)
def test_commands_options_games_and_bots_are_completed(line: str, words: set[str], tmp_path: Path) -> None:
    assert completed(line, tmp_path) == words

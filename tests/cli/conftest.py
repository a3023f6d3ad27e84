"""The command line as somebody at a prompt meets it: called in this process, in a folder of its own."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from liarspoker.cli import main


class Said(NamedTuple):
    """What a command has printed."""

    out: str
    err: str

    @property
    def report(self) -> Any:
        """What `--json` prints."""
        return json.loads(self.out)


Run = Callable[..., Said]
"""`run("odds bid 5x7", *more_words, code=0)`."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command that ends with this exit code; what says that something is compiled, once, is left out."""

    def run(line: str, *more: str, code: int = 0) -> Said:
        capsys.readouterr()
        try:
            found = main([*shlex.split(line), *more])
        except SystemExit as ended:
            found = int(ended.code or 0)
        out, err = capsys.readouterr()
        err = "".join(text for text in err.splitlines(keepends=True) if not text.startswith("Compiling "))
        assert found == code, err
        return Said(out, err)

    return run

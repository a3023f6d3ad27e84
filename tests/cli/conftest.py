"""Fixtures for commands, which run in this process, in a temporary folder."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from liarspoker.cli import main, progress


class Said(NamedTuple):
    """The output of a command."""

    out: str
    err: str

    @property
    def report(self) -> Any:
        """The object that `--json` prints."""
        return json.loads(self.out)


Run = Callable[..., Said]
"""`run("odds bid 5x7", *more_words, code=0)`."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(progress, "LINE_SECONDS", 3600.0)  # no progress lines, even on a busy machine


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command and check its exit code; messages about compiling are left out."""

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

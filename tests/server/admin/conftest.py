"""The command `liarspoker admin`, and a server on the same database."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from liarspoker.cli import main
from tests.server.inprocess import Running, running

Admin = Callable[..., Any]
"""`admin("ban --for 3", user)` returns the object that `--json` prints; with `code` above 0, the error message."""


@pytest.fixture
def admin(capsys: pytest.CaptureFixture[str]) -> Callable[[str], Admin]:
    """The command for a database, given its options: `admin("--data FOLDER")("tables")`."""

    def on(place: str) -> Admin:
        def run(line: str, *ids: str, code: int = 0) -> Any:
            capsys.readouterr()
            try:
                found = main(
                    ["admin", *shlex.split(line), *shlex.split(place), "--json", *(["--", *ids] if ids else [])]
                )
            except SystemExit as ended:
                found = int(ended.code or 0)
            out, err = capsys.readouterr()
            assert found == code, err
            return json.loads(out) if out else err

        return run

    return on


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for tests that change only their own users and tables."""
    with running(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def beside(served: Running, admin: Callable[[str], Admin]) -> Admin:
    """The command on the database of `served`."""
    return admin(f"--data {served.config.key_folder}")

"""What keeps a server from starting is told in a line, and nothing is left behind."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, new_key
from tests.server.inprocess import running
from tests.server.test_secrets_in_logs import written_lines

Started = Callable[..., str]


@pytest.fixture
def started(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Started]:
    """Starts a server that cannot start; what is told then. What it arranges for its process is undone."""
    interval, threshold, files = sys.getswitchinterval(), gc.get_threshold(), resource.getrlimit(resource.RLIMIT_NOFILE)

    def start(*words: str) -> str:
        with written_lines():
            assert main(["serve", "--port", "0", "--data", str(tmp_path), *words]) == 1
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        assert told.out == ""
        return told.err[told.err.rindex("liarspoker: ") :].strip()

    yield start
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    resource.setrlimit(resource.RLIMIT_NOFILE, files)


def test_another_server_of_the_same_name_is_told(url: str, tmp_path: Path, started: Started) -> None:
    with running(tmp_path, database=url):
        told = "a server named main already uses this database: stop it, or start this one with --node NAME"
        assert started("--database", url) == f"liarspoker: {told}"


def test_a_key_that_is_missing_or_another_one_is_told_and_no_new_one_is_made(
    tmp_path: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path):
        pass
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, new_key())
        assert "sealed with another key" in started()
    (tmp_path / KEY_FILE).unlink()
    assert "put it back" in started()
    assert not (tmp_path / KEY_FILE).exists()


def test_a_database_that_is_not_there_is_told(tmp_path: Path, started: Started) -> None:
    assert started("--database", f"postgresql://nobody@/nothing?host={tmp_path}").startswith("liarspoker: the database")


def test_a_server_may_have_as_many_connections_as_the_system_permits(tmp_path: Path, started: Started) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
    started("--database", f"sqlite:///{tmp_path}")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)

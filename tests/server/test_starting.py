"""What keeps a server from starting is told in a line, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, new_key
from tests.server.running import running_server


def started(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A server that cannot start, once it has ended."""
    command = [sys.executable, "-m", "liarspoker", "serve", "--port", "0", "--data", str(folder), *words]
    return subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, timeout=60, check=False
    )


def test_another_server_on_the_same_file_is_told(tmp_path: Path) -> None:
    with running_server(tmp_path):
        ended = started(tmp_path)
    assert ended.returncode == 1
    assert "a server named main already uses this database: stop it, or start this one with --node NAME" in ended.stderr


def test_a_key_that_is_missing_or_another_one_is_told_and_no_new_one_is_made(tmp_path: Path) -> None:
    with running_server(tmp_path):
        pass
    other = started(tmp_path, **{VARIABLE: new_key()})
    assert other.returncode == 1
    assert "sealed with another key" in other.stderr
    (tmp_path / KEY_FILE).unlink()
    missing = started(tmp_path)
    assert missing.returncode == 1
    assert "put it back" in missing.stderr
    assert not (tmp_path / KEY_FILE).exists()


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    ended = started(tmp_path, "--database", f"postgresql://nobody@/nothing?host={tmp_path}")
    assert ended.returncode == 1
    assert "liarspoker: the database" in ended.stderr

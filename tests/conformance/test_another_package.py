"""A game that another package brings is tested here as those of this one are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extension.test_outside_package import ENTRY_POINTS, GAME

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_its_game_conforms(tmp_path: Path) -> None:
    (tmp_path / "toy_games.py").symlink_to(ROOT / "tests/extension/toy_games.py")
    information = tmp_path / "toy_games-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-games\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/conformance"]
    ended = subprocess.run(
        [*command, "-k", GAME],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "HYPOTHESIS_PROFILE": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    assert " passed" in ended.stdout

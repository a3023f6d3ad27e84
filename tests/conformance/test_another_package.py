"""The games of another package pass the same tests as those of this package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extension.package import BEADS, DICE, GAME, install

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_games_of_another_package_conform(tmp_path: Path) -> None:
    install(tmp_path)
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    games = (GAME, DICE, BEADS)
    command = [sys.executable, "-m", "pytest", "-v", "-n", "0", "-p", "no:cacheprovider", "tests/conformance"]
    ended = subprocess.run(
        [*command, "-k", f"({' or '.join(games)}) and not test_games_of_another_package_conform"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "HYPOTHESIS_PROFILE": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    assert [game for game in games if f"{game}] PASSED" not in ended.stdout] == []

"""A game and a family that another package brings are tested here as those of this one are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extension.test_outside_package import site

__all__ = ["site"]

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_what_it_brings_conforms(site: Path) -> None:
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH", ""))))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/conformance"]
    ended = subprocess.run(
        [*command, "-k", "tiny or dice"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "HYPOTHESIS_PROFILE": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    assert " passed" in ended.stdout

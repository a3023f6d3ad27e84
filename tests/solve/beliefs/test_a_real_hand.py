"""The script that tells a belief through a real hand: what the document shows is what comes out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "beliefs_in_a_hand.py"
RECORD = ROOT / "tests" / "records" / "golden" / "dollar-bill-sample.toml"


def told(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


@pytest.mark.slow
def test_the_document_shows_what_the_script_tells() -> None:
    shown = (ROOT / "docs" / "explanation" / "beliefs.md").read_text(encoding="utf-8")
    assert f"```text\n{told(str(RECORD))}```\n" in shown


@pytest.mark.slow
def test_a_hand_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    told(str(RECORD), "--plot", str(tmp_path / "hand.svg"), "--bot", "binomial")
    assert (tmp_path / "hand.svg").read_text(encoding="utf-8").count("<image") == 4  # three players, and the shades


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["0", "-1", "99"])
def test_a_hand_that_the_record_has_not_is_refused(hand: str) -> None:
    words = [sys.executable, str(SCRIPT), str(RECORD), f"--hand={hand}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument --hand: {hand} is none of 1 to " in done.stderr

"""The script that prints or draws the beliefs in a recorded hand. `tests/test_documents.py` compares its table."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "beliefs_in_a_hand.py"
RECORD = ROOT / "tests" / "records" / "golden" / "dollar-bill-sample.toml"


def run_here(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    """Run the script in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(RECORD), *words])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return ended.value.code


def test_a_hand_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    assert run_here(monkeypatch, "--plot", str(tmp_path / "hand.svg"), "--bot", "binomial") == 0
    assert (tmp_path / "hand.svg").read_text(encoding="utf-8").count("<image") == 4  # three players and the color bar


@pytest.mark.parametrize("hand", ["0", "-1", "99"])
def test_a_hand_that_is_not_in_the_record_is_an_error(
    hand: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(monkeypatch, f"--hand={hand}") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "argument --hand: must be between 1 and " in printed.err
    assert printed.err.endswith(f", not {hand}\n")

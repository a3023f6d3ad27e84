"""The script that tells a belief through a real hand: what the document shows is what comes out."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "docs" / "beliefs_in_a_hand.py"
RECORD = ROOT / "tests" / "records" / "golden" / "dollar-bill-sample.toml"


def run_here(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    """Run the script in this process, and return its exit code."""
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(RECORD), *words])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    return ended.value.code


def test_a_hand_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    assert run_here(monkeypatch, "--plot", str(tmp_path / "hand.svg"), "--bot", "binomial") == 0
    assert (tmp_path / "hand.svg").read_text(encoding="utf-8").count("<image") == 4  # three players, and the shades


@pytest.mark.parametrize("hand", ["0", "-1", "99"])
def test_a_hand_that_the_record_has_not_is_refused(
    hand: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(monkeypatch, f"--hand={hand}") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert f"argument --hand: {hand} is none of 1 to " in told.err


def test_the_document_shows_what_the_script_tells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = (ROOT / "docs" / "explanation" / "beliefs.md").read_text(encoding="utf-8")
    assert run_here(monkeypatch) == 0
    assert f"```text\n{capsys.readouterr().out}```\n" in shown

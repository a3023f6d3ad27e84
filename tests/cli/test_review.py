"""`liarspoker review`: the text, the JSON and the refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from tests.cli.conftest import Run
from tests.coach.records import SMALL


@pytest.fixture(autouse=True)
def _record() -> None:
    Path("game.json").write_text(json.dumps(SMALL))


def test_the_command(run: Run) -> None:
    words = "review game.json --playouts 100 --jobs 1"
    text = run(f"{words} --seat Cy --hand 2").out
    assert "Hand 2" in text
    assert "Hand 1" not in text
    assert "  You: 2 threes" in text
    assert "  Ann: challenge\n" in text
    assert "Model of all players: Bluffer" in text
    found = json.loads(run(f"{words} --json --seat 0").out)
    assert found == json.loads(run(f"{words} --json --seat Ann").out)
    assert found["hands"][0]["actions"][1]["decision"] is None
    whole = run(words).out
    assert re.search(r" -\d\.\d\d ±", whole)
    assert "\N{MINUS SIGN}" not in whole
    assert run(f"{words} --model uniform").out.startswith("Model of all players: Random")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("--seat Eve", 2, "--seat Eve: the players are Ann, Bob, Cy"),
        ("--seat 3", 2, "--seat 3: the players are"),
        ("--hand 7", 2, "hand 7: the record has no such hand"),
        ("--model nobody", 1, "nobody: no such bot and no such file"),
        ("--playouts 49", 2, "isn't an integer of 50 or more"),
    ],
)
def test_refusals(run: Run, words: str, code: int, said: str) -> None:
    assert said in run(f"review game.json {words}", code=code).err


def test_any_seed_repeats_itself(run: Run) -> None:
    words = "review game.json --playouts 60 --jobs 1 --hand 2 --seed -3"
    assert run(words).out == run(words).out


def test_nothing_to_review_is_said(run: Run) -> None:
    Path("begun.json").write_text(json.dumps({**SMALL, "rounds": [{**SMALL["rounds"][0], "actions": ["2x1"]}]}))
    assert run("review begun.json --jobs 1").out.endswith("\n\nNothing to review: no hand was counted.\n")


def test_bad_records_are_refused(run: Run) -> None:
    assert "No such file" in run("review none.toml", code=1).err
    Path("bad.json").write_text(json.dumps({**SMALL, "game": "whist"}))
    assert "whist" in run("review bad.json", code=1).err
    Path("bad.json").write_text(json.dumps({name: value for name, value in SMALL.items() if name != "rounds"}))
    told = run("review bad.json", code=1).err
    assert told == "liarspoker: bad.json, the record: rounds is missing; it must be a list\n"


def test_arrays_are_saved_and_no_file_is_overwritten(run: Run) -> None:
    import numpy as np

    words = "review game.json --playouts 60 --jobs 1 --npz found.npz"
    run(words)
    with np.load("found.npz") as found:
        assert found["hand"].tolist() == [1] * 6 + [2] * 4
        assert found["action"].tolist()[-1] == -2
    assert "found.npz already exists; choose another name, or overwrite it with --force" in run(words, code=2).err
    assert run(f"{words} --hand 2 --force --json").report["hands"][0]["hand"] == 2
    with np.load("found.npz") as found:
        assert found["hand"].tolist() == [2] * 4
    assert "none/found.npz: No such file or directory" in run("review game.json --npz none/found.npz", code=1).err

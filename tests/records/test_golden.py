"""Whole records with their replays, byte for byte: what `liarspoker replay` prints, and what `--json` prints.

The units, stakes and rows of every golden record were worked out from the documents by hand; the comments in the
records say how. After a change that is meant, write the replays again and read what `git diff` shows:

    cd tests/records/golden
    for name in *.toml; do
        liarspoker replay "$name" > "${name%.toml}.txt"; liarspoker replay --json "$name" > "${name%.toml}.json"
    done
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from liarspoker.cli import main
from liarspoker.core import catalogue
from liarspoker.records import read_json, read_toml, report, to_json, to_toml

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.toml"))
SOUND = [path for path in GOLDEN if "fault" not in path.stem]

each = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
each_sound = pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command prints; it fails on a record with a fault, and only there."""
    assert main(["replay", *words]) == (1 if "fault" in words[-1] else 0)
    out, err = capsys.readouterr()
    assert err == ""
    return out


def golden(name: str) -> Any:
    """The replay that is expected of a golden record."""
    return json.loads((Path(__file__).parent / "golden" / f"{name}.json").read_text(encoding="utf-8"))


@each
def test_the_program_is_told_the_same_to_the_byte(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--json", str(path)).encode() == path.with_suffix(".json").read_bytes()


@each
def test_a_person_is_told_the_same_to_the_byte(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, str(path)).encode() == path.with_suffix(".txt").read_bytes()


@each_sound
def test_in_its_plain_form_it_replays_the_same(path: Path) -> None:
    plain = read_toml(path.read_bytes()).document
    expected = golden(path.stem)
    assert report(read_toml(to_toml(plain))) == report(read_json(to_json(plain))) == expected


@each_sound
def test_its_plain_form_stays_as_it_is(path: Path) -> None:
    plain = read_toml(path.read_bytes()).document
    assert read_toml(to_toml(plain)).document == read_json(to_json(plain)).document == plain


@pytest.mark.parametrize("row", [row for row in catalogue.games() if row.family == "digits"], ids=lambda row: row.id)
def test_every_digit_game_has_a_golden_record(row: catalogue.GameRow) -> None:
    assert row.id in {tomllib.loads(path.read_text(encoding="utf-8"))["game"] for path in SOUND}


def test_no_replay_is_left_without_its_record() -> None:
    files = (Path(__file__).parent / "golden").iterdir()
    assert {path.stem for path in files} == {path.stem for path in GOLDEN}


def test_the_sample_game_of_source_003_costs_player_3_one_to_each() -> None:
    told = golden("dollar-bill-sample")
    assert told["score"] == [1, 1, -2]
    assert told["rounds"][0]["total"] == 5


NOTATION_EXAMPLE = """
{"game": "salomon-1986", "score": [2, 2, -4], "rounds": [
  {"opener": 0, "stake": 2, "final_claim": "3x7", "bidder": 2, "total": 2, "counts": [1, 0, 1], "outcome": "failed",
   "multiplier": 1, "bid_multiplier": 1, "payoffs": [2, 2, -4], "next_stake": 1, "next_opener": 2}]}
"""


def test_the_example_of_the_notation_is_told_as_the_notation_tells_it() -> None:
    told = golden("salomon-1986-notation")
    expected = json.loads(NOTATION_EXAMPLE)
    assert told == expected
    assert list(told["rounds"][0]) == list(expected["rounds"][0])


def test_the_session_from_slips_holds_everything_that_its_rules_can_do() -> None:
    hands = golden("slips-session")["rounds"]
    assert {hand["outcome"] for hand in hands[:10]} == {"made", "failed", "hero", "none"}
    assert "".join(hand["letter"] for hand in hands) == "AEJMQDKLFNA"
    assert [hand["stake"] for hand in hands] == [1, 2, 2, 2, 2, 2, 4, 1, 1, 4, 1]
    skunk = hands[8]
    assert (skunk["outcome"], skunk["bid_multiplier"], skunk["next_stake"]) == ("none", 6, 2)
    assert hands[10]["phase"] == "respond"

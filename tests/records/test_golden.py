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
from liarspoker.records import document_of, read_json, read_toml, replay, report, to_json, to_toml

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
    played = read_toml(path.read_bytes())
    plain = played.document
    expected = golden(path.stem)
    assert report(read_toml(to_toml(plain))) == report(read_json(to_json(plain))) == expected
    assert read_toml(to_toml(plain)).document == read_json(to_json(plain)).document == plain
    assert played.game is not None
    assert played.session is not None
    assert report(replay(document_of(played.game, played.session, played.players))) == expected


@pytest.mark.parametrize("row", catalogue.games(), ids=lambda row: row.id)
def test_every_game_has_a_golden_record(row: catalogue.GameRow) -> None:
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


def test_dirk_is_out_and_ellie_begins_the_next_round() -> None:
    first, second, third = golden("thorin-annie")["rounds"]
    assert (first["floor"], first["hand_value"], first["truthful"]) == ("three 243", "pair 7Q62", False)
    assert (first["loser"], first["alive"], first["next_opener"]) == (3, [0, 1, 2, 4], 4)
    assert (second["truthful"], second["loser"], second["next_opener"]) == (True, 0, 4)
    assert (third["claim"], third["floor"], third["to_act"]) == ("high KT", "high KT432", 2)


def test_threes_over_twos_may_not_follow_two_pair() -> None:
    told = golden("thorin-fault")
    assert (told["error"]["code"], told["error"]["action"]) == ("not-stronger", 3)
    assert told["rounds"][0]["legal"]["min_claim"] == "two-pair 325"


def test_the_variants_end_as_the_dealer_chose() -> None:
    told = golden("thorin-variants")
    thrown, jokers, taken, shown = told["rounds"]
    assert (thrown["thrown_in"], thrown["alive"], thrown["passes"]) == (True, [0, 1, 2, 3], [1, 0, 0, 0])
    assert (jokers["floor"], jokers["hand_value"], jokers["loser"]) == ("flush AAAK9", "flush AAAK9", 1)
    assert (taken["loser"], taken["next_opener"], "challenger" in taken) == (2, 0, False)
    assert (shown["truthful"], shown["hand"], told["winner"]) == (True, ["7c", "7d", "Jd", "2h", "2s"], 3)


def test_the_pooled_hands_are_there_or_not_as_they_were_counted() -> None:
    told = golden("queen-annes")
    assert [round["exists"] for round in told["rounds"]] == [False, True, True, True]
    assert [round["losses"] for round in told["rounds"]] == [[4, 4, 2], [5, 4, 2], [5, 4, 3], [5, 5, 3]]
    assert (told["winner"], told["rounds"][-1]["next_opener"]) == (2, None)


def test_the_extra_cards_of_stud_come_on_the_turns_that_were_counted() -> None:
    first, second, third = golden("queen-annes-stud")["rounds"]
    assert [(extra["seat"], extra["turn"], extra["card"]) for extra in first["extras"]] == [
        (0, 1, "7d"),
        (0, 2, "4s"),
        (1, 2, "Qs"),
    ]
    assert (second["extras"], third["extras"]) == ([], [])
    assert second["losses"] == [1, 4, 4]

"""`liarspoker odds`, as somebody at a prompt meets it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from liarspoker.cli import main

QUESTION = b'{"kind": "raise_threshold", "n": 4}\n'
ANSWER = '{"value": 0.3333333333333333, "fraction": "1/3"}'
BID = ["odds", "bid", "5x7", "--players", "4"]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that succeeds prints."""
    assert main(words) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command with wrong input says; it prints nothing else."""
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("liarspoker: ")
    return err


def misused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of wrong usage."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_alone_it_prints_the_tables_for_five_players(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "odds")
    assert "0.188196" in text
    assert "4 others" in text
    assert "5 others" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_tables_are_there_for_any_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert "11 others" in said(capsys, "odds", "--players", "12")


def test_the_tables_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, "odds", "--players", "3", "--json"))
    assert found["players"] == 3
    assert found["tables"][0]["rows"][0]["chances"][0] == {"value": 0.43046721, "fraction": "43046721/100000000"}


def test_the_bid_of_the_manual(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, *BID, "--hand", "06742088")
    assert text.startswith("5 sevens, 4 players, salomon-1986\n")
    assert "21.43%" in text


def test_a_hand_and_what_it_holds_are_the_same_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, *BID, "--hand", "06742088") == said(capsys, *BID, "--own", "1")


def test_a_bid_as_json_wherever_the_switch_stands(capsys: pytest.CaptureFixture[str]) -> None:
    after = said(capsys, *BID, "--own", "1", "--json")
    assert json.loads(after)["p_made"]["value"] == pytest.approx(0.214262, abs=1e-6)
    assert said(capsys, "odds", "--json", *BID[1:], "--own", "1") == after


def test_each_game_pays_by_its_own_rules(capsys: pytest.CaptureFixture[str]) -> None:
    bid = ("odds", "bid", "nine sixes", "--players", "4", "--own", "2", "--json", "--game")
    pays = {game: json.loads(said(capsys, *bid, game))["multiplier"] for game in ("dollar-bill", "salomon-1986")}
    assert pays == {"dollar-bill": 1, "salomon-1986": 6}


def test_drawings_are_written_beside_the_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tables, bid = tmp_path / "tables.svg", tmp_path / "bid.svg"
    assert "others" in said(capsys, "odds", "--plot", str(tables))
    assert "chance" in said(capsys, *BID, "--own", "1", "--plot", str(bid))
    assert "other players" in tables.read_text(encoding="utf-8")
    assert "5 sevens" in bid.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([*BID, "--hand", "0674208"], "8 digits"),
        ([*BID, "--own", "9"], "9 of a digit in a hand of 8"),
        ([*BID, "--own", "1", "--game", "poker"], 'there is no game "poker"'),
        ([*BID, "--own", "1", "--over", "6x1"], "does not beat"),
        ([*BID, "--own", "1", "--plot", "bid.gif"], ".svg"),
        (["odds", "bid", "33x7", "--players", "4", "--own", "1"], "levels go from 1 to 32"),
        (["odds", "bid", "sevens", "--players", "4", "--own", "1"], "is no bid"),
        (["odds", "--plot", "tables.gif"], ".svg"),
    ],
)
def test_wrong_input_ends_with_one_and_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert complaint in refused(capsys, *words)


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "--players", "1"],
        ["odds", "--players", "101"],
        ["odds", "--players", "²"],
        ["odds", "--players", "9" * 5000],
        ["odds", "raise"],
        ["odds", "bid"],
        ["odds", "bid", "5x7", "--own", "1"],
        BID,
        [*BID, "--own", "1", "--hand", "06742088"],
        ["odds", "--json", "--jsonl"],
        ["odds", "--jsonl", "--plot", "a.png"],
        ["odds", "--jsonl", *BID[1:], "--own", "1"],
    ],
    ids=lambda words: " ".join(words)[:50],
)
def test_wrong_usage_ends_with_two(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert "usage: liarspoker odds" in misused(capsys, *words)


@pytest.mark.parametrize("words", [("odds",), ("odds", "bid")])
def test_the_help_is_one_screenful_with_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert "examples:" in text
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80


def test_questions_are_answered_line_by_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(QUESTION + b"\n\xff\n" + QUESTION)))
    first, wrong, last = said(capsys, "odds", "--jsonl").splitlines()
    assert first == last == ANSWER
    assert json.loads(wrong)["error"]["code"] == "not-json"


def test_a_question_is_answered_before_the_next_is_asked() -> None:
    command = [sys.executable, "-m", "liarspoker", "odds", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write(QUESTION)
            process.stdin.flush()
            assert process.stdout.readline().decode().strip() == ANSWER
        process.stdin.close()
        assert process.wait() == 0

"""`liarspoker odds pooled` and `odds thorin`, as somebody at a prompt meets them."""

from __future__ import annotations

import json

import pytest

from liarspoker.cli import main

POOLED = ["odds", "pooled", "full-house AT", "--known", "As Kd", "--unknown", "12"]
THORIN = ["odds", "thorin", "three", "--hand", "As Ad Kc 7h 2s"]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command that succeeds prints."""
    assert main(words) == 0
    return capsys.readouterr().out


def test_a_named_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert "chance      2.66%, 1 in 38\n" in said(capsys, *POOLED)


def test_every_named_hand(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "odds", "pooled", "--unknown", "15")
    assert "0.209582   straight A and 9 more\n" in text


def test_wild_cards_help(capsys: pytest.CaptureFixture[str]) -> None:
    words = (*POOLED, "--jokers", "1", "--wild-ranks", "29", "--json")
    told = json.loads(said(capsys, *words))
    assert (told["jokers"], told["wild_ranks"]) == (1, "29")
    assert told["chance"]["value"] > 0.1


def test_the_best_discards(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  Kc 7h 2s           12.73%\n" in said(capsys, *THORIN)
    assert len(json.loads(said(capsys, *THORIN, "--json"))["discards"]) == 32


@pytest.mark.parametrize(("discard", "line"), [("7h,2s", "throw 7h 2s"), ("-", "keep all"), ("", "keep all")])
def test_one_discard(capsys: pytest.CaptureFixture[str], discard: str, line: str) -> None:
    assert line in said(capsys, *THORIN, "--discard", discard)


def test_fresh_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert "five fresh cards" in said(capsys, "odds", "thorin", "five", "--jokers", "2")


def test_cards_may_stand_together_or_apart_and_the_switch_before(capsys: pytest.CaptureFixture[str]) -> None:
    apart = said(capsys, *THORIN, "--json")
    assert said(capsys, "odds", "--json", "thorin", "three", "--hand", "AsAdKc, 7h 2s") == apart


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([*POOLED, "--known", "As As"], "As is there twice"),
        ([*POOLED, "--known", "Ax"], "no card"),
        ([*POOLED, "--known", "Jk"], "jokers"),
        ([*POOLED, "--wild-ranks", "1"], "wild_ranks"),
        (["odds", "pooled", "full house", "--unknown", "3"], "names no hand"),
        (["odds", "pooled", "--unknown", "53"], "unknown: 53 cards"),
        ([*THORIN, "--hand", "As Ad"], "a hand has five"),
        ([*THORIN, "--discard", "3s"], "does not hold 3s"),
        (["odds", "thorin", "five"], "is no hand"),
    ],
)
def test_wrong_input_ends_with_one_and_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert (out, err[:12]) == ("", "liarspoker: ")
    assert complaint in err


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "pooled"],
        ["odds", "pooled", "pair 7"],
        ["odds", "pooled", "--unknown", "-1"],
        ["odds", "pooled", "--unknown", "²"],
        [*POOLED, "--jokers", "3"],
        ["odds", "thorin"],
        ["odds", "thorin", "three", "--discard", "As"],
        ["odds", "--plot", "a.svg", *THORIN[1:]],
        ["odds", "--jsonl", *THORIN[1:]],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_two(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage: liarspoker odds" in capsys.readouterr().err


@pytest.mark.parametrize("question", ["pooled", "thorin"])
def test_the_help_is_one_screenful_with_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(["odds", question, "--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert "examples:" in text
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80

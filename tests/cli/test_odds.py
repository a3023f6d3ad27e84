"""`liarspoker odds`: the tables, a bid, a named hand, a discard, and questions line by line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cli.conftest import Run

QUESTION = b'{"kind": "raise_threshold", "n": 4}\n'
ANSWER = '{"value": 0.3333333333333333, "fraction": "1/3"}'
BID = "odds bid 5x7 --players 4"
POOLED = "odds pooled 'full-house AT' --known 'As Kd' --unknown 12"
THORIN = "odds thorin three --hand 'As Ad Kc 7h 2s'"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("odds", "0.188196"),
        ("odds", "4 others"),
        ("odds --players 12", "11 others"),
        (f"{BID} --hand 06742088", "5 sevens, 4 players, salomon-1986\n"),
        (f"{BID} --hand 06742088", "21.43%"),
        (POOLED, "chance      2.66%, 1 in 38\n"),
        ("odds pooled --unknown 15", "0.209582   straight A and 9 more\n"),
        ("odds pooled 'pair A' --unknown 1", "pair A in a pool of one card, which is unknown\n"),
        ("odds pooled 'pair A' --known As --unknown 0", "pair A in a pool of one card, which is known\n"),
        (THORIN, "  Kc 7h 2s           12.73%\n"),
        (f"{THORIN} --discard 7h,2s", "discard 7h 2s"),
        (f"{THORIN} --discard -", "keep all"),
        (f"{THORIN} --discard ''", "keep all"),
        ("odds thorin five --jokers 2", "five new cards"),
    ],
)
def test_the_text_has_the_probability(line: str, said: str, run: Run) -> None:
    out = run(line).out
    assert said in out
    assert max(map(len, out.splitlines())) <= 80
    assert "5 others" not in out or "--players" in line


def test_json_output_has_the_same_figures(run: Run) -> None:
    tables = run("odds --players 3 --json").report
    assert tables["players"] == 3
    assert tables["tables"][0]["rows"][0]["chances"][0] == {"value": 0.43046721, "fraction": "43046721/100000000"}
    assert run(f"{BID} --own 1 --json").report["p_made"]["value"] == pytest.approx(0.214262, abs=1e-6)
    wild = run(f"{POOLED} --jokers 1 --wild-ranks 29 --json").report
    assert (wild["jokers"], wild["wild_ranks"]) == (1, "29")
    assert wild["chance"]["value"] > 0.1
    assert len(run(f"{THORIN} --json").report["discards"]) == 32


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{BID} --hand 06742088", f"{BID} --own 1"),
        (f"{BID} --own 1 --json", "odds --json bid 5x7 --players 4 --own 1"),
        (f"{THORIN} --json", "odds --json thorin three --hand 'AsAdKc, 7h 2s'"),
    ],
)
def test_a_question_can_be_written_in_two_ways(one: str, other: str, run: Run) -> None:
    assert run(one).out == run(other).out


def test_each_game_has_its_own_payoffs(run: Run) -> None:
    bid = "odds bid 'nine sixes' --players 4 --own 2 --json --game"
    pays = {game: run(f"{bid} {game}").report["multiplier"] for game in ("dollar-bill", "salomon-1986")}
    assert pays == {"dollar-bill": 1, "salomon-1986": 6}


def test_charts_are_written_in_addition_to_the_text(run: Run) -> None:
    assert "others" in run("odds --plot tables.svg").out
    assert "chance" in run(f"{BID} --own 1 --plot bid.svg").out
    assert "other players" in Path("tables.svg").read_text(encoding="utf-8")
    assert "5 sevens" in Path("bid.svg").read_text(encoding="utf-8")


def test_questions_are_answered_line_by_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(QUESTION + b"\n\xff\n" + QUESTION)))
    first, wrong, last = run("odds --jsonl").out.splitlines()
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{THORIN} --gone 'Kd Ks'", "gone        Kd Ks\n"),
        ("odds thorin 'pair _A' --or-better words", "chance      24.79%, 1 in 4.0\n"),
        ("odds thorin 'flush AA' --jokers 1 --duplicate any", "flush AA: flush AA632 or better\n"),
    ],
)
def test_the_options_of_thorins_game_can_be_set(line: str, said: str, run: Run) -> None:
    assert said in run(line).out


@pytest.mark.parametrize(
    ("gone", "said"), [("Kc", "gone: the hand holds Kc"), ("Jk", "gone: "), ("Kd Kd", "gone: "), ("Xx", "gone: ")]
)
def test_earlier_discards_are_checked(gone: str, said: str, run: Run) -> None:
    assert said in run(f"{THORIN} --gone '{gone}'", code=2).err


def test_enough_cards_are_left_to_draw(run: Run) -> None:
    every = "".join(rank + suit for rank in "3456789TJQ" for suit in "cdhs")
    assert run(f"{THORIN} --gone {every.replace('7h', '')}").out
    assert "at most 42" in run(f"{THORIN} --gone {every.replace('7h', '')}KdKhKsAh", code=2).err

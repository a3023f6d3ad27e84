"""`liarspoker simulate`, as somebody at a prompt meets it."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from liarspoker import engine
from liarspoker.bots import contest, processes
from liarspoker.bots.tally import Tally, WinTally
from liarspoker.cli import main
from tests.effort import effort

needs_engine = pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot.md"
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "bots.md"
SHORT = ["--rounds", "60", "--seed", "1"]


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What `simulate --json` reports."""
    assert main(["simulate", *words, "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_the_report_has_all_that_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    report = simulated(capsys, "salomon-1986", "--players", "5", "--bots", "uniform", *SHORT)
    assert report["game"] == "salomon-1986"
    assert report["players"] == 5
    assert report["bots"] == ["uniform"] * 5
    assert report["rounds"] == sum(report["outcomes"].values()) == 60
    assert set(report["outcomes"]) == {"failed", "made", "hero", "none"}
    assert report["decisions"] > 60 * 5
    assert report["rounds_per_second"] == pytest.approx(60 / report["seconds"])
    assert report["decisions_per_second"] == pytest.approx(report["decisions"] / report["seconds"])
    assert report["seed"] == 1
    assert len(report["units_per_round"]) == 5
    assert sum(average for average, _ in report["units_per_round"]) == pytest.approx(0)
    assert all(half > 0 for _, half in report["units_per_round"])


def test_the_last_bot_fills_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    report = simulated(capsys, "slips", "--players", "4", "--bots", "bluffer, uniform", *SHORT)
    assert report["bots"] == ["bluffer", "uniform", "uniform", "uniform"]


def test_without_a_number_there_are_as_many_players_as_bots_and_never_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated(capsys, "slips", "--bots", "uniform,beginner,beginner", *SHORT)["players"] == 3
    assert simulated(capsys, "slips", "--bots", "uniform", *SHORT)["players"] == 2


def test_the_same_seed_repeats_itself_and_no_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    new = simulated(capsys, "slips", "--rounds", "60", "--bots", "uniform")
    again = simulated(capsys, "slips", "--rounds", "60", "--bots", "uniform", "--seed", str(new["seed"]))
    assert again["units_per_round"] == new["units_per_round"]


def test_options_are_read_as_their_kind(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("sixes=false", "hand_size=3", "order=ace_high")
    words = [word for option in options for word in ("--option", option)]
    report = simulated(capsys, "slips", *words, *SHORT)
    assert report["options"] == {"sixes": False, "hand_size": 3, "order": "ace_high"}


def test_a_session_carries_its_stakes(capsys: pytest.CaptureFixture[str]) -> None:
    alone = simulated(capsys, "slips", *SHORT)
    carried = simulated(capsys, "slips", "--session", *SHORT)
    assert carried["session"] is True
    assert carried["units_per_round"] != alone["units_per_round"]


def test_one_hand_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated(capsys, "slips", "--rounds", "1")["units_per_round"][0][1] is None
    assert main(["simulate", "slips", "--rounds", "1"]) == 0
    assert re.search(r"^ +1  bluffer .* -$", capsys.readouterr().out, re.MULTILINE)


def test_a_person_gets_an_aligned_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "slips", "--bots", "bluffer,binomial", "--option", "sixes=false", *SHORT]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("slips, 2 players, 60 independent hands, seed 1\n  sixes = false\n")
    rows = [line for line in out.splitlines() if re.match(r" +\d  |player", line)]
    assert len(rows) == 3
    assert len({len(row) for row in rows}) == 1
    assert "final bids: " in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bridge"], 'there is no game "bridge"'),
        (["slips", "--bots", "deep-thought"], "there is no bot 'deep-thought'"),
        (["slips", "--bots", "no_such_module:bot"], "no_such_module:bot: "),
        (["slips", "--option", "sizes=true"], "sizes: the digit games have no such option"),
        (["slips", "--option", "sixes=perhaps"], 'sixes = "perhaps": it takes true or false'),
        (["slips", "--option", "hand_size=many"], 'hand_size = "many": it takes 1 to 15'),
        (["slips", "--option", "sixes=true", "--option", "sixes=false"], "--option sixes: it is there twice"),
        (["slips", "--players", "17"], "slips seats 2 to 16"),
        (["slips", "--players", "1"], "slips seats 2 to 16"),
        (["dollar-bill", "--slips"], "dollar-bill is played with bills"),
    ],
    ids=["game", "bot", "place", "option", "flag", "number", "twice", "players", "one player", "slips"],
)
def test_wrong_input_is_refused_in_a_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("liarspoker: ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["slips", "--players", "2", "--bots", "uniform,uniform,uniform"], "--bots names 3 bots for 2 players"),
        (["slips", "--option", "sixes"], "write NAME=VALUE"),
        (["slips", "--rounds", "0"], "'0' is not a whole number from 1 to 1,000,000,000,000"),
        (["slips", "--jobs", "two"], "'two' is not a whole number from 1 to 1,000,000,000,000"),
        (["slips", "--slips", "--bills"], "not allowed with"),
        ([], "GAME"),
    ],
    ids=["lineup", "option", "rounds", "jobs", "deal", "game"],
)
def test_wrong_usage_is_told_with_the_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["simulate", *words])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def interrupted_in(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C while that chunk is played."""
    play_chunk = contest.play_chunk

    def played(what: contest.Contest, number: int) -> Tally | WinTally:
        if number == chunk:
            raise KeyboardInterrupt
        return play_chunk(what, number)

    monkeypatch.setattr(processes, "play_chunk", played)


def test_ctrl_c_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["slips", "--bots", "uniform", "--engine", "python", "--seed", "1", "--rounds"]
    shorter = simulated(capsys, *words, "1000")
    interrupted_in(1, monkeypatch)
    assert main(["simulate", *words, "5000", "--json"]) == 130
    out, err = capsys.readouterr()
    assert err == "stopped after 1,000 of 5,000 hands\n"
    report = json.loads(out)
    assert report["rounds"] == 1000
    assert report["units_per_round"] == shorter["units_per_round"]


def test_ctrl_c_before_anything_was_played_prints_no_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupted_in(0, monkeypatch)
    assert main(["simulate", "slips", "--engine", "python", "--rounds", "5000"]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "stopped after 0 of 5,000 hands\n"


def test_progress_is_shown_on_a_terminal_and_wiped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["simulate", "slips", "--bots", "beginner", "--engine", "python", "--rounds", "2000"]) == 0
    shown = [line.rstrip() for line in terminal.getvalue().split("\r")]
    assert " 50%  1,000 of 2,000 hands" in shown
    assert shown[-2:] == ["", ""]
    assert "%  " not in capsys.readouterr().out


def test_the_bot_of_the_how_to_plays_as_it_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HOW_TO.read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    command = re.search(r"^PYTHONPATH=\. liarspoker (.*)$", text, re.MULTILINE)
    assert code
    assert command
    (tmp_path / "careful.py").write_text(code[1], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main([*command[1].split(), "--rounds", "200"]) == 0
    assert "careful:careful" in capsys.readouterr().out
    sys.modules.pop("careful")


def test_the_python_of_the_manual_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    exec(compile(code[1].replace("5_000", "1_001"), str(REFERENCE), "exec"), {})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1000", "1001"]


@needs_engine
def test_uniform_bots_are_played_by_the_engine_with_the_same_totals_for_any_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["salomon-1986", "--players", "5", "--bots", "uniform", "--rounds", "70001", "--seed", "1"]
    one, three = (simulated(capsys, *words, "--jobs", jobs) for jobs in ("1", "3"))
    assert one["engine"] == three["engine"] == "compiled"
    times = ("seconds", "rounds_per_second", "decisions_per_second")
    assert {key: one[key] for key in one if key not in times} == {key: three[key] for key in three if key not in times}
    assert one["rounds"] == sum(one["outcomes"].values()) == 70001
    assert sum(mean for mean, _ in one["units_per_round"]) == pytest.approx(0, abs=1e-9)


ROUNDS = effort(2000, quick=1000, soak=20_000)


@needs_engine
@pytest.mark.parametrize(
    "words",
    [
        ["dollar-bill", "--players", "2"],
        ["salomon-1986", "--players", "4", "--session"],
        ["slips", "--players", "2", "--option", "loose_order=true", "--option", "hand_size=2", "--option", "symbols=3"],
    ],
    ids=lambda words: " ".join(words),
)
def test_engine_and_python_rules_agree_within_chance(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    common = [*words, "--bots", "uniform", "--seed", "2"]
    compiled = simulated(capsys, *common, "--rounds", str(25 * ROUNDS))
    python = simulated(capsys, *common, "--rounds", str(ROUNDS), "--engine", "python")
    assert (compiled["engine"], python["engine"]) == ("compiled", "python")
    for (mean, half), (other, wider) in zip(compiled["units_per_round"], python["units_per_round"], strict=True):
        assert abs(mean - other) < 2.5 * (half**2 + wider**2) ** 0.5
        assert half == pytest.approx(wider / 5, rel=0.25)
    for outcome, count in python["outcomes"].items():
        share = compiled["outcomes"][outcome] / (25 * ROUNDS)
        assert abs(count / ROUNDS - share) < 5 * (share / ROUNDS) ** 0.5 + 0.001
    assert compiled["decisions"] / 25 == pytest.approx(python["decisions"], rel=0.05)


@needs_engine
@pytest.mark.parametrize(
    "words",
    [
        ["queen-annes", "--players", "3"],
        ["queen-annes-stud", "--players", "2", "--option", "stud_exit_losses=5", "--option", "jokers=2"],
        ["queen-annes-indian", "--players", "2", "--option", "who_may_challenge=anyone", "--option", "wild_ranks=29"],
        ["thorin", "--players", "5", "--option", "passes=1", "--option", "jokers=2"],
    ],
    ids=lambda words: " ".join(words),
)
def test_whole_card_games_are_alike_for_any_jobs_and_about_as_long_as_by_the_python_rules(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """That engine and rules play the very same is shown move by move in the engine's `test_parity`; here the command
    counts the same things."""
    common = [*words, "--bots", "uniform", "--seed", "2"]
    compiled, again = (simulated(capsys, *common, "--games", "9000", "--jobs", jobs) for jobs in ("1", "3"))
    python = simulated(capsys, *common, "--games", "40", "--engine", "python")
    assert (compiled["engine"], python["engine"]) == ("compiled", "python")
    assert compiled["win_rate"] == again["win_rate"]
    assert compiled["decisions"] == again["decisions"]
    for report in (compiled, python):
        assert sum(rate for rate, _ in report["win_rate"]) == pytest.approx(1)
    each = python["rounds"] / 40
    assert compiled["rounds"] / 9000 == pytest.approx(each, rel=0.15)
    assert compiled["decisions"] / compiled["rounds"] == pytest.approx(python["decisions"] / python["rounds"], rel=0.1)


@needs_engine
def test_a_last_session_that_is_cut_short_counts_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    report = simulated(capsys, "slips", "--session", "--bots", "uniform", "--rounds", "25", "--seed", "1")
    assert report["rounds"] == 25


@pytest.mark.parametrize(
    "words",
    [
        ["thorin", "--bots", "bluffer"],
        ["slips", "--bots", "uniform", "--option", "cap_level=false", "--option", "hand_size=1"],
        ["salomon-1986", "--bots", "uniform", "--session", "--option", "compound_carry=true"],
    ],
    ids=["card bot", "endless", "compound"],
)
def test_what_the_engine_does_not_play_the_python_rules_do(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulated(capsys, *words, "--rounds", "3", "--seed", "1")["engine"] == "python"
    assert main(["simulate", *words, "--rounds", "3", "--engine", "compiled"]) == 1
    assert "the engine cannot play this: " in capsys.readouterr().err


def test_without_the_extra_the_python_rules_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "available", lambda: False)
    assert simulated(capsys, "slips", "--bots", "uniform", *SHORT)["engine"] == "python"
    assert main(["simulate", "slips", "--bots", "uniform", "--engine", "compiled"]) == 1
    assert "pip install" in capsys.readouterr().err

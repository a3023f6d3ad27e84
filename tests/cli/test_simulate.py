"""`liarspoker simulate`: its report, reproducibility and engines."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from liarspoker import engine
from liarspoker.bots import contest
from liarspoker.bots.tally import Tally, WinTally
from liarspoker.cli import progress
from liarspoker.extras import install_command
from tests.cli.conftest import Run
from tests.effort import effort

needs_engine = pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")

DOCS = Path(__file__).parents[2] / "docs"
SHORT = "--rounds 60 --seed 1 --json"


def test_the_report_has_all_documented_fields(run: Run) -> None:
    report = run(f"simulate salomon-1986 --players 5 --bots uniform {SHORT}").report
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
    for player, (mean, half) in enumerate(report["units_per_round"]):
        named = {"mean": mean, "half_width": half}
        assert report["results"][player] == {"player": player + 1, "bot": "uniform", "units_per_round": named}


@pytest.mark.parametrize(
    ("words", "bots"),
    [
        ("--players 4 --bots 'bluffer, uniform'", ["bluffer", "uniform", "uniform", "uniform"]),
        ("--bots uniform,beginner,beginner", ["uniform", "beginner", "beginner"]),
        ("--bots uniform", ["uniform", "uniform"]),
    ],
)
def test_the_last_bot_fills_the_table_of_at_least_two(words: str, bots: list[str], run: Run) -> None:
    assert run(f"simulate slips {words} {SHORT}").report["bots"] == bots


def test_the_same_seed_repeats_the_totals_and_a_random_one_is_reported(run: Run) -> None:
    new = run("simulate slips --rounds 60 --bots uniform --json").report
    again = run(f"simulate slips --rounds 60 --bots uniform --seed {new['seed']} --json").report
    assert again["units_per_round"] == new["units_per_round"]


def test_options_are_read_as_their_types(run: Run) -> None:
    words = "--option sixes=false --option hand_size=3 --option order=ace_high"
    report = run(f"simulate slips {words} {SHORT}").report
    assert report["options"] == {"sixes": False, "hand_size": 3, "order": "ace_high"}


def test_a_session_carries_its_stakes(run: Run) -> None:
    alone, carried = (run(f"simulate slips {words} {SHORT}").report for words in ("", "--session"))
    assert carried["session"] is True
    assert carried["units_per_round"] != alone["units_per_round"]


def test_one_hand_has_no_interval(run: Run) -> None:
    assert run("simulate slips --rounds 1 --json").report["units_per_round"][0][1] is None
    out = run("simulate slips --rounds 1").out
    assert out.startswith("slips, 2 players, 1 independent hand, seed ")
    assert re.search(r"^ +1  bluffer .* -$", out, re.MULTILINE)
    for words, played in (
        ("slips --session --rounds 1", "1 hand in sessions of ten"),
        ("thorin --rounds 1", "1 whole game"),
        ("thorin --rounds 2", "2 whole games"),
    ):
        assert f", 2 players, {played}, seed " in run(f"simulate {words} --bots uniform --engine python").out


def test_the_text_is_an_aligned_table(run: Run) -> None:
    out, err = run("simulate slips --bots bluffer,binomial --option sixes=false --rounds 60 --seed 1")
    assert err == ""
    assert out.startswith("slips, 2 players, 60 independent hands, seed 1\n  sixes = false\n")
    rows = [line for line in out.splitlines() if re.match(r" +\d  |player", line)]
    assert len(rows) == 3
    assert len({len(row) for row in rows}) == 1
    assert "final bids: " in out
    assert max(map(len, out.splitlines())) <= 80


def interrupted_in(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C while this chunk is played."""
    play_chunk = contest.play_chunk

    def played(what: contest.Contest, number: int) -> Tally | WinTally:
        if number == chunk:
            raise KeyboardInterrupt
        return play_chunk(what, number)

    monkeypatch.setattr(contest, "play_chunk", played)


def test_ctrl_c_reports_the_results_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "simulate slips --bots uniform --engine python --jobs 1 --seed 1 --json --rounds"
    shorter = run(f"{line} 1000").report
    interrupted_in(1, monkeypatch)
    said = run(f"{line} 5000", code=130)
    assert said.err == "stopped after 1,000 of 5,000 hands\n"
    assert said.report["rounds"] == 1000
    assert said.report["units_per_round"] == shorter["units_per_round"]


def test_ctrl_c_before_anything_was_played_prints_no_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_in(0, monkeypatch)
    said = run("simulate slips --engine python --jobs 1 --rounds 5000", code=130)
    assert said == ("", "stopped after 0 of 5,000 hands\n")


def test_a_terminal_shows_a_progress_bar_and_removes_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(progress, "BAR_SECONDS", 0.0)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    out = run("simulate slips --bots beginner --engine python --jobs 1 --rounds 2000").out
    shown = terminal.getvalue().split("\r")
    assert any(re.match(r"Simulating:  50%\|.*\| 1\.00k of 2\.00k hands \[.* hands/s, .* left", line) for line in shown)
    assert shown[-1].strip() == ""
    assert "%|" not in out


def test_a_pipe_gets_lines_of_progress_every_few_seconds(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    err = run("simulate slips --bots beginner --engine python --jobs 1 --rounds 3000").err
    lines = err.splitlines()
    assert any(re.match(r"Simulating: 67%, 2\.00k of 3\.00k hands, .* hands/s, [0-9:]+ left$", line) for line in lines)
    assert "\r" not in err


def test_the_bot_of_the_guide_plays(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / "how-to" / "write-a-bot.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    command = re.search(r"^PYTHONPATH=\. liarspoker (.*)$", text, re.MULTILINE)
    assert code
    assert command
    Path("careful.py").write_text(code[1], encoding="utf-8")
    monkeypatch.syspath_prepend(str(Path.cwd()))
    assert "careful:careful" in run(f"{command[1]} --rounds 200").out
    sys.modules.pop("careful")


def test_the_python_example_of_the_reference_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = DOCS / "reference" / "bots.md"
    code = re.search(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    assert code
    exec(compile(code[1].replace("5_000", "1_001"), str(path), "exec"), {})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["1000", "1001"]


ROUNDS = effort(500, quick=500, soak=20_000)


@needs_engine
@pytest.mark.parametrize(
    "words",
    [
        "dollar-bill --players 2",
        "salomon-1986 --players 4 --session",
        "slips --players 2 --option loose_order=true --option hand_size=2 --option symbols=3",
    ],
)
def test_engine_and_python_rules_agree_within_chance_whatever_the_jobs(words: str, run: Run) -> None:
    line = f"simulate {words} --bots uniform --seed 2 --json"
    compiled, again = (run(f"{line} --rounds {140 * ROUNDS} --jobs {jobs}").report for jobs in (1, 3))
    python = run(f"{line} --rounds {ROUNDS} --engine python").report
    assert (compiled["engine"], python["engine"]) == ("compiled", "python")
    assert {key: value for key, value in compiled.items() if "second" not in key} == {
        key: value for key, value in again.items() if "second" not in key
    }
    assert sum(mean for mean, _ in compiled["units_per_round"]) == pytest.approx(0, abs=1e-9)
    for (mean, half), (other, wider) in zip(compiled["units_per_round"], python["units_per_round"], strict=True):
        assert abs(mean - other) < 2.5 * (half**2 + wider**2) ** 0.5
        assert half == pytest.approx(wider / 140**0.5, rel=0.35)
    for outcome, count in python["outcomes"].items():
        share = compiled["outcomes"][outcome] / (140 * ROUNDS)
        assert abs(count / ROUNDS - share) < 5 * (share / ROUNDS) ** 0.5 + 0.001
    assert compiled["decisions"] / 140 == pytest.approx(python["decisions"], rel=0.1)


LONG = [
    "queen-annes-indian --players 2 --option who_may_challenge=anyone --option wild_ranks=29",
    "thorin --players 5 --option passes=1 --option jokers=2",
]


@needs_engine
@pytest.mark.parametrize(
    "words", ["queen-annes --players 3", *(pytest.param(words, marks=pytest.mark.soak(only=True)) for words in LONG)]
)
def test_card_games_agree_for_any_jobs_and_have_the_length_of_the_python_rules(words: str, run: Run) -> None:
    """The engine's `test_parity` compares engine and rules move by move; this test compares the totals."""
    line = f"simulate {words} --bots uniform --seed 2 --json"
    compiled, again = (run(f"{line} --games 5000 --jobs {jobs}").report for jobs in (1, 3))
    python = run(f"{line} --games 40 --engine python").report
    assert (compiled["engine"], python["engine"]) == ("compiled", "python")
    assert compiled["win_rate"] == again["win_rate"]
    assert compiled["decisions"] == again["decisions"]
    for report in (compiled, python):
        assert sum(rate for rate, _ in report["win_rate"]) == pytest.approx(1)
    assert compiled["rounds"] / 5000 == pytest.approx(python["rounds"] / 40, rel=0.15)
    assert compiled["decisions"] / compiled["rounds"] == pytest.approx(python["decisions"] / python["rounds"], rel=0.1)


@needs_engine
def test_an_incomplete_last_session_counts(run: Run) -> None:
    assert run("simulate slips --session --bots uniform --rounds 25 --seed 1 --json").report["rounds"] == 25


@pytest.mark.parametrize(
    "words",
    [
        "thorin --bots liarspoker.bots.uniform:uniform",
        "slips --bots uniform --option cap_level=false --option hand_size=1",
        "salomon-1986 --bots uniform --session --option compound_carry=true",
    ],
    ids=["a bot by its place", "endless", "compound"],
)
def test_the_python_rules_play_what_the_engine_cannot(words: str, run: Run) -> None:
    line = f"simulate {words} --rounds 3"
    assert run(f"{line} --seed 1 --json").report["engine"] == "python"
    assert "the engine can't play this: " in run(f"{line} --engine compiled", code=1).err


def test_without_the_extra_the_python_rules_play(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "available", lambda: False)
    assert run(f"simulate slips --bots uniform {SHORT}").report["engine"] == "python"
    assert install_command("engine") in run("simulate slips --bots uniform --engine compiled", code=1).err

"""`liarspoker solve`: what it prints and saves, and how it continues."""

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from liarspoker import engine
from liarspoker.cli import solve as command
from tests.cli.conftest import Run

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.cache import cache_folder
from liarspoker.solve import checkpoints
from liarspoker.solve.strategy import Strategy

SMALL = "--hand-size 2 --symbols 2"
FILE = "my.strategy"


def solved(run: Run, words: str) -> dict[str, Any]:
    report: dict[str, Any] = run(f"solve {words} --policy {FILE} --force --json").report
    return report


def test_json_output_has_the_documented_fields(run: Run) -> None:
    report = run(f"solve --players 2 {SMALL} --rebid --target 1e-3 --json").report
    assert {"iterations", "seconds", "exploitability", "value", "curve", "policy"} <= set(report)
    assert report["exploitability"] <= 1e-3
    assert report["curve"][-1] == [report["iterations"], report["seconds"], report["exploitability"]]
    assert report["value"] == pytest.approx(0.1247, abs=2e-3)
    assert Path(report["policy"]).exists()
    assert [list(point.values()) for point in report["convergence"]] == report["curve"]


def test_a_strategy_without_a_name_goes_into_the_cache(run: Run) -> None:
    policies = []
    for words in ("", "", "--option hero=true", "--algorithm cfr+", "--iterations 9"):
        report = run(f"solve {SMALL} --target 0.0123 {words} --json").report
        policies.append(Path(report["policy"]))
        assert cache_folder("strategies") in policies[-1].parents
    run(f"exploit {policies[0]}")
    assert policies[0] == policies[1]
    assert len(set(policies)) == 4
    assert list(Path().iterdir()) == []


def test_a_cache_that_cannot_be_written_asks_for_an_output_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("cache").write_text("not a folder")
    monkeypatch.setenv("LIARSPOKER_CACHE", "cache")
    assert run(f"solve {SMALL}", code=1).err.endswith("; name a file for the strategy with --output\n")


def test_the_strategy_in_the_file_is_the_one_that_was_found(run: Run) -> None:
    report = solved(run, f"slips {SMALL} --option hero=false")
    assert report["policy"] == FILE
    strategy = Strategy.load(FILE)
    strategy.require("slips", 2, {"hand_size": 2, "symbols": 2, "hero": False})
    assert strategy.training["iterations"] == report["iterations"]
    assert strategy.training["curve"] == report["curve"]


def test_payoffs_are_flat_unless_the_game_or_an_option_says_otherwise(run: Run) -> None:
    shape = "--hand-size 3 --symbols 2 --iterations 10"
    reports = (
        solved(run, f"{shape} --rebid"),
        solved(run, f"{shape} --rebid --option level_bonus=true"),
        solved(run, f"salomon-1986 {shape}"),
    )
    assert len({round(report["value"], 6) for report in reports}) == 3


def test_the_same_command_gives_the_same_figures_with_any_seed_and_threads(run: Run) -> None:
    one, two = (solved(run, f"{SMALL} --seed {seed} --threads {seed}") for seed in (1, 2))
    for name in ("iterations", "exploitability", "value"):
        assert one[name] == two[name]


def test_more_players_get_the_possible_gain_of_each(run: Run) -> None:
    words = "--players 3 --hand-size 1 --symbols 2 --iterations 30"
    report = solved(run, words)
    assert len(report["gains"]) == len(report["values"]) == 3
    assert report["exploitability"] == max(report["gains"])
    out = run(f"solve {words} --policy {FILE} --force").out
    assert out.startswith("dollar-bill, 3 players, 1 digit of 2, without rebids\n")
    assert re.search(r"^seat  units per hand  possible gain\n   0 ", out, re.MULTILINE)


def test_the_examples_of_three_players_end() -> None:
    """With three players, the solver may never reach the target, so an example without --iterations might not end."""
    for line in command.EXAMPLES.splitlines():
        assert "--players 3" not in line or "--iterations" in line


def test_the_text_has_the_curve_and_the_value(run: Run) -> None:
    out, err = run(f"solve {SMALL} --option rebid=true --target 0.01 --policy {FILE}")
    assert err == ""
    assert out.startswith("dollar-bill, 2 players, 2 digits of 2, with rebids\n  rebid=true\n\niterations  seconds")
    assert re.search(r"^ +1 +\d+\.\d\d +0\.\d{6}  #+$", out, re.MULTILINE)
    assert "value of the game to the opener: +0.1" in out
    assert "strategy saved in my.strategy" in out
    assert max(map(len, out.splitlines())) <= 80


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def pressed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_stopped_solution_continues(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solved(run, SMALL)
    Path(FILE).unlink()
    line = f"solve {SMALL} --policy {FILE} --json"
    with monkeypatch.context() as patched:
        patched.setattr(command, "_show_progress", pressed)
        stopped = run(line, code=130)
    assert "stopped after 1 iteration; the same command continues from there" in stopped.err
    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "load", interrupted)
        assert "\nstopped; the same command continues from there" in run(line, code=130).err
    again = run(line).report
    assert (again["iterations"], again["value"]) == (whole["iterations"], whole["value"])
    assert [path.name for path in Path().iterdir()] == [FILE]

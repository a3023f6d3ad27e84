"""`liarspoker solve`: what it prints, writes and refuses."""

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from liarspoker import engine
from liarspoker.cli import main
from liarspoker.cli.solve import EXAMPLES
from tests.cli.stderr import without_compiling

pytestmark = pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")

SMALL = ("--hand-size", "2", "--symbols", "2")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


FILE = "my.strategy"


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["solve", *words, "--json", "--policy", FILE, "--force"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_programs_get_what_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--players", "2", *SMALL, "--rebid", "--target", "1e-3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {"iterations", "seconds", "exploitability", "value", "curve", "policy"} <= set(report)
    assert report["exploitability"] <= 1e-3
    assert report["curve"][-1] == [report["iterations"], report["seconds"], report["exploitability"]]
    assert report["value"] == pytest.approx(0.1247, abs=2e-3)
    assert Path(report["policy"]).exists()


def test_nothing_is_written_where_nobody_named_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    from liarspoker.engine.compiling.place import cache_folder

    policies = []
    for words in ([], [], ["--option", "hero=true"], ["--algorithm", "dcfr"], ["--iterations", "9"]):
        assert main(["solve", *SMALL, "--target", "0.0123", *words, "--json"]) == 0
        policies.append(Path(json.loads(capsys.readouterr().out)["policy"]))
        assert cache_folder("strategies") in policies[-1].parents
        assert main(["exploit", str(policies[-1])]) == 0
        capsys.readouterr()
    assert policies[0] == policies[1]
    assert len(set(policies)) == 4
    assert list(Path().iterdir()) == []


def test_a_cache_that_cannot_be_written_asks_for_a_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("cache").write_text("not a folder")
    monkeypatch.setenv("LIARSPOKER_CACHE", "cache")
    assert main(["solve", *SMALL]) == 1
    assert capsys.readouterr().err.endswith("; say with --policy where the strategy goes\n")


def test_the_strategy_in_the_file_is_the_one_that_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    from liarspoker.solve.strategy import Strategy

    report = solved(capsys, "slips", *SMALL, "--option", "hero=false")
    assert report["policy"] == FILE
    strategy = Strategy.load(FILE)
    strategy.require("slips", 2, {"hand_size": 2, "symbols": 2, "hero": False})
    assert strategy.training["iterations"] == report["iterations"]
    assert strategy.training["curve"] == report["curve"]


def test_payoffs_are_flat_unless_the_game_or_an_option_says_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    shape = ("--hand-size", "3", "--symbols", "2", "--iterations", "10")
    flat = solved(capsys, *shape, "--rebid")
    bonus = solved(capsys, *shape, "--rebid", "--option", "level_bonus=true")
    salomon = solved(capsys, "salomon-1986", *shape)
    assert len({round(report["value"], 6) for report in (flat, bonus, salomon)}) == 3


def test_the_same_command_gives_the_same_figures_with_any_seed_and_threads(capsys: pytest.CaptureFixture[str]) -> None:
    one = solved(capsys, *SMALL, "--seed", "1", "--threads", "1")
    two = solved(capsys, *SMALL, "--seed", "2", "--threads", "2")
    for name in ("iterations", "exploitability", "value"):
        assert one[name] == two[name]


def test_more_players_get_what_each_could_gain(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--players", "3", "--hand-size", "1", "--symbols", "2")
    report = solved(capsys, *words, "--iterations", "30")
    assert len(report["gains"]) == len(report["values"]) == 3
    assert report["exploitability"] == max(report["gains"])
    assert main(["solve", *words, "--iterations", "30", "--policy", FILE, "--force"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("dollar-bill, 3 players, 1 digit of 2, without rebids\n")
    assert re.search(r"^seat  wins a hand  could gain\n   0 ", out, re.MULTILINE)


def test_the_examples_of_three_players_end() -> None:
    """Three players need never reach the target, so an example without a last iteration would go on for ever."""
    for line in EXAMPLES.splitlines():
        assert "--players 3" not in line or "--iterations" in line


def test_a_person_gets_the_curve_and_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *SMALL, "--option", "rebid=true", "--target", "0.01", "--policy", FILE]) == 0
    out, err = capsys.readouterr()
    assert without_compiling(err) == ""
    assert out.startswith("dollar-bill, 2 players, 2 digits of 2, with rebids\n  rebid=true\n\niterations  seconds")
    assert re.search(r"^ +1 +\d+\.\d\d +0\.\d{6}  #+$", out, re.MULTILINE)
    assert "value of the game to the opener: +0.1" in out
    assert "the strategy is in my.strategy" in out
    assert max(map(len, out.splitlines())) <= 80


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_what_was_stopped_goes_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from liarspoker.cli import solve
    from liarspoker.solve import checkpoints

    whole = solved(capsys, *SMALL)
    Path(FILE).unlink()
    command = ["solve", *SMALL, "--policy", FILE, "--json"]

    def stop(progress: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(solve, "_show_progress", stop)
        assert main(command) == 130
    assert "stopped after 1 iteration; the same command goes on from there" in capsys.readouterr().err
    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "load", interrupted)
        assert main(command) == 130
    assert "\nstopped; the same command goes on from there" in capsys.readouterr().err
    assert main(command) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["iterations"] == whole["iterations"]
    assert again["value"] == whole["value"]
    assert [path.name for path in Path().iterdir()] == [FILE]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bridge"], 'there is no game "bridge"'),
        (["thorin"], "thorin"),
        ([], "takes 4.2e+53 bytes of memory"),
        ([*SMALL, "--memory", "1e-6"], "room for nothing"),
        (["--hand-size", "16"], "hand_size = 16: it takes 1 to 15"),
        ([*SMALL, "--option", "sizes=true"], "sizes: the digit games have no such option"),
        ([*SMALL, "--option", "hand_size=1"], "--option hand_size: --hand-size says it already; leave one out"),
        ([*SMALL, "--option", "loose_order=true"], "loose_order"),
        ([*SMALL, "--option", "cap_level=false"], "cap_level"),
        ([*SMALL, "--players", "17"], "dollar-bill seats 2 to 16"),
        ([*SMALL, "--algorithm", "magic"], "there is no algorithm 'magic'"),
        ([*SMALL, "--target", "1e-9"], "tell nothing below"),
        ([*SMALL, "--policy", "/dev/null"], "/dev/null: no file can be written there"),
        ([*SMALL, "--policy", "nowhere/a.strategy"], "nowhere/a.strategy: no file can be written there"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_wrong_input_is_refused_in_a_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("liarspoker: ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [["--target", "0"], ["--players", "none"], ["--threads", "0"], ["--memory", "inf"]])
def test_wrong_usage_is_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["solve", *words])
    assert ended.value.code == 2
    assert "is not a" in capsys.readouterr().err

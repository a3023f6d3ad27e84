"""`liarspoker arena`: its report, its file, sequential tests, and its two engines."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from liarspoker import engine
from liarspoker.bots.arena import pairs_at, read_results
from liarspoker.bots.contest import Contest, seated, table
from liarspoker.bots.duplicate import BLOCKS, Moments, play_part
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits import controls
from tests.cli.conftest import Run

needs_engine = pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")

SHORT = "--rounds 60 --seed 1 --jobs 1 --json"
LINE_BOT = Path(__file__).parents[1] / "bots/line_bot.py"


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name not in ("seconds", "rounds_per_second")}


def test_the_report_has_all_documented_fields(run: Run) -> None:
    report = run(f"arena salomon-1986 thorin --players 2,3 --bots uniform,beginner {SHORT}").report
    assert report["bots"] == ["uniform", "beginner"]
    assert (report["seed"], report["rounds"], report["options"], report["test"]) == (1, 60, {}, None)
    assert [(one["game"], one["players"]) for one in report["tables"]] == [
        (game, players) for game in ("salomon-1986", "thorin") for players in (2, 3)
    ]
    hands, matches = report["tables"][0], report["tables"][3]
    assert (hands["unit"], matches["unit"]) == ("units_per_round", "win_rate_above_share")
    (pair,) = hands["pairs"]
    assert (pair["bot"], pair["others"], pair["deals"], pair["rounds"]) == ("beginner", "uniform", 30, 60)
    assert set(pair["won"]) == set(hands["ratings"][0]["rating"]) == {"mean", "half_width"}
    assert hands["ratings"][0]["rating"]["mean"] == pytest.approx(pair["won"]["mean"] / 2)
    assert len(matches["pairs"]) == 2
    assert [one["unit"] for one in report["ratings"]] == ["units_per_round", "win_rate_above_share"]
    assert report["rounds_per_second"] > 0


def test_the_rounds_are_rounded_up_to_whole_deals(run: Run) -> None:
    report = run("arena slips --players 3 --bots uniform,beginner --rounds 10 --seed 1 --json").report
    assert [(pair["deals"], pair["rounds"]) for pair in report["tables"][0]["pairs"]] == [(4, 12), (4, 12)]


def test_all_bots_that_play_the_games_play_by_default(run: Run) -> None:
    report = run("arena slips --rounds 2 --seed 1 --engine python --json").report
    assert {"uniform", "beginner", "binomial", "bluffer"} <= set(report["bots"])


def test_the_same_seed_repeats_the_file_byte_for_byte_with_any_number_of_jobs(run: Run, tmp_path: Path) -> None:
    line = "arena slips --bots beginner,uniform --rounds 2200 --engine python --seed 1"
    first = run(f"{line} --jobs 1 -o first.json --json").report
    run(f"{line} --jobs 2 --output second.json")
    one, two = ((tmp_path / f"{name}.json").read_bytes() for name in ("first", "second"))
    assert one == two
    assert json.loads(one) == without_times(first)
    assert read_results(one).bots == ("beginner", "uniform")
    assert run(f"{line} -o first.json", code=2).err.count("--force") == 1
    other = run(f"{line.replace('--seed 1', '--seed 2')} --json").report
    assert other["tables"] != first["tables"]


def test_options_change_the_game(run: Run) -> None:
    words = "--option sixes=false --option hand_size=3"
    report = run(f"arena slips --bots uniform,beginner {words} {SHORT}").report
    assert report["options"] == {"sixes": False, "hand_size": 3}
    assert report["tables"] != run(f"arena slips --bots uniform,beginner {SHORT}").report["tables"]


def test_a_sequential_test_ends_a_pair_early(run: Run) -> None:
    line = "arena slips --bots uniform,beginner --rounds 100000 --engine python --seed 1 --jobs 1"
    report = run(f"{line} --sprt 0,0.1 --json").report
    assert report["test"] == {"h0": 0.0, "h1": 0.1, "alpha": 0.05, "beta": 0.05}
    (pair,) = report["tables"][0]["pairs"]
    assert pair["accepted"] == "h1"
    assert pair["log_likelihood_ratio"] > 2.944
    assert pair["deals"] == BLOCKS
    assert "accepts H0" in run(f"{line} --sprt 2,3").out
    assert "undecided" in run(f"{line.replace('100000', '60')} --sprt 0,0.1").out


def test_the_text_is_aligned_and_has_ratings_and_pairs(run: Run) -> None:
    lines = run("arena dollar-bill --players 2,3 --bots uniform,beginner --rounds 60 --seed 1").out.splitlines()
    assert lines[0] == "dollar-bill, 2 players: units per hand, with 95% intervals"
    assert lines[1].startswith("beginner   +")
    assert len({line.index("±") for line in lines[1:3]}) == 1
    mean = lines.index("mean of 2 tables: units per hand, with 95% intervals")
    assert {line.index("±") for line in lines[mean + 1 : mean + 3]} == {lines[1].index("±")}
    legend = next(place for place, line in enumerate(lines) if line.startswith("wins: "))
    assert lines[legend + 1].startswith("gain ×2: ")
    assert lines[-1].startswith("seed 1; 180 hands in ")
    assert max(map(len, lines)) <= 80


def test_a_single_deal_has_no_interval(run: Run) -> None:
    lines = run("arena slips --bots uniform,beginner --rounds 1 --seed 1 --engine python").out.splitlines()
    assert [line.split()[0] for line in lines if "±" in line] == ["without"]
    assert lines == [line.rstrip() for line in lines]
    assert lines[5].index("1  -") == lines[4].index("deals") + 4
    assert max(map(len, lines)) <= 80


def test_a_program_that_does_not_exist_is_named(run: Run) -> None:
    said = run("arena slips --bots cmd:nonexistentprog,uniform --rounds 2 --jobs 1", code=1).err
    assert said == "liarspoker: cmd:nonexistentprog: the program nonexistentprog wasn't found\n"


def test_programs_play_beside_bots(run: Run) -> None:
    program = f"cmd:{sys.executable} {LINE_BOT} honest"
    line = f"arena slips --bots binomial,{shlex.quote(program)} --rounds 40 --seed 1 --jobs 1 --json"
    report = run(line).report
    assert report["bots"] == ["binomial", program]
    assert report["tables"][0]["pairs"][0]["engine"] == "python"
    assert without_times(run(line).report) == without_times(report)


@needs_engine
def test_the_engine_plays_pairs_of_bots_that_it_knows_and_python_the_others(run: Run) -> None:
    own = "tests.bots.sample_bots:watcher"
    report = run(f"arena slips --bots uniform,binomial,{own} --rounds 20 --seed 1 --json").report
    engines = {(pair["bot"], pair["others"]): pair["engine"] for pair in report["tables"][0]["pairs"]}
    assert engines == {("binomial", "uniform"): "compiled", (own, "uniform"): "python", (own, "binomial"): "python"}
    assert "not tests.bots" in run(f"arena slips --bots uniform,{own} --engine compiled --rounds 20", code=1).err


@needs_engine
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("changes", [(), (("hand_size", 3), ("symbols", 7), ("order", "ace_high"))])
def test_the_engine_plays_the_same_blocks_as_the_rules(players: int, changes: tuple[tuple[str, object], ...]) -> None:
    """Between bots that don't randomize, every deal of the engine has the same winnings by the Python rules."""
    from liarspoker.bots.contest import _after
    from liarspoker.cli.compiled_contest import play_blocks
    from liarspoker.engine.rollout import play
    from liarspoker.engine.table import Table

    contest = Contest("salomon-1986", (*["beginner"] * (players - 1), "binomial"), 20 * players, 7, changes)
    measured, bots, start = players - 1, seated(contest), table(contest)
    kept = play(
        Table.of(contest.game, players, dict(changes)),
        20 * players,
        7,
        contest.lineup,
        rotate=True,
        duplicate=True,
        keep_deals=1,
    )
    blocks, deals = [], set()
    for block in range(20):
        same = {kept.deal_of(block * players + turn).numbers for turn in range(players)}
        assert len(same) == 1
        deals |= same
        deal, won = kept.deal_of(block * players), []
        for turn in range(players):
            session = start.deal(deal, RoundSetup(opener=0, stake=1))
            order = tuple(bots[(seat - turn) % players] for seat in range(players))
            while session.in_play:
                session = _after(session, order, None)  # type: ignore[arg-type]  # these bots draw no numbers
            won.append(session.score[(measured + turn) % players])
        values = (sum(won), *controls.of_deal(deal, start.setup.rules))
        products = tuple(tuple(one * other for other in values) for one in values)
        blocks.append(Moments(1, players, 0, sum(units**2 for units in won), values, products))
    assert len(deals) == 20
    total = blocks[0]
    for one in blocks[1:]:
        total = total.plus(one)
    found = play_blocks(contest, 0, measured, threads=2)
    assert found._replace(decisions=0) == total


@needs_engine
@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "rounds"), [("salomon-1986", 3, 9_000), ("queen-annes", 2, 400)])
def test_both_engines_find_the_same_winnings(game: str, players: int, rounds: int, run: Run) -> None:
    line = f"arena {game} --players {players} --bots beginner,bluffer --rounds {rounds} --json"
    compiled, python = (
        run(f"{line} --engine {name} --seed {seed}").report for seed, name in ((1, "compiled"), (2, "python"))
    )
    for one, other in zip(compiled["tables"][0]["pairs"], python["tables"][0]["pairs"], strict=True):
        assert (one["engine"], other["engine"]) == ("compiled", "python")
        spread = (one["won"]["half_width"] ** 2 + other["won"]["half_width"] ** 2) ** 0.5
        assert abs(one["won"]["mean"] - other["won"]["mean"]) < 2 * spread


@needs_engine
def test_the_parts_of_matches_are_the_same_with_any_number_of_threads() -> None:
    from liarspoker.cli.compiled_contest import play_blocks

    (pair, _) = pairs_at("thorin", 3, ("uniform", "beginner"), 40, seed=1)
    one, two = (play_blocks(pair.contest, 0, pair.measured, threads) for threads in (1, 2))
    assert one == two
    assert one.sums[0] == one.singles
    assert one.blocks == play_part(pair.contest, 0, pair.measured).blocks == 10

"""`liarspoker report`: hands between bots, records and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.statistics import hand_statistics
from liarspoker.engine.table import Table
from tests.cli.conftest import Run
from tests.coach.records import SMALL

SHORT = "--bots uniform --rounds 60 --seed 3"


def test_every_number_of_players_has_a_table(run: Run) -> None:
    words = f"report salomon-1986 --players 2,4 --option rebid=false {SHORT}"
    found = run(f"{words} --json").report
    assert found["seed"] == 3
    assert found["rounds_per_second"] == pytest.approx(120 / found["seconds"])
    for players, table in zip((2, 4), found["tables"], strict=True):
        expected = hand_statistics(
            Table.of("salomon-1986", players, {"rebid": False}, from_slips=False), 60, 3
        ).report()
        about = {"game": "salomon-1986", "options": {"rebid": False}, "bots": ["uniform"] * players}
        assert table == json.loads(json.dumps({**about, **expected}))
    text = run(words).out
    assert "salomon-1986, 2 players, uniform: 60 hands\n  rebid = false\n" in text
    assert "salomon-1986, 4 players, uniform: 60 hands" in text
    assert "seed 3; 120 hands in" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("game", "option"), [("thorin", "passes=1"), ("queen-annes", "jokers=1"), ("queen-annes-stud", "jokers=2")]
)
def test_card_games_are_played_to_their_end(run: Run, game: str, option: str) -> None:
    name, value = option.split("=")
    words = f"report {game} --players 2,3 --option {option} {SHORT}"
    found = run(f"{words} --json").report
    for players, table in zip((2, 3), found["tables"], strict=True):
        expected = hand_statistics(Table.of(game, players, {name: int(value)}), 60, 3).report()
        about = {"game": game, "options": {name: int(value)}, "bots": ["uniform"] * players}
        assert table == json.loads(json.dumps({**about, **expected}))
    rounds = sum(table["rounds"] for table in found["tables"])
    assert found["rounds_per_second"] == pytest.approx(rounds / found["seconds"])
    text = run(words).out
    assert (
        f"{game}, 2 players, uniform: 60 games, {found['tables'][0]['rounds']:,} rounds\n  {name} = {value}\n" in text
    )
    assert "3 players in: " in text
    assert text.count("bluffs: claims more likely false than true") == 1
    assert f"seed 3; {rounds:,} rounds in" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("challenged", "row", "outcome"),
    [
        ("high A", "high 2.0000 100.0% 0.0% 50.0% 100.0% 50.0%", "claim true 100.0%"),
        ("pair A", "pair 1.0000 100.0% 100.0% 100.0% 0.0% 100.0%", "claim false 100.0%"),
    ],
)
def test_the_figures_of_a_round_can_be_checked_by_hand(run: Run, challenged: str, row: str, outcome: str) -> None:
    actions = ["claim high K", f"claim {challenged}", "challenge"]
    record = {"lpn": 1, "game": "queen-annes", "players": ["Ann", "Bob"], "losses": [4, 4]}
    played = {"opener": 0, "deal": [["As"], ["Kd"]], "actions": actions}
    Path("one.json").write_text(json.dumps({**record, "rounds": [played]}))
    lines = [" ".join(line.split()) for line in run("report one.json").out.splitlines()]
    assert lines[0] == "queen-annes, 2 players: 1 round"  # the game is over, but it began with losses
    assert row in lines
    assert f"outcomes: {outcome}" in lines


def test_ten_positions_fit_the_window_of_a_terminal(run: Run) -> None:
    text = run("report thorin --players 10 --bots uniform --rounds 20 --seed 1").out
    assert max(map(len, text.splitlines())) <= 80
    part = text.partition("\n10 players in: ")[2].partition("\n\nclaims of")[2].partition("\n\n")[0].splitlines()
    assert part[0].split() == [word for place in range(7) for word in ("from", str(place))]
    (second,) = (line for line in part[1:] if line.startswith("claims of"))
    assert second.split() == ["claims", "of", *(word for place in (7, 8, 9) for word in ("from", str(place)))]


def test_records_of_card_games_are_reported_beside_those_of_digit_games(run: Run) -> None:
    golden = Path(__file__).parents[1] / "records" / "golden"
    files = " ".join(f"'{golden / name}.toml'" for name in ("thorin-annie", "queen-annes", "dollar-bill-sample"))
    Path("none.json").write_text(json.dumps({"lpn": 1, "game": "thorin", "players": ["Ann", "Bob"], "rounds": []}))
    tables = {table["game"]: table for table in run(f"report {files} --json").report["tables"]}
    assert set(tables) == {"thorin", "queen-annes", "dollar-bill"}
    assert tables["thorin"]["rounds"] >= 1
    assert "bots" not in tables["thorin"]
    text = run(f"report {files}").out
    assert "from 1: units, position 1 only" in text
    assert "bluffs: claims more likely false than true" in text
    assert run("report none.json").out == "thorin, 2 players: no round was counted\n"


def test_records_are_grouped_by_game_options_and_players(run: Run) -> None:
    folder = Path("records/more")
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps(SMALL))
    (folder / "b.json").write_text(json.dumps({**SMALL, "players": ["Dan", "Eve", "Flo"]}))
    (folder / "notes.txt").write_text("not a record")
    Path("c.toml").write_text('lpn = 1\ngame = "dollar-bill"\nplayers = ["Ann", "Bob"]\nrounds = []\n')
    found = run("report records c.toml --json").report["tables"]
    assert [(table["game"], table["players"], table["hands"]) for table in found] == [
        ("dollar-bill", 2, 0),
        ("salomon-1986", 3, 4),
    ]
    assert found[1]["options"] == {"hand_size": 3, "symbols": 3}
    text = run("report records c.toml").out
    assert "dollar-bill, 2 players: no hand was counted\n" in text
    assert "salomon-1986, 3 players: 4 hands" in text
    assert text.endswith("units, position 1 only\n")
    assert run("report c.toml").out == "dollar-bill, 2 players: no hand was counted\n"
    Path("one.json").write_text(json.dumps({**SMALL, "rounds": SMALL["rounds"][:1]}))
    assert run("report one.json").out.startswith("salomon-1986, 3 players: 1 hand\n")


def test_bad_records_are_reported_and_left_out(run: Run) -> None:
    Path("good.json").write_text(json.dumps(SMALL))
    Path("bad.json").write_text("{")
    said = run("report good.json bad.json --json", code=1)
    assert said.report["tables"][0]["hands"] == 2
    assert "liarspoker: bad.json, the record: " in said.err
    Path("empty").mkdir()
    assert "empty: there are no records in this folder" in run("report empty", code=1).err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("slisp", 1, "slisp: there is no such game, file or folder"),
        ("slisp --players 3", 2, "--players is for hands between bots, but 'slisp' isn't a game's id"),
        ("slips game.toml", 2, "game.toml: name one game, or records only"),
        ("thorin --players 1", 2, "'1' isn't an integer of 2 or more"),
        ("thorin --option rebid=true", 2, "rebid"),
        ("slips --players 1", 2, "'1' isn't an integer of 2 or more"),
        ("slips --players 2,17", 2, "slips needs 2 to 16"),
        ("slips --players 2 --bots uniform,uniform,uniform", 2, "--bots names 3 bots for 2 players"),
        ("slips --bots deep-thought", 2, "there is no bot 'deep-thought'"),
        ("slips --option cap_level=false", 1, "the ladder has no top"),
        ("slips --option sizes=true", 2, "sizes: the digit games have no such option"),
        ("slips --rounds 0", 2, "isn't an integer from 1 to"),
    ],
)
def test_refusals(run: Run, words: str, code: int, said: str) -> None:
    assert said in run(f"report {words}", code=code).err

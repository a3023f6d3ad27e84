"""A game, a family of games and a bot from another package work like the built-in ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from liarspoker.core import catalogue
from liarspoker.core.errors import UnknownGame
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.records import read_record, replay
from liarspoker.research.spec import EnvironmentSpec
from liarspoker.tables.fair.audit import check
from liarspoker.web.app import mount_pages
from tests.extension.package import DICE, GAME
from tests.research.playouts import states
from tests.server.inprocess import Running, running
from tests.terminal.sitting import play as play_in_terminal
from tests.terminal.sitting import scripted
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import played

Run = Callable[..., str]
EACH = pytest.mark.parametrize("game", [GAME, DICE])


def test_the_games_are_listed_in_a_new_process(site: Path) -> None:
    path = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH", ""))))
    ended = subprocess.run(
        [sys.executable, "-m", "liarspoker", "games"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(f"\n{game}\n" in ended.stdout for game in (GAME, DICE))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"games {GAME}", "Bid on three digits."),
        (f"games {DICE}", "Bid on how many dice"),
        (f"simulate {GAME} --bots timid,bluffer --rounds 20 --seed 1", "timid"),
        (f"simulate {DICE} --bots timid,uniform --rounds 20 --seed 1", "timid"),
        ("simulate queen-annes --bots timid,beginner --rounds 2 --seed 1", "timid"),
    ],
)
def test_rules_are_printed_and_the_bot_plays_every_game(line: str, said: str, run: Run) -> None:
    assert said in run(line)


@EACH
def test_a_program_plays_in_the_arena(game: str, run: Run) -> None:
    program = f'"cmd:{sys.executable} {Path(__file__).parents[1] / "bots/line_bot.py"} honest"'
    printed = run(f"arena {game} --bots timid,{program} --rounds 20 --seed 1 --jobs 1 --players 2,3")
    assert f"{game}, 3 players: units per hand" in printed


@EACH
def test_a_game_is_played_in_the_terminal_and_saved(run: Run, tmp_path: Path, game: str) -> None:
    record = tmp_path / "toy.toml"
    typed = "1x3\n" + "challenge\n" * 3 + f"save {record}\nquit\n"
    run(f"play {game} --players 2 --bots timid --seed 1", typed)
    assert f'game = "{game}"' in record.read_text()
    assert "Hand 1" in run(f"replay {record}")


@pytest.mark.usefixtures("_installed")
def test_a_family_without_a_renderer_is_played_saved_and_resumed_in_the_terminal(tmp_path: Path) -> None:
    record = tmp_path / "dice.toml"
    words = ("--players", "3", "--seed", "3", "--record", str(record))
    lines = ("hand", "odds", "nonsense", "1x3", "1x2", "challenge", "score", "stake 2", "challenge", "", "hand")
    played = play_in_terminal(DICE, *words, player=scripted(*lines))
    hand, turn, _, refused, *_ = played.text.split("\n> ")
    assert "Hand 1: You open.\nYour hand: 255.\nYour turn: 1x1, 1x2, 1x3, or a stronger claim." in hand
    assert turn == "hand\nYour hand: 255."
    assert "Nonsense: it isn't an action of this game." in refused
    assert "1x2: it does not beat the standing claim." in played.text
    first, second = played.hands[:2]
    assert "Bea: 7x6\nCal: 8x1\n" in first
    assert "The hands: You 255, Bea 235, Cal 456.\n" in first
    assert "Units: You +1, Cal -1.\n" in first
    assert first.endswith("stake 2\nEverybody agrees.\n\n")
    assert "Units: You +2, Cal -2." in second
    assert played.text.endswith("Score in units:\n  You  +3\n  Bea  0\n  Cal  -3\n")
    again = play_in_terminal("--record", str(record), "--seed", "4", player=scripted())
    assert "Hand 3: Cal opens." in again.text
    assert read_record(record.read_bytes(), record.name).fault is None


@pytest.mark.usefixtures("_installed")
@EACH
def test_sample_rounds_are_valid(game: str) -> None:
    row = catalogue.preset(game)
    for sample in row.samples:
        document = {"lpn": 1, "game": game, "players": list(sample.players), "rounds": [dict(sample.round)]}
        assert replay(document).fault is None


@pytest.mark.usefixtures("_installed")
@EACH
def test_a_game_is_played_at_a_table_and_shown_on_every_page(tmp_path: Path, game: str) -> None:
    site: Running
    with running(tmp_path, mount_pages) as site:
        person, table = played(site, game)
        reader = Reader(person)
        for page in (
            "/rules",
            f"/rules/{game}",
            "/new",
            f"/new?game={game}",
            "/bots",
            f"/t/{table}",
            f"/t/{table}/replay",
        ):
            reader.read(page)
            assert reader.status == 200, page


@pytest.mark.usefixtures("_installed")
def test_a_live_table_passes_its_audit(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages) as site:
        person, table = played(site, DICE, rounds=3)
        audit = person.http.get(f"/api/tables/{table}/audit").json()
    assert check(audit) == []
    assert [(one["game"], len(one["rounds"])) for one in audit["records"]] == [(DICE, 3)]
    hands = audit["records"][0]["rounds"][1]["deal"]
    hands[0] = "".join(str(int(die) % 6 + 1) for die in hands[0])
    assert check(audit) != []


@pytest.mark.usefixtures("_installed")
@EACH
def test_a_game_is_a_research_environment(game: str) -> None:
    spec = EnvironmentSpec.of(game, 2, rounds=1, opener=0)
    assert any(state.session.round_result for state in states(spec, seed=5))


@pytest.mark.usefixtures("_installed")
def test_the_engine_compiles_a_new_game_of_a_known_family() -> None:
    played = play(Table.of(GAME, seats=3), 20, 1)
    assert len(played.units) == 20
    assert not played.units.sum(axis=1).any()


def test_without_the_package_the_game_is_unknown() -> None:
    with pytest.raises(UnknownGame, match=GAME):
        catalogue.preset(GAME)

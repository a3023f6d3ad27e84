"""The arguments of `liarspoker play`; the games themselves are in tests/terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.sitting import Sitting, play, record_in, scripted, timid

GAME = Path("game.json")


def test_an_undecodable_name_is_saved_or_refused(tmp_path: Path) -> None:
    with Sitting("slips", "--name", "\udcff", "--record", "game.json", "--seed", "1", folder=tmp_path) as sitting:
        sitting.played(scripted())
    assert "Traceback" not in sitting.text


def test_the_options_of_a_saved_game_stay_in_force() -> None:
    play("slips", "--option", "sixes=false", "--seed", "1", "--record", "game.json", "--hands", "1", player=timid)
    play("--record", "game.json", "--seed", "2", "--hands", "1", player=timid)
    assert record_in(GAME)["options"] == {"sixes": False}
    assert len(record_in(GAME)["rounds"]) == 2


@pytest.mark.parametrize("seats", [2, 9, 16])
def test_the_table_has_as_many_players_as_asked_for(seats: int) -> None:
    played = play("dollar-bill", "--players", str(seats), "--seed", "1", player=scripted())
    names = played.text.partition(": ")[2].partition(".")[0].replace("\n ", "").split(", ")
    assert len(set(names)) == len(names) == seats


def test_bots_sit_in_turn_and_no_bot_has_the_players_name() -> None:
    words = ("--players", "6", "--bots", "uniform, beginner", "--name", "Cal", "--record", "game.json")
    play("slips", *words, player=scripted())
    record = record_in(GAME)
    assert record["players"] == ["Cal", "Bea", "Dot", "Eli", "Fay", "Gus"]
    assert record["x-play"] == {"seat": 0, "bots": ["", "uniform", "beginner", "uniform", "beginner", "uniform"]}


def test_slips_and_bills_can_be_exchanged() -> None:
    words = ("--seed", "1", "--record", "game.json")
    assert "Your slip" in play("salomon-1986", "--slips", *words, player=scripted()).text
    assert "slips" in record_in(GAME)
    assert "Your slip" not in play("slips", "--bills", "--seed", "1", player=scripted()).text

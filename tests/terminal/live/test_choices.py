"""Choices between two rounds (face-down bills, and the rules of the next round), and leaving."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from tests.server.inprocess import Running
from tests.terminal.live.clients import TURN, Client, token_of
from tests.terminal.sitting import Sitting


def made(house: Running, *bots: str, **settings: object) -> tuple[str, str]:
    """Create a table with these settings; return its link and a token of its owner."""
    ann = house.person("Ann")
    return f"{house.url}/tables/{house.table(ann, bots=bots, seats=2, **settings)}", token_of(ann)


def test_bills_are_chosen_face_down(house: Running, tmp_path: Path) -> None:
    link, token = made(house, "beginner", choose=True, rounds=2)
    with Client("--token", token, at=link, folder=tmp_path) as ann:
        ann.type("")
        for _ in range(2):
            ann.until("Choose a bill, face down: type pick and a number. Available: [0-9, ]+.\n> $")
            ann.type("pick 99")
            ann.until("choice 99: not available|Choice 99: not available")
            ann.type("pick 2")
            ann.play(Random(1), "The count")
        ann.until("The table has ended.")


def test_the_opener_names_the_rules(house: Running, tmp_path: Path) -> None:
    words = ("thorin", "--players", "2", "--bots", "uniform", "--option", "dealers_choice=true", "--name", "Ann")
    with Client(*words, at=house, folder=tmp_path) as ann:
        offer = "You may name rules for the next round.*Enter for the next round > $"
        for _ in range(40):
            told = ann.play(Random(2), "(?s:" + offer + ")", "wins? the match")
            if "You may name" in told:
                break
        ann.type("name passes=7")
        ann.until("passes")
        ann.type("name passes=1 jokers=2")
        ann.type("")
        ann.until("option for this round: passes = 1|Option for this round: passes = 1")
        ann.type("rules")
        ann.until("(?s:This table differs from these rules:.*jokers=2, usually 0.*passes=1.*dealers_choice=true)")


def test_a_table_without_help_shows_no_odds(house: Running, tmp_path: Path) -> None:
    link, token = made(house, "beginner", help=False)
    with Client("--token", token, at=link, folder=tmp_path) as ann:
        ann.type("")
        ann.until(TURN)
        ann.type("odds 3x7")
        ann.until("This table doesn't allow help with odds.")


def test_a_player_who_does_not_act_runs_out_of_time(house: Running, tmp_path: Path) -> None:
    link, token = made(house, "beginner", rounds=1, clock={"turn": 1, "bank": 0, "ready": 60})
    with Client("--token", token, at=link, folder=tmp_path) as ann:
        ann.type("")
        ann.until("You have [01] seconds?.")
        ann.until("Played for you: ")
        ann.until("The table has ended.")


def test_numbers_are_shown_on_request(house: Running, tmp_path: Path) -> None:
    words = ("dollar-bill", "--players", "2", "--bots", "beginner", "--option", "reveal=on_request", "--name", "Ann")
    with Client(*words, "--ask-ready", at=house, folder=tmp_path) as ann:
        ann.until("Enter for the next hand > $", TURN)
        ann.type("")
        ann.play(Random(5), "Type numbers to see the numbers.")
        ann.type("numbers")
        ann.until("The numbers:")
        assert ann.text.count("The numbers:") == 1


def test_ctrl_c_twice_leaves_at_once_and_keeps_the_seat(house: Running, tmp_path: Path) -> None:
    words = ("dollar-bill", "--players", "2", "--bots", "beginner", "--name", "Ann")
    home = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    with Sitting("--server", house.url, *words, terminal=True, folder=tmp_path, settings=home) as ann:
        ann.until("Your turn:")
        ann.key(b"\x03")
        ann.until("Leave the table for now")
        ann.key(b"\x03")
        assert ann.wait() == 0
        assert "Your seat is kept." in ann.text
        assert "Traceback" not in ann.text
        link = re.findall(r"http://\S+/tables/\S+", ann.text)[0]
    with Client(at=link, folder=tmp_path / "liarspoker") as again:
        again.until(TURN)


def test_a_question_stays_when_the_table_changes(house: Running, tmp_path: Path) -> None:
    with Client("dollar-bill", "--players", "3", "--name", "Ann", at=house, folder=tmp_path / "ann") as ann:
        link = ann.table()
        ann.until("Enter to start > $")
        ann.type("quit")
        ann.until("give it up > $")
        with Client("--name", "Bob", at=link, folder=tmp_path / "bob"):
            ann.until("Bob sits down")
            ann.until("give it up > $")
        ann.type("")
        ann.until("Enter to start > $")


def test_the_end_of_input_keeps_the_seat(house: Running, tmp_path: Path) -> None:
    with Client("dollar-bill", "--name", "Ann", at=house, folder=tmp_path) as ann:
        ann.until("Enter to start > $")
        ann.hang_up()
        ann.until("End of input. Your seat is kept. The table's link: http://")
        assert ann.ends() == 0

"""Bots that are programs of their own: what they are asked, and what their answers mean."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest

from liarspoker.bots.catalogue import at
from liarspoker.bots.contest import Contest, play_contest
from liarspoker.bots.process import BotProcessFailed, ProcessBot, request_of
from liarspoker.core import catalogue
from tests.bots.tables import new_hand

PROGRAM = f"{sys.executable} {Path(__file__).with_name('line_bot.py')}"


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_a_program_plays_every_game(game: str) -> None:
    contest = Contest(game, (f"cmd:{PROGRAM} honest", "uniform"), 5, seed=1)
    assert play_contest(contest).played == 5
    assert play_contest(contest) == play_contest(contest)


def test_a_program_plays_like_a_function_with_the_same_rules() -> None:
    lineups = [(name, "binomial") for name in (f"cmd:{PROGRAM} cautious", "tests.bots.sample_bots:watcher")]
    asked, called = (play_contest(Contest("slips", lineup, 60, seed=2)) for lineup in lineups)
    assert asked == called


def test_a_request_is_one_line_with_what_the_seat_may_know() -> None:
    session = new_hand("salomon-1986", 3, seed=5)
    assert session.round is not None
    line = request_of(session.view(0), Random(1))
    asked = json.loads(line)
    assert b"\n" not in line
    assert sorted(asked) == ["game", "hand", "options", "round", "seat", "seed"]
    assert asked["game"] == "salomon-1986"
    assert asked["seat"] == asked["round"]["to_act"] == 0
    assert asked["hand"]["number"] == session.round.numbers[0]
    assert len(asked["hand"]["legal"]["claims"]) == 240
    assert asked["options"]["hand_size"] == 8
    assert not any(number in line.decode() for number in session.round.numbers[1:])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (f"{PROGRAM} chatty", "let me think: unreadable-action"),
        (f"{PROGRAM} quits", "it ended without an answer"),
        ("no-such-program --fast", "the program no-such-program wasn't found"),
        ("/", "the program / can't be started: Permission denied"),
        ("", "the command is empty"),
        ("'unclosed", "No closing quotation"),
    ],
)
def test_a_program_that_fails_is_reported_by_its_command(command: str, why: str) -> None:
    with pytest.raises(BotProcessFailed, match=rf"^cmd:.*({why})"):
        play_contest(Contest("slips", (f"cmd:{command}", "uniform"), 5, seed=1))


def test_a_program_that_takes_too_long_is_ended() -> None:
    view = new_hand("slips", 2, seed=1).view(0)
    with pytest.raises(BotProcessFailed, match=r"took more than 0\.1 seconds"):
        ProcessBot(f"{PROGRAM} slow", seconds=0.1)(view, Random(1))


def test_programs_are_named_by_a_prefix() -> None:
    assert repr(at("cmd:./bot --fast")) == "cmd:./bot --fast"

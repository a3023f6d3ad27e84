"""Every game is played at a live table to its result, against bots, from the terminal alone."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.terminal.live.chairs import TURN, Chair

FIRST = {row.family: row.id for row in reversed(catalogue.games())}
"""A game of each family."""
SOUND = r"(?:All \d+ deals are|The deal is) what the server promised before it knew anybody's share"


@pytest.mark.parametrize("game", FIRST.values())
def test_a_game_is_played_to_its_end_and_its_deals_hold(game: str, house: Running, tmp_path: Path) -> None:
    words = (game, "--players", "3", "--bots", "beginner,bluffer", "--hands", "3", "--name", "Ann")
    with Chair(*words, at=house, folder=tmp_path) as ann:
        told = ann.play(Random(game), "Enter to leave, audit.*> $")
        assert "The table has ended." in told
        assert "Score in units:" in told
        ann.type("audit")
        ann.until(SOUND)
        ann.type("")
        assert ann.ends() == 0
        assert "Played for you" not in ann.text


def test_a_game_can_be_piped_in(house: Running, tmp_path: Path) -> None:
    words = ("dollar-bill", "--players", "2", "--bots", "beginner", "--hands", "2", "--name", "Ann")
    with Chair(*words, at=house, folder=tmp_path) as ann:
        ann.type("say I challenge everything\n" + "1x1\nc\n" * 20)
        ann.until("Enter to leave, audit.*> ")
        assert len(re.findall("^Hand [12]: ", ann.text, re.MULTILINE)) == 2
        assert "It is not your turn" not in ann.text


def test_your_share_is_in_the_deals(house: Running, tmp_path: Path) -> None:
    words = ("dollar-bill", "--players", "2", "--bots", "beginner", "--hands", "3", "--name", "Ann")
    with Chair(*words, at=house, folder=tmp_path) as ann:
        ann.play(Random(1), "Enter to leave, audit.*> $")
        ann.type("audit")
        ann.until("You have given a share of your own to 2 of 3.")


def test_odds_claims_and_words_are_as_at_the_kitchen_table(house: Running, tmp_path: Path) -> None:
    with Chair(
        "queen-annes", "--players", "2", "--bots", "beginner", "--name", "Ann", at=house, folder=tmp_path
    ) as ann:
        ann.until(TURN)
        for typed, answer in {
            "odds pair 7": "Pair of sevens|A pair of sevens",
            "check pair 7": "says: among all cards there are two sevens",
            "ranks": "Kinds of hands, lowest first:",
            "hand": "Your cards: ",
            "why": "named",
            "score": "The match so far:",
            "help": "say TEXT talk to the table",
            "link": r"/tables/",
            "audit": "until then their seeds are secret",
        }.items():
            ann.type(typed)
            ann.until(answer)
        ann.type("claim")
        ann.until("Which kind of hand")
        ann.type("royal flush")
        ann.until("Which suit?")
        ann.type("say wait for it")
        ann.type("spades")
        ann.until("You name a royal flush of spades")

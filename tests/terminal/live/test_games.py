"""Every game is played at a live table to its result, against bots, from the terminal alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.terminal.live.chairs import TURN, Chair, typed

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


def test_what_is_piped_in_is_played_to_the_end(house: Running, tmp_path: Path) -> None:
    questions = ("say good evening", "nonsense", "stake 0", "unseat", "mute Bea")
    words = ("salomon-1986", "--players", "2", "--bots", "beginner", "--hands", "1", "--name", "Ann")
    lines = (*questions, *("1x1", "c", "k") * 20, "audit", "")
    code, told = typed(*lines, words=(*words, "--server", house.url), folder=tmp_path)
    assert code == 0
    assert told.index("1: ") < told.index("The table has ended.")
    assert "what the server promised before it knew anybody's share." in told

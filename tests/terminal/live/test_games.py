"""Every game, played to its end at a live table against bots, in the terminal."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.terminal.live.clients import TURN, Client, typed

FIRST = {row.family: row.id for row in reversed(catalogue.games())}
"""A game of each family."""
SOUND = r"(?:All \d+ deals match|The deal matches) what the server committed to before it knew any player's nonce"


@pytest.mark.parametrize("game", FIRST.values())
def test_a_game_is_played_to_its_end_and_its_audit_passes(game: str, house: Running, tmp_path: Path) -> None:
    words = (game, "--players", "3", "--bots", "beginner,bluffer", "--hands", "3", "--name", "Ann")
    with Client(*words, at=house, folder=tmp_path) as ann:
        told = ann.play(Random(game), "Enter to leave, audit.*> $")
        assert "The table has ended." in told
        assert "Score in units:" in told
        ann.type("audit")
        ann.until(SOUND)
        ann.type("")
        assert ann.ends() == 0
        assert "Played for you" not in ann.text


def test_odds_claims_and_words_work_as_in_local_games(house: Running, tmp_path: Path) -> None:
    with Client(
        "queen-annes", "--players", "2", "--bots", "beginner", "--name", "Ann", at=house, folder=tmp_path
    ) as ann:
        ann.until(TURN)
        for typed, answer in {
            "odds pair 7": "Pair of sevens|A pair of sevens",
            "check pair 7": "requires that, among all cards, there are at least two sevens",
            "ranks": "Hand categories, lowest first:",
            "hand": "Your cards: ",
            "why": "named",
            "score": "Standings:",
            "help": "say TEXT send a message to the table",
            "link": r"/tables/",
            "audit": "until then the seeds are secret",
        }.items():
            ann.type(typed)
            ann.until(answer)
        assert "Nobody has won or lost anything yet." not in ann.text
        ann.type("claim")
        ann.until("Which category")
        ann.type("royal flush")
        ann.until("Which suit?")
        ann.type("say wait for it")
        ann.type("spades")
        ann.until("You name a royal flush of spades")


def test_piped_input_is_played_to_the_end(house: Running, tmp_path: Path) -> None:
    questions = ("say good evening", "nonsense", "stake 0", "unseat", "mute Bea")
    words = ("salomon-1986", "--players", "2", "--bots", "beginner", "--hands", "1", "--name", "Ann")
    lines = (*questions, *("1x1", "c", "k") * 20, "audit", "")
    code, told = typed(*lines, words=(*words, "--server", house.url), folder=tmp_path)
    assert code == 0
    assert told.index("1: ") < told.index("The table has ended.")
    assert "what the server committed to before it knew any player's nonce." in told

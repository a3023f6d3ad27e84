"""Every game is played at a live table to its result, against bots, from the terminal alone."""

from __future__ import annotations

import io
import os
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from liarspoker import cli
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


MOVES = {
    "salomon-1986": ("1x1", "c", "k"),
    "queen-annes": ("high 2", "c"),
    "thorin": ("discard -", "c", "declare pair", "declare two-pair", "declare straight"),
}


def typed(*lines: str, words: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """The exit code and all that is printed when these lines are piped into `liarspoker play`."""
    reads, writes = os.pipe()
    with open(writes, "w") as pipe:
        pipe.write("".join(f"{line}\n" for line in lines))
    target = io.StringIO()
    with (
        open(reads) as source,
        patch.dict(os.environ, {"COLUMNS": "200", "XDG_DATA_HOME": str(folder)}),
        patch("sys.stdin", source),
        patch("sys.stdout", target),
    ):
        code = cli.main(["play", *words])
    return code, target.getvalue()


@pytest.mark.parametrize("game", MOVES)
def test_a_game_is_played_and_checked(game: str, house: Running, tmp_path: Path) -> None:
    questions = (
        "say good evening",
        "help",
        "hand",
        "score",
        "why",
        "odds",
        "nonsense",
        "stake 0",
        "unseat",
        "mute Bea",
    )
    words = (game, "--players", "2", "--bots", "beginner", "--hands", "1", "--name", "Ann", "--server", house.url)
    lines = (*questions, *(MOVES[game] * 20), "audit", "")
    code, told = typed(*lines, words=words, folder=tmp_path)
    assert code == 0
    assert told.index("1: ") < told.index("The table has ended.")
    assert "what the server promised before it knew anybody's share." in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--server", "nowhere"), 'liarspoker: "nowhere": a server\'s address is like'),
        (("slips", "--server", "http://127.0.0.1:1"), "nobody answers"),
        (("--server", "http://127.0.0.1:1", "--players", "3"), "--players: for a new table; name its game too"),
        (("--server", "http://127.0.0.1:1", "--seed", "3"), "--seed: not at a live table"),
    ],
)
def test_what_cannot_be_is_told(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code, _ = typed(words=words, folder=tmp_path)
    except SystemExit as exit_:
        code = int(str(exit_.code))
    assert code != 0
    assert told in capsys.readouterr().err

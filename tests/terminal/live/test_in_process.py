"""Live tables from the terminal, with server and terminal in this very process: what is typed is written in advance."""

from __future__ import annotations

import io
import os
from pathlib import Path
from unittest.mock import patch

import pytest

from liarspoker import cli
from tests.server.inprocess import Running

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


def test_who_comes_by_a_link_talks_goes_away_comes_back_and_leaves(house: Running, tmp_path: Path) -> None:
    ann = house.person("Ann")
    table = house.table(ann, spectators="live")
    link = f"{house.url}/api/tables/{table}"
    code, told = typed(
        "say hello", "/is anybody there?", "quit", "away", words=("--server", link, "--name", "Bob"), folder=tmp_path
    )
    assert code == 0
    assert "Your chair is kept" in told
    with ann.socket(table) as socket:
        assert [line["text"] for line in socket.until("chat")["lines"]] == ["hello", "is anybody there?"]
    names = [chair["name"] for chair in ann.view(table)["public"]["chairs"] if chair]
    assert names == ["Ann", "Bob"]
    code, told = typed("quit", "leave", words=("--server", link), folder=tmp_path)
    assert "You are Bob." in told
    names = [chair["name"] for chair in ann.view(table)["public"]["chairs"] if chair]
    assert names == ["Ann"]


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

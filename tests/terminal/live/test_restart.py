"""A server that dies in the middle of a round, and starts again: nobody at a terminal has to do anything."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.server.running import running_server
from tests.terminal.live.chairs import TURN, Chair, offered

pytestmark = pytest.mark.slow
WORDS = ("salomon-1986", "--players", "3", "--bots", "beginner,bluffer", "--hands", "3", "--name", "Ann")


def test_the_game_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    with (
        running_server(tmp_path / "server") as server,
        Chair(*WORDS, at=server, folder=tmp_path, terminal=True) as ann,
    ):
        move = offered(ann.until(TURN).rpartition("Your turn")[2])[0]
        server.kill()
        ann.until("The connection is broken; it is being made again.")
        ann.type(move)  # while nobody hears it
        server.start()
        ann.until("Connected again.")
        ann.until("Bea: |Cal: |The count")
        told = ann.play(Random(8), "Enter to leave, audit.*> $")
        assert told.count("Hand 1") == 0, "the hand is not told again"
        ann.type("audit")
        ann.until("All 3 deals are what the server promised")
        ann.type("")
        assert ann.ends() == 0


def test_a_server_that_stops_gracefully_is_waited_for_as_well(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    with running_server(tmp_path / "server") as server, Chair(*WORDS, at=server, folder=tmp_path) as ann:
        move = offered(ann.until(TURN).rpartition("Your turn")[2])[0]
        server.stop()
        ann.until("The connection is broken; it is being made again.")
        server.start()
        ann.until("Connected again.")
        ann.type(move)
        ann.until("Bea: |Cal: |The count")

"""A family of games from another package, which has no renderer of its own, is played in the terminal all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liarspoker.core.catalogue import registered
from liarspoker.records import read_record
from tests.extension.package import DICE, install
from tests.server.inprocess import running
from tests.terminal.live.chairs import typed
from tests.terminal.sitting import play, scripted


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is installed for this process."""
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(install(tmp_path / "site"))
    registered.cache_clear()
    yield
    registered.cache_clear()


def test_it_is_played_kept_and_taken_up_again(tmp_path: Path) -> None:
    record = tmp_path / "dice.toml"
    words = ("--players", "3", "--seed", "3", "--record", str(record))
    lines = ("hand", "odds", "nonsense", "1x3", "1x2", "challenge", "score", "stake 2", "challenge", "", "hand")
    played = play(DICE, *words, player=scripted(*lines))
    hand, turn, _, refused, *_ = played.text.split("\n> ")
    assert "Hand 1: You open.\nYour hand: 255.\nYour turn: 1x1, 1x2, 1x3, or a stronger claim." in hand
    assert turn == "hand\nYour hand: 255."
    assert "Nonsense: it isn't an action of this game." in refused
    assert "1x2: it does not beat the standing claim." in played.text
    first, second = played.hands[:2]
    assert "Bea: 7x6\nCal: 8x1\n" in first
    assert "The hands: You 255, Bea 235, Cal 456.\n" in first
    assert "Units: You +1, Cal -1.\n" in first
    assert first.endswith("stake 2\nAll agree.\n\n")
    assert "Units: You +2, Cal -2." in second
    assert played.text.endswith("Score in units:\n  You  +3\n  Bea  0\n  Cal  -3\n")
    again = play("--record", str(record), "--seed", "4", player=scripted())
    assert "Hand 3: Cal opens." in again.text
    assert read_record(record.read_bytes(), record.name).fault is None


def test_it_is_played_at_a_live_table(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    with running(tmp_path / "server") as server:
        words = (DICE, "--players", "2", "--bots", "uniform", "--hands", "2", "--name", "Ann", "--server", server.url)
        lines = ("hand", "score", *("challenge", "1x1", "6x6") * 12, "audit", "")
        code, told = typed(*lines, words=words, folder=tmp_path)
    assert code == 0
    assert "Hand 2: " in told
    assert "Your hand: " in told
    assert "?" not in told
    assert told.count("The hands: ") == 2
    assert told.count("Units: ") == 2
    assert "what the server promised before it knew anybody's share." in told

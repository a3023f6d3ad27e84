"""Old logs fold for ever: a log that was stored once makes the same table today."""

from __future__ import annotations

import json

import pytest

from liarspoker.protocol.events import Event
from tests.tables.golden import FOLDER, frames_kept, frames_now, logs, written_now
from tests.tables.play import GAMES


@pytest.mark.parametrize("name", logs())
def test_a_kept_log_makes_the_table_that_it_made(name: str) -> None:
    assert json.loads(written_now(name)) == json.loads((FOLDER / f"{name}.view.json").read_text())


@pytest.mark.parametrize("name", logs())
def test_everybody_sees_at_every_version_what_he_saw(name: str) -> None:
    assert frames_now(name) == frames_kept(name)


def test_every_event_has_been_kept() -> None:
    kept = "".join((FOLDER / f"{name}.log.jsonl").read_text() for name in logs())
    assert [kind.__name__ for kind in Event.__subclasses__() if f'"e": "{kind.__name__}"' not in kept] == []


def test_every_game_has_a_log() -> None:
    assert set(GAMES) <= set(logs())

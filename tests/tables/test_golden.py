"""Old logs fold for ever: a log that was stored once makes the same table today."""

from __future__ import annotations

import json

import pytest

from tests.tables.golden import FOLDER, logs, written_now
from tests.tables.play import GAMES


@pytest.mark.parametrize("name", logs())
def test_a_kept_log_makes_the_table_that_it_made(name: str) -> None:
    assert json.loads(written_now(name)) == json.loads((FOLDER / f"{name}.view.json").read_text())


def test_every_game_has_a_log() -> None:
    assert set(GAMES) <= set(logs())

"""Golden logs: logs from earlier versions still give the same tables."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from liarspoker.core import catalogue
from liarspoker.protocol.codec import Encoded, encode
from liarspoker.protocol.events import AnyEvent
from liarspoker.protocol.frames import EncodedPublic, EncodedState, read_frame
from liarspoker.protocol.views import RoundView
from liarspoker.tables.reducers import read_entry, write_entry
from liarspoker.tables.view import private, public
from tests.tables.golden import FOLDER, frames_kept, frames_now, logs, states
from tests.tables.play import GAMES


@pytest.mark.parametrize("name", logs())
def test_views_of_golden_logs_are_unchanged(name: str) -> None:
    assert frames_now(name) == frames_kept(name)


@pytest.mark.parametrize("name", logs())
def test_clients_can_decode_server_frames(name: str) -> None:
    def round_view(game: str) -> type[RoundView]:
        return catalogue.family(catalogue.preset(game).family).round_view()

    for table in states(name):
        for user in (table.owner, None):
            you = None if user is None else Encoded(private(table, user))
            state = EncodedState(1000.0004, EncodedPublic(public(table)), you)
            assert read_frame(state.text, round_view) == state.message
            assert json.loads(state.text) == json.loads(encode(state.message))


@pytest.mark.parametrize("name", logs())
def test_log_entries_round_trip(name: str) -> None:
    for line in (FOLDER / f"{name}.log.jsonl").read_text().splitlines():
        events = read_entry(f'{{"v": 1, "events": {line}, "later": 1}}')
        assert read_entry(write_entry(events)) == events
        assert json.loads(write_entry(events)) == {"v": 1, "events": json.loads(line)}


def test_golden_logs_contain_every_event() -> None:
    kept = "".join((FOLDER / f"{name}.log.jsonl").read_text() for name in logs())
    assert [kind.__name__ for kind in get_args(AnyEvent) if f'"e": "{kind.__name__}"' not in kept] == []


def test_every_game_has_a_golden_log() -> None:
    assert set(GAMES) <= set(logs())

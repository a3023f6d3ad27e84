"""Texts of every game in the catalogue: records, golden record, samples and rules page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.catalogue import registered, rules_page
from liarspoker.core.session import Session
from liarspoker.records import document_of, read_json, read_toml, replay, report, to_json, to_toml
from tests.conformance.evenings import GAMES, evening, random_session

RECORDS = Path(__file__).resolve().parents[1] / "records"
NAMES = ("Ann", "Bob", "Cyd", 'Dot "8x8"', "Zoë")

each_game = pytest.mark.parametrize("game_id", GAMES)
chances = st.integers(0, 2**32).map(Random)


@each_game
@given(chance=chances)
def test_a_written_session_is_read_back_unchanged(game_id: str, chance: Random) -> None:
    session = random_session(game_id, chance)
    for played in evening(session, chance, chance.choice((1, 2, 12)), to_the_end=False):
        session = played.last
    players = NAMES[: session.seats]
    document = document_of(catalogue.load(game_id), session, players)
    again = read_toml(to_toml(document)) if chance.random() < 0.5 else read_json(to_json(document))
    assert again.fault is None
    assert (again.document, again.players) == (document, players)
    assert again.session is not None
    assert public(again.session) == public(session)
    assert document_of(catalogue.load(game_id), again.session, players) == document
    assert report(again).get("score", list(session.score)) == list(session.score)


def public(session: Session) -> tuple[object, ...]:
    """Return the public state of a session."""
    legal = session.legal()
    return (
        *(session.to_act, session.phase, session.in_play, session.next_opener, session.rounds_played),
        *(session.score, session.alive, session.winner, session.round_result, session.option_changes()),
        *(legal.claims[:9], len(legal.claims), legal.answers),
    )


@cache
def games_with_golden_records() -> set[str]:
    """Return the games that have golden records."""
    golden = [path for folder in ("golden", "cards/golden") for path in (RECORDS / folder).glob("*.toml")]
    return {str(read_toml(path.read_bytes()).document["game"]) for path in golden if "fault" not in path.stem}


@each_game
def test_every_game_has_a_golden_record(game_id: str) -> None:
    if registered(catalogue.GROUP) and game_id not in games_with_golden_records():
        assert catalogue.preset(game_id).samples, "a game of another package has its samples instead"
    else:
        assert game_id in games_with_golden_records()


@each_game
def test_the_sample_rounds_are_valid(game_id: str) -> None:
    for sample in catalogue.preset(game_id).samples:
        document = {"lpn": 1, "game": game_id, "players": list(sample.players), "rounds": [dict(sample.round)]}
        assert replay(document).fault is None, sample.name


@each_game
def test_the_rules_page_is_plain_text_under_the_title(game_id: str) -> None:
    page = rules_page(game_id)
    assert page.startswith(f"# {catalogue.preset(game_id).title}\n\n")
    assert page.isascii()
    assert [line for line in page.splitlines() if len(line) > 80] == []

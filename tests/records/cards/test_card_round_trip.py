"""What is written is read as it was: sessions, their records, and the records' two forms."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from liarspoker.core import catalogue
from liarspoker.games.thorin.actions import TAKE, discard_of
from liarspoker.records import Replay, document_of, read_json, read_toml, replay, report, to_json, to_toml
from liarspoker.records.report import tell
from tests.records.cards.random_matches import GAME_IDS, Kept, kept_matches

Record = dict[str, Any]

large = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def sound(played: Replay) -> Replay:
    assert played.fault is None, (played.fault.message, played.document)
    return played


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_record_plays_to_the_very_session_that_it_was_written_from(game_id: str) -> None:
    @large
    @given(kept=kept_matches(game_id=game_id))
    def holds(kept: Kept) -> None:
        played = sound(replay(kept.document))
        assert played.session == kept.session
        assert played.document == kept.document

    holds()


@large
@given(kept=kept_matches())
def test_a_record_is_the_same_in_toml_and_in_json(kept: Kept) -> None:
    from_toml = sound(read_toml(to_toml(kept.document)))
    from_json = sound(read_json(to_json(kept.document)))
    assert from_toml.document == from_json.document == kept.document
    assert report(from_toml) == report(from_json)
    assert tell(from_toml) == tell(from_json)


@large
@given(kept=kept_matches())
def test_reading_changes_no_document(kept: Kept) -> None:
    document = kept.document
    before = deepcopy(document)
    tell(replay(document))
    assert document == before


@large
@given(kept=kept_matches())
def test_a_match_stopped_anywhere_says_who_is_to_act_and_what_is_legal(kept: Kept) -> None:
    document = kept.document
    if not document["rounds"]:
        return
    last = document["rounds"][-1]
    whole_deck = 52 + document.get("options", {}).get("jokers", 0)
    if len(last.get("deck", ())) > whole_deck:
        return  # it tells what comes after the stock has run out, which the stopped record must not
    for stop in range(len(last["actions"])):
        rounds = [*document["rounds"][:-1], {**last, "actions": last["actions"][:stop]}]
        stopped = sound(replay({**document, "rounds": rounds}))
        told = report(stopped)["rounds"][-1]
        assert told["to_act"] in told["alive"]
        following = last["actions"][stop]
        legal = told["legal"]
        if "actions" in legal:
            assert following in legal["actions"]
        word = following.split()[0]
        assert legal.get(word, legal["min_claim"] is not None)


@large
@given(kept=kept_matches())
def test_the_report_keeps_the_laws_of_elimination(kept: Kept) -> None:
    told = report(sound(replay(kept.document)))
    assert list(told) == ["game", "winner", "rounds"]
    assert told["winner"] == kept.session.winner
    for round in told["rounds"]:
        if "final_claim" not in round:
            assert round is told["rounds"][-1]
            continue
        assert (round["next_opener"] is None) == (len(round["alive"]) == 1)
        assert round["alive"] == sorted(round["alive"])
        if "losses" in round:
            assert round["loser"] == (round["challenger"] if round["exists"] else round["claimant"])
        elif round.get("thrown_in"):
            assert not {"challenger", "truthful", "loser", "hand", "hand_value"} & set(round)
        else:
            assert round["loser"] not in round["alive"]


def test_rounds_of_a_match_are_written_as_the_notation_has_them() -> None:
    text = """
        lpn = 1
        game = "queen-annes-stud"
        players = ["Ann", "Bob"]
        losses = [0, 2]
        [options]
        jokers = 1
        [[rounds]]
        opener = 1
        deal = [["2c", "3c"], ["4c", "Jk"]]
        extras = ["9h", "Td"]
        actions = ["claim pair of 4", "claim eights and jacks", "challenge"]
    """
    played = sound(read_toml(text))
    assert played.document["rounds"][0]["actions"] == ["claim pair 4", "claim two-pair J8", "challenge"]
    assert list(played.document) == ["lpn", "game", "players", "losses", "options", "rounds"]
    assert list(played.document["rounds"][0]) == ["opener", "deal", "extras", "actions"]


def test_a_seeded_deal_is_written_out_with_the_discards_as_they_were_shuffled_in() -> None:
    game = catalogue.load("thorin")
    session: Any = game.session(2)
    session = session.deal(session.chance_spec().draw(Random(5).randrange))
    for _ in range(12):
        session = session.apply(session.legal().min_claim).apply(TAKE)
        session = session.apply(discard_of(session.round.hand))
    document = document_of(game, session, ("Ann", "Bob"))
    assert len(document["rounds"][0]["deck"]) > 52
    played = sound(replay(document))
    assert played.session is not None
    assert document_of(game, played.session, played.players) == document
    assert report(played)["rounds"][0]["to_act"] == session.to_act

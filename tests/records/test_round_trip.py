"""Written sessions can be read back."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.thorin.actions import TAKE, discard_of
from liarspoker.records import Fault, Replay, document_of, read_json, read_toml, replay, report, to_json, to_toml
from liarspoker.records.writer import format_replay
from tests.conformance.evenings import some_action
from tests.records.cards.random_matches import kept_matches
from tests.records.sessions import GAME_IDS, Kept, kept_sessions, random_session

Record = dict[str, Any]
Read = Callable[[Record], Replay]

# A session needs hundreds of draws, so Hypothesis's check for large inputs is disabled.
large = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
)


def through_toml(document: Record) -> Replay:
    return read_toml(to_toml(document))


def through_json(document: Record) -> Replay:
    return read_json(to_json(document))


WAYS = pytest.mark.parametrize("through", [through_toml, through_json, replay])


def sound(played: Replay) -> Replay:
    """Return a replay, checking that it has no fault."""
    assert played.fault is None, f"{played.fault.place()}: {played.fault.message}"
    return played


@WAYS
@large
@given(kept=kept_sessions() | kept_matches())
def test_a_session_survives_a_round_trip(through: Read, kept: Kept) -> None:
    again = sound(through(kept.document))
    assert (again.document, again.session, again.players) == (kept.document, kept.session, tuple(kept.players))
    assert again.session is not None
    assert document_of(kept.game, again.session, again.players) == kept.document
    assert format_replay(again) == format_replay(replay(kept.document))


def test_two_slips_survive_a_round_trip() -> None:
    chance = Random(1986)
    sessions = [random_session(chance, most_hands=25) for _ in range(60)]
    long = [kept for kept in sessions if kept.session.setup.from_slips]
    assert max(kept.session.rounds_played for kept in long) > 20
    for kept in long:
        assert sound(through_toml(kept.document)).session == kept.session


@large
@given(kept=kept_sessions() | kept_matches())
def test_each_round_of_a_replay_is_the_session_at_that_moment(kept: Kept) -> None:
    document = kept.document
    rounds = replay(document).rounds
    for number, at_its_end in enumerate(rounds, start=1):
        assert sound(replay({**document, "rounds": document["rounds"][:number]})).session == at_its_end


def test_only_decisions_beyond_the_rules_are_written() -> None:
    chance = Random(12)
    for game_id in GAME_IDS:
        game = catalogue.load(game_id)
        session = game.session(3)
        for _ in range(12):
            session = session.deal(session.chance_spec().draw(chance.randrange))
            while session.in_play:
                session = session.apply(some_action(session.legal(), chance))
        document = document_of(game, session, ["Ann", "Bob", "Cyd"])
        assert sound(through_json(document)).session == session
        assert set(document) <= {"lpn", "game", "players", "letters", "slips", "rounds"}
        assert {key for hand in document["rounds"] for key in hand} <= {"deal", "actions"}


def test_an_opener_drawn_after_a_tie_is_written() -> None:
    found = catalogue.load("salomon-1986")
    session: Any = found.session(2, found.options({"first_opener_tie": "redraw"}))
    session = session.deal(DigitDeal(numbers=("06742088", "92859819"), letters=("CA", "BA")))
    document = document_of(found, session, ["Ann", "Bob"])
    assert document["letters"] == ["CA", "BA"]
    assert document["rounds"] == [{"opener": 1, "deal": ["06742088", "92859819"], "actions": []}]
    assert sound(replay(document)).session.to_act == 1  # type: ignore[union-attr]  # it is sound, so there is one


def test_only_options_that_differ_from_the_preset_are_written() -> None:
    for kept in map(random_session, map(Random, range(200))):
        preset = kept.game.preset.options
        changed = kept.document.get("options", {})
        assert all(value != getattr(preset, name) for name, value in changed.items())
        assert kept.game.options(changed) == kept.session.setup.options


# ------------------------------------------------------------------------------------------- private keys

plain_values = st.one_of(
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
toml_values = plain_values | st.sampled_from(
    [
        datetime.date(1986, 2, 10),
        datetime.time(23, 59, 59, 999999),
        datetime.datetime(1986, 2, 10, 8, 30),
        datetime.datetime(1986, 2, 10, 8, 30, 0, 5000, datetime.UTC),
        datetime.datetime(1986, 2, 10, 8, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))),
        float("inf"),
        float("-inf"),
    ]
)


def nested(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def tables(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)

    return st.recursive(values, tables)


def private(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Record]:
    return st.dictionaries(st.text(max_size=5).map("x-{}".format), nested(values), max_size=3)


SAMPLE: Record = {
    "lpn": 1,
    "game": "dollar-bill",
    "players": ["Ann", "Bob"],
    "options": {"rebid": True},
    "rounds": [
        {"deal": ["06742088", "92859819"], "actions": ["2x8", "4x8", "challenge", "count"]},
        {"deal": ["31415926", "27182818"], "actions": ["2x1"]},
    ],
}


def annotated(above: Record, in_options: Record, in_rounds: list[Record]) -> Record:
    """Return the sample with private keys everywhere."""
    rounds = [{**hand, **notes} for hand, notes in zip(SAMPLE["rounds"], in_rounds, strict=True)]
    return {**above, **SAMPLE, "options": {**in_options, **SAMPLE["options"]}, "rounds": rounds}


def annotated_with(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Record]:
    notes = private(values)
    return st.builds(annotated, notes, notes, st.tuples(notes, notes))


annotated_records = annotated_with(plain_values)


@WAYS
@given(document=annotated_records)
def test_private_keys_are_preserved_and_ignored(through: Read, document: Record) -> None:
    again = sound(through(document))
    assert again.document == document
    assert report(again) == report(replay(SAMPLE))


@given(document=annotated_with(toml_values))
def test_toml_preserves_dates_times_and_infinities(document: Record) -> None:
    assert sound(through_toml(document)).document == document


@WAYS
def test_minus_zero_and_the_smallest_float_are_preserved(through: Read) -> None:
    numbers = [-0.0, 5e-324, 1.7976931348623157e308, 0.1]
    kept = sound(through({**SAMPLE, "x-floats": numbers})).document["x-floats"]
    assert list(map(repr, kept)) == list(map(repr, numbers))


def test_a_date_becomes_a_string_in_json() -> None:
    moments = [datetime.date(1986, 2, 10), datetime.time(8, 30), datetime.datetime(1986, 2, 10, 8, 30)]
    text = to_json({**SAMPLE, "x-when": moments})
    assert sound(read_json(text)).document["x-when"] == ["1986-02-10", "08:30:00", "1986-02-10T08:30:00"]


def test_private_keys_above_the_tables_stay_there() -> None:
    text = """
        lpn = 1
        game = "dollar-bill"
        players = ["Ann", "Bob"]
        x-late = "late"
        [options]
        rebid = true
        [[rounds]]
        deal = ["06742088", "92859819"]
        actions = []
        x-round = 3
        [x-table]
        rounds = "many"
    """
    document = sound(read_toml(text)).document
    assert document["x-late"] == "late"
    assert document["rounds"][0]["x-round"] == 3
    assert sound(through_toml(document)).document == document


EMPTY = 'lpn = 1\ngame = "dollar-bill"\nplayers = ["Ann", "Bob"]\nrounds = []\n'


def test_values_that_json_lacks_become_strings_or_faults() -> None:
    for number in ("nan", "inf", "-inf"):
        document = sound(read_toml(f"{EMPTY}x-odd = {number}")).document
        assert sound(read_json(to_json(document))).document["x-odd"] == number
    played = sound(read_toml(f"{EMPTY}x-long = 0x{'f' * 5000}"))
    for write, form, other in ((to_json, "JSON", "TOML"), (to_toml, "TOML", "JSON")):
        with pytest.raises(Fault, match=f"x-long has a value that {form} can't represent; use {other}"):
            write(played.document)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("x-nothing", json.dumps({**SAMPLE, "x-nothing": [None]})),
        ("x-deep", json.dumps({**SAMPLE, "x-deep": 0}).replace('deep": 0', f'deep": {"[" * 400}{"]" * 400}')),
        ("players", json.dumps({**SAMPLE, "players": ["Ann\ud800", "Bob"]})),
    ],
)
def test_values_that_toml_lacks_are_faults_and_can_be_written_as_json(key: str, text: str) -> None:
    document = sound(read_json(text)).document
    assert sound(read_json(to_json(document))).document == document
    with pytest.raises(Fault, match=f"{key} has a value that TOML can't represent; use JSON") as refused:
        to_toml(document)
    assert refused.value.code == "bad-record"


# ------------------------------------------------------------------------------------------ no side effects


@large
@given(kept=kept_sessions() | kept_matches(), document=annotated_records)
def test_reading_and_writing_do_not_change_the_document(kept: Kept, document: Record) -> None:
    for record in (kept.document, document):
        before, order = deepcopy(record), json.dumps(record)
        report(replay(record))
        format_replay(replay(record))
        to_toml(record)
        to_json(record)
        assert record == before
        assert json.dumps(record) == order


def test_the_normalized_document_is_a_copy_with_ordered_keys() -> None:
    record = deepcopy(SAMPLE)
    plain = sound(replay(dict(reversed({**record, "x-note": 1}.items())))).document
    assert list(plain) == ["lpn", "game", "players", "options", "rounds", "x-note"]
    assert list(plain["rounds"][0]) == ["deal", "actions"]
    plain["rounds"][0]["actions"].clear()
    plain["rounds"].clear()
    assert record == SAMPLE


# -------------------------------------------------------------------------------------------------- matches


@large
@given(kept=kept_matches())
def test_an_unfinished_match_reports_the_seat_to_act_and_the_legal_actions(kept: Kept) -> None:
    document = kept.document
    if not document["rounds"]:
        return
    last = document["rounds"][-1]
    whole_deck = 52 + document.get("options", {}).get("jokers", 0)
    if len(last.get("deck", ())) > whole_deck:
        return  # its deck continues after the stock has run out, which an unfinished record must not
    for stop in range(len(last["actions"])):
        rounds = [*document["rounds"][:-1], {**last, "actions": last["actions"][:stop]}]
        stopped = sound(replay({**document, "rounds": rounds}))
        summary = report(stopped)["rounds"][-1]
        assert summary["to_act"] in summary["alive"]
        following = last["actions"][stop]
        legal = summary["legal"]
        if "actions" in legal:
            assert following in legal["actions"]
        word = following.split()[0]
        assert legal.get(word, legal["min_claim"] is not None)


def test_rounds_of_a_match_are_written_in_the_notation() -> None:
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


def test_a_seeded_deal_is_written_with_the_reshuffled_discards() -> None:
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

"""What a bad record is told: the code, the place, and the rounds before it."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from liarspoker.core.errors import REFUSALS
from liarspoker.records import read_json, replay, report
from liarspoker.records.writer import tell
from tests.records import bad_records
from tests.records.bad_records import fault_of, label
from tests.records.cards import bad_card_records
from tests.records.samples import Bad

ALL = [*bad_records.ALL, *bad_card_records.ALL]


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_a_bad_record_is_told_its_code_and_its_place(bad: Bad) -> None:
    fault = fault_of(bad.document)
    assert (fault.code, (fault.round, fault.action)) == (bad.code, bad.place), fault.message
    assert bad.says in fault.message


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_the_rounds_before_the_fault_are_told_and_the_round_as_it_stood(bad: Bad) -> None:
    told = report(replay(bad.document))
    if bad.round is None:
        assert told["rounds"] == []
        return
    sound = deepcopy(bad.document)
    sound["rounds"] = sound["rounds"][: bad.round + (bad.action is not None)]
    if bad.action is not None:
        sound["rounds"][-1]["actions"] = sound["rounds"][-1]["actions"][: bad.action]
    before = replay(sound)
    assert before.fault is None
    assert told["rounds"] == report(before)["rounds"]
    assert len(told["rounds"]) == len(sound["rounds"])


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_the_answer_always_has_error_game_and_rounds(bad: Bad) -> None:
    told = report(replay(bad.document))
    assert list(told) == ["error", "game", "rounds"]
    assert list(told["error"]) == ["code", "round", "action", "message"]
    assert "\n" not in told["error"]["message"]
    assert told["error"]["message"].strip() != ""
    given = bad.document.get("game") if isinstance(bad.document, dict) else None
    assert told["game"] == (given if isinstance(given, str) else None)
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("bad", [bad for bad in ALL if isinstance(bad.document, dict)], ids=label)
def test_a_person_is_told_where_the_fault_is_counting_from_one(bad: Bad) -> None:
    places = {
        (False, False): "the record",
        (True, False): f"round {(bad.round or 0) + 1}",
        (True, True): f"round {(bad.round or 0) + 1}, action {(bad.action or 0) + 1}",
    }
    last = tell(replay(bad.document)).splitlines()[-1]
    place = places[bad.round is not None, bad.action is not None]
    assert last.startswith(f"Fault in {place} ({bad.code}): ")


@pytest.mark.parametrize("bad", [bad for bad in ALL if "beyond reading" not in bad.name], ids=label)
def test_json_is_told_the_same_fault(bad: Bad) -> None:
    assert report(read_json(json.dumps(bad.document))) == report(replay(bad.document))


def test_every_code_is_reached() -> None:
    more = {"bad-record", "bad-option", "bad-round", "bad-deal", "round-unfinished", "match-over"}
    assert {bad.code for bad in ALL} >= set(REFUSALS[1:]) | more

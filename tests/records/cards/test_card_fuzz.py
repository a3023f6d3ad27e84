"""Whatever is read as a record of a card game, the answer is a replay or a fault, and can be written as JSON."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liarspoker.core.errors import REFUSALS
from liarspoker.records import Replay, read_json, read_toml, report, to_json
from liarspoker.records.report import tell
from tests.effort import effort
from tests.records.cards.card_edits import one_edit_away, several_edits_away, sound_record
from tests.records.mutation import written

CODES = {*REFUSALS, "not-json", "bad-record", "unknown-version", "unknown-game", "bad-option", "bad-round"}
CODES |= {"bad-deal", "round-unfinished", "match-over"}
NEVER = {"legal", "repeated-claim"}
SOUND = "sound"
RECORDS = effort(4_000, quick=4_000, soak=100_000)


def checked(text: bytes | str, toml: bool) -> Replay:
    """The replay of `text`, after all that must hold of any replay has been found to hold."""
    played = read_toml(text) if toml else read_json(text)
    told = report(played)
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert tell(played).replace("\n", "").isprintable()
    assert {"game", "rounds"} <= set(told)
    if played.fault is None:
        assert list(told) in (["game", "winner", "rounds"], ["game", "score", "rounds"])
        assert len(told["rounds"]) == len(played.document["rounds"])
        return played
    assert list(told) == ["error", "game", "rounds"]
    error = told["error"]
    assert error["code"] in CODES
    assert error["message"]
    assert len(told["rounds"]) == (0 if error["round"] is None else error["round"] + (error["action"] is not None))
    return played


def comes_back(played: Replay) -> bool:
    """Whether a sound record, written and read again, is the same and plays the same."""
    again = read_json(to_json(played.document))
    return again.document == played.document and again.session == played.session


def infinite(played: Replay) -> bool:
    """Whether a private key holds a number that JSON has not."""
    text = json.dumps(played.document, default=str)
    return "NaN" in text or "Infinity" in text


@pytest.mark.soak
def test_many_card_records_raise_nothing_and_in_the_soak_reach_every_code() -> None:
    chance = Random(20000300)
    seeds = [sound_record(chance) for _ in range(400)]
    reached: Counter[str] = Counter()
    for number in range(RECORDS):
        toml = chance.random() < 0.3
        edit = one_edit_away if number % 10 < 7 else several_edits_away
        played = checked(edit(chance, deepcopy(chance.choice(seeds)), toml), toml)
        reached[SOUND if played.fault is None else played.fault.code] += 1
        if played.fault is None and number % 4 == 1 and not infinite(played):
            assert comes_back(played)
    assert set(reached) >= effort({SOUND}, quick={SOUND}, soak=(CODES - NEVER) | {SOUND})
    assert sum(reached.values()) == RECORDS


@settings(
    max_examples=4 * settings().max_examples,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(seed=st.integers(0, 2**64), toml=st.booleans())
def test_a_card_record_some_edits_away_from_a_sound_one_is_replayed_or_told_its_fault(seed: int, toml: bool) -> None:
    chance = Random(seed)
    checked(several_edits_away(chance, sound_record(chance), toml), toml)


def test_the_fuzz_is_of_what_it_says() -> None:
    chance = Random(5)
    records = [sound_record(chance) for _ in range(50)]
    for toml in (True, False):
        read = read_toml if toml else read_json
        assert all(read(written(record, toml)).fault is None for record in records)
        spoiled = [read(one_edit_away(chance, deepcopy(record), toml)).fault is not None for record in records]
        assert 10 < sum(spoiled) < 50

"""Any input gives a replay or a fault that can be written as JSON."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liarspoker.core.errors import REFUSALS
from liarspoker.records import Replay, read_json, read_toml, replay, report, to_json
from liarspoker.records.writer import format_replay
from tests.effort import effort
from tests.records import mutation
from tests.records.cards import card_edits

CODES = {*REFUSALS, "not-json", "bad-record", "unknown-version", "unknown-game", "bad-option", "bad-round"}
CODES |= {"bad-deal", "round-unfinished", "match-over"}
FAMILIES = pytest.mark.parametrize(
    ("edits", "never"),
    [(mutation, {"legal", "match-over", "cannot-take", "no-pass-left", "cards-not-held"}), (card_edits, {"legal"})],
    ids=["digits", "cards"],
)
"""The edits of digit and card records, and the codes that they never produce."""
CORPUS = sorted(path for path in (Path(__file__).parent / "corpus").glob("*/*") if path.is_file())
SOUND = "sound"
RECORDS = effort(1_500, quick=1_500, soak=100_000)


def checked(text: bytes | str, toml: bool) -> Replay:
    """Return the replay of `text`, after checking the invariants of replays."""
    played = read_toml(text) if toml else read_json(text)
    summary = report(played)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert format_replay(played).replace("\n", "").isprintable()
    game, rounds = summary["game"], summary["rounds"]
    assert game is None or isinstance(game, str)
    if played.fault is None:
        assert list(summary) in (["game", "score", "rounds"], ["game", "winner", "rounds"])
        assert sum(summary.get("score", ())) == 0
        assert len(rounds) == len(played.document["rounds"])
        assert all(sum(hand["payoffs"]) == 0 for hand in rounds if "payoffs" in hand)
        return played
    assert list(summary) == ["error", "game", "rounds"]
    error = summary["error"]
    assert error["code"] in CODES
    assert error["message"]
    assert len(rounds) == (0 if error["round"] is None else error["round"] + (error["action"] is not None))
    assert (error["round"] is None) <= (error["action"] is None)
    if error["code"] == "not-json":
        assert no_parser_reads(text, toml)
    return played


def no_parser_reads(text: bytes | str, toml: bool) -> bool:
    """Return whether `text` is neither JSON nor TOML, so that `not-json` isn't caused by the reader itself."""
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        tomllib.loads(plain) if toml else json.loads(plain, parse_constant=int)  # int("NaN") raises ValueError
    except (ValueError, RecursionError):
        return True
    return False


def infinite(played: Replay) -> bool:
    """Return whether a private key has a number that JSON lacks."""
    written = json.dumps(played.document, default=str)
    return "NaN" in written or "Infinity" in written


def comes_back(played: Replay) -> bool:
    """Return whether a valid record survives a round trip."""
    again = read_json(to_json(played.document))
    return again.document == played.document and again.session == played.session


@pytest.mark.soak
@FAMILIES
def test_edited_records_never_raise_and_reach_every_code_in_a_soak(edits: ModuleType, never: set[str]) -> None:
    chance = Random(19860210)
    seeds = [edits.sound_record(chance) for _ in range(RECORDS // 10)]
    reached: Counter[str] = Counter()
    for number in range(RECORDS):
        toml = chance.random() < 0.5
        if number % 20 == 0:
            text = mutation.noise(chance)
        else:
            edit = edits.one_edit_away if number % 20 < 14 else edits.several_edits_away
            text = edit(chance, deepcopy(chance.choice(seeds)), toml)
        played = checked(text, toml)
        reached[SOUND if played.fault is None else played.fault.code] += 1
        if played.fault is None and number % 4 == 1 and not infinite(played):
            assert comes_back(played)
    assert set(reached) >= effort({SOUND}, quick={SOUND}, soak=(CODES - never) | {SOUND})
    assert sum(reached.values()) == RECORDS


@FAMILIES
@settings(
    max_examples=4 * settings().max_examples,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(seed=st.integers(0, 2**64), toml=st.booleans())
def test_an_edited_record_is_replayed_or_has_a_fault(edits: ModuleType, never: set[str], seed: int, toml: bool) -> None:
    assert never < CODES
    chance = Random(seed)
    checked(edits.several_edits_away(chance, edits.sound_record(chance), toml), toml)


@given(text=st.binary() | st.text(), toml=st.booleans())
def test_any_text_is_replayed_or_has_a_fault(text: bytes | str, toml: bool) -> None:
    checked(text, toml)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    document=json_values
    | st.fixed_dictionaries(
        {"lpn": st.just(1), "game": st.just("slips"), "players": st.just(["Ann", "Bob"])},
        optional={"options": json_values, "slips": json_values, "rounds": st.lists(json_values) | json_values},
    )
)
def test_any_parsed_value_is_replayed_or_has_a_fault(document: Any) -> None:
    summary = report(replay(document))
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert {"game", "rounds"} <= set(summary)


def test_each_file_of_the_corpus_has_the_fault_of_its_folder() -> None:
    assert len(CORPUS) >= 40
    assert {path.suffix for path in CORPUS} == {".json", ".toml"}
    assert {path.parent.name for path in CORPUS} <= CODES | {SOUND}
    played = {path: checked(path.read_bytes(), toml=path.suffix == ".toml") for path in CORPUS}
    summary = {path: SOUND if answer.fault is None else answer.fault.code for path, answer in played.items()}
    assert summary == {path: path.parent.name for path in CORPUS}


@FAMILIES
def test_the_edits_produce_valid_and_invalid_records(edits: ModuleType, never: set[str]) -> None:
    chance = Random(5)
    records = [edits.sound_record(chance) for _ in range(50)]
    for toml in (True, False):
        read = read_toml if toml else read_json
        assert all(read(mutation.written(record, toml)).fault is None for record in records)
        assert all(edits.one_edit_away(chance, deepcopy(record), toml) for record in records)
        spoiled = [read(edits.one_edit_away(chance, deepcopy(record), toml)).fault is not None for record in records]
        assert 10 < sum(spoiled) < 50

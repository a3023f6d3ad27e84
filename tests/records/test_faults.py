"""Reports of bad records: the code, the location, and the rounds before the first fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from liarspoker.core.errors import REFUSALS
from liarspoker.records import read_json, replay, report
from liarspoker.records.writer import format_replay
from tests.records import bad_records
from tests.records.bad_records import DONE, GOOD, LOOSE, fault_of
from tests.records.cards import bad_card_records
from tests.records.samples import Bad, hand, record

each_family = pytest.mark.parametrize("every", [bad_records.ALL, bad_card_records.ALL], ids=["digits", "cards"])
CARD_CODES = {"match-over", "cannot-take", "no-pass-left", "cards-not-held"}
"""Codes that digit games don't have: they have no matches, cards, takes or passes."""
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.md"


def wrong_with_fault(bad: Bad) -> Iterator[str]:
    """Yield differences between the reported fault and the expected one."""
    fault = fault_of(bad.document)
    if (fault.code, fault.round, fault.action) != (bad.code, bad.round, bad.action) or bad.says not in fault.message:
        yield f"{fault.code} at {fault.round}, {fault.action}: {fault.message}"
    if isinstance(bad.document, dict):
        # Messages count from one.
        places = [f" {number + 1}" for number in (bad.round, bad.action) if number is not None]
        place = ", ".join(what + number for what, number in zip(("round", "action"), places, strict=False))
        last = format_replay(replay(bad.document)).splitlines()[-1]
        if not last.startswith(f"Error in {place or 'the record'} ({bad.code}): "):
            yield last
        if fault.message.startswith("round "):
            yield f"the place is repeated: {last}"


def wrong_with_report(bad: Bad) -> Iterator[str]:
    """Yield problems of the report: missing fields, values that JSON lacks, or wrong rounds."""
    summary = report(replay(bad.document))
    if [list(summary), list(summary["error"])] != [["error", "game", "rounds"], ["code", "round", "action", "message"]]:
        yield f"fields {list(summary)}"
    if not summary["error"]["message"].strip() or "\n" in summary["error"]["message"]:
        yield "message"
    given = bad.document.get("game") if isinstance(bad.document, dict) else None
    if summary["game"] != (given if isinstance(given, str) else None):
        yield f"game {summary['game']}"
    if json.loads(json.dumps(summary)) != summary:
        yield "no JSON"
    if "beyond reading" not in bad.name and report(read_json(json.dumps(bad.document))) != summary:
        yield "something else in JSON"
    sound: Any = {"rounds": []}
    if bad.round is not None:
        sound = deepcopy(bad.document)
        sound["rounds"] = sound["rounds"][: bad.round + (bad.action is not None)]
        if bad.action is not None:
            sound["rounds"][-1]["actions"] = sound["rounds"][-1]["actions"][: bad.action]
        if summary["rounds"] != report(replay(sound)).get("rounds") or replay(sound).fault is not None:
            yield "the rounds before the fault"
    if len(summary["rounds"]) != len(sound["rounds"]):
        yield f"{len(summary['rounds'])} rounds"


@each_family
def test_a_bad_record_is_reported_with_code_and_location(every: list[Bad]) -> None:
    assert [(bad.name, bad.code, wrong) for bad in every for wrong in wrong_with_fault(bad)] == []


@each_family
def test_the_report_has_the_rounds_before_the_fault(every: list[Bad]) -> None:
    assert [(bad.name, bad.code, wrong) for bad in every for wrong in wrong_with_report(bad)] == []


def test_every_code_of_the_manual_is_covered() -> None:
    digits, cards = ({bad.code for bad in every} for every in (bad_records.ALL, bad_card_records.ALL))
    table = MANUAL.read_text(encoding="utf-8").partition("## Faults")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    codes = set(re.findall(r"`([a-z-]+)`", " ".join(rows)))
    assert digits | {"not-json"} == codes - CARD_CODES
    assert digits | cards >= set(REFUSALS[1:]) | CARD_CODES


# ------------------------------------------------------------------------------------------------- order

BROKEN: dict[str, Any] = {
    "version": {"lpn": 2},
    "game": {"game": "dudo"},
    "key": {"surplus": 0},
    "players": {"players": []},
    "option": {"options": {"wild": True}},
    "letters": {"letters": ["?"]},
    "round": {"rounds": [0]},
}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ("version game key players option letters round", "unknown-version"),
        ("game key players option letters round", "unknown-game"),
        ("key option letters round", "bad-record"),
        ("players option letters round", "bad-record"),
        ("option letters round", "bad-option"),
        ("letters round", "bad-deal"),
    ],
)
def test_the_head_of_a_record_is_checked_first(parts: str, code: str) -> None:
    document = dict(GOOD)
    for part in parts.split():
        document |= BROKEN[part]
    fault = fault_of(document)
    assert (fault.code, fault.round) == (code, None)


@pytest.mark.parametrize(
    ("rounds", "code", "place"),
    [
        ([hand("2x5, 2x4"), 0], "not-stronger", (0, 1)),
        ([hand("2x5, 2x4, hello"), DONE], "not-stronger", (0, 1)),
        ([hand("hello, 2x4"), {**DONE, "opener": 9}], "unreadable-action", (0, 0)),
        ([{**hand("hello"), "stake": 0}], "bad-round", (0, None)),
        ([hand("hello", deal=[])], "bad-deal", (0, None)),
        ([{**hand("hello"), "surplus": 1}], "bad-record", (0, None)),
        ([{**DONE, "counts": [0, 1, 2], "actions": [*DONE["actions"], "hello"]}], "bad-deal", (0, None)),
        ([hand("2x5"), {**DONE, "surplus": 1}], "bad-record", (1, None)),
        ([DONE, hand("count"), hand("count")], "wrong-phase", (1, 0)),
        # A value other than a string is a bad record even after the end.
        ([{**DONE, "actions": [*DONE["actions"], 7]}], "bad-record", (0, 4)),
    ],
)
def test_the_first_fault_in_record_order_is_reported(rounds: list[Any], code: str, place: object) -> None:
    fault = fault_of(record(*rounds))
    assert (fault.code, (fault.round, fault.action)) == (code, place)


def test_of_two_codes_for_an_action_the_higher_in_the_table_is_reported() -> None:
    codes = {
        # After the end of the round, any action ...
        **dict.fromkeys([f"2x5, around, count, {text}" for text in ("hello", "0x7", "1x1", "count")], "round-over"),
        # ... an unreadable action before the wrong phase, ...
        **dict.fromkeys(["hello", "2x5, around, hello"], "unreadable-action"),
        # ... an impossible claim before a repeated or weak one, ...
        **dict.fromkeys(["2x5, 0x1", "24x0, 25x1", "25x1"], "no-such-claim"),
        # ... and a repeated claim before a weak one.
        **dict.fromkeys(["2x5, 2x5", "2x5, 1x9, 2x0, 1x9"], "repeated-claim"),
        "2x5, 1x9, 2x0, 1x8": "not-stronger",
    }
    assert {actions: fault_of(record(hand(actions), options=LOOSE)).code for actions in codes} == codes

"""What a bad record is told: the code, the place, and the rounds before it; of several faults the first."""

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
from liarspoker.records.writer import tell
from tests.records import bad_records
from tests.records.bad_records import DONE, GOOD, LOOSE, fault_of
from tests.records.cards import bad_card_records
from tests.records.samples import Bad, hand, record

each_family = pytest.mark.parametrize("every", [bad_records.ALL, bad_card_records.ALL], ids=["digits", "cards"])
CARD_CODES = {"match-over", "cannot-take", "no-pass-left", "cards-not-held"}
"""No digit game has a match to win, cards to hold, takes or passes."""
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.md"


def wrong_with_fault(bad: Bad) -> Iterator[str]:
    """Where the fault that a record is told differs from the one it has, or a person would not find it."""
    fault = fault_of(bad.document)
    if (fault.code, fault.round, fault.action) != (bad.code, bad.round, bad.action) or bad.says not in fault.message:
        yield f"{fault.code} at {fault.round}, {fault.action}: {fault.message}"
    if isinstance(bad.document, dict):
        # People count from one.
        places = [f" {number + 1}" for number in (bad.round, bad.action) if number is not None]
        place = ", ".join(what + number for what, number in zip(("round", "action"), places, strict=False))
        last = tell(replay(bad.document)).splitlines()[-1]
        if not last.startswith(f"Fault in {place or 'the record'} ({bad.code}): "):
            yield last


def wrong_with_report(bad: Bad) -> Iterator[str]:
    """Where the answer lacks its fields, is no JSON, or tells other rounds than those before the fault."""
    told = report(replay(bad.document))
    if [list(told), list(told["error"])] != [["error", "game", "rounds"], ["code", "round", "action", "message"]]:
        yield f"fields {list(told)}"
    if not told["error"]["message"].strip() or "\n" in told["error"]["message"]:
        yield "message"
    given = bad.document.get("game") if isinstance(bad.document, dict) else None
    if told["game"] != (given if isinstance(given, str) else None):
        yield f"game {told['game']}"
    if json.loads(json.dumps(told)) != told:
        yield "no JSON"
    if "beyond reading" not in bad.name and report(read_json(json.dumps(bad.document))) != told:
        yield "something else in JSON"
    sound: Any = {"rounds": []}
    if bad.round is not None:
        sound = deepcopy(bad.document)
        sound["rounds"] = sound["rounds"][: bad.round + (bad.action is not None)]
        if bad.action is not None:
            sound["rounds"][-1]["actions"] = sound["rounds"][-1]["actions"][: bad.action]
        if told["rounds"] != report(replay(sound)).get("rounds") or replay(sound).fault is not None:
            yield "the rounds before the fault"
    if len(told["rounds"]) != len(sound["rounds"]):
        yield f"{len(told['rounds'])} rounds"


@each_family
def test_a_bad_record_is_told_its_code_and_its_place(every: list[Bad]) -> None:
    assert [(bad.name, bad.code, wrong) for bad in every for wrong in wrong_with_fault(bad)] == []


@each_family
def test_the_answer_has_the_rounds_before_the_fault_and_the_round_as_it_stood(every: list[Bad]) -> None:
    assert [(bad.name, bad.code, wrong) for bad in every for wrong in wrong_with_report(bad)] == []


def test_every_code_of_the_manual_is_reached() -> None:
    digits, cards = ({bad.code for bad in every} for every in (bad_records.ALL, bad_card_records.ALL))
    table = MANUAL.read_text(encoding="utf-8").partition("## Faults")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    codes = set(re.findall(r"`([a-z-]+)`", " ".join(rows)))
    assert digits | {"not-json"} == codes - CARD_CODES
    assert digits | cards >= set(REFUSALS[1:]) | CARD_CODES


# ------------------------------------------------------------------------------------------------- the order

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
def test_what_stands_above_the_rounds_is_looked_at_first(parts: str, code: str) -> None:
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
        # What is no text is a bad record even after the end.
        ([{**DONE, "actions": [*DONE["actions"], 7]}], "bad-record", (0, 4)),
    ],
)
def test_the_first_fault_in_the_order_of_the_record_is_told(rounds: list[Any], code: str, place: object) -> None:
    fault = fault_of(record(*rounds))
    assert (fault.code, (fault.round, fault.action)) == (code, place)


def test_of_two_codes_for_one_action_the_upper_is_told() -> None:
    codes = {
        # The round is over, whatever is said then ...
        **dict.fromkeys([f"2x5, around, count, {text}" for text in ("hello", "0x7", "1x1", "count")], "round-over"),
        # ... unreadable before of the wrong phase, ...
        **dict.fromkeys(["hello", "2x5, around, hello"], "unreadable-action"),
        # ... no claim before a repeated or a weak one, ...
        **dict.fromkeys(["2x5, 0x1", "24x0, 25x1", "25x1"], "no-such-claim"),
        # ... and repeated before not stronger.
        **dict.fromkeys(["2x5, 2x5", "2x5, 1x9, 2x0, 1x9"], "repeated-claim"),
        "2x5, 1x9, 2x0, 1x8": "not-stronger",
    }
    assert {actions: fault_of(record(hand(actions), options=LOOSE)).code for actions in codes} == codes

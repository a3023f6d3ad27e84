"""Unusual but valid records, input that must not raise, and input that isn't JSON or TOML."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from liarspoker.records import read_json, read_toml, replay, report
from liarspoker.records.writer import format_replay
from tests.records.bad_records import DONE, GOOD, LOOSE, OPEN_END, TIED, fault_of
from tests.records.samples import Record, bid_by_bid, hand, record, slips

ACCEPTED: list[Record] = [
    record(),
    record(options={}),
    record(options={"x-wild": None}),
    record(hand()),
    {**GOOD, "x-losses": [0]},
    record({**DONE, "x-winner": None}),
    record({**DONE, "counts": [0, 1, 1]}, hand()),
    record({**DONE, "opener": 0, "stake": 10**1000}),
    record(hand("2x5", counts=[8, 8, 8])),
    record(hand("2x5", ["????????"] * 3)),
    record(hand("1x5, around, count", ["5?1111??"] * 3, counts=[4, 1, 1])),
    record(players=[""] * 16),
    record(letters=["AA", "A*", "Z*"]),
    record(hand(opener=2), letters=TIED, options={"first_opener_tie": "redraw"}),
    record(hand(), letters=TIED),
    record(hand("25x1"), options=OPEN_END),
    record(hand(f"{'9' * 100}x1"), options=OPEN_END),
    record(hand("2x5, 1x9"), options=LOOSE),
    slips(),
    slips(rows=["06742088"] * 30),
    slips(rows=[*["06742081"] * 14, "????????"]),
    slips(options={"hand_size": 8, "symbols": 10}),
    {**slips(), "game": "salomon-1986"},
    record(hand(), game="slips"),
]


def test_unusual_but_valid_records_are_accepted() -> None:
    faults = {number: replay(document).fault for number, document in enumerate(ACCEPTED)}
    assert {number: fault for number, fault in faults.items() if fault is not None} == {}


def test_the_lowest_and_the_highest_bid_are_accepted() -> None:
    played = bid_by_bid("1x1, 24x0")
    assert report(played)["rounds"][0]["legal"] == {
        "min_claim": None,
        "challenge": True,
        "count": False,
        "actions": ["challenge"],
    }


def test_without_a_cap_the_message_names_none() -> None:
    assert "24" not in fault_of(record(hand("0x7"), options=OPEN_END)).message


def test_a_counted_hand_is_in_the_score_despite_a_later_fault() -> None:
    played = replay(record(hand("2x5, around, count, challenge")))
    assert "Player 1 +4  Player 2 -2  Player 3 -2" in format_replay(played)
    assert "Score: Player 1 0," not in format_replay(played)


# ------------------------------------------------------------------------------------------ nothing ever raises

LONG = 1 << 20_000


def deep() -> Any:
    """Return lists nested deeper than Python's recursion limit."""
    value: Any = []
    for _ in range(5000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (record(lpn=LONG), "unknown-version"),
        (record({**DONE, "opener": LONG}), "bad-round"),
        (record(hand(counts=[LONG, 0, 0])), "bad-deal"),
        (record(options={"hand_size": LONG}), "bad-option"),
        (record(options={"order": deep()}), "bad-option"),
    ],
    ids=["version", "opener", "count", "option", "deep option"],
)
def test_a_value_of_any_size_is_told_its_own_code(document: Record, code: str) -> None:
    assert fault_of(document).code == code


@pytest.mark.parametrize("line", [f"opener = 0x{'f' * 5000}", "options.order" + ".a" * 3000 + " = 1"])
def test_the_message_blames_the_value_and_not_toml(line: str) -> None:
    where = ("", line) if line.startswith("opener") else (line, "")
    text = f'lpn = 1\ngame = "slips"\nplayers = ["a", "b"]\n{where[0]}\n[[rounds]]\ndeal = ["11111111", "22222222"]\n'
    assert report(read_toml(f"{text}actions = []\n{where[1]}"))["error"]["code"] != "not-json"


def test_an_uncapped_loose_ladder_is_not_enumerated() -> None:
    options = {"loose_order": True, "cap_level": False}
    line = json.dumps(record(hand(f"{10**30}x5"), options=options)).encode()
    # Run in a separate process, because an enumeration would never end.
    command = [sys.executable, "-m", "liarspoker", "replay", "--jsonl"]
    done = subprocess.run(command, input=line, capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["rounds"][0]["legal"]["min_claim"] == "1x6"


# ---------------------------------------------------------------------------------------- no record at all

NO_JSON = ["", " ", "{", "nul", "{'lpn': 1}", '{"lpn": 1,}', "[1] 2", "NaN", '{"x-a": NaN}', "-Infinity", "\ufeff{}"]
NO_TOML = ["lpn", "lpn = ", "lpn = 1 2", "= 1", "lpn = 1\nlpn = 1", "[rounds]\n[rounds]", "\ufefflpn = 1", "x-a = null"]


def test_invalid_json_and_toml_are_reported() -> None:
    json_bytes: list[str | bytes] = [b"\xff\xfe{\0}\0", b'{"game": "\xe9"}', "[" * 100_000, '{"a":' * 100_000]
    toml_bytes: list[str | bytes] = [b"\xff\xfel\0p\0", b'game = "\xe9"', "x-a = " + "[" * 5000, "a = '\0'"]
    summary = [report(read_json(text)) for text in (*NO_JSON, *json_bytes)]
    summary += [report(read_toml(text)) for text in (*NO_TOML, *toml_bytes)]
    for number, answer in enumerate(summary):
        error = answer["error"]
        assert (error["code"], error["round"], error["action"]) == ("not-json", None, None), number
        assert (answer["game"], answer["rounds"]) == (None, [])


def test_a_very_long_dotted_key_is_rejected_before_parsing() -> None:
    fault = read_toml("lpn = 1\n" + "a." * 20_000 + "b = 1").fault
    assert fault is not None
    assert (fault.code, fault.message) == ("bad-record", "line 2 has more than 1000 dots")
    assert "lpn is missing" in str(read_toml("# " + "." * 200).fault)


def test_an_empty_file_is_toml_without_the_required_keys() -> None:
    summary = report(read_toml(""))
    assert summary["error"]["code"] == "bad-record"
    assert "lpn is missing" in summary["error"]["message"]


@pytest.mark.parametrize("text", ['{"lpn": 1, "lpn": 1}', '{"x-a": {"b": 1, "b": 2}}', '[{"a": 0, "a": 0}]'])
def test_a_duplicate_key_is_a_bad_record(text: str) -> None:
    summary = report(read_json(text))
    assert summary["error"]["code"] == "bad-record"
    assert "occurs twice" in summary["error"]["message"]


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_is_accepted(mark: bytes) -> None:
    assert read_json(mark + json.dumps(GOOD).encode()).fault is None
    assert read_toml(mark + b'lpn = 1\ngame = "slips"\nplayers = ["a", "b"]\nrounds = []').fault is None

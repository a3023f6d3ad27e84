"""What is no JSON or no TOML at all is told so."""

from __future__ import annotations

import json

import pytest

from liarspoker.records import read_json, read_toml, report
from tests.records.bad_records import GOOD

NO_JSON = ["", " ", "{", "nul", "{'lpn': 1}", '{"lpn": 1,}', "[1] 2", "NaN", '{"x-a": NaN}', "-Infinity", "\ufeff{}"]
NO_TOML = ["lpn", "lpn = ", "lpn = 1 2", "= 1", "lpn = 1\nlpn = 1", "[rounds]\n[rounds]", "\ufefflpn = 1", "x-a = null"]


@pytest.mark.parametrize("text", [*NO_JSON, b"\xff\xfe{\0}\0", b'{"game": "\xe9"}', "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_json_is_told_so(text: str | bytes) -> None:
    told = report(read_json(text))
    assert told["error"]["code"] == "not-json"
    assert (told["error"]["round"], told["error"]["action"]) == (None, None)
    assert (told["game"], told["rounds"]) == (None, [])


@pytest.mark.parametrize("text", [*NO_TOML, b"\xff\xfel\0p\0", b'game = "\xe9"', "x-a = " + "[" * 5000, "a = '\0'"])
def test_what_is_no_toml_is_told_so(text: str | bytes) -> None:
    told = report(read_toml(text))
    assert told["error"]["code"] == "not-json"
    assert (told["game"], told["rounds"]) == (None, [])


def test_a_key_of_very_many_parts_is_refused_before_it_is_parsed() -> None:
    fault = read_toml("lpn = 1\n" + "a." * 20_000 + "b = 1").fault
    assert fault is not None
    assert (fault.code, fault.message) == ("bad-record", "record: line 2 has more than 1000 dots")
    assert "lpn is missing" in str(read_toml("# " + "." * 200).fault)


def test_an_empty_file_is_toml_and_lacks_everything() -> None:
    told = report(read_toml(""))
    assert told["error"]["code"] == "bad-record"
    assert "lpn is missing" in told["error"]["message"]


@pytest.mark.parametrize("text", ['{"lpn": 1, "lpn": 1}', '{"x-a": {"b": 1, "b": 2}}', '[{"a": 0, "a": 0}]'])
def test_a_key_that_stands_twice_is_a_bad_record(text: str) -> None:
    told = report(read_json(text))
    assert told["error"]["code"] == "bad-record"
    assert "stands twice" in told["error"]["message"]


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_is_no_fault(mark: bytes) -> None:
    assert read_json(mark + json.dumps(GOOD).encode()).fault is None
    assert read_toml(mark + b'lpn = 1\ngame = "slips"\nplayers = ["a", "b"]\nrounds = []').fault is None

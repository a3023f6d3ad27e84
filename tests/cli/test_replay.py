"""`liarspoker replay`: text, JSON, and records in a pipe."""

from __future__ import annotations

import io
import json
import os
import selectors
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from liarspoker.records import replay, report
from tests.cli.conftest import Run
from tests.records.samples import Record, hand, record

GOOD = record(hand("2x5, 2x0, 3x7, around, count"))
BAD = record(hand("2x5, 2x4"))
LINE = json.dumps(GOOD).encode()
TOML = """
lpn = 1
game = "dollar-bill"
players = ["Ann", "Bob"]
x-note = 1986-02-10

[[rounds]]
deal = ["06742088", "92859819"]
actions = ["two 8s", " 04x8 ", "challenge"]
"""
MARKED = b"\xef\xbb\xbf" + TOML.strip().replace("\n", "\r\n").encode()
"""With a byte order mark and carriage returns, as some editors save files."""
COMMAND = [sys.executable, "-m", "liarspoker", "replay"]
# As at a prompt, where output into a pipe is written in blocks.
PLAIN = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def saved(name: str, content: str | bytes | Record) -> str:
    """Write a file."""
    data = json.dumps(content) if isinstance(content, dict) else content
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return name


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put `data` on standard input."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


# ---------------------------------------------------------------------------------------------------- one record


def test_the_text_describes_the_session_hand_by_hand(run: Run) -> None:
    lines = run(f"replay {saved('game.toml', TOML)}").out.splitlines()
    assert lines[0] == "Dollar-bill Liar's Poker: Ann, Bob"
    assert "  Bob: 4 eights" in lines
    assert lines[-1] == "Score: Ann -1, Bob +1"


def test_json_output_is_one_line(run: Run) -> None:
    said = run(f"replay --json {saved('game.json', GOOD)}")
    assert said.out.count("\n") == 1
    assert said.report == report(replay(GOOD))


@pytest.mark.parametrize(
    ("name", "content", "score"),
    [
        ("game.json", LINE, [1, 1, -2]),
        ("game.txt", b"\n\t " + json.dumps(GOOD, indent=2).encode(), [1, 1, -2]),
        ("game", LINE, [1, 1, -2]),
        ("game.json", b"\xef\xbb\xbf" + LINE, [1, 1, -2]),
        ("game.json", TOML, [-1, 1]),
        ("game", TOML, [-1, 1]),
        ("game.toml", MARKED, [-1, 1]),
    ],
)
def test_json_records_are_recognized_in_files_and_standard_input(
    name: str, content: str | bytes, score: list[int], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(name, content)
    typed(monkeypatch, Path(name).read_bytes())
    said = run(f"replay --json {name}")
    assert said.report["score"] == score
    assert "error" not in said.report
    assert run("replay --json -").out == said.out


@pytest.mark.parametrize(
    ("name", "content", "code", "message"),
    [
        ("game.toml", LINE, "not-json", "this isn't TOML: "),
        ("game.toml", b"lpn = 1\ngame = dollar\n", "not-json", "this isn't TOML: Invalid value (at line 2, column 8)"),
        (
            "game.toml",
            b"lpn = 1\ngame = '\xff'\n",
            "not-json",
            "this isn't TOML: it isn't UTF-8 (at line 2, column 9)",
        ),
        ("game.toml", b"players = [", "not-json", "this isn't TOML: Invalid value (at line 1, column 12, the end)"),
        *((name, b'{"lpn": "\xff"}', "not-json", "") for name in ("game.json", "game")),
        ("game", b"", "bad-record", "lpn is missing"),
    ],
)
def test_invalid_records_are_reported_with_their_location(
    name: str, content: bytes, code: str, message: str, run: Run
) -> None:
    told = run(f"replay --json {saved(name, content)}", code=1).report
    assert told["error"]["message"].startswith(message)
    assert told["error"]["code"] == code
    assert (told["game"], told["rounds"]) == (None, [])
    assert message in run(f"replay {name}", code=1).out


def test_a_record_without_a_valid_start_has_no_heading(run: Run) -> None:
    for change, message in (
        ({"rounds": None}, "rounds is missing; it must be a list"),
        ({"surplus": 1}, "'surplus' isn't a key; the keys are "),
    ):
        content = {name: value for name, value in {**BAD, **change}.items() if value is not None}
        out = run(f"replay {saved('bad.json', content)}", code=1).out
        assert out.startswith(f"Error in the record (bad-record): {message}")


def test_an_invalid_record_has_exit_code_1_and_shows_its_valid_part(run: Run) -> None:
    name = saved("bad.json", BAD)
    assert run(f"replay --json {name}", code=1).report == report(replay(BAD))
    lines = run(f"replay {name}", code=1).out.splitlines()
    assert "  Player 1: 2 fives" in lines
    assert lines[-1] == "Error in round 1, action 2 (not-stronger): 2 fours does not beat 2 fives"


# ----------------------------------------------------------------------------------------------------- the plain form


def test_the_normalized_record_is_written(run: Run) -> None:
    saved("game.toml", TOML)
    as_json, as_toml = (run(f"replay --write {form} game.toml").out for form in ("json", "toml"))
    assert as_json.endswith("}\n")
    assert json.loads(as_json) == {
        "lpn": 1,
        "game": "dollar-bill",
        "players": ["Ann", "Bob"],
        "rounds": [{"deal": ["06742088", "92859819"], "actions": ["2x8", "4x8", "challenge"]}],
        "x-note": "1986-02-10",
    }
    assert as_toml == TOML.lstrip().replace('"two 8s", " 04x8 "', '"2x8", "4x8"')
    assert run(f"replay --write toml {saved('again.toml', as_toml)}").out == as_toml
    expected = run("replay --json game.toml").out
    for name, plain in (("plain.json", as_json), ("plain.toml", as_toml)):
        assert run(f"replay --json {saved(name, plain)}").out == expected


def test_what_toml_cannot_express_is_reported_with_exit_code_1(run: Run) -> None:
    said = run(f"replay --write toml {saved('game.json', {**GOOD, 'x-nothing': None})}", code=1)
    assert said.out == ""
    assert "x-nothing" in said.err


# ------------------------------------------------------------------------------------------------- one record a line


def answers(run: Run, monkeypatch: pytest.MonkeyPatch, data: bytes) -> list[Any]:
    """Return the answers to the lines of `data`."""
    typed(monkeypatch, data)
    return [json.loads(line) for line in run("replay --jsonl").out.splitlines()]


def test_every_line_that_is_not_blank_gets_one_answer_in_order(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {
        LINE: "sound",
        b"": None,
        b" \t\r": None,
        json.dumps(BAD).encode() + b"\r": "not-stronger",
        b"\xff\xfe\xfd": "not-json",
        b"not json": "not-json",
        b"[]": "bad-record",
        b"null": "bad-record",
        b"[" * 100_000: "not-json",
        b"\x00": "not-json",
        b"   " + json.dumps(record()).encode() + b"   ": "sound",
        json.dumps({**GOOD, "lpn": 2}).encode(): "unknown-version",
        # Characters that end a line in other formats don't end a record.
        json.dumps({**GOOD, "players": ["\u2028", "\x85", "\u2029"]}, ensure_ascii=False).encode(): "sound",
    }
    told = answers(run, monkeypatch, b"\n".join(lines))
    codes = [answer["error"]["code"] if "error" in answer else "sound" for answer in told]
    assert codes == [code for code in lines.values() if code]
    assert told[0] == told[-1] == report(replay(GOOD))
    assert told[1] == report(replay(BAD))
    assert all({"game", "rounds"} <= set(answer) for answer in told)


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n", b"  \n\t\n\n"])
def test_the_last_line_needs_no_newline_and_empty_input_gives_no_output(
    run: Run, monkeypatch: pytest.MonkeyPatch, ending: bytes
) -> None:
    assert answers(run, monkeypatch, LINE + ending) == [report(replay(GOOD))]
    assert answers(run, monkeypatch, ending) == []
    typed(monkeypatch, LINE + ending)
    assert run("replay --jsonl -").report == report(replay(GOOD))


# ---------------------------------------------------------------------------------------------- a process of its own


def test_the_output_is_the_same_in_a_process_whose_terminal_cannot_show_a_name(run: Run) -> None:
    saved("game.json", {**GOOD, "players": ["Zoë", "\ud800", "\x1b[2J"]})
    environment = {**PLAIN, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, "game.json"], capture_output=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == len(run("replay game.json").out.splitlines())


@pytest.mark.parametrize("form", ["toml", "json"])
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_a_written_record_can_be_read_whatever_the_encoding_of_the_output(run: Run, form: str, encoding: str) -> None:
    saved("game.json", {**GOOD, "players": ["Zoë", "日本", "Bob"], "x-note": "é"})
    environment = {**PLAIN, "PYTHONIOENCODING": encoding}
    command = [*COMMAND, "--write", form, "game.json"]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    Path(f"again.{form}").write_bytes(done.stdout)
    assert run(f"replay --write json again.{form}").report == run("replay --write json game.json").report


def test_an_invalid_line_does_not_end_the_command() -> None:
    given = b"\r\n".join([LINE, b"\xc3\x28", b"", b"{}", LINE])
    done = subprocess.run([*COMMAND, "--jsonl"], input=given, capture_output=True, env=PLAIN, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    told = list(map(json.loads, done.stdout.splitlines()))
    assert ["error" in answer for answer in told] == [False, True, True, False]


@pytest.mark.parametrize(("words", "lines"), [("--jsonl", 1), ("--write toml game.toml", 0)])
def test_a_closed_pipe_is_not_an_error(words: str, lines: int) -> None:
    saved("game.toml", TOML)
    saved("many.jsonl", (LINE + b"\n") * 2_000)
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe, Path("many.jsonl").open("rb") as records:
        if not lines:
            pipe.close()
        command = [*COMMAND, *words.split()]
        with subprocess.Popen(command, stdin=records, stdout=writer, stderr=subprocess.PIPE, env=PLAIN) as writing:
            os.close(writer)
            for _ in range(lines):
                assert pipe.readline().endswith(b"\n")
            pipe.close()
            assert (writing.communicate(timeout=60)[1], writing.returncode) == (b"", 0)


def test_a_record_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen([*COMMAND, "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=PLAIN) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        with asked.stdin, selectors.DefaultSelector() as waiting:
            waiting.register(asked.stdout, selectors.EVENT_READ)
            asked.stdin.write(LINE + b"\n")
            asked.stdin.flush()
            assert waiting.select(timeout=30)

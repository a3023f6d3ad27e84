"""`liarspoker replay`, as somebody at a prompt and as a program at the other end of a pipe meet it."""

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

from liarspoker.cli import main
from liarspoker.records import replay, report
from tests.records.samples import Record, hand, record

GOOD = record(hand("2x5, 2x0, 3x7, around, count"))
BAD = record(hand("2x5, 2x4"))
TOML = """
lpn = 1
game = "dollar-bill"
players = ["Ann", "Bob"]
x-note = 1986-02-10

[[rounds]]
deal = ["06742088", "92859819"]
actions = ["two 8s", " 04x8 ", "challenge"]
"""
COMMAND = [sys.executable, "-m", "liarspoker", "replay"]
# As at a prompt, where output into a pipe is written in blocks.
PLAIN = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What `replay` prints; it ends with `code` and complains of nothing."""
    assert main(["replay", *words]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def misused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of wrong usage."""
    with pytest.raises(SystemExit) as ended:
        main(["replay", *words])
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def saved(name: str, text: str | bytes | Record) -> str:
    """A file of this name in the folder."""
    data = json.dumps(text) if isinstance(text, dict) else text
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return name


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """`data` comes in on standard input."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def process(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A process of its own."""
    return subprocess.run([*COMMAND, *words], input=given, capture_output=True, env=PLAIN, check=False, timeout=60)


# ---------------------------------------------------------------------------------------------------- one record


def test_a_person_is_told_the_session_hand_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, saved("game.toml", TOML)).splitlines()
    assert lines[0] == "Dollar-bill Liar's Poker: Ann, Bob"
    assert "  Bob: 4 eights" in lines
    assert lines[-1] == "Score: Ann -1, Bob +1"


def test_a_program_is_told_one_object_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "--json", saved("game.json", GOOD))
    assert text.count("\n") == 1
    assert json.loads(text) == report(replay(GOOD))


@pytest.mark.parametrize("name", ["game.json", "game.txt", "game"])
def test_a_record_is_json_if_it_looks_so(capsys: pytest.CaptureFixture[str], name: str) -> None:
    looks = [json.dumps(GOOD), "\n\t " + json.dumps(GOOD, indent=2)]
    told = [run(capsys, "--json", saved(name, text)) for text in looks]
    assert json.loads(told[0])["score"] == [1, 1, -2]
    assert told[0] == told[1]
    assert json.loads(run(capsys, "--json", saved(name, TOML)))["score"] == [-1, 1]


def test_a_file_of_toml_is_toml_whatever_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "--json", saved("game.toml", GOOD), code=1))
    assert told["error"]["message"].startswith("this is not TOML: ")


@pytest.mark.parametrize("name", ["game.toml", "-"])
def test_carriage_returns_and_a_byte_order_mark_are_no_fault_in_toml(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    data = b"\xef\xbb\xbf" + TOML.strip().replace("\n", "\r\n").encode()
    saved("game.toml", data)
    typed(monkeypatch, data)
    assert json.loads(run(capsys, "--json", name))["score"] == [-1, 1]


@pytest.mark.parametrize("name", ["game.json", "-"])
def test_a_byte_order_mark_is_no_fault_in_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(GOOD).encode()
    saved("game.json", data)
    typed(monkeypatch, data)
    assert "error" not in json.loads(run(capsys, "--json", name))


def test_a_record_can_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (TOML, json.dumps(GOOD)):
        typed(monkeypatch, text.encode())
        from_input = run(capsys, "-")
        assert from_input == run(capsys, saved("game", text))
    typed(monkeypatch, b"")
    assert json.loads(run(capsys, "--json", "-", code=1))["error"]["code"] == "bad-record"


def test_a_bad_record_ends_with_one_and_tells_what_was_sound(capsys: pytest.CaptureFixture[str]) -> None:
    name = saved("bad.json", BAD)
    assert json.loads(run(capsys, "--json", name, code=1)) == report(replay(BAD))
    lines = run(capsys, name, code=1).splitlines()
    assert "  Player 1: 2 fives" in lines
    assert lines[-1] == "Fault in round 1, action 2 (not-stronger): 2 fours does not beat 2 fives"


def test_bytes_that_are_no_text_are_a_fault_of_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("game.json", "game.toml", "game"):
        told = json.loads(run(capsys, "--json", saved(name, b'{"lpn": "\xff"}'), code=1))
        assert (told["error"]["code"], told["game"], told["rounds"]) == ("not-json", None, [])


# ----------------------------------------------------------------------------------------------------- the plain form


def test_the_record_is_written_in_its_plain_form_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "--write", "json", saved("game.toml", TOML))
    assert text.endswith("}\n")
    assert json.loads(text) == {
        "lpn": 1,
        "game": "dollar-bill",
        "players": ["Ann", "Bob"],
        "rounds": [{"deal": ["06742088", "92859819"], "actions": ["2x8", "4x8", "challenge"]}],
        "x-note": "1986-02-10",
    }


def test_the_record_is_written_in_its_plain_form_as_toml(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "--write", "toml", saved("game.toml", TOML))
    assert text == TOML.lstrip().replace('"two 8s", " 04x8 "', '"2x8", "4x8"')
    again = run(capsys, "--write", "toml", saved("again.toml", text))
    assert again == text


def test_both_plain_forms_replay_as_the_record_does(capsys: pytest.CaptureFixture[str]) -> None:
    expected = run(capsys, "--json", saved("game.toml", TOML))
    for form in ("toml", "json"):
        plain = saved(f"plain.{form}", run(capsys, "--write", form, "game.toml"))
        assert run(capsys, "--json", plain) == expected


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_bad_record_is_told_and_not_written(capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["replay", "--write", form, saved("bad.json", BAD)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "liarspoker: round 1, action 2: 2 fours does not beat 2 fives\n"


def test_what_toml_cannot_write_is_said_and_ends_with_one() -> None:
    saved("game.json", {**GOOD, "x-nothing": None})
    done = process("--write", "toml", "game.json")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Traceback" not in done.stderr
    assert b"x-nothing" in done.stderr


# ------------------------------------------------------------------------------------------------------- exit codes


def test_a_file_that_is_not_there_ends_with_one_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "missing.toml"]) == 1
    assert capsys.readouterr() == ("", "liarspoker: missing.toml: No such file or directory\n")
    Path("folder").mkdir()
    assert main(["replay", "--json", "folder"]) == 1
    assert capsys.readouterr() == ("", "liarspoker: folder: Is a directory\n")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--json"],
        ["--write", "toml"],
        ["--write", "xml", "game.toml"],
        ["--json", "--jsonl"],
        ["--jsonl", "game.jsonl"],
        ["--json", "--write", "json", "game.toml"],
        ["one.toml", "two.toml"],
        ["--verbose", "game.toml"],
    ],
)
def test_wrong_usage_ends_with_two(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    saved("game.toml", TOML)
    assert misused(capsys, *words).startswith("usage: liarspoker ")


def test_the_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["replay", "--help"])
    assert ended.value.code == 0
    assert "liarspoker replay --jsonl < games.jsonl" in capsys.readouterr().out


def test_the_help_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["replay", "--help"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


# ------------------------------------------------------------------------------------------------- one record a line


def answers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: bytes) -> list[Any]:
    """The answers to the lines of `data`."""
    typed(monkeypatch, data)
    return [json.loads(line) for line in run(capsys, "--jsonl").splitlines()]


def test_every_line_that_is_not_blank_gets_one_line_in_order(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        json.dumps(GOOD).encode(),
        b"",
        b" \t\r",
        json.dumps(BAD).encode() + b"\r",
        b"\xff\xfe\xfd",
        b"not json",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"\x00",
        b"   " + json.dumps(record()).encode() + b"   ",
        json.dumps({**GOOD, "lpn": 2}).encode(),
        json.dumps(GOOD).encode(),
    ]
    told = answers(capsys, monkeypatch, b"\n".join(lines))
    codes = [answer["error"]["code"] if "error" in answer else "sound" for answer in told]
    assert codes == [
        *["sound", "not-stronger", "not-json", "not-json", "bad-record", "bad-record", "not-json", "not-json"],
        *["sound", "unknown-version", "sound"],
    ]
    assert told[0] == told[-1] == report(replay(GOOD))
    assert told[1] == report(replay(BAD))
    assert all({"game", "rounds"} <= set(answer) for answer in told)


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", b"  \n\t\n\n"])
def test_nothing_in_gives_nothing_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    assert answers(capsys, monkeypatch, data) == []


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n"])
def test_the_last_line_needs_no_newline(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ending: bytes
) -> None:
    line = json.dumps(GOOD).encode()
    assert answers(capsys, monkeypatch, line + ending) == [report(replay(GOOD))]


def test_signs_that_end_lines_elsewhere_do_not_end_a_record(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = {**GOOD, "players": ["\u2028", "\x85", "\u2029"]}
    told = answers(capsys, monkeypatch, json.dumps(odd, ensure_ascii=False).encode())
    assert told == [report(replay(GOOD))]


def test_a_dash_is_standard_input_here_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, json.dumps(GOOD).encode())
    assert json.loads(run(capsys, "--jsonl", "-")) == report(replay(GOOD))


# ---------------------------------------------------------------------------------------------- a process of its own


def test_in_a_process_of_its_own_it_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    name = saved("game.toml", TOML)
    for words in ([name], ["--json", name], ["--write", "json", name]):
        done = process(*words)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == run(capsys, *words)
    assert process("missing.toml").returncode == 1
    assert process("--json", saved("bad.json", BAD)).returncode == 1
    assert process().returncode == 2


def test_a_bad_line_ends_nothing_and_the_exit_code_is_zero() -> None:
    line = json.dumps(GOOD).encode()
    done = process("--jsonl", given=b"\r\n".join([line, b"\xc3\x28", b"", b"{}", line]))
    assert (done.returncode, done.stderr) == (0, b"")
    told = list(map(json.loads, done.stdout.splitlines()))
    assert ["error" in answer for answer in told] == [False, True, True, False]


def test_a_name_that_the_terminal_cannot_show_ends_nothing() -> None:
    saved("game.json", {**GOOD, "players": ["Zoë", "\ud800", "\x1b[2J"]})
    environment = {**PLAIN, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, "game.json"], capture_output=True, env=environment, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"\x1b" not in done.stdout


def cut_short(*words: str, lines: int, given: str = os.devnull) -> tuple[int, bytes]:
    """Exit code and complaints of a process whose reader takes so many lines and goes away."""
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe, Path(given).open("rb") as records:
        if not lines:
            pipe.close()
        with subprocess.Popen(
            [*COMMAND, *words], stdin=records, stdout=writer, stderr=subprocess.PIPE, env=PLAIN
        ) as writing:
            os.close(writer)
            for _ in range(lines):
                assert pipe.readline().endswith(b"\n")
            pipe.close()
            complaints = writing.communicate(timeout=60)[1]
            return writing.returncode, complaints


def test_a_reader_who_takes_one_line_of_many_is_no_error() -> None:
    many = saved("many.jsonl", (json.dumps(GOOD) + "\n") * 2_000)
    assert cut_short("--jsonl", lines=1, given=many) == (0, b"")


@pytest.mark.parametrize("words", [["game.toml"], ["--json", "game.toml"], ["--write", "toml", "game.toml"]])
def test_a_reader_who_takes_nothing_is_no_error(words: list[str]) -> None:
    saved("game.toml", TOML)
    assert cut_short(*words, lines=0) == (0, b"")


def test_a_record_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen([*COMMAND, "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=PLAIN) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        with asked.stdin, selectors.DefaultSelector() as waiting:
            waiting.register(asked.stdout, selectors.EVENT_READ)
            asked.stdin.write(json.dumps(GOOD).encode() + b"\n")
            asked.stdin.flush()
            assert waiting.select(timeout=5)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"lpn = 1\ngame = dollar\n", "Invalid value (at line 2, column 8)"),
        (b"lpn = 1\ngame = '\xff'\n", "it isn't UTF-8 (at line 2, column 9)"),
        (b"lpn = 1\nplayers = [", "Invalid value (at line 2, column 12, the end)"),
    ],
)
def test_what_is_wrong_with_toml_is_told_as_toml_with_its_place(
    content: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.toml").write_bytes(content)
    assert main(["replay", "bad.toml"]) == 1
    assert capsys.readouterr().out == f"Fault in the record: this is not TOML: {said}\n"

"""`liarspoker replay`: a record played through, told to a person or to a program."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liarspoker.records import Replay

DESCRIPTION = """Play a record of Liar's Poker Notation through the rules.

FILE is TOML or JSON; - is standard input. A bad record is told with its place
and ends with exit code 1."""

EXAMPLES = """examples:
  liarspoker replay game.toml              the session, told hand by hand
  liarspoker replay --json game.toml       one JSON object
  liarspoker replay --write json game.toml the record itself, in its plain form
  liarspoker replay --jsonl < games.jsonl  a record a line, an answer a line"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `replay`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the record; - for standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--jsonl", action="store_true", help="answer JSON records line by line")
    form.add_argument("--write", choices=("toml", "json"), help="print the record in its plain form")
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    """Replay a file, or standard input line by line."""
    if args.jsonl:
        if args.file not in (None, "-"):
            args.parser.error("--jsonl reads standard input; give no FILE")
        return _answer_lines()
    if args.file is None:
        args.parser.error("which FILE? (- for standard input, --jsonl for many records)")
    return _replay_file(args.file, args)


def _answer_lines() -> int:
    from liarspoker.records import read_json, report

    for line in sys.stdin.buffer:
        if line.strip():
            print(json.dumps(report(read_json(line))), flush=True)
    return 0


def _replay_file(name: str, args: argparse.Namespace) -> int:
    from liarspoker.records import read_record, report
    from liarspoker.records.writer import tell

    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"liarspoker: {name}: {error.strerror}", file=sys.stderr)
        return 1
    replay = read_record(text, name)
    if args.write:
        return _write(replay, args.write)
    print(json.dumps(report(replay)) if args.json else tell(replay))
    return 0 if replay.fault is None else 1


def _write(replay: Replay, form: str) -> int:
    """The record in its plain form; if it has a fault, that goes to standard error and nothing is written."""
    from liarspoker.records import Fault, to_json, to_toml

    document = replay.document
    try:
        if replay.fault is not None:
            raise replay.fault
        sys.stdout.write(to_toml(document) if form == "toml" else to_json(document, 2) + "\n")
    except Fault as fault:
        print(f"liarspoker: {fault.place()}: {fault.message}", file=sys.stderr)
        return 1
    return 0

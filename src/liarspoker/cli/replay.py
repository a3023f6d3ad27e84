"""`liarspoker replay`: a record played through, told to a person or to a program."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

DESCRIPTION = """Play a record of Liar's Poker Notation through the rules.

FILE is TOML or JSON; - is standard input. A bad record is told with its place and
ends with exit code 1."""

EXAMPLES = """examples:
  liarspoker replay game.toml              the session, told hand by hand
  liarspoker replay --json game.toml       one JSON object
  liarspoker replay --write json game.toml the record itself, in its plain form
  liarspoker replay --jsonl < games.jsonl  one record a line in, one answer a line out"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `replay`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the record; - for standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--jsonl", action="store_true", help="read JSON records line by line, answer line by line")
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
            print(json.dumps(report(read_json(line))))
    return 0


def _replay_file(name: str, args: argparse.Namespace) -> int:
    from liarspoker.records import read_json, read_toml, report, to_json, to_toml
    from liarspoker.records.tell import tell

    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"liarspoker: {name}: {error.strerror}", file=sys.stderr)
        return 1
    replay = read_json(text) if text.lstrip().startswith((b"{", b"[")) and not _is_toml(name) else read_toml(text)
    if args.write and replay.fault is None:
        sys.stdout.write(to_toml(replay.document) if args.write == "toml" else to_json(replay.document, 2) + "\n")
    else:
        print(json.dumps(report(replay)) if args.json else tell(replay))
    return 0 if replay.fault is None else 1


def _is_toml(name: str) -> bool:
    return Path(name).suffix == ".toml"

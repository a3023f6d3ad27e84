"""`liarspoker replay`: a record replayed through the rules, as text or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import UsageError, add_force, add_json, add_output
from liarspoker.language import N_, _

if TYPE_CHECKING:
    from liarspoker.records import Replay

DESCRIPTION = N_("""\
Replay a record of Liar's Poker Notation through the rules.

FILE is TOML or JSON; - is standard input. Invalid records are reported with the
location of the error, with exit code 1.""")

EXAMPLES = N_("""\
examples:
  liarspoker replay game.toml              the session as text, hand by hand
  liarspoker replay --json game.toml       one JSON object
  liarspoker replay --write json game.toml the record itself, normalized
  liarspoker replay --jsonl < games.jsonl  one record and one answer per line""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `replay`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=_("the record; - for standard input"))
    form = parser.add_mutually_exclusive_group()
    add_json(form)
    form.add_argument("--jsonl", action="store_true", help=_("read JSON records line by line, and answer each"))
    form.add_argument("--write", choices=("toml", "json"), help=_("print the normalized record"))
    add_output(parser, _("with --write: the file to write, instead of printing the record"), type=Path)
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    """Replay a file, or standard input line by line."""
    if args.output is not None and args.write is None:
        raise UsageError(_("--output needs --write"))
    if args.jsonl:
        if args.file not in (None, "-"):
            raise UsageError(_("--jsonl reads standard input; leave FILE out"))
        return _answer_lines()
    if args.file is None:
        raise UsageError(_("FILE is missing (- for standard input, --jsonl for many records)"))
    return _replay_file(args.file, args)


def _answer_lines() -> int:
    from liarspoker.records import read_json, report

    for line in sys.stdin.buffer:
        if line.strip():
            print(json.dumps(report(read_json(line))), flush=True)
    return 0


def _replay_file(name: str, args: argparse.Namespace) -> int:
    from liarspoker.records import read_record, report
    from liarspoker.records.writer import format_replay

    try:
        text = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"liarspoker: {name}: {error.strerror}", file=sys.stderr)
        return 1
    replay = read_record(text, name)
    if args.write:
        return _write(replay, args)
    print(json.dumps(report(replay)) if args.json else format_replay(replay))
    return 0 if replay.fault is None else 1


def _write(replay: Replay, args: argparse.Namespace) -> int:
    """Write the normalized record; if the record has a fault, report that and write nothing."""
    from liarspoker.files import new_file
    from liarspoker.records import Fault, to_json, to_toml

    document = replay.document
    try:
        if replay.fault is not None:
            raise replay.fault
        text = to_toml(document) if args.write == "toml" else to_json(document, 2) + "\n"
    except Fault as fault:
        print(f"liarspoker: {fault.located(args.file)}", file=sys.stderr)
        return 1
    if args.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())  # TOML and JSON are in UTF-8, whatever the terminal's encoding
    else:
        with new_file(args.output, args.force) as file:
            file.write(text.encode())
    return 0

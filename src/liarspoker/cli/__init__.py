"""The command `liarspoker`: one file a command, and what a command needs is imported only when it runs.

A command's module has `DESCRIPTION` and `EXAMPLES` for its `--help`, `add_arguments(parser)`, and `run(args)`,
which answers with the exit code: 0 done, 1 the input is wrong, 2 wrong usage. If the parser has a default for `extra`,
that is the extra without which the command can't do everything.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError

COMMANDS = {
    "serve": "serve live tables on the web",
    "play": "play in the terminal against bots",
    "games": "the catalogue; one game's rules, options and sources",
    "replay": "replay a record: for a person, or as JSON",
    "odds": "exact chances: the classic tables, or one question",
    "slips": "print SLIPS: sheets of fifteen random numbers, as PDF",
    "verify": "check the deals of a finished live table",
    "simulate": "many hands between bots: units a hand, with confidence intervals",
    "solve": "the equilibrium of a small digit game, as a strategy in a file",
    "exploit": "what a best response wins from a strategy or a bot, exactly",
    "backup": "write all that a server has stored into one file",
    "restore": "put a backup into an empty database",
    "admin": "look after a server: tables, users, sessions, audit trail",
}

OVERVIEW = """Liar's Poker: play it, replay it, know its odds.

examples:
  liarspoker play                      choose a game and play it
  liarspoker play slips --players 5    a session from slips with four bots
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker COMMAND --help            everything about one command"""


class NotInstalled(LiarsPokerError):
    """A package that a command needs is missing or broken."""

    code = "not-installed"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and answer with the exit code.

    Args:
        argv: the arguments without the program's name; those of the process by default.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words and words[0] in COMMANDS else None
    _open_what_is_closed()
    _forgive_strange_bytes()
    try:
        args = _parser(name).parse_args(words)
        code = _ended(args)
        sys.stdout.flush()
        return code
    except LiarsPokerError as error:
        if error.code != "file-exists":
            print(f"liarspoker: {error}", file=sys.stderr)
            return 1
        or_force = ", or overwrite it with --force" if "force" in args else ""
        print(f"liarspoker: {error}; choose another name{or_force}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _say_no_more()  # the reader has gone, as `| head` does
        return 0
    except OSError as error:
        print(f"liarspoker: {error}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _say_no_more()
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _ended(args: argparse.Namespace) -> int:
    """Run the command; which extra it needs is said where a package is missing, or broken."""
    try:
        return int(args.run(args))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package == "liarspoker":
            raise
        extra = f"'liarspoker[{args.extra}]'" if "extra" in args else "liarspoker"
        if isinstance(error, ModuleNotFoundError):
            raise NotInstalled(f"this needs {package}: pip install {extra}") from error
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), package)
        raise NotInstalled(f"{reason}; try: pip install --force-reinstall {extra}") from error


def _say_no_more() -> None:
    """Nothing more is written; Python would complain once more when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_what_is_closed() -> None:
    """Python has no stream at all for what was closed before the start, as `>&-` does; nothing is written there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the end


def _forgive_strange_bytes() -> None:
    """Text that is no UTF-8 is shown escaped, and typed as a sign that nothing means; neither ends the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _parser(name: str | None) -> argparse.ArgumentParser:
    """The parser; of the commands only `name` is loaded, the others are known by their summaries."""
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="liarspoker", description=OVERVIEW, formatter_class=formatter)
    parser.add_argument("--version", action="version", version=f"liarspoker {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command, summary in COMMANDS.items():
        if command != name:
            commands.add_parser(command, help=summary)
            continue
        module = import_module(f"liarspoker.cli.{command}")
        sub = commands.add_parser(
            command, help=summary, description=module.DESCRIPTION, epilog=module.EXAMPLES, formatter_class=formatter
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser

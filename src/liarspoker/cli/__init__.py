"""The command `liarspoker`: one module for each command, imported only when that command runs.

A command's module has `DESCRIPTION` and `EXAMPLES` for its `--help`, `add_arguments(parser)`, and `run(args)`, which
returns the exit code:

- 0: done.
- 1: the input is wrong, such as a file, a record, a game or a bid that doesn't exist; the message says where.
- 2: the usage is wrong: an unknown option, a bad value of an option, or options that contradict each other.
- 130: stopped by Ctrl-C.

A parser's default for `extra` names the extra that the command needs.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module

from liarspoker import __version__
from liarspoker.cli import style
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import N_, _, of_environment, speak

TYPE_CHECKING = False  # type checkers take it for true; the module typing is slow to import
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from _typeshed import SupportsWrite

COMMANDS = {
    "serve": N_("serve live tables on the web"),
    "play": N_("play in the terminal against bots or at a live table"),
    "games": N_("list the games, or show one game's rules and options"),
    "replay": N_("replay a record, as text or JSON"),
    "review": N_("review a record: what every decision was worth, and why"),
    "drill": N_("train your decisions with puzzles"),
    "odds": N_("compute exact odds: the classic tables, or one question"),
    "slips": N_("print SLIPS: sheets of fifteen random numbers, as PDF"),
    "verify": N_("verify the deals of a finished live table"),
    "simulate": N_("play many hands between bots: units per hand, with confidence intervals"),
    "report": N_("report on many hands by position, by level and by number of players"),
    "arena": N_("rate bots against each other in duplicate deals"),
    "train": N_("train a neural network by self-play"),
    "solve": N_("compute the equilibrium of a small digit game"),
    "exploit": N_("compute the best response to a strategy or a bot"),
    "backup": N_("back up a server's database into one file"),
    "restore": N_("restore a backup into an empty database"),
    "admin": N_("administer a server: tables, users, sessions, audit trail"),
    "completion": N_("print a shell's completion script"),
}

OVERVIEW = N_("""\
Liar's Poker: play it, replay it, know its odds.

examples:
  liarspoker play                      choose a game and play it
  liarspoker play slips --players 5    play slips against four bots
  liarspoker odds bid 5x7 --players 4 --hand 06742088
  liarspoker COMMAND --help            explain one command""")

_HEADING = re.compile(r"^(usage:|[^\s:][^:\n]*:$)", re.MULTILINE)


class NotInstalled(LiarsPokerError):
    """A package that a command needs is missing or broken."""

    code = "not-installed"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Args:
        argv: the arguments without the program's name; by default those of the process.
    """
    if "_ARGCOMPLETE" in os.environ:
        _answer_shell()
    words = list(sys.argv[1:] if argv is None else argv)
    speak(of_environment())
    _open_closed_streams()
    _escape_undecodable_bytes()
    try:
        return _run(_parsed(words))
    except BrokenPipeError:
        _discard_output()  # the reader is gone, for instance `| head`
        return 0
    except OSError as error:
        _report(": ".join(str(one) for one in (error.filename, error.strerror or error) if one))
        try:
            sys.stdout.flush()
        except OSError:
            _discard_output()
        return 1
    except KeyboardInterrupt:
        print("\n" + _("stopped"), file=sys.stderr)
        return 130


def _parsed(words: list[str]) -> argparse.Namespace:
    """Return the arguments; a mistake is reported with the command's usage."""
    parser = _parser(_command_of(words))
    args, rest = parser.parse_known_args(words)
    if len(rest) == 1 and not rest[0].startswith("-") and getattr(args, "game", "") is None:
        args.game = rest.pop()  # argparse takes an optional argument only beside the required one before it
    if rest:
        getattr(args, "parser", parser).error(_("unrecognized arguments: {words}", words=" ".join(rest)))
    return args


def _run(args: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    try:
        code = _with_extra(args)
        sys.stdout.flush()
        return code
    except LiarsPokerError as error:
        if error.code == "usage":
            args.parser.error(str(error))
        if error.code != "file-exists":
            _report(error)
            return 1
        _report(
            _("{error}; choose another name, or overwrite it with --force", error=error)
            if "force" in args
            else _("{error}; choose another name", error=error)
        )
        return 2


def _with_extra(args: argparse.Namespace) -> int:
    """Run the command; if a package is missing or broken, report which extra installs it."""
    try:
        return int(args.run(args))
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package == "liarspoker":
            raise
        from liarspoker.extras import install_command

        if "extra" not in args:  # a package that every installation needs
            raise NotInstalled(
                _("{package} is missing or broken; install liarspoker again", package=package)
            ) from error
        if isinstance(error, ModuleNotFoundError):
            raise NotInstalled(
                _(
                    "this needs {package}: {command}",
                    package=package,
                    command=install_command(args.extra),
                )
            ) from error
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), package)
        raise NotInstalled(f"{reason}; try: {install_command(args.extra, again=True)}") from error


def _report(error: object) -> None:
    print(f"{style.error('liarspoker:')} {error}", file=sys.stderr)


def _discard_output() -> None:
    """Redirect standard output to nowhere, else Python reports another error when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that was closed before the start, as by `>&-`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open until the end


def _escape_undecodable_bytes() -> None:
    """Show what isn't UTF-8 escaped, and read it as replacement characters, instead of ending the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that keeps line breaks, and leaves enough room for the names of commands."""

    def add_argument(self, action: argparse.Action) -> None:
        """Add an argument; argparse doesn't count the indent of commands."""
        super().add_argument(action)
        if action.nargs == argparse.PARSER:
            self._action_max_length += 2


class _Parser(argparse.ArgumentParser):
    """A parser with bold headings in terminals, and a hint after usage errors."""

    def __init__(self, **named: Any) -> None:
        named.setdefault("formatter_class", _Formatter)
        super().__init__(**named)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help, with bold headings in a terminal."""
        self._print(self.format_help(), file or sys.stdout)

    def print_usage(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the usage, with a bold heading in a terminal."""
        self._print(self.format_usage(), file or sys.stdout)

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and end the program with exit code 2."""
        self.print_usage(sys.stderr)
        print(f"{style.error(f'{self.prog}: error:')} {message}", file=sys.stderr)
        print(_("Try '{prog} --help' for help.", prog=self.prog), file=sys.stderr)
        raise SystemExit(2)

    def _print(self, text: str, file: Any) -> None:
        print(_HEADING.sub(lambda found: style.heading(found[0], file), text), end="", file=file)


def _command_of(words: Sequence[str]) -> str | None:
    return words[0] if words and words[0] in COMMANDS else None


def _parser(name: str | None) -> argparse.ArgumentParser:
    """Return the parser; of the commands only `name` is loaded, the others have just their summaries."""
    parser = _Parser(prog="liarspoker", description=_(OVERVIEW))
    parser.add_argument("--version", action="version", version=f"liarspoker {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command, summary in COMMANDS.items():
        if command != name:
            commands.add_parser(command, help=_(summary))
            continue
        module = import_module(f"liarspoker.cli.{command}")
        sub = commands.add_parser(
            command, help=_(summary), description=_(module.DESCRIPTION), epilog=_(module.EXAMPLES)
        )
        sub.set_defaults(run=module.run, parser=sub)
        module.add_arguments(sub)
    return parser


def _answer_shell() -> NoReturn:
    """Answer the script of `liarspoker completion`, which calls the program for every word that it completes."""
    from liarspoker.cli.completion import answer_shell

    words = os.environ.get("COMP_LINE", "").split()
    answer_shell(_parser(_command_of(words[1:])))
    raise SystemExit(1)

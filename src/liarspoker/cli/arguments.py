"""Arguments that several commands share: one flag, one meaning and one default each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarspoker.core.errors import BadOption, LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.language import N_, _
from liarspoker.language import number as in_language

if TYPE_CHECKING:
    from liarspoker.solve.strategy import Strategy

DEFAULT_GAME = "dollar-bill"
DEFAULT_PLAYERS = 2
MOST_JOBS = 1024

Completer = Callable[..., Iterable[str]]
"""Returns what can complete a word; called with `prefix=` and other keywords by argcomplete."""


class UsageError(LiarsPokerError):
    """An option has a bad value, or options contradict each other; the command ends with exit code 2."""

    code = "usage"


@contextmanager
def option_values() -> Iterator[None]:
    """Report errors of this block as usage errors: it checks values that were given as options."""
    try:
        yield
    except UsageError:
        raise
    except LiarsPokerError as error:
        raise UsageError(str(error)) from error


# Types of arguments


def integer(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return the type of an argument that is an integer in a range.

    Args:
        least: the smallest value, 0 or more.
        most: the largest value; `None` for 999,999,999, which only the error for a larger number mentions.
    """
    limit = 999_999_999 if most is None else most

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdecimal()
        is_long = is_number and len(text.lstrip("0")) > len(str(limit))
        number = int(text.lstrip("0") or "0") if is_number and not is_long else -1
        if not least <= number <= limit:
            message = (
                N_("{text} isn't an integer of {least} or more")
                if most is None and not is_long
                else N_("{text} isn't an integer from {least} to {most}")
            )
            least_text, most_text = in_language(f"{least:,}"), in_language(f"{limit:,}")
            raise argparse.ArgumentTypeError(_(message, text=shortened(text), least=least_text, most=most_text))
        return number

    return read


def any_integer(text: str) -> int:
    """Read an integer, as an argument's type.

    Raises:
        ArgumentTypeError: the text isn't one.
    """
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("{text} isn't an integer", text=shortened(text))) from None


def player_counts(text: str) -> tuple[int, ...]:
    """Read numbers of players, separated by commas, each 2 or more, as an argument's type.

    Raises:
        ArgumentTypeError: the text isn't such a list.
    """
    return tuple(dict.fromkeys(integer(2)(word.strip()) for word in text.split(",")))


def positive_number(text: str) -> float:
    """Read a finite number above 0, as an argument's type.

    Raises:
        ArgumentTypeError: the text isn't one.
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(_("{text} isn't a number above 0", text=shortened(text)))
    return number


def named_value(text: str) -> tuple[str, str]:
    """Read the name and the value of `NAME=VALUE`, as an argument's type.

    Raises:
        ArgumentTypeError: the text isn't of this form.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(_("{text}: write NAME=VALUE, as in rebid=true", text=shortened(text)))
    return name, value


def shortened(text: str) -> str:
    """Return a text as an error message quotes it, at most about 60 characters long."""
    return repr(text) if len(text) <= 60 else f"{text[:57]!r}..."


# Arguments


def add_game(parser: argparse.ArgumentParser, help: str = "", *, optional: bool = False, several: bool = False) -> None:
    """Declare the positional argument `GAME`; with `several`, a list of one or more."""
    named: dict[str, Any] = {"nargs": "?"} if optional else {"nargs": "+"} if several else {}
    complete(parser.add_argument("game", metavar="GAME", help=help or _("a game's id, such as slips"), **named), _games)


def add_game_option(parser: argparse.ArgumentParser, default: str, help: str) -> None:
    """Declare the option `--game`."""
    complete(parser.add_argument("--game", default=default, metavar="GAME", help=help), _games)


def add_players(parser: argparse.ArgumentParser, help: str, **named: Any) -> None:
    """Declare `--players`, by default a positive integer."""
    parser.add_argument("--players", **{"type": integer(1), "metavar": "N", "help": help, **named})


def add_bots(parser: argparse.ArgumentParser, help: str) -> None:
    """Declare `--bots`, names separated by commas."""
    complete(parser.add_argument("--bots", metavar="A,B,...", help=help), _bots)


def add_rounds(
    parser: argparse._ActionsContainer, help: str, alias: str | None = None, most: int | None = None
) -> None:
    """Declare `--rounds`, a positive integer, and an older name for it."""
    _add(parser, ("--rounds",), alias, dest="rounds", type=integer(1, most), metavar="R", help=help)


def add_jobs(parser: argparse.ArgumentParser, help: str, alias: str | None = None) -> None:
    """Declare `--jobs`, how many processes or threads work in parallel, and an older name for it."""
    _add(parser, ("--jobs",), alias, dest="jobs", type=integer(1, MOST_JOBS), metavar="J", help=help)


def add_seed(parser: argparse._ActionsContainer, help: str) -> None:
    """Declare `--seed`, an integer; the same seed repeats the same random draws."""
    parser.add_argument("--seed", type=any_integer, metavar="S", help=help)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare `--option NAME=VALUE`, which may be repeated."""
    action = parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=named_value,
        metavar="NAME=VALUE",
        help=_("change an option of the game; may be repeated"),
    )
    complete(action, _options)


def add_deal(parser: argparse.ArgumentParser, dest: str) -> None:
    """Declare `--slips` and `--bills`; neither leaves `None`, the game's own way to deal."""
    deal = parser.add_mutually_exclusive_group()
    deal.add_argument("--slips", dest=dest, action="store_true", default=None, help=_("deal from slips"))
    deal.add_argument("--bills", dest=dest, action="store_false", default=None, help=_("deal bills"))


def add_output(parser: argparse.ArgumentParser, help: str, alias: str | None = None, **named: Any) -> None:
    """Declare `-o` and `--output`, a file to write, and an older name for it."""
    _add(parser, ("-o", "--output"), alias, dest="output", metavar="FILE", help=help, **named)


def add_plot(parser: argparse.ArgumentParser, help: str, **named: Any) -> None:
    """Declare `--plot`, a chart to draw, which is the output file of commands that print their result."""
    parser.add_argument("--plot", "-o", "--output", dest="output", type=Path, metavar="FILE", help=help, **named)


def _add(parser: argparse._ActionsContainer, names: tuple[str, ...], alias: str | None, **named: Any) -> None:
    """Declare an option, and an alias that still works but isn't in the help."""
    parser.add_argument(*names, **named)
    if alias is not None:
        parser.add_argument(alias, **{**named, "default": argparse.SUPPRESS, "help": argparse.SUPPRESS})


def add_force(parser: argparse.ArgumentParser, default: object = False) -> None:
    """Declare `--force`, for `liarspoker.files.check_writable` and `new_file`."""
    parser.add_argument("--force", action="store_true", default=default, help=_("overwrite FILE if it exists"))


def add_json(parser: argparse._ActionsContainer, default: object = False) -> None:
    """Declare `--json`."""
    parser.add_argument("--json", action="store_true", default=default, help=_("print one JSON object"))


def add_small_game(parser: argparse.ArgumentParser) -> None:
    """Declare the game of a command that needs the extra `engine`; an argument that isn't given is `None`."""
    parser.set_defaults(extra="engine")
    add_game(parser, optional=True, help=_("rules and payoffs ({game}: flat payoffs)", game=DEFAULT_GAME))
    add_players(parser, _("number of players ({count})", count=DEFAULT_PLAYERS))
    parser.add_argument("--hand-size", type=integer(1), metavar="K", help=_("digits in a hand, 1 to 15 (8)"))
    parser.add_argument("--symbols", type=integer(1), metavar="M", help=_("digits in play, 2 to 10 (10)"))
    parser.add_argument(
        "--rebid", action=argparse.BooleanOptionalAction, help=_("play with or without rebids (as in the game)")
    )
    add_options(parser)


# Values


def typed_options(game: Game, named: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Read the options that a user typed, each value as its option's type.

    Args:
        game: the game whose options they are.
        named: names and values, from `named_value`.

    Returns:
        Changes for `game.options`. A value of the wrong type stays text, which `game.options` refuses with its name.

    Raises:
        BadOption: an option is given twice.
    """
    kinds = {info.name: type(info.choices[0]) for info in game.option_infos}
    changes: dict[str, object] = {}
    for name, value in named:
        if name in changes:
            raise BadOption(_("--option {name}: given twice; leave one out", name=name))
        changes[name] = _value(value, kinds.get(name, str))
    return changes


def _value(text: str, kind: type) -> object:
    if kind is bool:
        return {"true": True, "false": False}.get(text, text)
    return int(text) if kind is int and text.isascii() and text.isdecimal() and len(text) < 10 else text


def changes_of(args: argparse.Namespace, game: str) -> dict[str, object]:
    """Return the options that a user typed, as a record writes them.

    Raises:
        UnknownGame: the catalogue has no such game.
        UsageError: an option is given twice.
    """
    from liarspoker.core import catalogue

    named = {"hand_size": args.hand_size, "symbols": args.symbols, "rebid": args.rebid}
    changes: dict[str, object] = {name: value for name, value in named.items() if value is not None}
    loaded = catalogue.load(game)
    with option_values():
        typed = typed_options(loaded, args.option)
    for name in changes:
        if name in typed:
            raise UsageError(
                _("--option {name}: --{flag} sets it too; leave one out", name=name, flag=name.replace("_", "-"))
            )
    return {**changes, **typed}


def loaded_strategy(args: argparse.Namespace) -> Strategy:
    """Return the strategy in the file `args.strategy`, which must be for the table that the arguments describe.

    Raises:
        BadStrategy: the file can't be read, or is for another table.
    """
    from liarspoker.solve.strategy import Strategy

    strategy = Strategy.load(args.strategy)
    game, players = args.game or strategy.game, args.players or strategy.seats
    strategy.require(game, players, {**asdict(strategy.options), **changes_of(args, game)})
    return strategy


def print_json(report: object) -> None:
    """Print a report as one line of JSON."""
    print(json.dumps(report))


def interval(mean: float, half_width: float | None) -> dict[str, float | None]:
    """Return a mean and half the width of its 95% confidence interval, with the names that JSON output has for them."""
    return {"mean": mean, "half_width": half_width}


# Completion in shells


def complete(action: argparse.Action, completer: Completer) -> None:
    """Let shells complete an argument by `completer`, through argcomplete."""
    action.completer = completer  # type: ignore[attr-defined]  # argcomplete reads it


def _games(**_: object) -> list[str]:
    from liarspoker.core import catalogue

    return [row.id for row in catalogue.games()]


def _bots(prefix: str, **_: object) -> list[str]:
    from liarspoker.bots import catalogue

    before = prefix.rpartition(",")
    return [f"{before[0]}{before[1]}{row.name}" for row in catalogue.bots()]


def _options(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    from liarspoker.core import catalogue

    named = getattr(parsed_args, "game", None) or DEFAULT_GAME
    game = catalogue.load(named if isinstance(named, str) else named[0])
    return [f"{info.name}={json.dumps(value).strip(chr(34))}" for info in game.option_infos for value in info.choices]

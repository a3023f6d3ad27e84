"""`liarspoker play`: a game in the terminal against bots, or at a live table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import (
    UsageError,
    add_bots,
    add_deal,
    add_game,
    add_options,
    add_players,
    add_rounds,
    add_seed,
    option_values,
    typed_options,
)
from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption
from liarspoker.language import N_, _
from liarspoker.records.words import name_shown, printable
from liarspoker.tables.bot_names import BOT_NAMES

if TYPE_CHECKING:
    from liarspoker.bots.protocol import Bot
    from liarspoker.core.session import Game, Session
    from liarspoker.terminal.console import Console
    from liarspoker.terminal.local import Table
    from liarspoker.terminal.screen import Screen

DESCRIPTION = N_("""\
Play in the terminal, against bots or at a live table.

Type bids as 5x7 or "five sevens", and hands of cards as "pair 7" or "two pair,
sevens over threes". At any prompt, help lists the other commands: odds, why,
score, save and more. A card game is played until one player has won.""")

EXAMPLES = """examples:
  liarspoker play                          choose a game
  liarspoker play salomon-1986             you and three bots
  liarspoker play slips --players 5 --bots bluffer
  liarspoker play dollar-bill --option order=ace_high --rounds 3
  liarspoker play thorin --players 5 --option passes=1
  liarspoker play --record game.toml       save the game, or continue it
  liarspoker play --server http://10.0.0.7:8000/tables/Hk3v"""

DEFAULT_PLAYERS = 4
DEFAULT_BOTS = "beginner,binomial,bluffer"
DEFAULT_ROUNDS = 10
DEFAULT_SEATS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `play`."""
    parser.usage = _("liarspoker play [GAME] [options]")
    add_game(parser, optional=True, help=_("a game's id (see liarspoker games)"))
    add_players(parser, _("number of players, you included ({count})", count=DEFAULT_PLAYERS))
    add_bots(
        parser,
        _("bots by name, or MODULE:NAME for your own, seated in turn ({bots})", bots=DEFAULT_BOTS),
    )
    parser.add_argument("--name", type=_name, help=_("your name at the table"))
    add_rounds(
        parser,
        _("number of rounds to play ({count}; card games: a whole match)", count=DEFAULT_ROUNDS),
        "--hands",
    )
    add_options(parser)
    add_deal(parser, dest="slips")
    add_seed(parser, _("an integer; the same seed and the same moves give the same game (random)"))
    parser.add_argument("--record", type=Path, metavar="FILE", help=_("save the game in this file, or continue it"))
    parser.add_argument("--plain", action="store_true", help=_("plain lines, for screen readers"))
    parser.add_argument("--server", metavar="URL", help=_("play live: a server's address, or a table's link"))
    parser.add_argument("--token", metavar="SECRET", help=_("with --server: your account's API token"))
    parser.add_argument("--ask-ready", action="store_true", help=_("with --server: ask before each round"))
    parser.set_defaults(extra="serve")


def run(args: argparse.Namespace) -> int:
    """Play a game."""
    if args.server is not None:
        return sit_down(args)
    for name in ("token", "ask_ready"):
        if getattr(args, name):
            raise UsageError(_("--{name} is for live tables; add --server URL", name=name.replace("_", "-")))
    from liarspoker.bots.protocol import is_untrained
    from liarspoker.terminal.local import LocalGame
    from liarspoker.terminal.saved_games import exists
    from liarspoker.terminal.screen import InputEnded, Screen

    screen = Screen(plain=args.plain)
    try:
        continues = args.record is not None and exists(args.record)
        table = _saved_table(args) if continues else _new_table(args, screen)
    except InputEnded:
        return 0
    screen.say(
        _(
            "{title}: {names}. Type help at any prompt.",
            title=_(table.game.preset.title),
            names=", ".join(map(name_shown, table.names)),
        )
    )
    untrained = [
        name_shown(name)
        for name, bot in zip(table.names, table.bots, strict=True)
        if bot is not None and is_untrained(bot, table.session)
    ]
    if untrained:
        screen.say(_("Not trained for this table, so playing as the Bluffer: {names}.", names=", ".join(untrained)))
    LocalGame(table, screen, _chance(args.seed, table)).play()
    return 0


def _chance(seed: int | None, table: Table) -> Random:
    """Return the source of random deals and bots; a continued game doesn't repeat its first deals."""
    if seed is None:
        return SystemRandom()
    return Random(f"{seed} {table.document['rounds']}" if table.document else seed)


def _saved_table(args: argparse.Namespace) -> Table:
    """Return the table of a saved game, which goes on for `--rounds` more rounds."""
    from liarspoker.terminal.local import Table
    from liarspoker.terminal.saved_games import load

    decided = [name for name in ("players", "bots", "name", "slips") if getattr(args, name) is not None]
    saved = load(args.record)
    own = sorted({name for name in saved.bots if ":" in name})
    if own:
        # A record may come from somebody else: their code runs only if the user names it.
        if args.bots is None or sorted(set(_names(args.bots))) != sorted(set(saved.bots) - {""}):
            bots = ",".join(name for name in saved.bots if name)
            raise UsageError(
                _(
                    "{record} was played with bots of its own; to run their code, add --bots {bots}",
                    record=args.record,
                    bots=bots,
                )
            )
        decided.remove("bots")
    if decided or args.option:
        flags = {"slips": "--slips and --bills"}
        named = ", ".join(flags.get(name, f"--{name}") for name in decided or ["option"])
        raise UsageError(
            _("{record} is a saved game, which keeps its settings; leave out {named}", record=args.record, named=named)
        )
    if args.game not in (None, saved.game.preset.id):
        raise BadOption(
            _(
                "{record} holds a game of {other}, not of {game}",
                record=args.record,
                other=saved.game.preset.id,
                game=args.game,
            )
        )
    seats = len(saved.players)
    bot_names = saved.bots or _lineup(_usual_bots(saved.game), seats, saved.seat)
    return Table(
        saved.game,
        saved.session,
        saved.players,
        saved.seat,
        _bots(saved.game, bot_names, saved.seat),
        bot_names,
        _last_round(args, saved.game, saved.session),
        args.record,
        saved.document,
    )


def _new_table(args: argparse.Namespace, screen: Screen) -> Table:
    """Return a new table, with the person in seat 0."""
    from liarspoker.terminal.local import Table

    game = catalogue.load(args.game or _chosen(screen))
    players = DEFAULT_PLAYERS if args.players is None else args.players
    person = args.name or "You"
    with option_values():
        options = game.options(typed_options(game, args.option))
        if args.slips is not None and game.preset.has_winner:
            raise BadOption(_("{game} is a match of cards; leave out --slips and --bills", game=game.preset.id))
        dealt = {} if args.slips is None else {"from_slips": args.slips}
        session: Session = game.session(players, options, **dealt)
        if args.bots is not None:
            _check_room(_names(args.bots), players)
        bot_names = _lineup(_usual_bots(game) if args.bots is None else args.bots, players, 0)
        bots = _bots(game, bot_names, 0)
    names = (person, *[name for name in BOT_NAMES if name != person][: players - 1])
    return Table(game, session, names, 0, bots, bot_names, _last_round(args, game, session), args.record)


def _last_round(args: argparse.Namespace, game: Game, session: Session) -> int | None:
    """Return how many rounds will have been played at the end; `None` for a match, which ends with a winner."""
    if args.rounds is None and game.preset.has_winner:
        return None
    return session.rounds_played + (args.rounds or DEFAULT_ROUNDS)


def _chosen(screen: Screen) -> str:
    """Return the game that the person chooses from the catalogue, by number or by id."""
    screen.say(_("Which game?"))
    for number, row in enumerate(catalogue.games(), 1):
        screen.say(f"{number}  {row.id}: {_(row.summary)}", indent="  ")
    while True:
        typed = screen.ask(_("1 to {count} > ", count=len(catalogue.games())))
        if re.fullmatch("[0-9]{1,3}", typed) and 1 <= int(typed) <= len(catalogue.games()):
            return catalogue.games()[int(typed) - 1].id
        if any(typed == row.id for row in catalogue.games()):
            return typed
        screen.say(_("Type a game's number or id."))


def _names(bots: str) -> list[str]:
    """Return the bots of `--bots`."""
    return [name.strip() for name in bots.split(",")]


def _lineup(bots: str, seats: int, person: int) -> tuple[str, ...]:
    """Return the bots' names, seat by seat, taken in turn; empty for the person's seat."""
    names = _names(bots)
    others = iter(range(seats))
    return tuple("" if seat == person else names[next(others) % len(names)] for seat in range(seats))


def _check_room(bots: Sequence[str], seats: int) -> None:
    if len(bots) >= seats:
        raise UsageError(_("--bots: {count} bots and you are more than {seats} players", count=len(bots), seats=seats))


def _usual_bots(game: Game) -> str:
    """Return the default bots; a game from another package may have no bots of its own."""
    from liarspoker.bots import catalogue as bots

    return ",".join(name for name in DEFAULT_BOTS.split(",") if bots.row(name).plays(game.preset)) or "uniform"


def _bots(game: Game, names: tuple[str, ...], person: int) -> tuple[Bot | None, ...]:
    from liarspoker.bots import catalogue as bots

    def loaded(name: str) -> Bot:
        if ":" in name:
            return bots.at(name, game.preset.family)
        found = bots.row(name)
        try:
            return bots.load(found.name, game.preset.family)
        except bots.UnknownBot as error:
            raise bots.UnknownBot(
                _("{name} doesn't play {game}; try --bots uniform", name=name, game=game.preset.id)
            ) from error

    return tuple(None if seat == person else loaded(name) for seat, name in enumerate(names))


def _name(text: str) -> str:
    """Read a name that can be saved and shown."""
    name = " ".join(printable(text).split())
    if not name:
        raise argparse.ArgumentTypeError(_("a name needs at least one letter"))
    return name


def sit_down(args: argparse.Namespace, console: Console | None = None, folder: Path | None = None) -> int:
    """Play at a live table.

    Raises:
        LiarsPokerError: no such server or table; the message says what to do.
    """
    for name in ("record", "seed"):
        if getattr(args, name) is not None:
            raise UsageError(
                _("--{name}: not available at a live table; the server deals and saves the game", name=name)
            )
    from liarspoker.terminal.console import Console
    from liarspoker.terminal.joining import Wishes, place_in, play

    settings, bots = _table(args)
    # If you and the bots take all seats, there is nobody to wait for.
    full = settings is not None and len(bots) + 1 == settings["seats"]
    wishes = Wishes(args.server, args.name, args.token, settings, bots, full, args.ask_ready, folder)
    with option_values():
        place_in(wishes)
    with console or Console(plain=args.plain) as opened:
        return play(wishes, opened)


def _table(args: argparse.Namespace) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """Return the settings of the table to create, and its bots; `None` and none if no game is named."""
    if args.game is None:
        named = [name for name in ("players", "bots", "slips", "rounds") if getattr(args, name) is not None]
        if named or args.option:
            raise UsageError(_("--{name}: it sets up a new table, so name a GAME too", name=(named or ["option"])[0]))
        return None, ()
    game = catalogue.load(args.game)
    bots = tuple(_names(args.bots)) if args.bots else ()
    for name in bots:
        if ":" in name:
            raise UsageError(_("--bots {name}: a live table has the server's bots only", name=name))
    seats = args.players if args.players is not None else max(len(bots) + 1, min(DEFAULT_SEATS, game.preset.seats[1]))
    _check_room(bots, seats)
    with option_values():
        options = typed_options(game, args.option)
        game.options(options)  # a misspelt option is reported before anything is sent
    return {
        "game": game.preset.id,
        "seats": seats,
        "options": options,
        "from_slips": args.slips,
        "rounds": args.rounds,
    }, bots

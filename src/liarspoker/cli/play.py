"""`liarspoker play`: a game in the terminal against bots, or at a live table."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from liarspoker.cli.typed_options import named_value, typed_options
from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption
from liarspoker.records.words import printable
from liarspoker.tables.bot_names import BOT_NAMES

if TYPE_CHECKING:
    from liarspoker.bots.protocol import Bot
    from liarspoker.core.session import Game, Session
    from liarspoker.terminal.local import Table
    from liarspoker.terminal.screen import Console, Screen

DESCRIPTION = """Play in the terminal, line by line: against bots, or at a live table.

You type bids as 5x7 or as "five sevens", and hands of cards as "pair 7" or as
"two pair, sevens over threes"; help lists what else you can ask for at any
prompt: odds, why, score, save and more. A card game goes on until one has won."""

EXAMPLES = """examples:
  liarspoker play                          choose a game
  liarspoker play salomon-1986             you and three bots
  liarspoker play slips --players 5 --bots bluffer
  liarspoker play dollar-bill --option order=ace_high --hands 3
  liarspoker play thorin --players 5 --option passes=1
  liarspoker play --record game.toml       keep the game, or go on with it
  liarspoker play --server http://10.0.0.7:8000/tables/Hk3v"""

DEFAULT_PLAYERS = 4
DEFAULT_BOTS = "beginner,binomial,bluffer"
DEFAULT_HANDS = 10
DEFAULT_CHAIRS = 6
HANDS_HELP = f"stop after so many rounds (default {DEFAULT_HANDS}; cards: a match)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `play`."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game of the catalogue (liarspoker games)")
    parser.add_argument("--players", type=int, metavar="N", help=f"you and the bots (default {DEFAULT_PLAYERS})")
    parser.add_argument("--bots", metavar="NAMES", help=f"who sits where, in turn (default {DEFAULT_BOTS})")
    parser.add_argument("--name", type=_name, help="your name at the table")
    parser.add_argument("--hands", type=int, metavar="N", help=HANDS_HELP)
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=named_value,
        metavar="NAME=VALUE",
        help="change a rule (see games)",
    )
    deal = parser.add_mutually_exclusive_group()
    deal.add_argument("--slips", action="store_true", default=None, help="deal from slips of fifteen numbers")
    deal.add_argument("--bills", dest="slips", action="store_false", help="deal bills")
    parser.add_argument("--seed", type=int, help="the same seed and the same moves give the same game")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the game in this file, and go on from it")
    parser.add_argument("--plain", action="store_true", help="no lines drawn around bills (for a screen reader)")
    parser.add_argument("--server", metavar="URL", help="play live: a server's address, or a table's link")
    parser.add_argument("--token", metavar="SECRET", help="come in as your account there")
    parser.add_argument("--ask-ready", action="store_true", help="be asked there before each round")
    parser.set_defaults(extra="serve", parser=parser)


def run(args: argparse.Namespace) -> int:
    """Sit down and play."""
    if args.hands is not None and args.hands < 1:
        args.parser.error("--hands: at least 1")
    if args.server is not None:
        return sit_down(args)
    from liarspoker.terminal.keeping import is_there
    from liarspoker.terminal.local import LocalGame
    from liarspoker.terminal.screen import InputEnded, Screen

    screen = Screen(boxes=False if args.plain else None)
    try:
        kept = args.record is not None and is_there(args.record)
        table = _taken_up(args) if kept else _new_table(args, screen)
    except InputEnded:
        return 0
    screen.say(f"{table.game.row.title}: {', '.join(table.names)}. Type help at any prompt.")
    LocalGame(table, screen, _chance(args.seed, table)).play()
    return 0


def _chance(seed: int | None, table: Table) -> Random:
    """Where deals and bots draw from; a game taken up again goes on with other chances than those it began with."""
    if seed is None:
        return SystemRandom()
    return Random(f"{seed} {table.document['rounds']}" if table.document else seed)


def _taken_up(args: argparse.Namespace) -> Table:
    """The table of the record, as it was left; it goes on for `--hands` more."""
    from liarspoker.terminal.keeping import load
    from liarspoker.terminal.local import Table

    decided = [name for name in ("players", "bots", "name", "slips") if getattr(args, name) is not None]
    if decided or args.option:
        args.parser.error(f"{args.record} is a game already; it decides {', '.join(decided or ['the options'])}")
    kept = load(args.record)
    if args.game not in (None, kept.game.row.id):
        raise BadOption(f"{args.record} holds a game of {kept.game.row.id}, not of {args.game}")
    seats = len(kept.players)
    bot_names = kept.bots or _lineup(_usual_bots(kept.game), seats, kept.seat)
    return Table(
        kept.game,
        kept.session,
        kept.players,
        kept.seat,
        _bots(kept.game, bot_names, kept.seat),
        bot_names,
        _last_round(args, kept.game, kept.session),
        args.record,
        kept.document,
    )


def _new_table(args: argparse.Namespace, screen: Screen) -> Table:
    """A new table, with the person in seat 0."""
    from liarspoker.cli.typed_options import typed_options
    from liarspoker.terminal.local import Table

    game = catalogue.load(args.game or _chosen(screen))
    players = DEFAULT_PLAYERS if args.players is None else args.players
    person = args.name or "You"
    options = game.options(typed_options(game, args.option))
    if args.slips is not None and game.row.has_winner:
        raise BadOption(f"{game.row.id} is a match, played neither from slips nor with bills")
    dealt = {} if args.slips is None else {"from_slips": args.slips}
    session: Session = game.session(players, options, **dealt)
    bot_names = _lineup(_usual_bots(game) if args.bots is None else args.bots, players, 0)
    names = (person, *[name for name in BOT_NAMES if name != person][: players - 1])
    return Table(
        game, session, names, 0, _bots(game, bot_names, 0), bot_names, _last_round(args, game, session), args.record
    )


def _last_round(args: argparse.Namespace, game: Game, session: Session) -> int | None:
    """How many rounds will have been played at the end; `None` where the match goes on until one has won."""
    if args.hands is None and game.row.has_winner:
        return None
    return session.rounds_played + (args.hands or DEFAULT_HANDS)


def _chosen(screen: Screen) -> str:
    """The game that the person picks from the catalogue, by number or by id."""
    screen.say("Which game?")
    for number, row in enumerate(catalogue.games(), 1):
        screen.say(f"{number}  {row.id}: {row.summary}", indent="  ")
    while True:
        typed = screen.ask(f"1 to {len(catalogue.games())} > ")
        if re.fullmatch("[0-9]{1,3}", typed) and 1 <= int(typed) <= len(catalogue.games()):
            return catalogue.games()[int(typed) - 1].id
        if any(typed == row.id for row in catalogue.games()):
            return typed
        screen.say("Type the number of a game, or its name.")


def _lineup(names: str, seats: int, person: int) -> tuple[str, ...]:
    """The bots' names, seat by seat, taken in turn; empty for the person's seat."""
    lineup = [name.strip() for name in names.split(",")]
    others = iter(range(seats))
    return tuple("" if seat == person else lineup[next(others) % len(lineup)] for seat in range(seats))


def _usual_bots(game: Game) -> str:
    """The bots that sit down where none are named; a game from another package may have none of its own."""
    from liarspoker.bots import catalogue as bots

    return ",".join(name for name in DEFAULT_BOTS.split(",") if bots.row(name).plays(game.row)) or "uniform"


def _bots(game: Game, names: tuple[str, ...], person: int) -> tuple[Bot | None, ...]:
    from liarspoker.bots import catalogue as bots

    def loaded(name: str) -> Bot:
        found = bots.row(name)
        try:
            return bots.load(found.name, game.row.family)
        except bots.UnknownBot as error:
            raise bots.UnknownBot(f"{name} does not play {game.row.id} yet; try --bots uniform") from error

    return tuple(None if seat == person else loaded(name) for seat, name in enumerate(names))


def _name(text: str) -> str:
    """A name that can be kept and shown."""
    name = " ".join(printable(text).split())
    if not name:
        raise argparse.ArgumentTypeError("a name has letters")
    return name


def sit_down(args: argparse.Namespace, console: Console | None = None, folder: Path | None = None) -> int:
    """Sit down at a live table.

    Raises:
        LiarsPokerError: no such server or table; the message says what to do.
    """
    for name in ("record", "seed"):
        if getattr(args, name) is not None:
            args.parser.error(f"--{name}: not at a live table; the server keeps its records and deals")
    from liarspoker.terminal.joining import Wishes, play
    from liarspoker.terminal.screen import Console

    settings, bots = _table(args)
    # A table whose chairs are all taken has nobody to wait for.
    full = settings is not None and len(bots) + 1 == settings["seats"]
    wishes = Wishes(args.server, args.name, args.token, settings, bots, full, args.ask_ready, folder)
    return play(wishes, console or Console(boxes=False if args.plain else None))


def _table(args: argparse.Namespace) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """The table that is to be made, and the bots that sit down at it; none if no game is named."""
    if args.game is None:
        named = [name for name in ("players", "bots", "slips", "hands") if getattr(args, name) is not None]
        if named or args.option:
            args.parser.error(f"--{(named or ['option'])[0]}: for a new table; name its game too")
        return None, ()
    game = catalogue.load(args.game)
    bots = tuple(name.strip() for name in args.bots.split(",")) if args.bots else ()
    seats = args.players if args.players is not None else max(len(bots) + 1, min(DEFAULT_CHAIRS, game.row.seats[1]))
    if len(bots) >= seats:
        raise BadOption(f"--bots: {len(bots)} bots and you are more than {seats} players")
    options = typed_options(game, args.option)
    game.options(options)  # a misspelt option is told before anything is sent
    return {
        "game": game.row.id,
        "seats": seats,
        "options": options,
        "from_slips": args.slips,
        "rounds": args.hands,
    }, bots

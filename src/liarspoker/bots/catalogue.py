"""The available bots, by name: those of this package, and those that other packages register.

Listing them imports none of this package's bots. A bot has the same name in every game; each family of games may have
its own implementation.

>>> [row.name for row in bots()]
['uniform', 'pip', 'beginner', 'hal', 'binomial', 'mae', 'bluffer', 'ivy', 'gus', 'rex', 'champion', 'shark']
>>> load("bluffer", "digits")
Bluffer(trust=0.3, bluffs=0.2)
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from liarspoker.bots.protocol import Bot
from liarspoker.core import catalogue as games
from liarspoker.core.catalogue import GamePreset, registered
from liarspoker.core.errors import LiarsPokerError, UnknownGame
from liarspoker.extras import has_engine, install_command
from liarspoker.language import N_, _


class UnknownBot(LiarsPokerError):
    """No bot has this name, or `module:name` doesn't name something callable."""

    code = "unknown-bot"


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot's entry in the catalogue.

    Attributes:
        name: its name in commands and addresses.
        title: its name for people, a message.
        summary: one sentence that helps to choose an opponent, a message.
        place: where it is implemented, as `module:name`; empty if each family of games has its own implementation. Of a
            bot that thinks, its name.
        is_network: it plays as a neural network, which takes about a millisecond for a decision in Python.
        network: of a bot that thinks, the name of the bot that plays as its network without thinking; otherwise empty.
    """

    name: str
    title: str
    summary: str
    place: str = ""
    is_network: bool = False
    network: str = ""

    def plays(self, game: GamePreset) -> bool:
        """Return whether the bot plays `game`."""
        return self.place_for(game.family) is not None

    def place_for(self, family: str) -> str | None:
        """Return where the bot's implementation for a family of games is; `None` if it doesn't play them."""
        try:
            registered = games.family(family)
        except UnknownGame:
            return self.place or None
        if self.network and not registered.thinking:
            return None
        return self.place or registered.bots.get(self.name)


_OWN: tuple[BotRow, ...] = (
    BotRow(
        "uniform",
        N_("Random"),
        N_("Plays a random legal action; it has no strategy at all."),
        "liarspoker.bots.uniform:uniform",
    ),
    BotRow(
        "pip", N_("Pip"), N_("Has just learned the rules, and often plays whatever comes to mind."), is_network=True
    ),
    BotRow(
        "beginner",
        N_("Beginner"),
        N_("Bids what it holds plus an average share of the other hands, and challenges anything higher."),
    ),
    BotRow("hal", N_("Hal"), N_("Believes nearly everything, and seldom challenges."), is_network=True),
    BotRow(
        "binomial",
        N_("Calculator"),
        N_("Knows the exact probability and payoff of every claim, and lies only when it must."),
    ),
    BotRow("mae", N_("Mae"), N_("Doubts nearly everything, and challenges early."), is_network=True),
    BotRow(
        "bluffer",
        N_("Bluffer"),
        N_("Calculates like the Calculator, learns from the other players' claims, and bluffs now and then."),
    ),
    BotRow("ivy", N_("Ivy"), N_("Mixes every decision, and gives little away."), is_network=True),
    BotRow("gus", N_("Gus"), N_("Plays fast and bold, and looks for weak opponents."), is_network=True),
    BotRow("rex", N_("Rex"), N_("Plays almost like the Champion, with a little more risk."), is_network=True),
    BotRow(
        "champion",
        N_("Champion"),
        N_("A neural network that is hard to exploit and strong against everybody."),
        is_network=True,
    ),
    BotRow(
        "shark",
        N_("Shark"),
        N_("The same network, playing to win as much as possible from weak opponents."),
        is_network=True,
    ),
)

_MAX_COMPARED = 40
"""The number of characters of an unknown name that are compared with known ones."""

THINKING: tuple[BotRow, ...] = (
    BotRow(
        "champion:500ms",
        N_("Champion, thinking"),
        N_("The Champion, which takes about a second for a decision and plays the hand on thousands of times."),
        "champion:500ms",
        network="champion",
    ),
)
"""The bots that think at live tables. Elsewhere any network and time can be named, such as `shark:50ms`; see `at`."""


def bots() -> tuple[BotRow, ...]:
    """Return every bot: those of this package from the weakest up, then those that other packages register.

    Those that think aren't among them.

    A package registers a :class:`BotRow` with a `place` as an entry point of the group `liarspoker.bots`.
    """
    return (*_OWN, *(found for found in registered("liarspoker.bots") if isinstance(found, BotRow)))


def table_bots() -> tuple[BotRow, ...]:
    """Return the bots that can sit at live tables: every bot, and those that think if the extra `engine` is installed.

    A bot that thinks follows the one whose network it plays.
    """
    thinking = THINKING if has_engine() else ()
    return tuple(one for bot in bots() for one in (bot, *(found for found in thinking if found.network == bot.name)))


def row(name: str) -> BotRow:
    """Return the catalogue entry of a bot.

    Raises:
        UnknownBot: no bot has this name; the message names the bot with this title, or else lists the available ones
            and suggests similar ones.
    """
    for candidate in (*bots(), *THINKING):
        if candidate.name == name:
            return candidate
    raise UnknownBot(_unknown(name))


def _unknown(name: str) -> str:
    """Return that no bot has this name, and which one may be meant: its title counts too, in English or translated."""
    from difflib import get_close_matches

    from liarspoker.records.words import any_of

    spellings = {
        text.casefold(): candidate.name
        for candidate in bots()
        for text in (candidate.title, _(candidate.title), candidate.name)
    }
    typed = name[:_MAX_COMPARED].casefold()
    if typed in spellings:
        return _("there is no bot {name}; did you mean {meant}?", name=repr(name), meant=spellings[typed])
    known = ", ".join(candidate.name for candidate in bots())
    close = dict.fromkeys(spellings[text] for text in get_close_matches(typed, spellings, cutoff=0.5))
    if not close:
        return _("there is no bot {name}; the catalogue has {known}", name=repr(name), known=known)
    return _(
        "there is no bot {name}; the catalogue has {known}; did you mean {meant}?",
        name=repr(name),
        known=known,
        meant=any_of(list(close)),
    )


def title_of(model: str) -> str:
    """Return the name of a model of the players for people: a bot's title, two bots in equal shares, or a file's name.

    >>> title_of("bluffer"), title_of("bluffer+binomial"), title_of("my.strategy")
    ('Bluffer', 'half Bluffer, half Calculator', 'my.strategy')
    """
    titles = {found.name: _(found.title) for found in (*bots(), *THINKING)}
    names = model.split("+")
    if len(names) == 2 and all(name in titles for name in names):
        return _("half {one}, half {other}", one=titles[names[0]], other=titles[names[1]])
    return titles.get(model, model)


def load(name: str, family: str) -> Bot:
    """Load a bot for a family of games; no other bot is imported.

    Args:
        name: the bot's name in the catalogue.
        family: a family of games: `digits`, `queen_annes`, `thorin`, or that of another package.

    Raises:
        UnknownBot: no bot has this name, or it doesn't play this family.
    """
    place = row(name).place_for(family)
    if place is None:
        raise UnknownBot(_("{name} does not play the games of {family}", name=name, family=family))
    return at(place, family)


def at(place: str, family: str = "digits") -> Bot:
    """Import a bot by `module:name`, or return that of a program, of a neural network, or one that thinks.

    A program is named by `cmd:` and a command line; a network by `net:` and a file that `liarspoker train` has written;
    a bot that thinks by the name of a bot with a network and a time, such as `champion:50ms`.

    This runs the module's or the program's code, so never pass untrusted input.

    Args:
        place: where the bot is.
        family: the family of games that it is to play; only a network must know it.

    Raises:
        UnknownBot: there is no such module, or it has no callable of that name, or the bot can't think, or its network
            is for other games.
    """
    module, _colon, name = place.partition(":")
    if module == "cmd":
        from liarspoker.bots.process import ProcessBot

        return ProcessBot(name)
    thinks = name[:1].isdigit() and any(row.name == module for row in _OWN)
    if thinks or module == "net":
        bot = _of_family(family, module, name)
        if bot is None:
            raise UnknownBot(_("{name} does not play the games of {family}", name=place, family=family))
        return bot
    try:
        found: object = getattr(import_module(module), name, None)
    except (ImportError, ValueError) as error:
        raise UnknownBot(f"{place}: {error}") from error
    if not callable(found):
        raise UnknownBot(_("{place}: the module has no bot {name}", place=place, name=repr(name)))
    return found


def _of_family(name: str, module: str, rest: str) -> Bot | None:
    """Return a bot that thinks, or that of a network's file if `module` is `net`; `None` if the family has none."""
    try:
        family = games.family(name)
    except UnknownGame:
        return None
    if module != "net":
        return _thinking(family.thinking, module, rest) if family.thinking else None
    own = f"{family.package}.network_bot"
    try:
        networks = import_module(own)
    except ModuleNotFoundError as error:
        if not own.startswith(str(error.name)):
            raise
        return None
    bot: Bot = networks.from_file(rest)
    return bot


def _thinking(place: str, name: str, budget: str) -> Bot:
    """Return a bot that thinks, from what makes such bots, as `module:name`.

    Raises:
        UnknownBot: it can't, or this needs another extra.
    """
    module, _colon, thinking = place.partition(":")
    try:
        search = import_module(module)
    except ModuleNotFoundError as error:
        message = N_("{name}:{budget}: a bot that thinks needs the extra engine: {command}")
        command = install_command("engine")
        raise UnknownBot(_(message, name=name, budget=budget, command=command)) from error
    bot: Bot = getattr(search, thinking)(name, budget)
    return bot

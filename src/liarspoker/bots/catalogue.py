"""The available bots, by name: those of this package, and those that other packages register.

Listing them imports none of this package's bots. A bot has the same name in every game; each family of games may have
its own implementation.

>>> [row.name for row in bots()]
['uniform', 'beginner', 'binomial', 'bluffer']
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
        place: where it is implemented, as `module:name`; empty if each family of games has its own implementation.
    """

    name: str
    title: str
    summary: str
    place: str = ""

    def plays(self, game: GamePreset) -> bool:
        """Return whether the bot plays `game`."""
        return self.place_for(game.family) is not None

    def place_for(self, family: str) -> str | None:
        """Return where the bot's implementation for a family of games is; `None` if it doesn't play them."""
        if self.place:
            return self.place
        try:
            return games.family(family).bots.get(self.name)
        except UnknownGame:
            return None


_OWN: tuple[BotRow, ...] = (
    BotRow(
        "uniform",
        N_("Random"),
        N_("Plays a random legal action; it has no strategy at all."),
        "liarspoker.bots.uniform:uniform",
    ),
    BotRow(
        "beginner",
        N_("Beginner"),
        N_("Bids what it holds plus an average share of the other hands, and challenges anything higher."),
    ),
    BotRow(
        "binomial",
        N_("Calculator"),
        N_("Knows the exact probability and payoff of every claim, and lies only when it must."),
    ),
    BotRow(
        "bluffer",
        N_("Bluffer"),
        N_("Calculates like the Calculator, learns from the other players' claims, and bluffs now and then."),
    ),
)


def bots() -> tuple[BotRow, ...]:
    """Return every bot: those of this package from the weakest up, then those that other packages register.

    A package registers a :class:`BotRow` with a `place` as an entry point of the group `liarspoker.bots`.
    """
    return (*_OWN, *(found for found in registered("liarspoker.bots") if isinstance(found, BotRow)))


def row(name: str) -> BotRow:
    """Return the catalogue entry of a bot.

    Raises:
        UnknownBot: no bot has this name; the message lists the available ones.
    """
    for candidate in bots():
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in bots())
    raise UnknownBot(_("there is no bot {name}; the catalogue has {known}", name=repr(name), known=known))


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
    return at(place)


def at(place: str) -> Bot:
    """Import a bot by `module:name`, or return the bot of a program, named by `cmd:` and a command line.

    This runs the module's or the program's code, so never pass untrusted input.

    Raises:
        UnknownBot: there is no such module, or it has no callable of that name.
    """
    module, _colon, name = place.partition(":")
    if module == "cmd":
        from liarspoker.bots.process import ProcessBot

        return ProcessBot(name)
    try:
        found: object = getattr(import_module(module), name, None)
    except (ImportError, ValueError) as error:
        raise UnknownBot(f"{place}: {error}") from error
    if not callable(found):
        raise UnknownBot(_("{place}: the module has no bot {name}", place=place, name=repr(name)))
    return found

"""The bots that can be asked for, by name: those of this package, and those that other packages register.

Listing them loads none of this package's. A bot plays every game under one name; each family of games may have its own.

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
from liarspoker.core.catalogue import GameRow, registered
from liarspoker.core.errors import LiarsPokerError, UnknownGame


class UnknownBot(LiarsPokerError):
    """No bot of the catalogue has this name, or nothing that can be called stands at this place."""

    code = "unknown-bot"


@dataclass(frozen=True, slots=True)
class BotRow:
    """What is known of a bot before it is loaded.

    Attributes:
        name: what commands and addresses call it.
        title: what people call it.
        summary: one sentence for somebody who chooses an opponent.
        place: where it is, as `module:name`; empty where each family of games has its own.
    """

    name: str
    title: str
    summary: str
    place: str = ""

    def plays(self, game: GameRow) -> bool:
        """Whether the bot knows how to play `game`."""
        return self.place_for(game.family) is not None

    def place_for(self, family: str) -> str | None:
        """Where the bot for a family of games is; `None` if it does not play them."""
        if self.place:
            return self.place
        try:
            return games.family(family).bots.get(self.name)
        except UnknownGame:
            return None


_OWN: tuple[BotRow, ...] = (
    BotRow(
        "uniform",
        "Random",
        "Plays any legal action, each as likely as the next; it knows no strategy at all.",
        "liarspoker.bots.uniform:uniform",
    ),
    BotRow(
        "beginner",
        "Beginner",
        "Says what it holds, expects its fair share of the rest, and challenges what goes beyond.",
    ),
    BotRow(
        "binomial",
        "Calculator",
        "Knows the chance and the price of every claim by heart, and never lies unless it must.",
    ),
    BotRow(
        "bluffer",
        "Bluffer",
        "Counts like the Calculator, listens to what the others say, and now and then says what is not so.",
    ),
)


def bots() -> tuple[BotRow, ...]:
    """Every bot: those of this package from the weakest up, and those that other packages register.

    A package registers a `BotRow` with a `place` as an entry point of the group `liarspoker.bots`.
    """
    return (*_OWN, *(found for found in registered("liarspoker.bots") if isinstance(found, BotRow)))


def row(name: str) -> BotRow:
    """The catalogue's row for `name`.

    Raises:
        UnknownBot: when no row has this name; the message lists those that there are.
    """
    for candidate in bots():
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in bots())
    raise UnknownBot(f"there is no bot {name!r}; the catalogue has {known}")


def load(name: str, family: str) -> Bot:
    """The bot that the catalogue calls `name`, as it plays a family of games; imports it and no other.

    Args:
        name: the bot's.
        family: as `GameRow.family` names it.

    Raises:
        UnknownBot: when the catalogue has no such name, or the bot does not play such games.
    """
    place = row(name).place_for(family)
    if place is None:
        raise UnknownBot(f"{name} does not play the games of {family}")
    return at(place)


def at(place: str) -> Bot:
    """The bot at a place, `module:name`. It imports that module, so never pass on what a stranger wrote.

    Raises:
        UnknownBot: there is no such module, or nothing of that name in it that can be called.
    """
    module, _, name = place.partition(":")
    try:
        found: object = getattr(import_module(module), name, None)
    except (ImportError, ValueError) as error:
        raise UnknownBot(f"{place}: {error}") from error
    if not callable(found):
        raise UnknownBot(f"{place}: the module has no bot {name!r}")
    return found

"""The bots that can be asked for, by name. Listing them loads none of them.

>>> [row.name for row in BOTS]
['uniform', 'beginner', 'binomial', 'bluffer']
>>> load("binomial").__name__
'binomial'
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from liarspoker.bots.protocol import Bot
from liarspoker.rules.catalogue import GameRow
from liarspoker.rules.errors import LiarsPokerError


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
        families: the families of games that it plays; `None` for all.
        place: where it is, as `module:name`.
    """

    name: str
    title: str
    summary: str
    families: tuple[str, ...] | None
    place: str

    def plays(self, game: GameRow) -> bool:
        """Whether the bot knows how to play `game`."""
        return self.families is None or game.family in self.families


BOTS: tuple[BotRow, ...] = (
    BotRow(
        "uniform",
        "Random",
        "Plays any legal action, each as likely as the next; it knows no strategy at all.",
        None,
        "liarspoker.bots.uniform:uniform",
    ),
    BotRow(
        "beginner",
        "Beginner",
        "Bids what it holds, expects its fair share of the rest, and challenges what goes beyond.",
        ("digits",),
        "liarspoker.bots.beginner:beginner",
    ),
    BotRow(
        "binomial",
        "Calculator",
        "Knows the chance and the price of every bid by heart, and always tells the truth.",
        ("digits",),
        "liarspoker.bots.binomial:binomial",
    ),
    BotRow(
        "bluffer",
        "Bluffer",
        "Counts like the Calculator, listens to what the others bid, and now and then bids what it has not got.",
        ("digits",),
        "liarspoker.bots.bluffer:bluffer",
    ),
)


def row(name: str) -> BotRow:
    """The catalogue's row for `name`.

    Raises:
        UnknownBot: when no row has this name; the message lists those that there are.
    """
    for candidate in BOTS:
        if candidate.name == name:
            return candidate
    known = ", ".join(candidate.name for candidate in BOTS)
    raise UnknownBot(f"there is no bot {name!r}; the catalogue has {known}")


def load(name: str) -> Bot:
    """The bot that the catalogue calls `name`; imports it and no other.

    Raises:
        UnknownBot: when the catalogue has no such name.
    """
    return at(row(name).place)


def at(place: str) -> Bot:
    """The bot at a place, `module:name`. It imports that module, so never pass on what a stranger wrote.

    Raises:
        UnknownBot: there is no such module, or nothing of that name in it that can be called.
    """
    module, _, name = place.partition(":")
    try:
        found = getattr(import_module(module), name, None)
    except (ImportError, ValueError) as error:
        raise UnknownBot(f"{place}: {error}") from error
    if not callable(found):
        raise UnknownBot(f"{place}: the module has no bot {name!r}")
    return cast("Bot", found)

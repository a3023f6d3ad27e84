"""The games that can be played, by id. Listing them loads none of them.

>>> [row.id for row in GAMES]
['dollar-bill', 'salomon-1986', 'slips']
>>> load("slips").row.title
'Super Liars Poker SLIPS'
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from liarspoker.rules.errors import UnknownGame, told

if TYPE_CHECKING:
    from liarspoker.rules.protocol import Game


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is known of a game before it is loaded.

    Attributes:
        id: the catalogue id, as records write it.
        title: what people call it.
        family: the package below `liarspoker.rules` that holds its rules.
        seats: the fewest and the most players.
        source: the document that describes it.
        summary: one sentence for somebody who chooses a game.
        rules_version: raised whenever the same actions would come out otherwise.
    """

    id: str
    title: str
    family: str
    seats: tuple[int, int]
    source: str
    summary: str
    rules_version: int = 1


GAMES: tuple[GameRow, ...] = (
    GameRow(
        "dollar-bill",
        "Dollar-bill Liar's Poker",
        "digits",
        (2, 16),
        "003, dollar bills and their odds (Shackleford)",
        "Bid on the serial numbers of everybody's dollar bills; one unit each way.",
    ),
    GameRow(
        "salomon-1986",
        "Salomon's Liars Poker of 1986",
        "digits",
        (2, 16),
        "000, Liars Poker (LP), rules as of February 10, 1986",
        "The trading-floor game: rebids, bonus bids, sixes, the hero, the skunk and progressive stakes.",
    ),
    GameRow(
        "slips",
        "Super Liars Poker SLIPS",
        "digits",
        (2, 16),
        "001, Super Liars Poker SLIPS",
        "The same game from printed slips: fifteen numbers, ten of them played, stakes that carry over.",
    ),
)


def row(game_id: str) -> GameRow:
    """The catalogue's row for `game_id`.

    Raises:
        UnknownGame: when no row has this id; the message lists those that there are.
    """
    for candidate in GAMES:
        if candidate.id == game_id:
            return candidate
    known = ", ".join(candidate.id for candidate in GAMES)
    raise UnknownGame(f"there is no game {told(game_id)}; the catalogue has {known}")


def load(game_id: str) -> Game:
    """The game itself; imports its family and no other.

    Raises:
        UnknownGame: when the catalogue has no such id.
    """
    found = row(game_id)
    family = import_module(f"liarspoker.rules.{found.family}")
    return cast("Game", family.game(found))

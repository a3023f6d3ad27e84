"""The games that can be played, by id. Listing them loads none of them.

>>> [row.id for row in GAMES]
['dollar-bill', 'salomon-1986', 'slips', 'thorin', 'queen-annes', 'queen-annes-indian', 'queen-annes-stud']
>>> load("slips").row.title
'Super Liars Poker SLIPS'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from liarspoker.core.errors import UnknownGame, told
from liarspoker.core.family import GameFamily

if TYPE_CHECKING:
    from liarspoker.core.session import Game


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is known of a game before it is loaded.

    Attributes:
        id: the catalogue id, as records write it.
        title: what people call it.
        family: the family of games whose rules it has; see `family`.
        seats: the fewest and the most players.
        source: the document that describes it.
        summary: one sentence for somebody who chooses a game.
        has_winner: players drop out until one has won; without, the game goes on for as long as the table likes.
        rules_version: raised whenever the same actions would come out otherwise.
    """

    id: str
    title: str
    family: str
    seats: tuple[int, int]
    source: str
    summary: str
    has_winner: bool = False
    rules_version: int = 1


FAMILIES = {
    "digits": "liarspoker.games.digits.family:FAMILY",
    "thorin": "liarspoker.games.thorin.family:FAMILY",
    "queen_annes": "liarspoker.games.queen_annes.family:FAMILY",
}
"""Where each family of games is registered, as `module:name`."""

_LONGEST_MISSPELT = 40
"""Letters of an id that are looked at for one spelt alike."""

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
    GameRow(
        "thorin",
        "Thorin Style Liar's Poker",
        "thorin",
        (2, 10),
        "002, Thorin Style Liar's Poker",
        "One poker hand goes around: take it and declare better, or challenge. Who is wrong is out.",
        has_winner=True,
    ),
    GameRow(
        "queen-annes",
        "Queen Anne's Liars' Poker",
        "queen_annes",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker",
        "Name ever higher poker hands that all players' cards may make together; each loss costs a card.",
        has_winner=True,
    ),
    GameRow(
        "queen-annes-indian",
        "Liars' Indian Poker",
        "queen_annes",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker, Variant 1",
        "The same game with the cards on the forehead: everybody sees all cards but his own.",
        has_winner=True,
    ),
    GameRow(
        "queen-annes-stud",
        "Liars' Stud",
        "queen_annes",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker, Variant 2",
        "The same game with two hole cards and a further card on each turn, four up and one down.",
        has_winner=True,
    ),
)


def row(game_id: str) -> GameRow:
    """The catalogue's row for `game_id`.

    Raises:
        UnknownGame: when no row has this id; the message lists those that there are, and names those spelt alike.
    """
    for candidate in GAMES:
        if candidate.id == game_id:
            return candidate
    known = [candidate.id for candidate in GAMES]
    raise UnknownGame(f"there is no game {told(game_id)}; the catalogue has {', '.join(known)}{_meant(game_id, known)}")


def _meant(game_id: str, known: list[str]) -> str:
    """A question after the ids that are spelt like `game_id`; empty if none is."""
    from difflib import get_close_matches

    close = get_close_matches(game_id[:_LONGEST_MISSPELT].lower(), known, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def load(game_id: str) -> Game:
    """The game itself; imports its family and no other.

    Raises:
        UnknownGame: when the catalogue has no such id.
    """
    found = row(game_id)
    return family(found.family).game(found)


@cache
def family(name: str) -> GameFamily:
    """The family of games called `name`, as `GameRow.family` has it; imports its rules.

    Raises:
        TypeError: what is registered under that name isn't a family of games.
    """
    registered = resolve_name(FAMILIES[name])
    if not isinstance(registered, GameFamily):
        raise TypeError(f"{FAMILIES[name]} isn't a family of games: {registered!r}")
    return registered

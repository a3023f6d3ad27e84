"""The games that can be played, by id. Listing them loads none of them.

>>> [row.id for row in GAMES]
['dollar-bill', 'salomon-1986', 'slips', 'thorin', 'queen-annes', 'queen-annes-indian', 'queen-annes-stud']
>>> load("slips").row.title
'Super Liars Poker SLIPS'
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from liarspoker.core.errors import UnknownGame, told

if TYPE_CHECKING:
    from liarspoker.core.session import Game


@dataclass(frozen=True, slots=True)
class GameRow:
    """What is known of a game before it is loaded.

    Attributes:
        id: the catalogue id, as records write it.
        title: what people call it.
        family: the package below `liarspoker.core` that holds its rules, such as `digits` or `cards.passed`.
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

    @property
    def has_winner(self) -> bool:
        """Whether players drop out until one has won; the other games go on for as long as the table likes."""
        return self.family.startswith("cards.")


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
        "cards.passed",
        (2, 10),
        "002, Thorin Style Liar's Poker",
        "One poker hand goes around: take it and declare better, or challenge. Who is wrong is out.",
    ),
    GameRow(
        "queen-annes",
        "Queen Anne's Liars' Poker",
        "cards.pooled",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker",
        "Name ever higher poker hands that all players' cards may make together; each loss costs a card.",
    ),
    GameRow(
        "queen-annes-indian",
        "Liars' Indian Poker",
        "cards.pooled",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker, Variant 1",
        "The same game with the cards on the forehead: everybody sees all cards but his own.",
    ),
    GameRow(
        "queen-annes-stud",
        "Liars' Stud",
        "cards.pooled",
        (2, 10),
        "004, Queen Anne's Games: Liars' Poker, Variant 2",
        "The same game with two hole cards and a further card on each turn, four up and one down.",
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
    family = import_module(f"liarspoker.core.{found.family}")
    return cast("Game", family.game(found))

"""The round on a live table as the rules know it, built again from what the server tells one seat.

Each family has a module here. What the server does not tell stays unknown, as in a record that was never shown: a digit
`?`, a card `??`. So the faces of this room, which draw what a seat may know, draw live tables too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from liarspoker.core import catalogue
from liarspoker.core.session import Game

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sight:
    """A round as one seat sees it.

    Attributes:
        session: the rules' session as far as it is known; it judges what may be played.
        view: what the seat may know of it.
    """

    session: Any
    view: Any


@dataclass(frozen=True, slots=True)
class Setting:
    """What the server tells of a round, and of a table beside it.

    Attributes:
        game: which game.
        settings: the table's.
        told: `public.round`.
        seat: one's own seat in it; `None` for somebody who watches.
        hand: `you.hand`.
    """

    game: Game
    settings: Json
    told: Json
    seat: int | None
    hand: Json

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.told["users"])

    @property
    def options(self) -> Any:
        """The options in force."""
        return self.game.options(dict(self.settings["options"]))

    @property
    def moves(self) -> int:
        """How many moves have been made."""
        return len(self.told.get("moves", ()))


class Eye(Protocol):
    """The part of seeing a live table that depends on the family of games."""

    def sight(self, setting: Setting, moves: int) -> Sight:
        """The round after so many of its moves, once it is dealt; its result only after all of them."""


def is_dealt(told: Json | None) -> bool:
    """Whether a round is on the table."""
    return told is not None and "phase" in told


def sight_of(setting: Setting, moves: int | None = None) -> Sight:
    """The round after so many of its moves, all of them by default."""
    eye = catalogue.family(setting.game.row.family).terminal_live()
    return eye.sight(setting, setting.moves if moves is None else moves)

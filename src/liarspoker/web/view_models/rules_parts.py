"""The parts of a game's rules page that its family provides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from liarspoker.core.catalogue import GameRow
from liarspoker.records.reader import Replay


@dataclass(frozen=True, slots=True)
class Holder:
    """Who takes part in a sample round.

    Attributes:
        name: of the player.
        number: his number; empty in a card game.
        cards: his cards, each with whether it belongs to the hand in question.
        fingers: how many he raises at the count; `None` in a card game.
        units: what he wins or pays; `None` in a card game.
    """

    name: str
    number: str = ""
    cards: tuple[tuple[str, bool], ...] = ()
    fingers: int | None = None
    units: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedSample:
    """A sample round, played by the rules.

    Attributes:
        moves: what was done, line by line.
        holders: the players with what they held.
        end: the outcome, and the rules that made it.
        pool: the cards lie in one pool, and only some of them belong to the hand in question.
    """

    moves: tuple[str, ...]
    holders: tuple[Holder, ...]
    end: tuple[str, ...]
    pool: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in which relatives differ: what it is, and how it is in each of them."""

    title: str
    values: tuple[str, ...]


class RulesPage(Protocol):
    """The part of a rules page that depends on the family of games."""

    def tables(self, game: str, players: int) -> object:
        """What the family's template `rules/tables/FOLDER.html` shows of a game among so many players."""

    def differences(self, relatives: Sequence[GameRow]) -> list[Difference]:
        """How the dealing of these games of the family differs; their options are compared apart."""

    def sample(self, played: Replay) -> PlayedSample:
        """A sample round that has been played through."""

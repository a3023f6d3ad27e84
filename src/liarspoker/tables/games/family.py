"""The part of a live table that depends on the family of games; each family has a module of this form in this room."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol, TypeVar

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.protocol.views import HandView, RoundView
from liarspoker.tables.games.simple import SimpleTable
from liarspoker.tables.state import Table

Json = dict[str, Any]

Session = TypeVar("Session", contravariant=True)
View = TypeVar("View", contravariant=True)


class TableRules(Protocol[Session, View]):
    """The part of a live table that depends on the family of games."""

    def recorded(self, session: Session, seat: int | None, shown: frozenset[int]) -> Json:
        """The keys of a record that hold the finished rounds, as `seat`, or nobody in particular, may know them.

        `shown` has the rounds, from 0, whose numbers somebody has asked to see.
        """

    def public(self, view: View, users: tuple[str, ...], names: tuple[str, ...]) -> RoundView:
        """What everybody may know of the round on the table, from a spectator's view; `users` and `names` by seat."""

    def private(self, view: View) -> HandView:
        """What a seat alone may know, from its view: what it holds, and what it may do."""


def table_rules(game: Game) -> TableRules[Any, Any]:
    """How `game` is played at a live table."""
    return catalogue.family(game.row.family).table() or SimpleTable()


@cache
def game_called(game: str) -> Game:
    """The game of this catalogue id; looked up once, for tables ask at every command."""
    return catalogue.load(game)


def game_of(table: Table) -> Game:
    """The game that is played here."""
    return game_called(table.settings.game)


def rules_at(table: Table) -> TableRules[Any, Any]:
    """How the game of this table is played."""
    return table_rules(game_of(table))

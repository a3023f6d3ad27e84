"""The part of a live table that depends on the family of games; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol, TypeVar

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.tables.settings import Settings
from liarspoker.tables.state import Table

Json = dict[str, Any]

Session = TypeVar("Session")
Deal = TypeVar("Deal", contravariant=True)
View = TypeVar("View", contravariant=True)


@dataclass(frozen=True, slots=True)
class Carry:
    """What a session leaves to the next one, when people have come or gone in between.

    Attributes:
        opener: the seat that opens; `None` where no rule says who.
        stake: what is played for, where that carries over.
        losses: what each seat has lost in a match that goes on.
        living: the seats still in such a match.
    """

    opener: int | None = None
    stake: int | None = None
    losses: tuple[int, ...] = ()
    living: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen face down before a deal.

    Attributes:
        what: `bill`, `slip` or `cut`.
        count: how many lie there, or how many places there are to cut at.
        first: the seat that chooses first; the others follow clockwise. `None`: who has lost most so far.
        everybody: every seat chooses one of his own; else the first alone does.
    """

    what: str
    count: int
    first: int | None
    everybody: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """What the table says of a round, beside chance.

    Attributes:
        opener: who opens, where the table or lots say so.
        stake: the stake agreed on.
        named: options that who opens has named.
    """

    opener: int | None = None
    stake: int | None = None
    named: Mapping[str, object] = field(default_factory=dict)


class TableRules(Protocol[Session, Deal, View]):
    """The part of a live table that depends on the family of games."""

    def begin(self, game: Game, settings: Settings, seats: int, losses: tuple[int, ...]) -> Session:
        """A session before its first round; `losses` where it goes on with a match, else empty."""

    def deal(self, session: Session, deal: Deal, terms: Terms) -> Session:
        """The session with the next round on the table.

        Raises:
            LiarsPokerError: nothing of this kind can be said of a round.
        """

    def carry(self, session: Session) -> Carry:
        """What a session between two rounds leaves to the next one."""

    def silent(self, session: Session) -> int:
        """What the seat to act does when its time is up."""

    def mover(self, session: Session, action: int) -> int | None:
        """Whose action it is: the seat to act, or another one where it may be played out of turn."""

    def sights(self, session: Session) -> object:
        """What grows when a seat sees something new; an action after which it is the same can be taken back."""

    def out_of_turn(self, session: Session) -> bool:
        """Whether others than the seat to act may do something."""

    def units(self, session: Session) -> tuple[int, ...]:
        """Units won or lost by each seat in the round just ended; what a match is worth comes at its end."""

    def choice(self, session: Session, opener: int | None) -> Choice | None:
        """What is chosen face down before the next deal; `None` for nothing.

        `opener` is the seat that begins it, where an earlier session has left that to this one.
        """

    def check_named(self, session: Session, named: Mapping[str, object]) -> None:
        """Refuse options that cannot be named for the next round.

        Raises:
            LiarsPokerError: naming the option.
        """

    def show_numbers(self, session: Session) -> Session:
        """The session after somebody has asked to see the numbers.

        Raises:
            LiarsPokerError: there is nothing to see, or not now.
        """

    def recorded(self, session: Session, seat: int | None, shown: frozenset[int]) -> Json:
        """The keys of a record that hold the finished rounds, as `seat`, or nobody in particular, may know them.

        `shown` has the rounds, from 0, whose numbers somebody has asked to see.
        """

    def public(self, view: View) -> Json:
        """What everybody may know of the round on the table, from the view of nobody in particular."""

    def private(self, view: View) -> Json:
        """What a seat alone may know, from its view: what it holds, and what it may do."""


def table_rules(game: Game) -> TableRules[Any, Any, Any]:
    """How `game` is played at a live table."""
    return catalogue.family(game.row.family).table()


@cache
def game_called(game: str) -> Game:
    """The game of this catalogue id; looked up once, for tables ask at every command."""
    return catalogue.load(game)


def game_of(table: Table) -> Game:
    """The game that is played here."""
    return game_called(table.settings.game)


def rules_at(table: Table) -> TableRules[Any, Any, Any]:
    """How the game of this table is played."""
    return table_rules(game_of(table))

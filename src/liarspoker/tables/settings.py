"""The game of a table: judging the settings of a new one, and what depends on the family of games."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol, TypeVar

from msgspec import structs

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.core.simple import SimpleSession, SimpleView
from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.settings import NEW_TABLES, Clock, Settings
from liarspoker.protocol.simple import SimpleHand, SimpleLegal, SimpleRound
from liarspoker.protocol.views import HandView, RoundView
from liarspoker.records.family import SIMPLE, round_tables
from liarspoker.tables.refused import Refused, refused_by
from liarspoker.tables.state import Table

Json = dict[str, Any]

AnySession = TypeVar("AnySession", contravariant=True)
AnyView = TypeVar("AnyView", contravariant=True)


class TableRules(Protocol[AnySession, AnyView]):
    """The part of a live table that depends on the family of games."""

    def recorded(self, session: AnySession, seat: int | None, shown: frozenset[int]) -> Json:
        """The keys of a record that hold the finished rounds, as `seat`, or nobody in particular, may know them.

        `shown` has the rounds, from 0, whose numbers somebody has asked to see.
        """

    def public(self, view: AnyView, users: tuple[str, ...], names: tuple[str, ...]) -> RoundView:
        """What everybody may know of the round on the table, from a spectator's view; `users` and `names` by seat."""

    def private(self, view: AnyView) -> HandView:
        """What a seat alone may know, from its view: what it holds, and what it may do."""


class SimpleTable:
    """The `TableRules` of families that have none of their own."""

    def recorded(self, session: SimpleSession, seat: int | None, shown: frozenset[int]) -> Json:
        """The finished rounds, which have shown all hands, and the losses with which the match began."""
        return {**SIMPLE.record_parts(session), "rounds": round_tables(session)[: session.rounds_played]}

    def public(self, view: SimpleView, users: tuple[str, ...], names: tuple[str, ...]) -> SimpleRound:
        """What everybody may know of the round on the table."""
        assert view.opener is not None
        moves = zip(view.moves, view.texts, strict=True)
        return SimpleRound(
            users=users,
            names=names,
            round=view.round,
            opener=view.opener,
            phase=view.phase,
            to_act=view.to_act,
            moves=tuple((seat, text) for (seat, _), text in moves),
            score=view.score,
            stake=view.stake,
            sizes=view.sizes,
            alive=view.alive,
            claim=view.claim or None,
            shown=view.shown,
            losses=view.losses,
            losses_before=view.losses_before,
            units=view.units,
            winner=view.winner,
            result=view.result or (),
        )

    def private(self, view: SimpleView) -> SimpleHand:
        """What the seat holds, and what it may do when it is its turn."""
        claims = len(view.legal.claims)
        legal = SimpleLegal(claims=view.legal_texts[:claims], answers=view.legal_texts[claims:])
        return SimpleHand(hand=view.hand, legal=legal if view.my_turn else None)


@cache
def game_called(game: str) -> Game:
    """The game of this catalogue id; looked up once, for tables ask at every command."""
    return catalogue.load(game)


def game_of(table: Table) -> Game:
    """The game that is played here."""
    return game_called(table.settings.game)


@cache
def table_rules(game: str) -> TableRules[Any, Any]:
    """How the game of this catalogue id is played at a live table."""
    return catalogue.family(game_called(game).row.family).table() or SimpleTable()


def read_settings(given: Mapping[str, object]) -> Settings:
    """Check the settings that somebody asks for; a game that can't be played so is refused here, not at the first deal.

    Raises:
        Refused: `bad-command` for settings that don't exist, or the code of the rule that refuses game, options or
            seats.
    """
    try:
        asked = NEW_TABLES.convert(given)
    except Malformed as error:
        raise refused_by(error, "settings") from error
    clock = asked.clock and Clock(asked.clock.turn, asked.clock.bank, asked.clock.ready)
    try:
        game = catalogue.load(asked.game)
        seats = min(6, game.row.seats[1]) if asked.seats is None else asked.seats
        settings = Settings(**{**structs.asdict(asked), "seats": seats, "clock": clock})
        begin_session(game, settings, seats)
    except Refused:
        raise
    except LiarsPokerError as error:
        raise Refused(error.code, f"settings: {error}") from error
    return settings


def begin_session(game: Game, settings: Settings, seats: int, losses: tuple[int, ...] = ()) -> Session:
    """A session of this table's game before its first round.

    Raises:
        LiarsPokerError: the game has no such options, does not seat so many, or is not dealt from slips.
    """
    options = game.options(dict(settings.options))
    if settings.from_slips is None:
        return game.session(seats, options, losses=losses or None)
    if game.row.has_winner:
        raise Refused("bad-option", f"{game.row.id} is a match, played neither from slips nor with bills")
    return game.session(seats, options, settings.from_slips)

"""The game of a table: validation of settings, and the parts that depend on the game family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, structs

from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption, BadSeats, LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.core.simple import SimpleSession, SimpleView
from liarspoker.language import _
from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.settings import NEW_TABLES, Clock, Settings
from liarspoker.protocol.simple import SimpleHand, SimpleLegal, SimpleRound
from liarspoker.protocol.views import HandView, RoundView
from liarspoker.records.family import SIMPLE, round_tables
from liarspoker.tables.bluffs import Bluff
from liarspoker.tables.rated import check_settings
from liarspoker.tables.refused import Refused, refusal_for
from liarspoker.tables.state import Table

Json = dict[str, Any]

ShownHands = frozenset[tuple[int, int]]
"""Hands that were shown after their round: rounds, from 0, and seats."""

AnySession = TypeVar("AnySession", contravariant=True)
AnyView = TypeVar("AnyView", contravariant=True)


class TableRules(Protocol[AnySession, AnyView]):
    """The part of a live table that depends on the game family."""

    def recorded(self, session: AnySession, seat: int | None, shown: ShownHands) -> Json:
        """Return the keys of a record for the finished rounds, limited to what `seat` may know.

        Args:
            session: the session.
            seat: the seat, or `None` for a spectator.
            shown: the hands that were shown after their round.
        """

    def hidden_hand(self, session: AnySession, seat: int) -> tuple[str, ...]:
        """Return the hand of `seat` in the round that just ended, if the rules left it hidden; else nothing."""

    def public(self, view: AnyView, users: tuple[str, ...], names: tuple[str, ...]) -> RoundView:
        """Return the public view of the current round, given a spectator's view, and users and names by seat."""

    def private(self, view: AnyView) -> HandView:
        """Return the private view of a seat, with its hand and legal actions, given the seat's view."""

    def bluff(self, session: AnySession, revealed: bool) -> Bluff | None:
        """Return the best bluff of the round that has just ended; `None` for none.

        Args:
            session: the session.
            revealed: all hands may be used; otherwise only what the rules have shown to everyone.
        """


class SimpleTable:
    """Default `TableRules`, for families that don't define their own."""

    def recorded(self, session: SimpleSession, seat: int | None, shown: ShownHands) -> Json:
        """Return the finished rounds, in which all hands were shown, and the losses at the start of the match."""
        return {**SIMPLE.record_parts(session), "rounds": round_tables(session)[: session.rounds_played]}

    def hidden_hand(self, session: SimpleSession, seat: int) -> tuple[str, ...]:
        """Return nothing: every round shows all hands."""
        return ()

    def public(self, view: SimpleView, users: tuple[str, ...], names: tuple[str, ...]) -> SimpleRound:
        """Return the public view of the current round."""
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
        """Return the seat's hand, and its legal actions when it is its turn."""
        claims = len(view.legal.claims)
        legal = SimpleLegal(claims=view.legal_texts[:claims], answers=view.legal_texts[claims:])
        return SimpleHand(hand=view.hand, legal=legal if view.my_turn else None)

    def bluff(self, session: SimpleSession, revealed: bool) -> Bluff | None:
        """Return `None`: simple sessions don't tell which claims are true."""
        return None


@cache
def load_game(game: str) -> Game:
    """Return the game with this catalogue id. Cached, because tables need it for every command."""
    return catalogue.load(game)


def game_of(table: Table) -> Game:
    """Return the game of a table."""
    return load_game(table.settings.game)


@cache
def table_rules(game: str) -> TableRules[Any, Any]:
    """Return the `TableRules` of the game with this catalogue id."""
    return catalogue.family(load_game(game).preset.family).table() or SimpleTable()


def read_settings(given: Mapping[str, object]) -> Settings:
    """Validate the settings of a new table, including that the game can be played with them.

    Raises:
        Refused: `bad-command` for malformed or unknown settings, or the code of the rule that refuses the game, its
            options or the number of seats.
    """
    try:
        asked = NEW_TABLES.convert(given)
    except Malformed as error:
        raise refusal_for(error, "settings") from error
    if asked.clock is not None and asked.days:
        raise Refused(
            "bad-option", _("days: a table has either a clock or days for each decision; leave one of them out")
        )
    clock = asked.clock and Clock(asked.clock.turn, asked.clock.bank, asked.clock.ready)
    try:
        game = catalogue.load(asked.game)
        seats = min(6, game.preset.seats[1]) if asked.seats is None else asked.seats
        given = structs.asdict(asked) | {"seats": seats, "clock": clock, "rated": asked.rated or UNSET}
        given["help"] = not asked.rated if asked.help is UNSET else asked.help
        if asked.rated and asked.rounds is None and game.preset.has_winner:
            given["rounds"] = 1  # an unfinished match is completed
        settings = Settings(**given)
        begin_session(game, settings, seats)
        if settings.rated:
            check_settings(game, settings)
    except Refused:
        raise
    except BadSeats as error:
        fewest, most = game.preset.seats
        message = _(
            "settings: seats: {seats}; {game} needs {fewest} to {most}",
            seats=seats,
            game=asked.game,
            fewest=fewest,
            most=most,
        )
        raise Refused(error.code, message) from error
    except LiarsPokerError as error:
        raise Refused(error.code, f"settings: {error}") from error
    return settings


def begin_session(game: Game, settings: Settings, seats: int, losses: tuple[int, ...] = ()) -> Session:
    """Return a new session of a table's game.

    Raises:
        LiarsPokerError: the options, the number of seats or `from_slips` aren't valid for the game.
    """
    options = game.options(dict(settings.options))
    if settings.from_slips is None:
        return game.session(seats, options, losses=losses or None)
    if game.preset.has_winner:
        raise Refused(
            "bad-option", _("from_slips: doesn't apply to {game}, which is a match; leave it out", game=game.preset.id)
        )
    try:
        return game.session(seats, options, settings.from_slips)
    except BadOption as error:  # the options are valid, so it is about `slips`, as records call them
        raise BadOption(f"from_{error}") from error

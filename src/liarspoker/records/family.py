"""Record formats of game families, and functions for the records of all games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from liarspoker.core import catalogue
from liarspoker.core import session as core
from liarspoker.core.errors import UNREADABLE_ACTION, IllegalAction
from liarspoker.core.session import ChanceSpec, Deal, Game
from liarspoker.core.simple import HandDeal, HandDraw, SimpleSession
from liarspoker.language import N_, _
from liarspoker.records.schema import INTEGER, INTEGERS, STRING, STRINGS, Fault, Key, Table, check
from liarspoker.records.words import aligned, printable, with_names

__all__ = [
    "CARRIED",
    "MAX_LISTED_ACTIONS",
    "RecordFormat",
    "Table",
    "chance_spec_of",
    "deal_of",
    "record_format",
    "replay_round",
    "round_tables",
    "sessions_of_round",
]

Session = TypeVar("Session", bound=core.Session)

CARRIED = "x-carried"
"""The key of a round whose stake wasn't agreed, but carried over from an earlier record; for the words of a replay."""

MAX_LISTED_ACTIONS = 200
"""If there are more legal actions, a report doesn't list them."""


class RecordFormat(ABC, Generic[Session]):
    """The family-specific part of reading and writing records."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """Return the additional keys of a record of `game`."""
        return {}

    @abstractmethod
    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """Return the keys of a round other than `actions`.

        Args:
            game: the game.
            record: the record.
        """

    @abstractmethod
    def begin(self, game: Game, record: Table, options: Any) -> Session:
        """Return the session before the first round.

        Args:
            game: the game.
            record: the record, with valid keys.
            options: the game's options.

        Raises:
            BadRecord: keys contradict each other.
            BadStart: a match can't begin with these losses.
            BadDeal: a deal at the top of the record, such as slips, is invalid.
            BadOption: the options don't allow such a deal.
        """

    @abstractmethod
    def deal(self, session: Session, record: Table, table: Table) -> Session:
        """Return the session with the round of `table` dealt.

        Args:
            session: the session before the round.
            record: the record.
            table: the round's table, with valid keys.

        Raises:
            NotNow: the previous round has not ended, or the match is won.
            MissingInformation: the opener is random, and the record doesn't give it.
            BadRound: the opener isn't a seat still in, or the stake is below 1.
            BadOption: an option can't be chosen for a single round.
            BadDeal: the deal is impossible.
        """

    def read_spoken(self, session: Session, text: str) -> int | None:
        """Return the action in a spoken phrase; `None` if `text` isn't one.

        Raises:
            IllegalAction: the phrase is a claim that doesn't exist.
        """
        return None

    def read(self, session: Session, text: str) -> int:
        """Return the action that `text` denotes, in the notation or as a spoken phrase.

        Raises:
            IllegalAction: it is neither, or there is no such claim.
        """
        try:
            return session.read(text)
        except IllegalAction as error:
            action = self.read_spoken(session, text) if error.refusal == UNREADABLE_ACTION else None
            if action is None:
                raise
            return action

    @abstractmethod
    def explain(self, session: Session, text: str, error: IllegalAction) -> str:
        """Return why an action is illegal, in words.

        Args:
            session: the session before the action.
            text: the action as given.
            error: the error that it raised.
        """

    @abstractmethod
    def report(self, session: Session) -> Table:
        """Return the report of the round on the table, as `liarspoker replay --json` prints it."""

    def record_parts(self, session: Session, rounds: int | None = None) -> Table:
        """Return the values of `record_keys` for this session, or for its first `rounds` rounds."""
        return {}

    def as_seen(self, sessions: tuple[Session, ...], seat: int, seen: Any) -> tuple[Session, ...]:
        """Return the sessions of a round with all cards that a seat has seen, beyond those of the record's deal.

        Args:
            sessions: the sessions after the deal and after each action.
            seat: the seat.
            seen: the key `x-seen` of the round.

        Raises:
            BadDeal: it doesn't belong to this round.
        """
        return sessions

    @abstractmethod
    def read_draw(self, parts: Table, seats: int) -> ChanceSpec:
        """Return the draw described by `liarspoker.core.session.ChanceSpec.parts`.

        Args:
            parts: the description.
            seats: the number of seats.

        Raises:
            Fault: `bad-record`, if the description has invalid keys.
            BadDeal: the family has no such draw.
        """

    @abstractmethod
    def describe_round(self, session: Session, players: tuple[str, ...]) -> list[str]:
        """Return the round on the table as lines of text.

        Args:
            session: the session.
            players: the players' names, seat by seat.
        """


def record_format(game: Game) -> RecordFormat[Any]:
    """Return the record format of a game."""
    return catalogue.family(game.preset.family).records() or SIMPLE


def round_tables(session: core.Session) -> list[Table]:
    """Return the rounds of a session as in a record; opener, stake and options only if the table decided them."""
    tables = []
    for played in session.history():
        setup, parts = played.setup, played.deal.parts()
        decided = {
            "opener": setup.opener,
            "stake": setup.stake,
            CARRIED: setup.carried or None,
            "options": dict(setup.options) or None,
        }
        table: Table = {name: value for name, value in decided.items() if value is not None}
        table |= {name: value for name, value in parts.items() if name not in ("slips", "letters")}
        tables.append({**table, "actions": [session.write(action) for _seat, action in played.moves]})
    return tables


def deal_of(session: core.Session) -> Deal:
    """Return the deal of the round on the table, as far as it is known."""
    return session.history(-1)[0].deal


def chance_spec_of(before: core.Session, session: core.Session) -> ChanceSpec:
    """Return the draw of the round on the table of `session`; `before` is the session before this round."""
    return before.chance_spec(session.history(-1)[0].setup.options)


def sessions_of_round(before: core.Session, session: core.Session) -> tuple[core.Session, ...]:
    """Return the sessions after the deal and after each action of the round on the table of `session`.

    Args:
        before: the session before the round.
        session: the session with the round.
    """
    played = session.history(-1)[0]
    found = [before.deal(played.deal, played.setup)]
    for _seat, action in played.moves:
        found.append(found[-1].apply(action))
    return tuple(found)


def replay_round(before: core.Session, session: core.Session, deal: Deal, opener: int | None) -> core.Session:
    """Replay the round on the table of `session` with another deal and opener.

    A hand that is unknown in `session` and had to be shown may be known here, which ends the round earlier.

    Args:
        before: the session before the round.
        session: the session with the round.
        deal: the deal to use.
        opener: the opener to use.

    Raises:
        LiarsPokerError: the moves aren't legal with this deal.
    """
    played = session.history(-1)[0]
    again = before.deal(deal, replace(played.setup, opener=opener))
    for _seat, action in played.moves:
        if again.in_play:
            again = again.apply(action)
    return again


_DRAW = {
    "kind": Key(STRING, required=True),
    "symbols": Key(STRING, required=True),
    "sizes": Key(INTEGERS, required=True),
}
_MAX_DRAWN_SYMBOLS = 100
"""The largest hand in the description of a draw."""

_EXPLANATIONS = {
    "round-over": N_("the round is over"),
    "unreadable-action": N_("it isn't an action of this game"),
    "wrong-phase": N_("it isn't a legal action now"),
    "no-such-claim": N_("there is no such claim"),
    "repeated-claim": N_("it was already claimed"),
    "not-stronger": N_("it does not beat the standing claim"),
}


class SimpleRecords(RecordFormat[SimpleSession]):
    """The record format of simple sessions: hands, actions, and units won or lost."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """Return the key `losses`, for a match."""
        return {"losses": Key(INTEGERS)} if game.preset.has_winner else {}

    def record_parts(self, session: SimpleSession, rounds: int | None = None) -> Table:
        """Return the losses with which the match began, if any."""
        return {"losses": list(session.losses_first)} if any(session.losses_first) else {}

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """Return the keys of a round: the hands, the opener and, unless it is a match, the stake."""
        keys = {"deal": Key(STRINGS, required=True), "opener": Key(INTEGER)}
        return keys if game.preset.has_winner else {**keys, "stake": Key(INTEGER)}

    def begin(self, game: Game, record: Table, options: Any) -> SimpleSession:
        """Return the session before the first round."""
        session = game.session(len(record["players"]), options, losses=record.get("losses"))
        assert isinstance(session, SimpleSession)
        return session

    def deal(self, session: SimpleSession, record: Table, table: Table) -> SimpleSession:
        """Return the session with the round of `table` dealt."""
        return session.deal(HandDeal(tuple(table["deal"])), core.RoundSetup(table.get("opener"), table.get("stake")))

    def explain(self, session: SimpleSession, text: str, error: IllegalAction) -> str:
        """Return why an action is illegal, in words."""
        return _("{action}: {reason}", action=text, reason=_(_EXPLANATIONS.get(error.code, error.code)))

    def report(self, session: SimpleSession) -> Table:
        """Return the report of the round on the table, ended or in play."""
        claim = session.claim
        written = None if claim is None else session.write(claim)
        facts: Table = {"opener": session.opener, **({} if session.has_winner else {"stake": session.stake})}
        if session.in_play:
            legal = {"actions": [session.write(action) for action in session.legal().actions]}
            turn = {"to_act": session.to_act, "phase": session.phase, "legal": legal}
            return {**facts, "claim": written, "claimant": session.claimant, **turn}
        losers = [seat for seat, won in enumerate(session.payoffs()) if won < 0]
        counted = {"losses": list(session.losses)} if session.has_winner else {"units": list(session.units())}
        return {
            **facts,
            "final_claim": written,
            "claimant": session.claimant,
            "challenger": next((seat for seat, action in reversed(session.moves) if action < 0), None),
            "loser": losers[0] if len(losers) == 1 else None,
            **counted,
            "next_opener": None if session.winner is not None else session.next_opener,
        }

    def read_draw(self, parts: Table, seats: int) -> HandDraw:
        """Return the draw described by `parts`."""
        check(parts, _DRAW, "draw")
        draw = HandDraw(parts["symbols"], tuple(parts["sizes"]))
        known = parts["kind"] == "hands" and len(draw.sizes) == seats and draw.symbols
        if not known or not all(0 <= size <= _MAX_DRAWN_SYMBOLS for size in draw.sizes):
            raise Fault("bad-record", _("draw: it isn't a draw of hands"))
        return draw

    def describe_round(self, session: SimpleSession, players: tuple[str, ...]) -> list[str]:
        """Return the round on the table as lines of text."""
        names = tuple(map(printable, players))
        number = len(session.rounds)
        lines = [_("Round {number}", number=number) if session.has_winner else _("Hand {number}", number=number)]
        lines += [f"  {name}  {hand}" for name, hand in zip(aligned(names), session.hands, strict=True) if hand]
        lines += [f"  {names[seat]}: {session.write(action)}" for seat, action in session.moves]
        if session.to_act is not None:
            return [*lines, "  " + _("{name} is to act", name=names[session.to_act])]
        return [*lines, *("  " + with_names(line, names) for line in session.result_text())]


SIMPLE = SimpleRecords()
"""The record format of families without one of their own."""

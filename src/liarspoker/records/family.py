"""What the records of one family of games have of their own, and what is the same in all of them."""

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
from liarspoker.records.shapes import TEXT, TEXTS, WHOLE, WHOLES, Fault, Key, Table, check
from liarspoker.records.words import printable, with_names

__all__ = [
    "MOST_ACTIONS_LISTED",
    "RecordFormat",
    "Table",
    "deal_of",
    "play_again",
    "record_format",
    "redrawn",
    "round_tables",
]

Session = TypeVar("Session", bound=core.Session)

MOST_ACTIONS_LISTED = 200
"""Where more actions are legal, a report does not list them."""


class RecordFormat(ABC, Generic[Session]):
    """The part of reading and writing records that depends on the family of games."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """The keys of a record of `game` beside those that every record has."""
        return {}

    @abstractmethod
    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """The keys of a round, `actions` apart."""

    @abstractmethod
    def begin(self, game: Game, record: Table, options: Any) -> Session:
        """The session before the first round.

        Raises:
            BadRecord: keys that don't go together.
            BadStart: losses with which no match begins.
            BadDeal: what stands above the rounds, such as slips, can't be dealt.
            BadOption: options that don't go with what is dealt.
        """

    @abstractmethod
    def deal(self, session: Session, record: Table, table: Table) -> Session:
        """The session with the round of `table` dealt.

        Raises:
            NotNow: the round before it has not ended, or the match is won.
            NotTold: the record must say who opens.
            BadRound: an opener who is no seat still in, or a stake below 1.
            BadOption: options that can't be named for a round.
            BadDeal: what can't be dealt so.
        """

    def spoken(self, session: Session, text: str) -> int | None:
        """The action that `text` says in the words of the table; `None` if it says none.

        Raises:
            IllegalAction: it says a claim that does not exist.
        """
        return None

    def read(self, session: Session, text: str) -> int:
        """The action that `text` writes: notation first, then words.

        Raises:
            IllegalAction: it is neither, or there is no such claim.
        """
        try:
            return session.read(text)
        except IllegalAction as error:
            action = self.spoken(session, text) if error.refusal == UNREADABLE_ACTION else None
            if action is None:
                raise
            return action

    @abstractmethod
    def explain(self, session: Session, text: str, error: IllegalAction) -> str:
        """Why the action is refused, in words, with the remedy."""

    @abstractmethod
    def report(self, session: Session) -> Table:
        """The round on the table, ended or in play, as `replay --json` has it."""

    def record_parts(self, session: Session, rounds: int | None = None) -> Table:
        """The keys of `record_keys` that write down this session, or its first `rounds` rounds."""
        return {}

    @abstractmethod
    def read_draw(self, parts: Table, seats: int) -> ChanceSpec:
        """What a round draws, from its `ChanceSpec.parts`.

        Raises:
            Fault: `bad-record`: they haven't the form of such parts.
            BadDeal: the family draws no such thing.
        """

    @abstractmethod
    def tell_round(self, session: Session, players: tuple[str, ...]) -> list[str]:
        """The round on the table in words, line by line."""


def record_format(game: Game) -> RecordFormat[Any]:
    """How rounds of `game` are written."""
    return catalogue.family(game.row.family).records() or SIMPLE


def round_tables(session: core.Session) -> list[Table]:
    """The rounds of a session as a record writes them; opener, stake and options only where the table decided them."""
    tables = []
    for played in session.history():
        setup, parts = played.setup, played.deal.parts()
        decided = {"opener": setup.opener, "stake": setup.stake, "options": dict(setup.options) or None}
        table: Table = {name: value for name, value in decided.items() if value is not None}
        table |= {name: value for name, value in parts.items() if name not in ("slips", "letters")}
        tables.append({**table, "actions": [session.write(action) for _, action in played.moves]})
    return tables


def deal_of(session: core.Session) -> Deal:
    """What was dealt for the round on the table, as far as it is known."""
    return session.history(-1)[0].deal


def redrawn(before: core.Session, session: core.Session) -> ChanceSpec:
    """What the round on the table of `session` drew, where the session before it was `before`."""
    return before.chance_spec(session.history(-1)[0].setup.options)


def play_again(before: core.Session, session: core.Session, deal: Deal, opener: int | None) -> core.Session:
    """The round on the table of `session` once more, move for move, but from `before` with this deal and opener.

    A hand that had to be shown in `session`, since its record does not tell it, may be known here and shown no more.

    Raises:
        LiarsPokerError: it can't be played so.
    """
    played = session.history(-1)[0]
    again = before.deal(deal, replace(played.setup, opener=opener))
    for _, action in played.moves:
        if again.in_play:
            again = again.apply(action)
    return again


_DRAW = {
    "kind": Key(TEXT, required=True),
    "symbols": Key(TEXT, required=True),
    "sizes": Key(WHOLES, required=True),
}
_LARGEST_HAND = 100
"""Symbols of the largest hand that is drawn from a description."""

_REMEDIES = {
    "round-over": "the round is over",
    "unreadable-action": "it isn't an action of this game",
    "wrong-phase": "it can't be done now",
    "no-such-claim": "there is no such claim",
    "repeated-claim": "it was claimed before",
    "not-stronger": "it does not beat the standing claim",
}


class SimpleRecords(RecordFormat[SimpleSession]):
    """The records of families that have none of their own: hands, actions, and units won or lost."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """`losses`, with which a match may begin."""
        return {"losses": Key(WHOLES)} if game.row.has_winner else {}

    def record_parts(self, session: SimpleSession, rounds: int | None = None) -> Table:
        """The losses with which the match began, if there were any."""
        return {"losses": list(session.losses_first)} if any(session.losses_first) else {}

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """The hands, and the opener and the stake where the table decides them."""
        keys = {"deal": Key(TEXTS, required=True), "opener": Key(WHOLE)}
        return keys if game.row.has_winner else {**keys, "stake": Key(WHOLE)}

    def begin(self, game: Game, record: Table, options: Any) -> SimpleSession:
        """The session before the first round."""
        session = game.session(len(record["players"]), options, losses=record.get("losses"))
        assert isinstance(session, SimpleSession)
        return session

    def deal(self, session: SimpleSession, record: Table, table: Table) -> SimpleSession:
        """The session with the round of `table` dealt."""
        return session.deal(HandDeal(tuple(table["deal"])), core.RoundSetup(table.get("opener"), table.get("stake")))

    def explain(self, session: SimpleSession, text: str, error: IllegalAction) -> str:
        """Why the action is refused, in words."""
        return f"{text}: {_REMEDIES.get(error.code, error.code)}"

    def report(self, session: SimpleSession) -> Table:
        """The round on the table: who claimed what; then who answered and what it cost, or what is legal."""
        claim = session.claim
        written = None if claim is None else session.write(claim)
        told: Table = {"opener": session.opener, **({} if session.has_winner else {"stake": session.stake})}
        if session.in_play:
            legal = {"actions": [session.write(action) for action in session.legal().actions]}
            turn = {"to_act": session.to_act, "phase": session.phase, "legal": legal}
            return {**told, "claim": written, "claimant": session.claimant, **turn}
        losers = [seat for seat, won in enumerate(session.won()) if won < 0]
        counted = {"losses": list(session.losses)} if session.has_winner else {"units": list(session.units())}
        return {
            **told,
            "final_claim": written,
            "claimant": session.claimant,
            "challenger": next((seat for seat, action in reversed(session.moves) if action < 0), None),
            "loser": losers[0] if len(losers) == 1 else None,
            **counted,
            "next_opener": None if session.winner is not None else session.next_opener,
        }

    def read_draw(self, parts: Table, seats: int) -> HandDraw:
        """What a round draws, from its parts."""
        check(parts, _DRAW, "draw")
        draw = HandDraw(parts["symbols"], tuple(parts["sizes"]))
        known = parts["kind"] == "hands" and len(draw.sizes) == seats and draw.symbols
        if not known or not all(0 <= size <= _LARGEST_HAND for size in draw.sizes):
            raise Fault("bad-record", "draw: it isn't what a game of hands draws")
        return draw

    def tell_round(self, session: SimpleSession, players: tuple[str, ...]) -> list[str]:
        """The round on the table in words, line by line."""
        names = tuple(map(printable, players))
        width = max(map(len, names))
        lines = [f"{session.round_word.capitalize()} {len(session.rounds)}"]
        lines += [f"  {name:<{width}}  {hand}" for name, hand in zip(names, session.hands, strict=True) if hand]
        lines += [f"  {names[seat]}: {session.write(action)}" for seat, action in session.moves]
        if session.to_act is not None:
            return [*lines, f"  {names[session.to_act]} is to act"]
        return [*lines, *("  " + with_names(line, names) for line in session.result_text())]


SIMPLE = SimpleRecords()

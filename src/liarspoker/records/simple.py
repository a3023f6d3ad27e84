"""The records of families that have no `RecordFormat` of their own: hands, actions, and units won or lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Game, RoundSetup
from liarspoker.core.simple import HIDDEN, HandDeal, HandDraw, SimpleSession
from liarspoker.records.faults import Fault
from liarspoker.records.shapes import TEXT, TEXTS, WHOLE, WHOLES, Key, Table, check
from liarspoker.records.words import printable

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


class SimpleRecords:
    """Records of a `SimpleSession`; see `RecordFormat`."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """None beside those that every record has."""
        return {}

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """The hands, and the opener and the stake where the table decides them."""
        return {"deal": Key(TEXTS, required=True), "opener": Key(WHOLE), "stake": Key(WHOLE)}

    def begin(self, game: Game, record: Table, options: Any) -> SimpleSession:
        """The session before the first round."""
        session = game.session(len(record["players"]), options)
        assert isinstance(session, SimpleSession)
        return session

    def deal(self, session: SimpleSession, record: Table, table: Table) -> SimpleSession:
        """The session with the round of `table` dealt."""
        return session.deal(HandDeal(tuple(table["deal"])), RoundSetup(table.get("opener"), table.get("stake")))

    def check_round(self, session: SimpleSession) -> None:
        """Nothing is left to check after the actions."""

    def read(self, session: SimpleSession, text: str) -> int:
        """The action that `text` writes."""
        return session.read(text)

    def explain(self, session: SimpleSession, text: str, error: IllegalAction) -> str:
        """Why the action is refused, in words."""
        return f"{text}: {_REMEDIES.get(error.code, error.code)}"

    def finished(self, session: SimpleSession) -> Table:
        """The ended round: who claimed what, who answered, and what it cost."""
        claim = session.claim
        units = session.units()
        losers = [seat for seat, won in enumerate(units) if won < 0]
        return {
            "opener": session.opener,
            "stake": session.stake,
            "final_claim": None if claim is None else session.write(claim),
            "claimant": session.claimant,
            "challenger": next((seat for seat, action in reversed(session.moves) if action < 0), None),
            "loser": losers[0] if len(losers) == 1 else None,
            "units": list(units),
            "next_opener": session.next_opener,
        }

    def unfinished(self, session: SimpleSession) -> Table:
        """The round in play: who is to act, and what is legal."""
        claim = session.claim
        return {
            "opener": session.opener,
            "stake": session.stake,
            "claim": None if claim is None else session.write(claim),
            "claimant": session.claimant,
            "to_act": session.to_act,
            "phase": session.phase,
            "legal": {"actions": [session.write(action) for action in session.legal().actions]},
        }

    def outcome(self, session: SimpleSession) -> Table:
        """The score, and in a match its winner."""
        return {"score": list(session.score), **({"winner": session.winner} if session.has_winner else {})}

    def record_parts(self, session: SimpleSession, rounds: int | None = None) -> Table:
        """Nothing."""
        return {}

    def round_parts(self, session: SimpleSession) -> list[Table]:
        """The rounds, as a record writes them."""
        return [
            {
                **({} if one.setup.opener is None else {"opener": one.setup.opener}),
                **({} if one.setup.stake is None else {"stake": one.setup.stake}),
                **self.deal_parts(one.deal),
                "actions": [session.write(action) for _, action in one.moves],
            }
            for one in session.rounds
        ]

    def draw_parts(self, needs: HandDraw) -> Table:
        """The symbols, and how many of them each seat draws."""
        return {"kind": "hands", "symbols": needs.symbols, "sizes": list(needs.sizes)}

    def read_draw(self, parts: Table, seats: int) -> HandDraw:
        """What `draw_parts` wrote.

        Raises:
            Fault: `bad-record`: it hasn't the form of `draw_parts`.
        """
        check(parts, _DRAW, "draw")
        draw = HandDraw(parts["symbols"], tuple(parts["sizes"]))
        known = parts["kind"] == "hands" and len(draw.sizes) == seats and draw.symbols
        if not known or not all(0 <= size <= _LARGEST_HAND for size in draw.sizes):
            raise Fault("bad-record", "draw: it isn't what a game of hands draws")
        return draw

    def deal_parts(self, deal: HandDeal) -> Table:
        """The hands."""
        return {"deal": list(deal.hands)}

    def deal_of(self, session: SimpleSession) -> HandDeal:
        """What was dealt for the round on the table."""
        return session.rounds[-1].deal

    def needs_again(self, before: SimpleSession, session: SimpleSession) -> HandDraw:
        """What the round on the table drew."""
        return before.chance_spec()

    def play_again(
        self, before: SimpleSession, session: SimpleSession, deal: HandDeal, opener: int | None
    ) -> SimpleSession:
        """The round on the table once more, from `before` with this deal and opener."""
        again = before.deal(deal, replace(session.rounds[-1].setup, opener=opener))
        for _, action in session.moves:
            again = again.apply(action)
        return again

    def all_known(self, session: SimpleSession) -> bool:
        """Whether no symbol of the round in play is hidden."""
        return not session.in_play or not any(HIDDEN in hand for hand in session.hands)

    def tell_round(self, session: SimpleSession, players: tuple[str, ...]) -> list[str]:
        """The round on the table, line by line."""
        names = tuple(map(printable, players))
        assert session.rounds
        width = max(map(len, names))
        lines = [f"{session.round_word.capitalize()} {len(session.rounds)}"]
        lines += [f"  {name:<{width}}  {hand}" for name, hand in zip(names, session.hands, strict=True) if hand]
        lines += [f"  {names[seat]}: {session.write(action)}" for seat, action in session.moves]
        if session.to_act is not None:
            return [*lines, f"  {names[session.to_act]} is to act"]
        return [*lines, *("  " + line.format(*names) for line in session.result_text())]

    def tell_outcome(self, session: SimpleSession, players: tuple[str, ...]) -> str:
        """The winner of a match, or the score."""
        names = tuple(map(printable, players))
        if session.winner is not None:
            return f"{names[session.winner]} has won"
        return "Score: " + ", ".join(f"{name} {units:+d}" for name, units in zip(names, session.score, strict=True))

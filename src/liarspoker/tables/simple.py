"""Live tables of families that have no `TableRules` of their own."""

from __future__ import annotations

from liarspoker.core.simple import SimpleSession, SimpleView
from liarspoker.protocol.simple import SimpleHand, SimpleLegal, SimpleRound
from liarspoker.records.family import SIMPLE, Table, round_tables


class SimpleTable:
    """Live tables of a `SimpleSession`; see `TableRules`."""

    def recorded(self, session: SimpleSession, seat: int | None, shown: frozenset[int]) -> Table:
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

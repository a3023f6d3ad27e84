"""Variants of a table with the same view for one user but different hidden information."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from liarspoker.core.cards.deck import JOKER
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin.actions import cards_of, discard_of, is_discard
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.tables.settings import ShownHands
from liarspoker.tables.state import ReadyPhase, Sitting, Table

Cards = tuple[int, ...]


def vary_hidden_state(table: Table, user: str | None, chance: Random) -> Table:
    """Return a variant of the table that `user` can't distinguish from it."""
    return table._replace(
        ready_phase=None if table.ready_phase is None else _ready_phase(table.ready_phase, chance),
        sitting=_sitting(table.sitting, user, chance),
        delayed_sitting=_sitting(table.delayed_sitting, user, chance),
        closed=tuple(
            replace(one, session=vary_session(one.session, one.seat_of(user), chance, one.shown))
            for one in table.closed
        ),
        deals=tuple(replace(deal, seed=chance.randbytes(32)) for deal in table.deals),
    )


def _ready_phase(ready_phase: ReadyPhase, chance: Random) -> ReadyPhase:
    picks = list(ready_phase.picks.values())
    chance.shuffle(picks)
    return replace(
        ready_phase,
        seed=chance.randbytes(32),
        nonces={user: chance.randbytes(16).hex() for user in ready_phase.nonces},
        picks=dict(zip(ready_phase.picks, picks, strict=True)),
    )


def _sitting(sitting: Sitting | None, user: str | None, chance: Random) -> Sitting | None:
    if sitting is None:
        return None
    seat = sitting.seat_of(user)
    before = None if sitting.before is None else vary_session(sitting.before, seat, chance, sitting.shown)
    return replace(sitting, session=vary_session(sitting.session, seat, chance, sitting.shown), before=before)


def vary_session(session: Any, seat: int | None, chance: Random, shown: ShownHands) -> Any:
    """Return a variant of the session that `seat` can't distinguish from it; `shown` are hands shown afterwards."""
    if isinstance(session, DigitSession):
        return _digits(session, seat, chance, shown)
    if isinstance(session, QueenAnnesSession):
        return _pooled(session, seat, chance)
    return _passed(session, seat, chance, shown)


def _digits(session: DigitSession, seat: int | None, chance: Random, shown: ShownHands) -> DigitSession:
    def number(length: int) -> str:
        return "".join(chance.choices("0123456789", k=length))

    def changed(hand: DigitRound, counted: bool) -> DigitRound:
        full = session.setup.options.reveal == "full"
        numbers = (
            one if owner == seat or (counted and (full or (hand.terms.hand, owner) in shown)) else number(len(one))
            for owner, one in enumerate(hand.numbers)
        )
        return replace(hand, numbers=tuple(numbers))

    public = {hand.terms.row for hand, _ in session.ledger.hands if session.setup.options.reveal != "counts"}
    slips = tuple(
        rows if owner == seat or public else tuple(number(len(row)) for row in rows)
        for owner, rows in enumerate(session.ledger.slips)
    )
    hands = tuple((changed(hand, counted=True), result) for hand, result in session.ledger.hands)
    on_table = None if session.round is None else changed(session.round, counted=not session.in_play)
    return replace(session, ledger=replace(session.ledger, slips=slips, hands=hands), round=on_table)


def _pooled(session: QueenAnnesSession, seat: int | None, chance: Random) -> QueenAnnesSession:
    dealt = session.round
    if dealt is None:
        return session
    plays = seat is not None and bool(dealt.hands[seat])  # eliminated players see only cards that lie face up
    seen = [plays and (owner == seat) != bool(dealt.rules.blind) for owner in range(session.seats)]
    seen = seen if session.in_play else [True] * session.seats
    known = [not session.in_play or card.face_up or (plays and card.seat == seat) for card in dealt.drawn]
    hands = [(owner, place) for owner, hand in enumerate(dealt.hands) for place in range(len(hand)) if not seen[owner]]
    deck = [place for place in range(len(dealt.deck)) if place >= len(known) or not known[place]]
    cards = [dealt.hands[owner][place] for owner, place in hands] + [dealt.deck[place] for place in deck]
    chance.shuffle(cards)
    new_hands, new_deck = [list(hand) for hand in dealt.hands], list(dealt.deck)
    for owner, place in hands:
        new_hands[owner][place] = cards.pop()
    for place in deck:
        new_deck[place] = cards.pop()
    later = replace(dealt, hands=tuple(map(tuple, new_hands)), deck=tuple(new_deck))
    return replace(session, round=later)


def _passed(session: ThorinSession, seat: int | None, chance: Random, shown: ShownHands) -> ThorinSession:
    def shown_cards(number: int, dealt: ThorinRound, result: ThorinRoundResult) -> Cards:
        return dealt.hand if (number, dealt.state.active) in shown else result.hand or ()

    rounds = tuple(
        (_relabelled(dealt, seat, chance, shown_cards(number, dealt, result)), result)
        for number, (dealt, result) in enumerate(session.rounds)
    )
    if session.round is None:
        return session
    on_table = _relabelled(session.round, seat, chance) if session.in_play else rounds[-1][0]
    return replace(session, rounds=rounds, round=on_table)


def _relabelled(dealt: ThorinRound, seat: int | None, chance: Random, shown: Cards | None = None) -> ThorinRound:
    """Return the round with all cards permuted that `seat` hasn't seen in it; `shown` is `None` before its end."""
    own = [stint for stint in dealt.stints if stint.seat == seat]
    seen = {card for stint in own for card in (*stint.taken, *stint.discarded, *stint.drawn)}
    seen |= set(shown or ())
    seen |= set(dealt.hand) if shown is None and dealt.state.active == seat else set()
    free = [card for card in range(JOKER) if card not in seen]
    name = dict(zip(free, chance.sample(free, len(free)), strict=True))

    def cards(old: Cards) -> Cards:
        return tuple(name.get(card, card) for card in old)

    stock = dealt.stock
    assert stock.deck is not None
    return replace(
        dealt,
        hand=cards(dealt.hand),
        stock=replace(stock, deck=cards(stock.deck), discards=cards(stock.discards), seed=chance.randbytes(32)),
        stints=tuple(
            one._replace(taken=cards(one.taken), discarded=cards(one.discarded), drawn=cards(one.drawn))
            for one in dealt.stints
        ),
        moves=tuple(
            (by, discard_of(cards(cards_of(action))) if is_discard(action) else action) for by, action in dealt.moves
        ),
    )

"""The same table as far as one user can tell, with everything else in it changed."""

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
from liarspoker.tables.state import Gathering, Sitting, Table

Cards = tuple[int, ...]


def other_world(table: Table, user: str | None, chance: Random) -> Table:
    """What the table might just as well be, for all that `user` can know."""
    return table._replace(
        gathering=None if table.gathering is None else _gathering(table.gathering, chance),
        sitting=_sitting(table.sitting, user, chance),
        shown=_sitting(table.shown, user, chance),
        closed=tuple(
            replace(one, session=other_session(one.session, one.seat_of(user), chance, one.shown))
            for one in table.closed
        ),
        deals=tuple(replace(deal, seed=chance.randbytes(32)) for deal in table.deals),
    )


def _gathering(gathering: Gathering, chance: Random) -> Gathering:
    picks = list(gathering.picks.values())
    chance.shuffle(picks)
    return replace(
        gathering,
        seed=chance.randbytes(32),
        nonces={user: chance.randbytes(16).hex() for user in gathering.nonces},
        picks=dict(zip(gathering.picks, picks, strict=True)),
    )


def _sitting(sitting: Sitting | None, user: str | None, chance: Random) -> Sitting | None:
    if sitting is None:
        return None
    seat = sitting.seat_of(user)
    before = None if sitting.before is None else other_session(sitting.before, seat, chance, sitting.shown)
    return replace(sitting, session=other_session(sitting.session, seat, chance, sitting.shown), before=before)


def other_session(session: Any, seat: int | None, chance: Random, shown: frozenset[int]) -> Any:
    """The session as it might just as well be, for all that `seat` can know; `shown` are hands shown on request."""
    if isinstance(session, DigitSession):
        return _digits(session, seat, chance, shown)
    return _pooled(session, seat, chance) if isinstance(session, QueenAnnesSession) else _passed(session, seat, chance)


def _digits(session: DigitSession, seat: int | None, chance: Random, shown: frozenset[int]) -> DigitSession:
    def number(length: int) -> str:
        return "".join(chance.choices("0123456789", k=length))

    def changed(hand: DigitRound, counted: bool) -> DigitRound:
        reveal = session.setup.options.reveal
        if counted and (reveal == "full" or (reveal == "on_request" and hand.terms.hand in shown)):
            return hand
        numbers = (one if owner == seat else number(len(one)) for owner, one in enumerate(hand.numbers))
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
    plays = seat is not None and bool(dealt.hands[seat])  # who is out sees what lies face up
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


def _passed(session: ThorinSession, seat: int | None, chance: Random) -> ThorinSession:
    rounds = tuple((_relabelled(dealt, seat, chance, result), result) for dealt, result in session.rounds)
    if session.round is None:
        return session
    on_table = _relabelled(session.round, seat, chance) if session.in_play else rounds[-1][0]
    return replace(session, rounds=rounds, round=on_table)


def _relabelled(
    dealt: ThorinRound, seat: int | None, chance: Random, result: ThorinRoundResult | None = None
) -> ThorinRound:
    """The round with all cards exchanged that `seat` has not seen in it."""
    own = [stint for stint in dealt.stints if stint.seat == seat]
    seen = {card for stint in own for card in (*stint.taken, *stint.thrown, *stint.drawn)}
    seen |= set(result.hand or ()) if result is not None else set()
    seen |= set(dealt.hand) if result is None and dealt.standing.active == seat else set()
    free = [card for card in range(JOKER) if card not in seen]
    name = dict(zip(free, chance.sample(free, len(free)), strict=True))

    def cards(old: Cards) -> Cards:
        return tuple(name.get(card, card) for card in old)

    stock = dealt.stock
    assert stock.deck is not None
    return replace(
        dealt,
        hand=cards(dealt.hand),
        stock=replace(stock, deck=cards(stock.deck), thrown=cards(stock.thrown), seed=chance.randbytes(32)),
        stints=tuple(
            one._replace(taken=cards(one.taken), thrown=cards(one.thrown), drawn=cards(one.drawn))
            for one in dealt.stints
        ),
        moves=tuple(
            (by, discard_of(cards(cards_of(action))) if is_discard(action) else action) for by, action in dealt.moves
        ),
    )

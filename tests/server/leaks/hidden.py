"""What is hidden from whom: a second opinion, which asks no view and reads the hands themselves.

Numbers and slips are their owner's until a count shows them, as `reveal` says; cards are whose the rules of the game
say until the challenge. What is not listed as known here, nobody may be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.tables.state import Sitting, Table
from liarspoker.tables.view import watches_behind
from tests.inside import inside

Cards = frozenset[int]

NO_CARDS: Cards = frozenset()


def plays_digits(table: Table) -> bool:
    """Whether numbers are dealt here, not cards."""
    return catalogue.row(table.settings.game).family == "digits"


def sittings(table: Table) -> tuple[Sitting, ...]:
    """Every sitting of the table, the one that has not finished a round too."""
    held = [*table.closed, *([table.sitting] if table.sitting is not None else [])]
    return tuple(one for number, one in enumerate(held) if one not in held[:number])


def hidden_numbers(table: Table, user: str | None) -> set[str]:
    """Every number that was dealt and that `user` may not know yet, or never."""
    known: set[str] = set()
    dealt: set[str] = set()
    for sitting in sittings(table):
        for seat, numbers in enumerate(_numbers(sitting)):
            dealt.update(numbers)
            if sitting.users[seat] == user:
                known.update(numbers)
            known.update(_shown_numbers(sitting, seat))
    return dealt - known


def _numbers(sitting: Sitting) -> list[list[str]]:
    """All numbers that each seat has had or has on its slips."""
    session = inside(sitting.session)
    hands = [hand for hand, _ in session.ledger.hands] + ([session.round] if session.in_play else [])
    slips = session.ledger.slips or ((),) * session.seats
    return [[*slips[seat], *(hand.numbers[seat] for hand in hands)] for seat in range(session.seats)]


def _shown_numbers(sitting: Sitting, seat: int) -> Iterator[str]:
    """The numbers of a seat that counts have shown to everybody."""
    session = inside(sitting.session)
    for number, (hand, _) in enumerate(session.ledger.hands):
        match session.setup.options.reveal:
            case "full":
                yield hand.numbers[seat]
            case "on_request" if number in sitting.shown:
                yield hand.numbers[seat]


def known_cards(table: Table, user: str | None) -> Cards:
    """The cards that `user` may be told of the round that he is shown."""
    sitting = table.shown if watches_behind(table, user) else table.sitting
    if sitting is None:
        return NO_CARDS
    session, seat = inside(sitting.session), sitting.seat_of(user)
    if session.in_play:
        return _pooled_in_play(session.round, seat) if _is_pooled(session) else _passed_seen(session.round, seat)
    if not session.rounds:
        return NO_CARDS
    return known_of_round(sitting, len(session.rounds) - 1, user)


def known_of_round(sitting: Sitting, number: int, user: str | None) -> Cards:
    """The cards that `user` may be told of a round that is over."""
    dealt, result = inside(sitting.session).rounds[number]
    if _is_pooled(sitting.session):
        came = dealt.deck[: dealt.standing.drawn]
        return frozenset(card for hand in dealt.hands for card in hand) | frozenset(came)
    return _passed_seen(dealt, sitting.seat_of(user)) | frozenset(result.hand or ())


def _is_pooled(session: Any) -> bool:
    return catalogue.row(session.setup.preset.id).family == "queen_annes"


def _pooled_in_play(dealt: Any, seat: int | None) -> Cards:
    """Face up for all; of what lies face down one's own, or where players are blind the hands of all others."""
    seen = {card for drawn, card in zip(dealt.drawn, dealt.deck, strict=False) if drawn.face_up}
    if seat is None or not dealt.hands[seat]:
        return frozenset(seen)
    own = {card for drawn, card in zip(dealt.drawn, dealt.deck, strict=False) if drawn.seat == seat}
    hands = [hand for owner, hand in enumerate(dealt.hands) if (owner == seat) != bool(dealt.rules.blind)]
    return frozenset(seen | own | {card for hand in hands for card in hand})


def _passed_seen(dealt: Any, seat: int | None) -> Cards:
    """What one has held, thrown and drawn in this round."""
    stints = [stint for stint in dealt.stints if stint.seat == seat]
    return frozenset(card for stint in stints for card in (*stint.taken, *stint.thrown, *stint.drawn))


def hidden_hands(table: Table, user: str | None) -> set[tuple[int, ...]]:
    """Every hand of cards in play that `user` may not know whole, and the cards that come next off the deck."""
    sitting = table.sitting
    if sitting is None or inside(sitting.session).round is None:
        return set()
    dealt, known = inside(sitting.session).round, known_cards(table, user)
    hands = [*dealt.hands, dealt.deck] if _is_pooled(sitting.session) else [dealt.hand, dealt.stock.deck]
    hands += [] if _is_pooled(sitting.session) else [stint.taken for stint in dealt.stints]
    return {hand for hand in hands if hand and UNKNOWN not in hand and not known.issuperset(hand)}

"""An independent definition of what is hidden from each user, computed from the hands without using views.

Only their owner knows numbers and slips, until a count reveals them according to the option `reveal`. Cards are hidden
according to the game's rules until the challenge. Everything that isn't listed here as known must stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.tables.state import Sitting, Table
from liarspoker.tables.view import watches_behind
from tests.untyped import untyped

Cards = frozenset[int]

NO_CARDS: Cards = frozenset()


def plays_digits(table: Table) -> bool:
    """Whether numbers are dealt at the table, not cards."""
    return catalogue.preset(table.settings.game).family == "digits"


def sittings(table: Table) -> tuple[Sitting, ...]:
    """Return every sitting of the table, including one without a finished round."""
    held = [*table.closed, *([table.sitting] if table.sitting is not None else [])]
    return tuple(one for number, one in enumerate(held) if one not in held[:number])


def hidden_numbers(table: Table, user: str | None) -> set[str]:
    """Return every number that was dealt and that `user` may not know."""
    dealt = {number for sitting in sittings(table) for numbers in _numbers(sitting) for number in numbers}
    return dealt - known_numbers(table, user)


def known_numbers(table: Table, user: str | None) -> set[str]:
    """Return every number that was dealt and that `user` may know."""
    known: set[str] = set()
    for sitting in sittings(table):
        for seat, numbers in enumerate(_numbers(sitting)):
            if sitting.users[seat] == user:
                known.update(numbers)
            known.update(_shown_numbers(sitting, seat))
    return known


def _numbers(sitting: Sitting) -> list[list[str]]:
    """Return all numbers that each seat has held or has on its slips."""
    session = untyped(sitting.session)
    hands = [hand for hand, _ in session.ledger.hands] + ([session.round] if session.in_play else [])
    slips = session.ledger.slips or ((),) * session.seats
    return [[*slips[seat], *(hand.numbers[seat] for hand in hands)] for seat in range(session.seats)]


def _shown_numbers(sitting: Sitting, seat: int) -> Iterator[str]:
    """Yield the numbers of a seat that were shown to everyone."""
    session = untyped(sitting.session)
    for number, (hand, _) in enumerate(session.ledger.hands):
        if session.setup.options.reveal == "full" or (number, seat) in sitting.shown:
            yield hand.numbers[seat]


def known_cards(table: Table, user: str | None) -> Cards:
    """Return the cards that `user` may know of the round they see."""
    sitting = table.delayed_sitting if watches_behind(table, user) else table.sitting
    if sitting is None:
        return NO_CARDS
    session, seat = untyped(sitting.session), sitting.seat_of(user)
    if session.in_play:
        return _pooled_in_play(session.round, seat) if _is_pooled(session) else _passed_seen(session.round, seat)
    if not session.rounds:
        return NO_CARDS
    return known_of_round(sitting, len(session.rounds) - 1, user)


def known_of_round(sitting: Sitting, number: int, user: str | None) -> Cards:
    """Return the cards that `user` may know of a finished round."""
    dealt, result = untyped(sitting.session).rounds[number]
    if _is_pooled(sitting.session):
        came = dealt.deck[: dealt.state.drawn]
        return frozenset(card for hand in dealt.hands for card in hand) | frozenset(came)
    shown = dealt.hand if (number, dealt.state.active) in sitting.shown else result.hand or ()
    return _passed_seen(dealt, sitting.seat_of(user)) | frozenset(shown)


def _is_pooled(session: Any) -> bool:
    return catalogue.preset(session.setup.preset.id).family == "queen_annes"


def _pooled_in_play(dealt: Any, seat: int | None) -> Cards:
    """Return the cards a seat can see: face-up ones, and its own face-down ones or, in blind games, all others."""
    seen = {card for drawn, card in zip(dealt.drawn, dealt.deck, strict=False) if drawn.face_up}
    if seat is None or not dealt.hands[seat]:
        return frozenset(seen)
    own = {card for drawn, card in zip(dealt.drawn, dealt.deck, strict=False) if drawn.seat == seat}
    hands = [hand for owner, hand in enumerate(dealt.hands) if (owner == seat) != bool(dealt.rules.blind)]
    return frozenset(seen | own | {card for hand in hands for card in hand})


def _passed_seen(dealt: Any, seat: int | None) -> Cards:
    """Return the cards that a seat has held, discarded or drawn in this round."""
    stints = [stint for stint in dealt.stints if stint.seat == seat]
    return frozenset(card for stint in stints for card in (*stint.taken, *stint.discarded, *stint.drawn))


def hidden_hands(table: Table, user: str | None) -> set[tuple[int, ...]]:
    """Return hands that `user` may not know completely, and the undealt deck."""
    sitting = table.sitting
    if sitting is None or untyped(sitting.session).round is None:
        return set()
    dealt, known = untyped(sitting.session).round, known_cards(table, user)
    hands = [*dealt.hands, dealt.deck] if _is_pooled(sitting.session) else [dealt.hand, dealt.stock.deck]
    hands += [] if _is_pooled(sitting.session) else [stint.taken for stint in dealt.stints]
    return {hand for hand in hands if hand and UNKNOWN not in hand and not known.issuperset(hand)}

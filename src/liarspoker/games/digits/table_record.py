"""The finished hands of a digit game as one seat, or nobody in particular, may know them, for a record."""

from __future__ import annotations

from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.record import RECORDS
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.slips import HANDS_PER_SLIP, ROWS, rows_needed
from liarspoker.records.family import round_tables
from liarspoker.tables.settings import Json


def recorded(session: DigitSession, seat: int | None, shown: frozenset[int]) -> Json:
    """The keys of a record that hold what was dealt and done.

    Slips whose numbers a count leaves hidden cannot be written as slips, for their last digits choose the next row;
    their hands are written as bills.

    Args:
        session: at any moment; a hand in play is left out.
        seat: who is told.
        shown: hands, from 0, whose numbers somebody has asked to see.
    """
    hands = session.ledger.hands
    rounds = round_tables(session)[: len(hands)]
    public = [_is_public(session, number, shown) for number in range(len(hands))]
    if session.setup.from_slips and all(public):
        return {"slips": _slips(session, seat), "rounds": rounds}
    for table, (hand, result), open_to_all in zip(rounds, hands, public, strict=True):
        numbers = hand.numbers if open_to_all else _only(seat, hand.numbers)
        table |= {"deal": list(numbers)}
        if any(HIDDEN in number for number in numbers):
            table |= {"counts": list(result.counts)}
    return {**({} if session.setup.from_slips else RECORDS.record_parts(session)), "rounds": rounds}


def _is_public(session: DigitSession, hand: int, shown: frozenset[int]) -> bool:
    reveal = session.setup.options.reveal
    return reveal == "full" or (reveal == "on_request" and hand in shown)


def _only(seat: int | None, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """The numbers as the owner of one of them knows them."""
    return tuple(number if owner == seat else HIDDEN * len(number) for owner, number in enumerate(numbers))


def _slips(session: DigitSession, seat: int | None) -> list[list[str]]:
    """All slips of which a hand has been counted: one's own, and of the others the rows that were played."""
    hands = session.ledger.hands
    played = {hand.terms.hand // HANDS_PER_SLIP * ROWS + (hand.terms.row or 0) for hand, _ in hands}
    rows = range(rows_needed(len(hands)))
    return [
        [numbers[row] if owner == seat or row in played else HIDDEN * len(numbers[row]) for row in rows]
        for owner, numbers in enumerate(session.ledger.slips)
    ]

"""What the digit games draw and deal, as a record or an audit writes it, and a hand of a record played again."""

from __future__ import annotations

from liarspoker.core.errors import BadDeal
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitChance, DigitDeal
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.slips import HANDS_PER_SLIP, ROWS
from liarspoker.records.shapes import ON_OFF, TEXT, WHOLE, Key, Table, check

LONGEST = 100
"""Digits of the longest number that is drawn from a description."""

_KIND = {"kind": Key(TEXT, required=True)}
_KEYS = {
    **_KIND,
    "hand_size": Key(WHOLE, required=True),
    "digits": Key(TEXT, required=True),
    "letters": Key(ON_OFF, required=True),
    "redraw": Key(ON_OFF, required=True),
}


def draw_parts(needs: DigitChance) -> Table:
    """What the next hand draws: numbers, slips, or nothing where a slip goes on."""
    kind = "numbers" if needs.numbers else "slips" if needs.slips else "nothing"
    if kind == "nothing":
        return {"kind": kind}
    return {
        "kind": kind,
        "hand_size": needs.hand_size,
        "digits": needs.digits,
        "letters": needs.letters,
        "redraw": needs.letters and needs.redraw,
    }


def read_draw(parts: Table, seats: int) -> DigitChance:
    """What `draw_parts` wrote.

    Raises:
        Fault: `bad-record`: it has not the form of `draw_parts`.
        BadDeal: what no digit game draws.
    """
    kind = parts.get("kind")
    check(parts, _KIND if kind == "nothing" else _KEYS, "draw")
    if kind == "nothing":
        return DigitChance(seats, 0, "", numbers=False, slips=False, letters=False, redraw=False)
    size, digits = parts["hand_size"], parts["digits"]
    if kind not in ("numbers", "slips"):
        raise BadDeal("draw: kind should be numbers, slips or nothing in this game")
    if not 1 <= size <= LONGEST:
        raise BadDeal(f"draw: hand_size should be 1 to {LONGEST}")
    if not digits or len(set(digits)) != len(digits) or set(digits) - set("0123456789"):
        raise BadDeal("draw: digits should be the digits in play, each once")
    return DigitChance(seats, size, digits, kind == "numbers", kind == "slips", parts["letters"], parts["redraw"])


def deal_parts(deal: DigitDeal) -> Table:
    """What was dealt, under the keys of a record."""
    parts: Table = {}
    if deal.numbers:
        parts["deal"] = list(deal.numbers)
    if deal.slips:
        parts["slips"] = [list(rows) for rows in deal.slips]
    if deal.letters:
        parts["letters"] = list(deal.letters)
    return parts


def deal_of(session: DigitSession) -> DigitDeal:
    """What was dealt for the hand on the table, as far as it is known; of slips, those that begin with it."""
    hand = session.round
    assert hand is not None
    if hand.terms.row is None:
        return DigitDeal(hand.numbers, letters=hand.terms.letters, counts=hand.counts)
    if hand.terms.hand % HANDS_PER_SLIP:
        return DigitDeal(counts=hand.counts)
    start = hand.terms.hand // HANDS_PER_SLIP * ROWS
    return DigitDeal(slips=tuple(rows[start : start + ROWS] for rows in session.ledger.slips), counts=hand.counts)


def needs_again(before: DigitSession, session: DigitSession) -> DigitChance:
    """What the hand on the table of `session` drew, where the session before it was `before`."""
    return before.chance_spec()


def play_again(before: DigitSession, session: DigitSession, deal: DigitDeal, opener: int | None) -> DigitSession:
    """The hand on the table of `session` once more, move for move, but from `before` and with this deal and opener.

    Raises:
        LiarsPokerError: it cannot be played so.
    """
    hand = session.round
    assert hand is not None
    again = before.deal(deal, RoundSetup(opener, stake=hand.terms.stake if hand.terms.stake_agreed else None))
    for _, action in hand.moves:
        again = again.apply(action)
    return again

"""What the hands that others named say of the cards that one does not see, to somebody who believes them.

Who names a hand is taken to see it: the cards of it that the listener does not see to be common knowledge of the two
are among those that the other sees and he does not. Only public moves are looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from liarspoker.core.cards.claims import NO_SUIT
from liarspoker.core.cards.deck import JOKER, rank_of
from liarspoker.games.queen_annes.bots.sight import Sight, wants_of
from liarspoker.games.queen_annes.pool import is_wild
from liarspoker.games.queen_annes.view import QueenAnnesView

Told = tuple[Mapping[int, int], int]
"""How many cards not seen of each rank, and which cards not seen, as a mask."""


def told_by_others(view: QueenAnnesView, sight: Sight) -> Told:
    """The cards not seen that the others must see, if they see all that they named.

    Two players who name the same rank may mean the same cards.
    """
    most: dict[int, int] = {}
    cards = 0
    for seat, claim in view.moves:
        if claim >= 0 and seat != view.seat:
            ranks, more_cards = _told(view, seat, claim, sight)
            most |= {rank: max(count, most.get(rank, 0)) for rank, count in ranks.items()}
            cards |= more_cards
    return most, cards


def believing(sight: Sight, told: Told) -> Sight:
    """What one sees, and what is told taken to be in the pool too, as far as there is room for it."""
    held, left, unknown = list(sight.held), list(sight.left), sight.unknown
    for rank, count in told[0].items():
        more = min(count, left[rank], unknown)
        held[rank] += more
        left[rank] -= more
        unknown -= more
    return replace(
        sight,
        seen=sight.seen | told[1],
        away=sight.away & ~told[1],
        held=tuple(held),
        left=tuple(left),
        unseen=sight.unseen - (sight.unknown - unknown),
        unknown=unknown,
    )


def _told(view: QueenAnnesView, seat: int, claim: int, sight: Sight) -> Told:
    """What one claim tells: the cards of the hand that are not common knowledge of the two."""
    common = _common(view, seat)
    ranks: dict[int, int] = {}
    cards = 0
    for rank, suit, count in wants_of(view.rules)[claim]:
        if suit != NO_SUIT:
            cards |= sight.away & 1 << 4 * rank + suit
        elif count > common[rank]:
            ranks[rank] = count - common[rank]
    return ranks, cards


def _common(view: QueenAnnesView, seat: int) -> list[int]:
    """How many natural cards of each rank this seat and `seat` both see."""
    counts = [0] * 13
    face_up = (extra.card for extra in view.extras if extra.face_up)
    hands = (card for owner, hand in enumerate(view.seen) if view.rules.blind and owner != seat for card in hand)
    for card in (*face_up, *hands):
        if card != JOKER and not is_wild(card, view.rules):
            counts[rank_of(card)] += 1
    return counts

"""Actions as ints: claims are 0 and above, everything else is below.

A discard holds its cards in the int, a bit for each of the 52, then two bits that count jokers and three that count
cards thrown unseen; so the same cards are the same int whatever their order. A show, which puts the hand on the table
as it lies, holds them in order, six bits a card.
"""

from __future__ import annotations

from collections.abc import Sequence

from liarspoker.core.cards.deck import JOKER, UNKNOWN, cards_in

CHALLENGE = -1
TAKE = -2
PASS = -3
DISCARD = -16
"""The discard of no card; other discards are below it, down to above `SHOW`."""
SHOW = -(1 << 60)
"""Shows of cards are below it."""

_JOKERS = 52
_UNKNOWNS = 54
_END = 57
_SHOWN_BITS = 6


def discard_of(cards: Sequence[int]) -> int:
    """The action that throws `cards`, up to five, of which no two are the same but jokers and unseen ones."""
    return DISCARD - _packed(cards)


def show_of(cards: Sequence[int]) -> int:
    """The action that shows `cards`, up to five known ones, in this order."""
    return SHOW - sum(card + 1 << _SHOWN_BITS * place for place, card in enumerate(cards))


def is_discard(action: int) -> bool:
    """Whether `action` throws cards, or none."""
    return DISCARD - (1 << _END) < action <= DISCARD


def is_show(action: int) -> bool:
    """Whether `action` shows cards."""
    return SHOW - (1 << _END) < action <= SHOW


def is_held(action: int, hand: int) -> bool:
    """Whether a hand holds the cards of a discard, none of them unseen.

    Args:
        action: a discard.
        hand: five known cards, from `deck.mask_of`.
    """
    thrown = DISCARD - action
    plain = (1 << _JOKERS) - 1
    return thrown & plain & ~hand == 0 and thrown >> _JOKERS <= hand >> _JOKERS


def without(action: int, hand: int) -> int:
    """What a discard leaves of a hand that holds its cards; both are masks of `deck.mask_of`."""
    return hand - (DISCARD - action)


def cards_of(action: int) -> tuple[int, ...]:
    """The cards of a show as they lie, or of a discard in order, jokers and unseen cards last.

    >>> cards_of(discard_of((-1, 51, 52, -1, 0))), cards_of(show_of((51, 52, 0, 7, 3)))
    ((0, 51, 52, -1, -1), (51, 52, 0, 7, 3))
    """
    if is_show(action):
        return _shown(SHOW - action)
    packed = DISCARD - action
    cards = [card for card in range(_JOKERS) if packed >> card & 1]
    jokers, unseen = packed >> _JOKERS & 3, packed >> _UNKNOWNS & 7
    return (*cards, *(JOKER,) * jokers, *(UNKNOWN,) * unseen)


def _shown(packed: int) -> tuple[int, ...]:
    cards = []
    while packed:
        cards.append(packed % (1 << _SHOWN_BITS) - 1)
        packed >>= _SHOWN_BITS
    return tuple(cards)


def face_down(action: int) -> int:
    """`action` as the whole table sees it: of a discard, how many cards."""
    return discard_of((UNKNOWN,) * len(cards_of(action))) if is_discard(action) else action


def face_down_known(action: int) -> int:
    """The same of an action whose cards are all known.

    >>> face_down_known(discard_of((3, 52, 52))) == face_down(discard_of((3, 52, 52)))
    True
    """
    if not is_discard(action):
        return action
    return DISCARD - (cards_in(DISCARD - action) << _UNKNOWNS)


def _packed(cards: Sequence[int]) -> int:
    plain = sum(1 << card for card in cards if card not in (JOKER, UNKNOWN))
    return plain | cards.count(JOKER) << _JOKERS | cards.count(UNKNOWN) << _UNKNOWNS

"""Actions as ints: claims are 0 and above, all other actions are negative.

A discard encodes its cards without their order: one bit for each of the 52 cards, two bits for the number of jokers and
three for the number of unseen cards. A show encodes the hand in order, six bits per card.
"""

from __future__ import annotations

from collections.abc import Sequence

from liarspoker.core.cards.deck import JOKER, UNKNOWN, cards_in

CHALLENGE = -1
TAKE = -2
PASS = -3
DISCARD = -16
"""The discard of no cards; other discards are below it and above `SHOW`."""
SHOW = -(1 << 60)
"""Upper bound of shows, which are below it."""

_JOKERS = 52
_UNKNOWNS = 54
_END = 57
_SHOWN_BITS = 6


def discard_of(cards: Sequence[int]) -> int:
    """Return the discard of up to five cards; only jokers and unseen cards may repeat."""
    return DISCARD - _packed(cards)


def show_of(cards: Sequence[int]) -> int:
    """Return the show of up to five known cards, in this order."""
    return SHOW - sum(card + 1 << _SHOWN_BITS * place for place, card in enumerate(cards))


def is_discard(action: int) -> bool:
    """Return whether `action` is a discard."""
    return DISCARD - (1 << _END) < action <= DISCARD


def is_show(action: int) -> bool:
    """Return whether `action` is a show."""
    return SHOW - (1 << _END) < action <= SHOW


def is_held(action: int, hand: int) -> bool:
    """Return whether a hand has the cards of a discard without unseen cards.

    Args:
        action: a discard.
        hand: five known cards, from `deck.mask_of`.
    """
    discarded = DISCARD - action
    plain = (1 << _JOKERS) - 1
    return discarded & plain & ~hand == 0 and discarded >> _JOKERS <= hand >> _JOKERS


def without(action: int, hand: int) -> int:
    """Return the hand, a mask of `deck.mask_of`, without the cards of a discard."""
    return hand - (DISCARD - action)


def cards_of(action: int) -> tuple[int, ...]:
    """Return the cards of a show in its order, or of a discard sorted, with jokers and unseen cards last.

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
    """Return `action` as all players see it: a discard shows only the number of cards."""
    return discard_of((UNKNOWN,) * len(cards_of(action))) if is_discard(action) else action


def face_down_known(action: int) -> int:
    """Return the same as `face_down` for an action whose cards are all known.

    >>> face_down_known(discard_of((3, 52, 52))) == face_down(discard_of((3, 52, 52)))
    True
    """
    if not is_discard(action):
        return action
    return DISCARD - (cards_in(DISCARD - action) << _UNKNOWNS)


def _packed(cards: Sequence[int]) -> int:
    plain = sum(1 << card for card in cards if card not in (JOKER, UNKNOWN))
    return plain | cards.count(JOKER) << _JOKERS | cards.count(UNKNOWN) << _UNKNOWNS

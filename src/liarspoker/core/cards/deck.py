"""Cards as ints, and the deck they come from.

A card is `4 * rank + suit`: ranks 0 to 12 are 2 to ace, suits 0 to 3 clubs, diamonds, hearts, spades, which is their
precedence in source 004. So the cards are 0 to 51. A joker is 52, and two of them are alike; a card that is not known
is -1. In text they are `2c` to `As`, `Jk` and `??`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from liarspoker.core.errors import BadDeal, told

Below = Callable[[int], int]
"""A source of chance: `below(n)` answers a uniform int from 0 to n - 1, as `random.Random().randrange` does."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = 52
UNKNOWN = -1
UNKNOWN_TEXT = "??"
JOKER_TEXT = "Jk"

_CARDS = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_CARDS |= {JOKER_TEXT: JOKER, UNKNOWN_TEXT: UNKNOWN}
_TEXTS = {card: text for text, card in _CARDS.items()}


def rank_of(card: int) -> int:
    """The rank of a card, 0 for 2 to 12 for the ace; 13 for a joker."""
    return card >> 2


def suit_of(card: int) -> int:
    """The suit of a card that is no joker, 0 to 3: clubs, diamonds, hearts, spades."""
    return card & 3


def card_text(card: int) -> str:
    """A card as records write it.

    >>> [card_text(card) for card in (0, 51, 52, -1)]
    ['2c', 'As', 'Jk', '??']
    """
    return _TEXTS[card]


def card_texts(cards: Iterable[int]) -> tuple[str, ...]:
    """The cards as the notation writes them.

    >>> card_texts((0, 51))
    ('2c', 'As')
    """
    return tuple(map(card_text, cards))


def cards_text(cards: Iterable[int]) -> str:
    """Several cards written together, as in `TsTd`."""
    return "".join(map(card_text, cards))


def read_cards(texts: Iterable[str]) -> tuple[int, ...]:
    """Cards from their texts.

    Raises:
        BadDeal: naming a text that is no card.

    >>> read_cards(["2c", "Jk", "As", "Jk", "??"])
    (0, 52, 51, 52, -1)
    """
    cards = []
    for text in texts:
        if text not in _CARDS:
            raise BadDeal(f"cards: {told(text)} is no card; a card is a rank of {RANKS} and a suit of {SUITS}, or Jk")
        cards.append(_CARDS[text])
    return tuple(cards)


def read_joined_cards(text: str) -> tuple[int, ...]:
    """Cards that are written together, as in `TsTd`.

    Raises:
        BadDeal: naming what is no card.
    """
    return read_cards(text[start : start + 2] for start in range(0, len(text), 2))


def full_deck(jokers: int) -> tuple[int, ...]:
    """All cards of a deck with so many jokers, 0 to 2, in order.

    >>> len(full_deck(0)), full_deck(2)[-3:]
    (52, (51, 52, 52))
    """
    return (*range(JOKER), *(JOKER,) * jokers)


def deck_size(jokers: int) -> int:
    """How many cards a deck with so many jokers has."""
    return JOKER + jokers


def mask_of(cards: Iterable[int]) -> int:
    """Several known cards as one int: bit c for card c of the 52, and above them the number of jokers.

    >>> mask_of((0, 51, 52, 52)) == (1 << 0) + (1 << 51) + (2 << 52)
    True
    """
    mask = 0
    for card in cards:
        mask += 1 << card
    return mask


def cards_in(mask: int) -> int:
    """How many cards are in a mask of `mask_of`.

    >>> cards_in(mask_of((0, 51, 52, 52)))
    4
    """
    count = mask >> JOKER
    plain = mask & (1 << JOKER) - 1
    while plain:
        plain &= plain - 1
        count += 1
    return count


def copies(card: int, jokers: int) -> int:
    """How many of `card` a deck with so many jokers has."""
    return jokers if card == JOKER else 1


def shuffled(cards: Sequence[int], below: Below) -> tuple[int, ...]:
    """The cards in an order in which each is as likely as any other (Fisher and Yates).

    From the last place down to the second, the card there changes places with one of those up to it, itself included.
    """
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def check_cards(cards: Sequence[int], jokers: int, place: str) -> None:
    """Refuse cards of which one stands twice, or more jokers than the deck has; cards not known are no fault.

    Raises:
        BadDeal: naming `place` and the card.
    """
    for card, count in Counter(cards).items():
        if card == JOKER and count > jokers:
            raise BadDeal(f"{place}: {count} jokers; the option jokers is {jokers}")
        if card not in (JOKER, UNKNOWN) and count > 1:
            raise BadDeal(f"{place}: {card_text(card)} is there twice")

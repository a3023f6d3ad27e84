"""Cards as ints, their text, and decks.

A card is `4 * rank + suit`, 0 to 51: ranks 0 to 12 are two to ace, suits 0 to 3 are clubs, diamonds, hearts and spades
(their precedence in source 004). A joker is 52; jokers are interchangeable. An unknown card is -1. In text, cards are
`2c` to `As`, `Jk` and `??`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from liarspoker.core.errors import BadDeal, format_value
from liarspoker.language import _

Below = Callable[[int], int]
"""A source of randomness: `below(n)` returns a uniform int from 0 to n - 1, as `random.Random().randrange` does."""

RANKS = "23456789TJQKA"
"""The ranks in the notation, in the order of their ints."""
SUITS = "cdhs"
"""The suits in the notation, in the order of their ints."""
JOKER = 52
"""A joker."""
UNKNOWN = -1
"""An unknown card."""
UNKNOWN_TEXT = "??"
"""An unknown card in the notation."""
JOKER_TEXT = "Jk"
"""A joker in the notation."""

_CARDS = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_CARDS |= {JOKER_TEXT: JOKER, UNKNOWN_TEXT: UNKNOWN}
_TEXTS = {card: text for text, card in _CARDS.items()}


def rank_of(card: int) -> int:
    """Return the rank of a card, 0 (two) to 12 (ace); 13 for a joker."""
    return card >> 2


def suit_of(card: int) -> int:
    """Return the suit of a card other than a joker, 0 to 3: clubs, diamonds, hearts, spades."""
    return card & 3


def card_text(card: int) -> str:
    """Return a card in the notation.

    >>> [card_text(card) for card in (0, 51, 52, -1)]
    ['2c', 'As', 'Jk', '??']
    """
    return _TEXTS[card]


def card_texts(cards: Iterable[int]) -> tuple[str, ...]:
    """Return cards in the notation.

    >>> card_texts((0, 51))
    ('2c', 'As')
    """
    return tuple(map(card_text, cards))


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as one string, as in `TsTd`."""
    return "".join(map(card_text, cards))


def read_cards(texts: Iterable[str], place: str = "cards") -> tuple[int, ...]:
    """Return the cards with the given texts; errors begin with `place`.

    Raises:
        BadDeal: a text isn't a card.

    >>> read_cards(["2c", "Jk", "As", "Jk", "??"])
    (0, 52, 51, 52, -1)
    """
    cards = []
    for text in texts:
        if text not in _CARDS:
            raise BadDeal(
                _(
                    "{place}: {card} isn't a card; a card is a rank of {ranks} and a suit of {suits}, or Jk",
                    place=place,
                    card=format_value(text),
                    ranks=RANKS,
                    suits=SUITS,
                )
            )
        cards.append(_CARDS[text])
    return tuple(cards)


def read_joined_cards(text: str) -> tuple[int, ...]:
    """Return the cards in one string, as in `TsTd`.

    Raises:
        BadDeal: a pair of characters isn't a card.
    """
    return read_cards(text[start : start + 2] for start in range(0, len(text), 2))


def full_deck(jokers: int) -> tuple[int, ...]:
    """Return the cards of a deck with `jokers` jokers, 0 to 2, in order.

    >>> len(full_deck(0)), full_deck(2)[-3:]
    (52, (51, 52, 52))
    """
    return (*range(JOKER), *(JOKER,) * jokers)


def deck_size(jokers: int) -> int:
    """Return the size of a deck with `jokers` jokers."""
    return JOKER + jokers


def mask_of(cards: Iterable[int]) -> int:
    """Return known cards as one int: bit c for card c, and the number of jokers above bit 51.

    >>> mask_of((0, 51, 52, 52)) == (1 << 0) + (1 << 51) + (2 << 52)
    True
    """
    mask = 0
    for card in cards:
        mask += 1 << card
    return mask


def cards_in(mask: int) -> int:
    """Return the number of cards in a mask from `mask_of`.

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
    """Return how many copies of `card` are in a deck with `jokers` jokers."""
    return jokers if card == JOKER else 1


def shuffled(cards: Sequence[int], below: Below) -> tuple[int, ...]:
    """Return the cards in uniformly random order (Fisher-Yates shuffle).

    From the last index down to 1, each card is swapped with a random one at an index up to its own.
    """
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def check_cards(cards: Sequence[int], jokers: int, place: str) -> None:
    """Check that no card occurs twice and that there aren't too many jokers. Unknown cards are ignored.

    Args:
        cards: the cards.
        jokers: the number of jokers in the deck.
        place: where the cards are, for the message.

    Raises:
        BadDeal: a card occurs twice, or there are too many jokers.
    """
    for card, count in Counter(cards).items():
        if card == JOKER and count > jokers:
            raise BadDeal(
                _("{place}: {count} jokers; the option jokers is {jokers}", place=place, count=count, jokers=jokers)
            )
        if card not in (JOKER, UNKNOWN) and count > 1:
            raise BadDeal(_("{place}: {card} occurs twice", place=place, card=card_text(card)))

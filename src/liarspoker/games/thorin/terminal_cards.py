"""Thorin's hand as its holder sees it: the cards with their places, and what he types to throw some of them."""

from __future__ import annotations

import re
from collections import Counter

from liarspoker.core.cards.deck import card_text, cards_text, rank_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.record_words import cards_in_words, high_to_low, value_in_ranks, value_in_words
from liarspoker.games.cards.terminal_typed import cards_typed
from liarspoker.games.thorin.options import ThorinRules

_THROW = re.compile(r"(?:discard|throw|d)(?![a-z])[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_NONE = ("-", "none", "nothing", "keep", "keep all", "stand", "0")
_PLACE = re.compile(r"#?([1-5])")


def placed(hand: tuple[int, ...]) -> str:
    """The hand from high to low, each card after its place: `1 Kc, 2 Kd, 3 7h, 4 5s, 5 2s`."""
    return ", ".join(f"{place} {card_text(card)}" for place, card in enumerate(high_to_low(hand), 1))


def worth(hand: tuple[int, ...], rules: ThorinRules) -> str:
    """What a hand is worth, in words and ranks."""
    value = hand_value(hand, bool(rules.double_any))
    words, ranks = value_in_words(value), value_in_ranks(value)
    return words if ranks in words else f"{words} ({ranks})"


def told(cards: tuple[int, ...]) -> str:
    """Cards from high to low; `nothing` if there are none."""
    return cards_in_words(high_to_low(cards)) or "nothing"


def throw_words(typed: str) -> str | None:
    """What is to be thrown, empty if that is not said; `None` if nothing is to be thrown.

    >>> throw_words("discard 7h 2s"), throw_words("d"), throw_words("keep"), throw_words("take")
    ('7h 2s', '', '-', None)
    """
    plain = typed.strip()
    if plain.lower() in _NONE:
        return "-"
    match = _THROW.fullmatch(plain)
    if match is not None:
        return "-" if match[1].lower() in _NONE else match[1].strip()
    cards, rest = cards_typed(plain)
    only_places = all(_PLACE.fullmatch(word) for word in rest)
    return plain if (cards or rest) and only_places else None


def thrown(words: str, hand: tuple[int, ...]) -> str:
    """The discard in the notation.

    Args:
        words: cards by name or by place, `-` for none.
        hand: what is held.

    Raises:
        LiarsPokerError: a word that is no card, a card that is not held, or one that may be two.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> hand = read_joined_cards("KcKd7h5s2s")
    >>> thrown("7H 2s", hand), thrown("3 4", hand), thrown("-", hand)
    ('discard 7h2s', 'discard 7h5s', 'discard -')
    """
    if words == "-":
        return "discard -"
    cards, rest = cards_typed(words)
    cards += [_at_place(word, hand) for word in rest]
    held = Counter(hand)
    for card, count in Counter(cards).items():
        if count > held[card]:
            what = "is not in the hand" if not held[card] else "is there only once"
            raise LiarsPokerError(f"{card_text(card)} {what}; it is {placed(hand)}")
    return f"discard {cards_text(cards)}"


def _at_place(word: str, hand: tuple[int, ...]) -> int:
    """The card at a place; refused where the word may as well be a rank that is held."""
    match = _PLACE.fullmatch(word)
    if match is None:
        raise LiarsPokerError(f"{word!r} is no card; name cards as 7h, or by their places: {placed(hand)}")
    card = high_to_low(hand)[int(match[1]) - 1]
    same_rank = [held for held in hand if rank_of(held) == int(word) - 2] if word.isdecimal() else []
    if same_rank and card not in same_rank:
        raise LiarsPokerError(
            f"{word}: the card at place {word}, {card_text(card)}, or {told(tuple(same_rank))}? "
            f"Type {card_text(card)} or #{word} for the first, {card_text(same_rank[0])} for the other"
        )
    return card

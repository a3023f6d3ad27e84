"""What people type in Thorin's game: declarations, asked for piece by piece where they must be, and discards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from liarspoker.core.cards.claims import Spelling, write_spelling
from liarspoker.core.cards.deck import card_text, cards_text, rank_of
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, STARTS, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.record_spoken import claim_words, heard, in_thorins_words
from liarspoker.games.cards.record_words import cards_in_words, high_to_low, value_in_ranks, value_in_words
from liarspoker.games.cards.terminal import BACK, KINDS, ask_kind, cards_typed, ranks_typed
from liarspoker.games.thorin.ladder import claim_of, floor_of, next_value
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.record_text import declared_in_words, said_of
from liarspoker.games.thorin.result import ThorinView
from liarspoker.records.words import sentence
from liarspoker.terminal.renderer import Ask
from liarspoker.terminal.screen import Screen

_RANKS_WANTED = {
    "high": "its ranks, highest first, as many as you like: K, or KT",
    "pair": "the pair's rank, then the other cards: 7, or 7A; _A for any pair with an ace",
    "color-flush": "its ranks, highest first: Q, or QJ942",
    "two-pair": "the higher pair, the lower, the fifth card: J, J8 or J84",
    "three": "the rank of the three, then the other cards: 4, or 4AK",
    "straight": "its highest rank: 9",
    "flush": "its ranks, highest first: K, or KJ752",
    "full-house": "the rank of the three, then of the two: A, or AT",
    "color-straight-flush": "its highest rank: 9",
    "four": "the rank of the four, then the fifth card: 7, or 7K",
    "straight-flush": "its highest rank: 9",
    "five": "the rank: 7",
}


_THROW = re.compile(r"(?:discard|throw|d)(?![a-z])[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_NONE = ("-", "none", "nothing", "keep", "keep all", "stand", "0")
_PLACE = re.compile(r"#?([1-5])")


def at_worst(claim: int) -> str:
    """The weakest hand that fits a declaration: `3-3-2-2-4`."""
    return value_in_ranks(floor_of(claim))


def least_above(value: int, rules: ThorinRules) -> str:
    """The least declaration that promises more than a value, and how it can be typed; empty if there is none."""
    following = next_value(value, rules)
    return "" if following is None else f"{value_in_ranks(following)} (type {write_value(following)})"


def spelt_so(words: str, rules: ThorinRules) -> Spelling | None:
    """The declaration that is written or said, without suits, which say nothing here; `None` if it is none."""
    named = heard(words, lambda spelt: claim_of(in_thorins_words(spelt), rules) is not None)
    return None if named is None else in_thorins_words(named)


def claim_heard(text: str, rules: ThorinRules) -> int:
    """The declaration that a question names, with its verb or without.

    Raises:
        LiarsPokerError: it is none, or no hand fits it.
    """
    words = claim_words(text)
    named = spelt_so(text if words is None else words, rules)
    claim = None if named is None else claim_of(named, rules)
    if claim is None:
        raise LiarsPokerError(f"{text!r} names no hand; name one as two-pair, two-pair 73, pair _A or high KT")
    return claim


def tell_check(screen: Screen, view: ThorinView, claim: int) -> None:
    """What a declaration would promise, whether it beats the last one, and what beats it."""
    screen.say(sentence(declared_in_words(claim)))
    if view.result is None:
        verdict = "beats" if floor_of(claim) > view.floor else "does not beat"
        screen.say(f"It {verdict} what stands, {value_in_ranks(view.floor)}.")
    following = least_above(floor_of(claim), view.rules)
    screen.say(f"The least that beats it is {following}." if following else "Nothing beats it.")


def complete_claim(screen: Screen, view: ThorinView, typed: str, ask: Ask) -> str:
    """The whole of a declaration; asked for piece by piece where only the verb, or a kind that is too low, was typed.

    Returns:
        The action in the notation; `typed` itself if it is no declaration; empty if it was given up.
    """
    words = claim_words(typed)
    if words == "":
        kind = _kind_asked(screen, view, ask)
        return "" if kind is None else _with_ranks(screen, view, kind, ask)
    named = spelt_so(words or typed, view.rules)
    if named is None:
        return typed
    claim = claim_of(named, view.rules)
    too_low = claim is not None and floor_of(claim) <= view.floor
    if too_low and not named.ranks and named.word in dict(_least(view)):
        assert claim is not None
        screen.say(sentence(f"{said_of(claim)} may be as little as {at_worst(claim)}"))
        return _with_ranks(screen, view, named.word, ask)
    return f"declare {write_spelling(named)}"


def _least(view: ThorinView) -> Iterator[tuple[str, int]]:
    """The kinds of hands that may be declared, each with the least value of it that may."""
    for category, word in enumerate(CATEGORIES):
        value = next_value(max(view.floor, STARTS[category] - 1), view.rules)
        if value is not None and KEYS[value][0] == category:
            yield word, value


def _kind_asked(screen: Screen, view: ThorinView, ask: Ask) -> str | None:
    """The kind of a hand, by its number or its name."""
    kinds = {}
    for word, value in _least(view):
        claim = claim_of(Spelling(word), view.rules)
        any_will_do = claim is not None and floor_of(claim) > view.floor
        kinds[word] = f"any ({value_in_ranks(value)})" if any_will_do else f"from {value_in_ranks(value)}"
    named = ask_kind(screen, "declare", kinds, ask, lambda words: spelt_so(words, view.rules))
    return None if named is None else named.word


def _with_ranks(screen: Screen, view: ThorinView, word: str, ask: Ask) -> str:
    """The declaration with as many ranks as the player likes, asked until it is legal; empty if given up."""
    bare = claim_of(Spelling(word), view.rules)
    free = bare is not None and floor_of(bare) > view.floor
    least = value_in_ranks(dict(_least(view))[word])
    kind = KINDS[word].partition(" (")[0]
    screen.say(f"Which ranks? Type {_RANKS_WANTED[word]}. At the worst it must be {least} or better.")
    if free:
        screen.say(f"Enter for {kind} and no more.")
    while True:
        typed = ask("ranks, or back > ")
        if typed.lower() in BACK:
            return f"declare {word}" if free and not typed else ""
        ranks = ranks_typed(typed)
        claim = None if ranks is None else claim_of(Spelling(word, ranks), view.rules)
        if claim is None:
            screen.say(f"{typed!r}: no {kind} is that. Type {_RANKS_WANTED[word]}.")
        elif floor_of(claim) <= view.floor:
            little = f"{said_of(claim)} may be as little as {at_worst(claim)}"
            screen.say(sentence(f"{little}; it must be {least} or better"))
        else:
            return f"declare {write_claim(claim)}"


def placed(hand: tuple[int, ...]) -> str:
    """The hand from high to low, each card after its place: `1 Kc, 2 Kd, 3 7h, 4 5s, 5 2s`."""
    return ", ".join(f"{place} {card_text(card)}" for place, card in enumerate(high_to_low(hand), 1))


def worth(hand: tuple[int, ...], rules: ThorinRules) -> str:
    """What a hand is worth, in words and ranks."""
    value = hand_value(hand, bool(rules.double_any))
    words, ranks = value_in_words(value), value_in_ranks(value)
    return words if ranks in words else f"{words} ({ranks})"


def cards_or_nothing(cards: tuple[int, ...]) -> str:
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
            f"{word}: the card at place {word}, {card_text(card)}, or {cards_or_nothing(tuple(same_rank))}? "
            f"Type {card_text(card)} or #{word} for the first, {card_text(same_rank[0])} for the other"
        )
    return card

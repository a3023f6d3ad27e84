"""What a hand of Thorin's game may become: the bots' probabilities, as functions on ints.

The engine compiles them as they are, but for `reach`, in whose place it has its own. A hand is a mask of
`liarspoker.core.cards.deck.mask_of`. Cards that are drawn may be any that aren't kept; that those just discarded can't
come back is left out of account, which is why few tables serve all hands.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from liarspoker.core.cards.deck import JOKER, cards_in, full_deck, mask_of
from liarspoker.core.cards.hand_values import (
    COLOR_FLUSH,
    COLOR_STRAIGHT_FLUSH,
    FIVE,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    KEYS,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    STRAIGHTS,
    THREE,
    TWO_PAIR,
    hand_value,
    straight_ranks,
)
from liarspoker.games.thorin.actions import DISCARD, cards_of
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.listed import NO_VALUE, Ladder, best_fitting, floor_of, value_above
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.odds.draws import outcomes

NOT_INLINED = ("alike", "best_keep", "by_throwing", "cards_into", "improvable", "keeps_of")
"""Functions that the engine doesn't inline, because they are long or called from many places."""

MOST_VALUES = 256
"""More values are never thought of at once."""

MOST_KEEPS = 12
"""More choices of cards to keep are never thought of."""

MEMO = 32_749
"""How many probabilities are remembered."""

UNKNOWN = -1.0

_RANKS = 13
_SUBSETS = 1 << HAND_CARDS
_BITS = tuple(mask.bit_count() for mask in range(_SUBSETS))
_SAME_COLOR = 3
"""The suits of one colour add up to that."""

_STRAIGHTS = tuple(sum(1 << rank for rank in ranks) for ranks in STRAIGHTS)
_SUIT = sum(1 << 4 * rank for rank in range(_RANKS))
_BLACK, _RED = _SUIT * 9, _SUIT * 6
_WITH_TWO = 7
"""How many choices there are once sets with two more cards are among them."""


class Desk(NamedTuple):
    """What stays the same at a table, room to work in, and what has been worked out before.

    Attributes:
        ladder: the table's declarations.
        models: for each value, five cards that are worth just that, in suits as mixed as they may be.
        jokers: in the deck.
        double_any: as in `ThorinRules`.
        values: the values that are thought of.
        keeps: the choices of cards to keep.
        cards: the cards of a hand, each as a mask.
        lying: what a lie is worth after so many cards were thrown.
        improvable: the answers of `improvable`, by value, or `UNKNOWN`.
        hands, questions, chances: the answers of `by_throwing` that are remembered, and to what.
        draws: what the engine's `reach` remembers.
    """

    ladder: Ladder
    models: Sequence[int]
    jokers: int
    double_any: int
    values: MutableSequence[int]
    keeps: MutableSequence[int]
    cards: MutableSequence[int]
    lying: MutableSequence[float]
    improvable: MutableSequence[float]
    hands: MutableSequence[int]
    questions: MutableSequence[int]
    chances: MutableSequence[float]
    draws: Any


def reach(kept: int, value: int, desk: Desk) -> float:
    """The probability that these cards and a draw are worth `value` or more.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> desk = new_desk(packed(ThorinOptions(), seats=2))
    >>> round(48 * reach(mask_of(read_joined_cards("AsTs7s3s")), STARTS[FLUSH], desk), 9)
    9.0
    """
    values, at_least = _outlook(kept, desk.jokers, desk.double_any)
    place = bisect_left(values, value)
    return at_least[place] if place < len(values) else 0.0


def new_desk(rules: ThorinRules) -> Desk:
    """Room for Python."""
    values, keeps, cards = [0] * MOST_VALUES, [0] * MOST_KEEPS, [0] * HAND_CARDS
    lying, improvable = [UNKNOWN] * (HAND_CARDS + 1), [UNKNOWN] * len(KEYS)
    fixed = ladder_of(rules), models(), rules.jokers, rules.double_any
    return Desk(*fixed, values, keeps, cards, lying, improvable, [0] * MEMO, [-1] * MEMO, [0.0] * MEMO, None)


def alike(kept: int) -> int:
    """The same cards in suits that stand for all suits: which colour is which, and which suit, makes no difference."""
    first, second, found = -1, -1, kept >> JOKER << JOKER
    for place in range(JOKER):
        card = JOKER - 1 - place
        if kept >> card & 1:
            suit = card & 3
            first = suit if first < 0 else first
            is_first = suit in (first, _SAME_COLOR - first)
            second = suit if second < 0 and not is_first else second
            stands_for = (suit != first) * _SAME_COLOR if is_first else 1 + (suit != second)
            found += 1 << (card | 3) - 3 + stands_for
    return found


def keeps_of(hand: int, desk: Desk) -> int:
    """Write what a player would think of keeping into `desk.keeps`, and return how many choices there are.

    All, nothing, cards of one colour, sets, sets with one or two high cards, most of a straight or flush.
    """
    jokers, alone = hand >> JOKER << JOKER, singles(hand)
    sets = hand - alone
    desk.keeps[0], desk.keeps[1], desk.keeps[2] = hand, 0, jokers + (hand & _BLACK)
    desk.keeps[3], desk.keeps[4], count = jokers + (hand & _RED), sets, 5
    for step in range(_RANKS):
        high = alone & 15 << 4 * (_RANKS - 1 - step)
        if high and count < _WITH_TWO:
            sets += high
            desk.keeps[count] = sets
            count += 1
    for place in range(cards_into(hand, desk)):
        four = hand - desk.cards[place]
        if draws_to_more(four):
            desk.keeps[count] = four
            count += 1
    return count


def singles(hand: int) -> int:
    """The natural cards of a hand whose rank it has no more of."""
    found = 0
    for rank in range(_RANKS):
        held = hand >> 4 * rank & 15
        if _BITS[held] == 1:
            found += held << 4 * rank
    return found


def cards_into(hand: int, desk: Desk) -> int:
    """Write each card of a hand into `desk.cards`, as a mask, and return how many there are."""
    count = hand >> JOKER
    for joker in range(count):
        desk.cards[joker] = 1 << JOKER
    for rank in range(_RANKS):
        held = hand >> 4 * rank & 15
        for suit in range(4):
            if held >> suit & 1:
                desk.cards[count] = 1 << 4 * rank + suit
                count += 1
    return count


def draws_to_more(four: int) -> bool:
    """Whether four cards lack one of a straight or a flush."""
    ranks, suits, natural, different = 0, 0, 0, 0
    for rank in range(_RANKS):
        held = four >> 4 * rank & 15
        if held:
            ranks |= 1 << rank
            suits |= held
            natural += _BITS[held]
            different += 1
    if _BITS[suits] == 1:
        return True
    if different == natural:
        for straight in _STRAIGHTS:
            if ranks & ~straight == 0:
                return True
    return False


def best_keep(hand: int, value: int, desk: Desk) -> tuple[float, int]:
    """The best probability of `value` or more, and which cards to keep for it; of equals, the most cards."""
    best, chosen = -1.0, 0
    for place in range(keeps_of(hand, desk)):
        kept = desk.keeps[place]
        chance = reach(kept, value, desk)
        if chance > best or (chance == best and (cards_in(kept), kept) > (cards_in(chosen), chosen)):
            best, chosen = chance, kept
    return best, chosen


def improvable(value: int, desk: Desk) -> float:
    """The probability to improve on a promise for somebody who takes a hand that just keeps it; 0 for the best of all.

    >>> from liarspoker.core.cards.hand_values import VALUE_OF
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> desk = new_desk(packed(ThorinOptions(), seats=4))
    >>> tens = [VALUE_OF[TWO_PAIR, (8, 3, 0)], VALUE_OF[PAIR, (8, 12, 11, 9)]]  # 10-10-5-5-2 and 10-10-A-K-J
    >>> [round(improvable(value, desk), 2) for value in tens]
    [0.92, 0.43]
    """
    if desk.improvable[value] == UNKNOWN:
        higher = value_above(value, desk.ladder)
        desk.improvable[value] = 0.0 if higher == NO_VALUE else best_keep(desk.models[value], higher, desk)[0]
    return desk.improvable[value]


def by_throwing(hand: int, thrown: int, value: int, desk: Desk) -> float:
    """The best probability of `value` or more for somebody who throws so many cards of the hand."""
    question = value << 3 | thrown
    slot = (hand * 31 + question) % MEMO
    if desk.hands[slot] != hand or desk.questions[slot] != question:
        best = 0.0
        cards_into(hand, desk)
        for subset in range(_SUBSETS):
            if _BITS[subset] == thrown:
                kept = hand
                for place in range(HAND_CARDS):
                    if subset >> place & 1:
                        kept -= desk.cards[place]
                best = max(best, reach(kept, value, desk))
        desk.hands[slot], desk.questions[slot], desk.chances[slot] = hand, question, best
    return desk.chances[slot]


def was_better(claim: int, value: int, desk: Desk) -> float:
    """The probability that a hand that kept a claim's promise was worth `value`, if its words allow for that."""
    if value > best_fitting(claim, desk.ladder):
        return 0.0
    return reach(0, value, desk) / reach(0, floor_of(claim), desk)


# From here on nothing is compiled.


@lru_cache(maxsize=1 << 15)
def _outlook(kept: int, jokers: int, double_any: int) -> tuple[Sequence[int], Sequence[float]]:
    """The values that kept cards and a draw may come to, ascending, and for each the probability of it or better."""
    return _drawn_to(alike(kept), jokers, bool(double_any))


@lru_cache(maxsize=1 << 13)
def _drawn_to(kept: int, jokers: int, double_any: bool) -> tuple[Sequence[int], Sequence[float]]:
    cards = cards_of(DISCARD - kept)
    if len(cards) == HAND_CARDS:
        return (hand_value(cards, double_any),), (1.0,)
    unseen = list(full_deck(jokers))
    for card in cards:
        unseen.remove(card)
    found = outcomes(cards, unseen, HAND_CARDS - len(cards), double_any)
    return array("i", found.values), array("d", [ways / found.draws for ways in found.at_least])


_COPIES = {PAIR: (2, 1, 1, 1), TWO_PAIR: (2, 2, 1), THREE: (3, 1, 1), FULL_HOUSE: (3, 2), FOUR: (4, 1), FIVE: (5,)}
"""How many cards each key rank stands for; one where nothing is said."""

_SUITS = {FLUSH: (0,), STRAIGHT_FLUSH: (0,), COLOR_FLUSH: (0, 3), COLOR_STRAIGHT_FLUSH: (0, 3)}
_MIXED = (0, 1, 3, 2)


@lru_cache(maxsize=1)
def models() -> tuple[int, ...]:
    """For each value, five cards that are worth just that, as a mask."""
    return tuple(mask_of(model_hand(value)) for value in range(len(KEYS)))


def model_hand(value: int) -> tuple[int, ...]:
    """Five cards that are worth just `value`, in suits as mixed as they may be.

    >>> from liarspoker.core.cards.deck import cards_text
    >>> from liarspoker.core.cards.hand_values import STARTS
    >>> cards_text(model_hand(STARTS[TWO_PAIR]))  # the worst two pair
    '3c3d2s2h4c'
    """
    category, keys = KEYS[value]
    if category in (STRAIGHT, COLOR_STRAIGHT_FLUSH, STRAIGHT_FLUSH):
        ranks = sorted(straight_ranks(keys[0]))
    else:
        copies = _COPIES.get(category, (1,) * len(keys))
        ranks = [rank for rank, count in zip(keys, copies, strict=True) for _ in range(count)]
    suits = _SUITS.get(category, _MIXED)
    cards: list[int] = []
    for place, rank in enumerate(ranks):
        card = 4 * rank + suits[place % len(suits)]
        if card in cards:
            card = next((4 * rank + suit for suit in suits if 4 * rank + suit not in cards), JOKER)
        cards.append(card)
    return tuple(cards)

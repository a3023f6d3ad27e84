"""Probabilities of draws in Thorin's game for the bots, as functions on ints.

The engine compiles them, except `reach`, for which it has a substitute. A hand is a mask of
`liarspoker.core.cards.deck.mask_of`. Draws are modeled from all cards that aren't kept, including those just discarded,
so that few tables cover all hands.
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
from liarspoker.games.thorin.claim_table import NO_VALUE, Ladder, best_fitting, floor_of, value_above
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.odds.draws import outcomes

NOT_INLINED = ("alike", "best_keep", "by_throwing", "cards_into", "improvable", "keeps_of")
"""Functions that the engine doesn't inline, because they are long or have many callers."""

MOST_VALUES = 256
"""Largest number of hand ranks considered at once."""

MOST_CANDIDATES = 12
"""Largest number of choices of cards to keep."""

MEMO = 32_749
"""Number of cached probabilities."""

UNKNOWN = -1.0

_RANKS = 13
_SUBSETS = 1 << HAND_CARDS
_BITS = tuple(mask.bit_count() for mask in range(_SUBSETS))
_SAME_COLOR = 3
"""Sum of the numbers of two suits of one color."""

_STRAIGHTS = tuple(sum(1 << rank for rank in ranks) for ranks in STRAIGHTS)
_SUIT = sum(1 << 4 * rank for rank in range(_RANKS))
_BLACK, _RED = _SUIT * 9, _SUIT * 6
_WITH_TWO = 7
"""Number of choices once sets with two more cards are included."""


class Workspace(NamedTuple):
    """Constants of a table, working arrays and caches.

    Attributes:
        ladder: the table's claims.
        example_hands: for each hand rank, five cards of this rank, in suits as mixed as possible.
        jokers: jokers in the deck.
        double_any: as in `ThorinRules`.
        values: the hand ranks to consider.
        candidates: the choices of cards to keep.
        cards: the cards of a hand, each as a mask.
        lie_values: expected value of a lie by number of cards discarded.
        improvable: cached results of `improvable` by hand rank, or `UNKNOWN`.
        hands, questions, chances: keys and results of the cache of `best_discard_chance`.
        draws: cache of the engine's `reach`.
    """

    ladder: Ladder
    example_hands: Sequence[int]
    jokers: int
    double_any: int
    values: MutableSequence[int]
    candidates: MutableSequence[int]
    cards: MutableSequence[int]
    lie_values: MutableSequence[float]
    improvable: MutableSequence[float]
    hands: MutableSequence[int]
    questions: MutableSequence[int]
    chances: MutableSequence[float]
    draws: Any


def reach(kept: int, value: int, workspace: Workspace) -> float:
    """Return the probability that the kept cards and a draw reach at least hand rank `value`.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> workspace = new_workspace(packed(ThorinOptions(), seats=2))
    >>> round(48 * reach(mask_of(read_joined_cards("AsTs7s3s")), STARTS[FLUSH], workspace), 9)
    9.0
    """
    values, at_least = _draw_chances(kept, workspace.jokers, workspace.double_any)
    place = bisect_left(values, value)
    return at_least[place] if place < len(values) else 0.0


def new_workspace(rules: ThorinRules) -> Workspace:
    """Return a workspace for use from Python."""
    values, candidates, cards = [0] * MOST_VALUES, [0] * MOST_CANDIDATES, [0] * HAND_CARDS
    lie_values, improvable = [UNKNOWN] * (HAND_CARDS + 1), [UNKNOWN] * len(KEYS)
    fixed = ladder_of(rules), example_hands(), rules.jokers, rules.double_any
    return Workspace(
        *fixed, values, candidates, cards, lie_values, improvable, [0] * MEMO, [-1] * MEMO, [0.0] * MEMO, None
    )


def alike(kept: int) -> int:
    """Return the cards in canonical suits, since swapping colors or suits makes no difference."""
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


def keep_candidates(hand: int, workspace: Workspace) -> int:
    """Write choices of cards to keep into `workspace.candidates`, and return their number.

    They are all cards, none, cards of one color, sets, sets with one or two high cards, and four to a straight or
    flush.
    """
    jokers, alone = hand >> JOKER << JOKER, singles(hand)
    sets = hand - alone
    workspace.candidates[0], workspace.candidates[1], workspace.candidates[2] = hand, 0, jokers + (hand & _BLACK)
    workspace.candidates[3], workspace.candidates[4], count = jokers + (hand & _RED), sets, 5
    for step in range(_RANKS):
        high = alone & 15 << 4 * (_RANKS - 1 - step)
        if high and count < _WITH_TWO:
            sets += high
            workspace.candidates[count] = sets
            count += 1
    for place in range(cards_into(hand, workspace)):
        four = hand - workspace.cards[place]
        if draws_to_more(four):
            workspace.candidates[count] = four
            count += 1
    return count


def singles(hand: int) -> int:
    """Return the cards of a hand without jokers whose rank appears once."""
    found = 0
    for rank in range(_RANKS):
        held = hand >> 4 * rank & 15
        if _BITS[held] == 1:
            found += held << 4 * rank
    return found


def cards_into(hand: int, workspace: Workspace) -> int:
    """Write each card of a hand into `workspace.cards` as a mask, and return their number."""
    count = hand >> JOKER
    for joker in range(count):
        workspace.cards[joker] = 1 << JOKER
    for rank in range(_RANKS):
        held = hand >> 4 * rank & 15
        for suit in range(4):
            if held >> suit & 1:
                workspace.cards[count] = 1 << 4 * rank + suit
                count += 1
    return count


def draws_to_more(four: int) -> bool:
    """Return whether four cards need one card for a straight or a flush."""
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


def best_keep(hand: int, value: int, workspace: Workspace) -> tuple[float, int]:
    """Return the best probability of at least `value`, and the cards to keep; of equals, the most cards."""
    best, chosen = -1.0, 0
    for place in range(keep_candidates(hand, workspace)):
        kept = workspace.candidates[place]
        chance = reach(kept, value, workspace)
        if chance > best or (chance == best and (cards_in(kept), kept) > (cards_in(chosen), chosen)):
            best, chosen = chance, kept
    return best, chosen


def improvable(value: int, workspace: Workspace) -> float:
    """Return the probability that a player improves on a hand of exactly rank `value`; 0 for the best hand.

    >>> from liarspoker.core.cards.hand_values import VALUE_OF
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> workspace = new_workspace(packed(ThorinOptions(), seats=4))
    >>> tens = [VALUE_OF[TWO_PAIR, (8, 3, 0)], VALUE_OF[PAIR, (8, 12, 11, 9)]]  # 10-10-5-5-2 and 10-10-A-K-J
    >>> [round(improvable(value, workspace), 2) for value in tens]
    [0.92, 0.43]
    """
    if workspace.improvable[value] == UNKNOWN:
        higher = value_above(value, workspace.ladder)
        workspace.improvable[value] = (
            0.0 if higher == NO_VALUE else best_keep(workspace.example_hands[value], higher, workspace)[0]
        )
    return workspace.improvable[value]


def best_discard_chance(hand: int, discarded: int, value: int, workspace: Workspace) -> float:
    """Return the best probability of at least `value` when discarding `discarded` cards of the hand."""
    question = value << 3 | discarded
    slot = (hand * 31 + question) % MEMO
    if workspace.hands[slot] != hand or workspace.questions[slot] != question:
        best = 0.0
        cards_into(hand, workspace)
        for subset in range(_SUBSETS):
            if _BITS[subset] == discarded:
                kept = hand
                for place in range(HAND_CARDS):
                    if subset >> place & 1:
                        kept -= workspace.cards[place]
                best = max(best, reach(kept, value, workspace))
        workspace.hands[slot], workspace.questions[slot], workspace.chances[slot] = hand, question, best
    return workspace.chances[slot]


def reach_if_true(claim: int, value: int, workspace: Workspace) -> float:
    """Return the probability that a hand reached `value`, given that the claim was true; 0 if the words exclude it."""
    if value > best_fitting(claim, workspace.ladder):
        return 0.0
    return reach(0, value, workspace) / reach(0, floor_of(claim), workspace)


# Nothing below is compiled.


@lru_cache(maxsize=1 << 15)
def _draw_chances(kept: int, jokers: int, double_any: int) -> tuple[Sequence[int], Sequence[float]]:
    """Return the reachable hand ranks, ascending, and for each the probability of at least it."""
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
"""Number of cards of each key rank, for categories with sets."""

_SUITS = {FLUSH: (0,), STRAIGHT_FLUSH: (0,), COLOR_FLUSH: (0, 3), COLOR_STRAIGHT_FLUSH: (0, 3)}
_MIXED = (0, 1, 3, 2)


@lru_cache(maxsize=1)
def example_hands() -> tuple[int, ...]:
    """Return a mask of five cards for each hand rank."""
    return tuple(mask_of(example_hand(value)) for value in range(len(KEYS)))


def example_hand(value: int) -> tuple[int, ...]:
    """Return five cards of hand rank `value`, in suits as mixed as possible.

    >>> from liarspoker.core.cards.deck import cards_text
    >>> from liarspoker.core.cards.hand_values import STARTS
    >>> cards_text(example_hand(STARTS[TWO_PAIR]))  # the worst two pair
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

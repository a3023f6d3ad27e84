"""The distribution of a hand's value in Thorin's game after some of its cards are discarded and redrawn.

The unseen cards are equally likely to be drawn. A hand's value depends only on its ranks, its jokers and on whether its
natural cards are of one suit, one color or mixed. Draws are therefore grouped by their ranks: at most 6,188 classes
with their numbers of draws of one suit and one color, instead of up to 1,906,884 draws.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

from liarspoker.core.cards.deck import JOKER, full_deck, rank_of, suit_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.deal import HAND_CARDS


def cards_left(cards: Iterable[int], seen: Iterable[int]) -> tuple[int, ...]:
    """Return `cards` without `seen`, as multisets: of two jokers, one is left if one is seen.

    >>> from liarspoker.core.cards.deck import JOKER, full_deck
    >>> len(cards_left(full_deck(2), (0, 51, JOKER)))
    51
    """
    return tuple((Counter(cards) - Counter(seen)).elements())


_SUITS = range(4)
_COLORS = ((0, 3), (1, 2))
"""Black: clubs and spades; red: diamonds and hearts."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The distribution of a hand's value after a draw.

    Attributes:
        values: the possible values, indices of `liarspoker.core.cards.hand_values.KEYS`, ascending.
        at_least: for each value, the number of draws that give it or a higher one.
    """

    values: tuple[int, ...]
    at_least: tuple[int, ...]

    @property
    def draws(self) -> int:
        """The number of draws, all equally likely."""
        return self.at_least[0]

    def reach(self, value: int) -> Fraction:
        """Return the probability that the hand has at least `value`."""
        index = bisect_left(self.values, value)
        return Fraction(self.at_least[index], self.draws) if index < len(self.values) else Fraction(0)

    def probability_of(self, holds: Callable[[int], bool]) -> Fraction:
        """Return the probability that the hand's value is one for which `holds` returns `True`."""
        higher = (*self.at_least[1:], 0)
        ways = zip(self.values, self.at_least, higher, strict=True)
        return Fraction(sum(here - above for value, here, above in ways if holds(value)), self.draws)


class DiscardChoice(NamedTuple):
    """A discard, and the probability of reaching a value with it.

    Attributes:
        discard: the cards to discard.
        probability: the probability that the hand then has at least the value.
    """

    discard: tuple[int, ...]
    probability: Fraction


class Gone(NamedTuple):
    """Cards that can't be drawn until the stock is too short and the discards are shuffled in.

    Attributes:
        cards: cards known to be in the discard pile, none of them in the hand.
        stock: the number of cards in the stock; a discard of more cards makes all unseen cards drawable.
    """

    cards: tuple[int, ...] = ()
    stock: int = HAND_CARDS

    def before(self, count: int) -> tuple[int, ...]:
        """Return the cards that can't be drawn when `count` cards are."""
        return self.cards if count <= self.stock else ()


NONE_GONE = Gone()
"""No card is known to be in the discard pile."""


def reach(
    hand: Sequence[int],
    discard: Sequence[int],
    value: int,
    jokers: int = 0,
    double_any: bool = False,
    gone: Gone = NONE_GONE,
) -> Fraction:
    """Return the probability that a hand has at least `value` after a discard and a draw of as many cards.

    Args:
        hand: five cards, none twice except jokers.
        discard: the cards discarded, from none to all five; they aren't drawn again.
        value: a value of `liarspoker.core.cards.hand_values.hand_value`.
        jokers: the number of jokers in the deck, including those in the hand, 0 to 2.
        double_any: a joker may duplicate any card in the hand, not only for five of a kind.
        gone: the earlier discards that are known.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS, FLUSH
    >>> four_to_a_flush = read_joined_cards("AsTs7s3s2d")
    >>> reach(four_to_a_flush, four_to_a_flush[4:], STARTS[FLUSH])
    Fraction(9, 47)
    """
    return draw_outcomes(hand, discard, jokers, double_any, gone).reach(value)


def draw_outcomes(
    hand: Sequence[int], discard: Sequence[int], jokers: int = 0, double_any: bool = False, gone: Gone = NONE_GONE
) -> Outcomes:
    """Return the distribution of a hand's value after a discard; `reach` documents the arguments."""
    kept = tuple(sorted(cards_left(hand, discard)))
    return _after(kept, tuple(sorted((*discard, *gone.before(len(discard))))), jokers, double_any)


def choices(
    hand: Sequence[int], value: int, jokers: int = 0, double_any: bool = False, gone: Gone = NONE_GONE
) -> list[DiscardChoice]:
    """Return every discard with its probability of reaching `value`, the best first.

    Ties are ordered by the number of cards, then from low to high cards. There are 32 discards, or fewer if the hand
    has two jokers. `reach` documents the arguments.

    >>> from liarspoker.core.cards.deck import cards_text, read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS, THREE
    >>> table = choices(read_joined_cards("AsAdKc7h2s"), STARTS[THREE])
    >>> [(cards_text(discard), f"{float(probability):.4f}") for discard, probability in table[:2]]
    [('Kc7h2s', '0.1273'), ('7h2s', '0.0870')]
    """
    counts = range(HAND_CARDS + 1)
    return _ranked(hand, counts, lambda discarded: reach(hand, discarded, value, jokers, double_any, gone))


def choices_of_size(
    hand: Sequence[int],
    count: int | None,
    holds: Callable[[int], bool],
    jokers: int = 0,
    double_any: bool = False,
    gone: Gone = NONE_GONE,
) -> list[DiscardChoice]:
    """Return every discard of `count` cards with its probability of a value for which `holds` is true, best first.

    With `None` instead of a number, every discard is in the list.
    """
    return _ranked(
        hand,
        range(HAND_CARDS + 1) if count is None else (count,),
        lambda discarded: draw_outcomes(hand, discarded, jokers, double_any, gone).probability_of(holds),
    )


def _ranked(
    hand: Sequence[int], counts: Iterable[int], probability: Callable[[tuple[int, ...]], Fraction]
) -> list[DiscardChoice]:
    """Return the discards of the given numbers of cards with their probabilities, in the order of `choices`."""
    subsets = (discarded for count in counts for discarded in combinations(hand, count))
    discards = {tuple(sorted(discarded)): discarded for discarded in subsets}.values()
    found = [DiscardChoice(discarded, probability(discarded)) for discarded in discards]
    return sorted(found, key=lambda choice: (-choice.probability, len(choice.discard), _high_to_low(choice.discard)))


def best_discard(
    hand: Sequence[int], value: int, jokers: int = 0, double_any: bool = False, gone: Gone = NONE_GONE
) -> DiscardChoice:
    """Return the discard with the highest probability of reaching `value`; `reach` documents the arguments."""
    return choices(hand, value, jokers, double_any, gone)[0]


def fresh_hand_probability(value: int, jokers: int = 0, double_any: bool = False) -> Fraction:
    """Return the probability that five cards from a full deck have at least `value`.

    >>> from liarspoker.core.cards.hand_values import STARTS, PAIR
    >>> 1 - fresh_hand_probability(STARTS[PAIR]) == Fraction(1_225_920, 2_598_960)
    True
    """
    return fresh_outcomes(jokers, double_any).reach(value)


def fresh_outcomes(jokers: int = 0, double_any: bool = False) -> Outcomes:
    """Return the distribution of the value of five cards from a full deck."""
    return _after((), (), jokers, double_any)


def outcomes(kept: Sequence[int], unseen: Iterable[int], drawn: int, double_any: bool = False) -> Outcomes:
    """Return the distribution of the value of `kept` and `drawn` of the `unseen` cards.

    Args:
        kept: the cards that stay in the hand.
        unseen: the cards that may be drawn, at least `drawn`, without those in `kept`.
        drawn: the number of cards drawn, five minus those kept.
        double_any: as in `reach`.
    """
    cards = list(unseen)
    natural = [card for card in cards if card < JOKER]
    kept_jokers = sum(card == JOKER for card in kept)
    counted: Counter[int] = Counter()
    for jokers in range(max(0, drawn - len(natural)), min(drawn, len(cards) - len(natural)) + 1):
        ways = comb(len(cards) - len(natural), jokers)
        for value, draws in _natural_draws(kept, natural, drawn - jokers, kept_jokers + jokers, double_any):
            counted[value] += ways * draws
    values = sorted(value for value, draws in counted.items() if draws)
    at_least = list(accumulate(counted[value] for value in reversed(values)))
    return Outcomes(tuple(values), tuple(reversed(at_least)))


# The distribution after a discard serves all values: a bot that evaluates claims needs the same 32 repeatedly.
@lru_cache(maxsize=128)
def _after(kept: tuple[int, ...], discarded: tuple[int, ...], jokers: int, double_any: bool) -> Outcomes:
    unseen = cards_left(full_deck(jokers), (*kept, *discarded))
    return outcomes(kept, unseen, HAND_CARDS - len(kept), double_any)


def _high_to_low(cards: Sequence[int]) -> list[int]:
    return sorted(map(rank_of, cards), reverse=True)


def _natural_draws(
    kept: Sequence[int], natural: Sequence[int], drawn: int, jokers: int, double_any: bool
) -> Iterator[tuple[int, int]]:
    """Yield values with numbers of draws of natural cards that give them; a value can occur repeatedly."""
    of_rank, of_colors, of_suits = _cards_of(kept, natural)
    ranks = [rank_of(card) for card in kept if card < JOKER]
    for brought, counts in _rank_classes(drawn):
        every = _picks(of_rank, counts)
        if every:
            one_color = sum(_picks(cards, counts) for cards in of_colors)
            one_suit = sum(_picks(cards, counts) for cards in of_suits) if one_color else 0
            mixed_value, color_value, suit_value = _values(tuple(sorted((*ranks, *brought))), jokers, double_any)
            yield mixed_value, every - one_color
            yield color_value, one_color - one_suit
            yield suit_value, one_suit


_ByRank = Mapping[int, int]


def _cards_of(kept: Sequence[int], natural: Sequence[int]) -> tuple[_ByRank, list[_ByRank], list[_ByRank]]:
    """Return the natural cards by rank: all; and for each color and suit that contains all kept cards, those in it."""
    suits = {suit_of(card) for card in kept if card < JOKER}
    return (
        Counter(map(rank_of, natural)),
        [_of_suits(natural, color) for color in _COLORS if suits <= set(color)],
        [_of_suits(natural, (suit,)) for suit in _SUITS if suits <= {suit}],
    )


def _of_suits(natural: Sequence[int], suits: Sequence[int]) -> _ByRank:
    return Counter(rank_of(card) for card in natural if suit_of(card) in suits)


def _picks(cards: _ByRank, counts: Sequence[tuple[int, int]]) -> int:
    """Return the number of ways to pick the given number of cards of each rank."""
    return prod(comb(cards[rank], count) for rank, count in counts)


@lru_cache(maxsize=8)
def _rank_classes(drawn: int) -> list[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Return all multisets of ranks of `drawn` cards, each also as (rank, count) pairs."""
    return [
        (ranks, tuple((rank, ranks.count(rank)) for rank in dict.fromkeys(ranks)))
        for ranks in combinations_with_replacement(range(13), drawn)
    ]


@lru_cache(maxsize=1 << 15)
def _values(ranks: tuple[int, ...], jokers: int, double_any: bool) -> tuple[int, int, int]:
    """Return the values of natural cards with `jokers`: in mixed suits, of one color in two suits, and of one suit.

    They are the values of any cards with these ranks and suits. If a rank occurs twice, the cards can't be of one suit,
    and the third value is arbitrary.
    """
    wild = [JOKER] * jokers
    first, *others = [4 * rank for rank in ranks]  # clubs; others are moved to diamonds or spades below
    mixed = hand_value([first, *(card + 1 for card in others), *wild], double_any)
    one_color = hand_value([first, *(card + 3 for card in others), *wild], double_any)
    if len(set(ranks)) < len(ranks):
        return mixed, one_color, one_color
    return mixed, one_color, hand_value([first, *others, *wild], double_any)

"""What a hand of Thorin's game becomes when some of its cards are drawn anew.

The cards drawn are any of those not seen, all alike. A hand's value depends on its ranks, its jokers and on whether
its natural cards are of one suit, of one colour or mixed. So the draws are counted by the ranks they bring: at most
6,188 classes, each of so many draws of one suit, so many of one colour and the rest, instead of up to 1,906,884 draws.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    """`cards` without those `seen`; of two jokers, which are alike, one stays if one is seen.

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
    """The values that a hand may have after a draw, with the number of draws that give them.

    Attributes:
        values: as `liarspoker.core.cards.hand_values.KEYS` numbers them, ascending.
        at_least: for each value the number of draws that give it or a better one.
    """

    values: tuple[int, ...]
    at_least: tuple[int, ...]

    @property
    def draws(self) -> int:
        """How many draws there are, all equally likely."""
        return self.at_least[0]

    def reach(self, value: int) -> Fraction:
        """The chance that the hand is worth `value` or more."""
        place = bisect_left(self.values, value)
        return Fraction(self.at_least[place], self.draws) if place < len(self.values) else Fraction(0)


class Choice(NamedTuple):
    """Cards to throw, and the chance that the hand is then good enough."""

    discard: tuple[int, ...]
    chance: Fraction


def reach(
    hand: Sequence[int], discard: Sequence[int], value: int, jokers: int = 0, double_any: bool = False
) -> Fraction:
    """The chance that a hand is worth `value` or more after `discard` is thrown and as many cards are drawn.

    Args:
        hand: five cards, none but jokers twice.
        discard: those of them that are thrown, none to all; they are not drawn again.
        value: as `liarspoker.core.cards.hand_values.hand_value` counts.
        jokers: in the deck, those in the hand included, 0 to 2.
        double_any: a joker may be a card that the hand holds already, not only to make five of a kind.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS, FLUSH
    >>> four_to_a_flush = read_joined_cards("AsTs7s3s2d")
    >>> reach(four_to_a_flush, four_to_a_flush[4:], STARTS[FLUSH])
    Fraction(9, 47)
    """
    kept = tuple(sorted(cards_left(hand, discard)))
    return _after(kept, tuple(sorted(discard)), jokers, double_any).reach(value)


def choices(hand: Sequence[int], value: int, jokers: int = 0, double_any: bool = False) -> list[Choice]:
    """Every discard, the best first, with its chance to make the hand worth `value`.

    Of discards that are as good as each other those of fewer cards come first, then those of lower cards. There are 32,
    fewer of a hand with two jokers, which are alike. Arguments as in `reach`.

    >>> from liarspoker.core.cards.deck import cards_text, read_joined_cards
    >>> from liarspoker.core.cards.hand_values import STARTS, THREE
    >>> table = choices(read_joined_cards("AsAdKc7h2s"), STARTS[THREE])
    >>> [(cards_text(discard), f"{float(chance):.4f}") for discard, chance in table[:2]]
    [('Kc7h2s', '0.1273'), ('7h2s', '0.0870')]
    """
    subsets = (thrown for count in range(HAND_CARDS + 1) for thrown in combinations(hand, count))
    discards = {tuple(sorted(thrown)): thrown for thrown in subsets}.values()
    found = [Choice(thrown, reach(hand, thrown, value, jokers, double_any)) for thrown in discards]
    return sorted(found, key=lambda choice: (-choice.chance, len(choice.discard), _high_to_low(choice.discard)))


def best_discard(hand: Sequence[int], value: int, jokers: int = 0, double_any: bool = False) -> Choice:
    """The discard with the best chance to make the hand worth `value`; arguments as in `reach`."""
    return choices(hand, value, jokers, double_any)[0]


def chance_of_fresh_hand(value: int, jokers: int = 0, double_any: bool = False) -> Fraction:
    """The chance that five cards off a whole deck are worth `value` or more.

    >>> from liarspoker.core.cards.hand_values import STARTS, PAIR
    >>> 1 - chance_of_fresh_hand(STARTS[PAIR]) == Fraction(1_225_920, 2_598_960)
    True
    """
    return _after((), (), jokers, double_any).reach(value)


def outcomes(kept: Sequence[int], unseen: Iterable[int], drawn: int, double_any: bool = False) -> Outcomes:
    """What `kept` and `drawn` of the `unseen` cards are worth together.

    Args:
        kept: the cards of the hand that stay.
        unseen: the cards, of any deck, that may be drawn; at least `drawn`, and none of `kept`.
        drawn: five less those kept.
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


# A discard's outcomes serve every value; a bot that weighs claims with a hand asks for the same 32 again and again.
@lru_cache(maxsize=128)
def _after(kept: tuple[int, ...], thrown: tuple[int, ...], jokers: int, double_any: bool) -> Outcomes:
    unseen = cards_left(full_deck(jokers), (*kept, *thrown))
    return outcomes(kept, unseen, HAND_CARDS - len(kept), double_any)


def _high_to_low(cards: Sequence[int]) -> list[int]:
    return sorted(map(rank_of, cards), reverse=True)


def _natural_draws(
    kept: Sequence[int], natural: Sequence[int], drawn: int, jokers: int, double_any: bool
) -> Iterator[tuple[int, int]]:
    """Values, and how many draws of `drawn` natural cards give them to a hand with `jokers`; a value may come often."""
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
    """How many natural cards of each rank there are: all; of each colour, and of each suit, of which all kept are."""
    suits = {suit_of(card) for card in kept if card < JOKER}
    return (
        Counter(map(rank_of, natural)),
        [_of_suits(natural, color) for color in _COLORS if suits <= set(color)],
        [_of_suits(natural, (suit,)) for suit in _SUITS if suits <= {suit}],
    )


def _of_suits(natural: Sequence[int], suits: Sequence[int]) -> _ByRank:
    return Counter(rank_of(card) for card in natural if suit_of(card) in suits)


def _picks(cards: _ByRank, counts: Sequence[tuple[int, int]]) -> int:
    """In how many ways so many cards of each rank can be picked."""
    return prod(comb(cards[rank], count) for rank, count in counts)


@lru_cache(maxsize=8)
def _rank_classes(drawn: int) -> list[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """Every choice of ranks that `drawn` cards can have, with repetition, and the same as (rank, count)."""
    return [
        (ranks, tuple((rank, ranks.count(rank)) for rank in dict.fromkeys(ranks)))
        for ranks in combinations_with_replacement(range(13), drawn)
    ]


@lru_cache(maxsize=1 << 15)
def _values(ranks: tuple[int, ...], jokers: int, double_any: bool) -> tuple[int, int, int]:
    """The values of natural cards with `jokers`: in mixed suits, of one colour in two suits, and of one suit.

    The value is that of any cards of such ranks and suits. No cards of one suit have a rank twice; they get any value.
    """
    wild = [JOKER] * jokers
    first, *others = [4 * rank for rank in ranks]  # clubs; the others, where they must differ, diamonds or spades
    mixed = hand_value([first, *(card + 1 for card in others), *wild], double_any)
    one_color = hand_value([first, *(card + 3 for card in others), *wild], double_any)
    if len(set(ranks)) < len(ranks):
        return mixed, one_color, one_color
    return mixed, one_color, hand_value([first, *others, *wild], double_any)

"""How the bots of Thorin's game judge draws and declarations.

* What a hand becomes when some of its cards are kept and the rest drawn anew. The cards drawn may be any that aren't
  kept; that those just discarded can't come back is left out of account, which is why few tables serve all hands.
* What a declaration promises: a hand that would just keep it, and how easily that hand is improved on.
* What a player under the gun takes into account: is the declaration true, and what would become of it if it took. "If
  the active player names a hand that's difficult to improve on and you're under the gun, you should usually challenge"
  (source 002): a taker must name better, and who can't has to lie to the next player.
* How a declaration sounds to somebody who knows that players lie, and who takes the next player's place.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import exp

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, full_deck, rank_of, suit_of
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
from liarspoker.games.thorin.actions import cards_of, is_discard
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import fit, floor_of, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint
from liarspoker.odds.draws import outcomes

Cards = tuple[int, ...]

_SAME_COLOR = 3
"""The suits of one colour add up to that."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What kept cards and a draw come to.

    Attributes:
        values: those that may come, ascending.
        at_least: for each the chance of it or a better one.
    """

    values: array[int]
    at_least: array[float]

    def reach(self, value: int) -> float:
        """The chance of `value` or more."""
        place = bisect_left(self.values, value)
        return self.at_least[place] if place < len(self.values) else 0.0


def reach(kept: Sequence[int], value: int, rules: ThorinRules) -> float:
    """The chance that these cards and a draw are worth `value` or more.

    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> from liarspoker.core.cards.hand_values import FLUSH, STARTS
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> four_spades = read_joined_cards("AsTs7s3s")
    >>> round(48 * reach(four_spades, STARTS[FLUSH], packed(ThorinOptions(), seats=2)), 9)
    9.0
    """
    return _outlook(_alike(kept), rules.jokers, bool(rules.double_any)).reach(value)


def best_keep(hand: Sequence[int], value: int, rules: ThorinRules) -> tuple[float, Cards]:
    """Which cards to keep for the best chance of `value` or more, with that chance; of equals, the most cards."""
    chance, _, kept = max((reach(kept, value, rules), len(kept), kept) for kept in keeps(hand))
    return chance, kept


def reach_by_throwing(hand: Sequence[int], thrown: int, value: int, rules: ThorinRules) -> float:
    """The best chance of `value` or more for somebody who throws so many cards of the hand."""
    return max(reach(kept, value, rules) for kept in combinations(hand, HAND_CARDS - thrown))


def keeps(hand: Sequence[int]) -> Iterator[Cards]:
    """What a player would think of keeping: all, sets, one suit or colour, most of a straight, high cards, nothing."""
    cards = tuple(sorted(hand, reverse=True))
    ranks = [rank_of(card) for card in cards]
    sets = tuple(card for card, rank in zip(cards, ranks, strict=True) if ranks.count(rank) > 1 or card == JOKER)
    others = [card for card in cards if card not in sets]
    found = {cards, sets, (*sets, *others[:1]), (*sets, *others[:2]), ()}
    for four in combinations(cards, 4):
        if _draws_to_more(four):
            found.add(four)
    for color in ((0, 3), (1, 2)):
        found.add(tuple(card for card in cards if card == JOKER or suit_of(card) in color))
    yield from found


def _draws_to_more(four: Cards) -> bool:
    """Whether four cards lack one of a straight or a flush."""
    natural = [card for card in four if card != JOKER]
    ranks = {rank_of(card) for card in natural}
    one_suit = len({suit_of(card) for card in natural}) == 1
    return one_suit or (len(ranks) == len(natural) and any(ranks <= straight for straight in STRAIGHTS))


def _alike(kept: Sequence[int]) -> Cards:
    """The same cards in suits that stand for all suits: which colour is which, and which suit, makes no difference."""
    suits: dict[int, int] = {}
    found = []
    for card in sorted(kept, reverse=True):
        if card == JOKER:
            found.append(card)
            continue
        suit = suit_of(card)
        if suit not in suits:
            suits[suit] = 1 if suits else 0
            suits[_SAME_COLOR - suit] = _SAME_COLOR - suits[suit]
        found.append(4 * rank_of(card) + suits[suit])
    return tuple(sorted(found))


@lru_cache(maxsize=1 << 13)
def _outlook(kept: Cards, jokers: int, double_any: bool) -> Outlook:
    if len(kept) == HAND_CARDS:
        return Outlook(array("i", [hand_value(kept, double_any)]), array("d", [1.0]))
    unseen = list(full_deck(jokers))
    for card in kept:
        unseen.remove(card)
    found = outcomes(kept, unseen, HAND_CARDS - len(kept), double_any)
    return Outlook(array("i", found.values), array("d", [ways / found.draws for ways in found.at_least]))


_COPIES = {PAIR: (2, 1, 1, 1), TWO_PAIR: (2, 2, 1), THREE: (3, 1, 1), FULL_HOUSE: (3, 2), FOUR: (4, 1), FIVE: (5,)}
"""How many cards each key rank stands for; one where nothing is said."""

_SUITS = {FLUSH: (0,), STRAIGHT_FLUSH: (0,), COLOR_FLUSH: (0, 3), COLOR_STRAIGHT_FLUSH: (0, 3)}
_MIXED = (0, 1, 3, 2)


@lru_cache(maxsize=1 << 14)
def model_hand(value: int) -> Cards:
    """Five cards that are worth just `value`, in suits as mixed as they may be.

    >>> from liarspoker.core.cards.deck import cards_text
    >>> from liarspoker.core.cards.hand_values import STARTS, TWO_PAIR
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


@lru_cache(maxsize=1 << 14)
def improvable(value: int, rules: ThorinRules) -> float:
    """The chance to improve on a promise for somebody who takes a hand that just keeps it; 0 for the best of all.

    >>> from liarspoker.core.cards.hand_values import TWO_PAIR, VALUE_OF
    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> rules = packed(ThorinOptions(), seats=4)
    >>> tens = [VALUE_OF[TWO_PAIR, (8, 3, 0)], VALUE_OF[PAIR, (8, 12, 11, 9)]]  # 10-10-5-5-2 and 10-10-A-K-J
    >>> [round(improvable(value, rules), 2) for value in tens]
    [0.92, 0.43]
    """
    higher = next_value(value, rules)
    return 0.0 if higher is None else best_keep(model_hand(value), higher, rules)[0]


CAUGHT = 0.5
"""How likely it is that a lie told in need is challenged, where nothing more is known."""


@dataclass(frozen=True, slots=True)
class Story:
    """What somebody knows of the hand that a declaration is about.

    Attributes:
        before: what stood before, `NO_CLAIM` at the opening.
        known: the hand as he last saw it himself in this round; without it, only what was promised is known.
        throws: how many cards have been thrown since, by each who had the hand.
        players: how many are living.
        rules: the rules of the round.
    """

    before: int
    known: Cards | None
    throws: tuple[int, ...]
    players: int
    rules: ThorinRules

    def reach(self, value: int) -> float:
        """The chance that the hand is now worth `value` or more, had everybody drawn to that."""
        if self.before == NO_CLAIM:
            return reach((), value, self.rules)
        if self.known is None:
            was_better = _was_better(self.before, value, self.rules)
            hand, throws = model_hand(floor_of(self.before)), self.throws[-1:]
        else:
            was_better, hand, throws = 0.0, self.known, self.throws
        fails = 1.0 - was_better
        for thrown in throws:
            fails *= 1.0 - _by_throwing(hand, thrown, value, self.rules)
        return 1.0 - fails

    def truth(self) -> float:
        """The chance that the hand beats what stood before: then there was something true to declare."""
        least = next_value(floor_of(self.before), self.rules)
        return 0.0 if least is None else self.reach(least)


@dataclass(frozen=True, slots=True)
class Prospects:
    """What the two answers to a declaration are worth: -1 for going out, 1 for being the only one left.

    Attributes:
        challenge: the hand is shown.
        take: the hand is taken, improved if it can be, and better declared.
    """

    challenge: float
    take: float


def prospects(value: int, truth: float, story: Story, *, wary: bool = False) -> Prospects:
    """What the two answers to a declaration are worth.

    Args:
        value: what is promised.
        truth: the chance that it is true.
        story: what is known of the hand.
        wary: he expects that the next player knows how hard the hand was to improve on, and that the harder it was,
            the likelier a lie is to be challenged; if not, that is as likely as `CAUGHT` says.
    """
    rules = story.rules
    gain = 1.0 / (story.players - 1)
    higher = next_value(value, rules)
    if higher is None:
        return Prospects((1.0 - truth) * gain - truth, -1.0)
    improves = truth * improvable(value, rules) + (1.0 - truth) * reach((), higher, rules)
    return Prospects((1.0 - truth) * gain - truth, -(1.0 - improves) * (1.0 - improves if wary else CAUGHT))


def story_of(view: ThorinView) -> Story:
    """What the seat under the gun knows of the hand."""
    assert view.terms is not None
    claims = [(seat, action) for seat, action in view.moves if action >= 0]
    before = claims[-2][1] if len(claims) > 1 else NO_CLAIM
    throws = [(seat, len(cards_of(action))) for seat, action in view.moves if is_discard(action)]
    known = None
    if view.stints:
        known = passed_on(view.stints[-1])
        mine = max((place for place, (seat, _) in enumerate(throws) if seat == view.seat), default=-1)
        throws = throws[mine + 1 :]
    return Story(before, known, tuple(count for _, count in throws), len(view.alive), view.rules)


def passed_on(stint: Stint) -> Cards:
    """The hand as its holder passed it on."""
    thrown = list(stint.thrown)
    kept = []
    for card in stint.taken:
        if card in thrown:
            thrown.remove(card)
        else:
            kept.append(card)
    return (*kept, *stint.drawn)


@lru_cache(maxsize=1 << 15)
def _by_throwing(hand: Cards, thrown: int, value: int, rules: ThorinRules) -> float:
    return reach_by_throwing(hand, thrown, value, rules)


@lru_cache(maxsize=1 << 15)
def _was_better(claim: int, value: int, rules: ThorinRules) -> float:
    """The chance that a hand that kept the promise of a claim, of those that fit its words, was worth `value`."""
    floor = floor_of(claim)
    _, best = fit(floor, claim, rules)
    over = 0.0 if best + 1 > value else reach((), best + 1, rules)
    if value > best:
        return 0.0
    return (reach((), value, rules) - over) / (reach((), floor, rules) - over)


DOUBT = 0.1
"""Whatever the draws say, a declaration is false, and true, with at least this chance."""

OTHERS_DOUBT = 0.3
"""The same of an opening, as one supposes the others to think of one's own."""

_SMALL_LIES = 0.5
"""This share of the lies told after the opening are as small as they may be; the rest are great. At the opening all."""

_SMALL, _GREAT = 6, 3
"""How much such lies crowd at their end of all that could be true: powers of the distance from the other end."""

_WHIM = 0.3
"""The chance that the next player answers at random."""

_FIRMNESS = 0.1
"""Two answers of which one is worth so much more than the other: the odds are e to 1 that it is given."""


def believed(value: int, story: Story, doubt: float = DOUBT) -> float:
    """The chance that a declaration of `value` is true, by how much of what could be true it leaves below itself.

    Who has something true to say may have anything; who lies says little more than he must, or far too much.

    Args:
        value: what is promised.
        story: what is known of the hand.
        doubt: the least chance that an opening is false.
    """
    opening = story.before == NO_CLAIM
    prior = min(1.0 - (doubt if opening else DOUBT), max(DOUBT, story.truth()))
    least = next_value(floor_of(story.before), story.rules)
    room = 0.0 if least is None else story.reach(least)
    below = 1.0 - story.reach(value) / room if room > 0.0 else 0.0
    small = 0.0 if opening else _SMALL_LIES
    lie = small * (1 + _SMALL) * (1.0 - below) ** _SMALL + (1.0 - small) * (1 + _GREAT) * below**_GREAT
    return prior / (prior + (1.0 - prior) * lie)


def challenged(value: int, story: Story) -> float:
    """How likely the next player is to challenge a declaration of `value`.

    He may be one who thinks that people lie only if they must, or one who is as suspicious as this.

    Args:
        value: what would be declared.
        story: what the next player knows of the hand.
    """
    chance = _WHIM / 2
    for truth in (story.truth(), believed(value, story, OTHERS_DOUBT)):
        either = prospects(value, truth, story)
        chance += (1 - _WHIM) / 2 / (1.0 + exp((either.take - either.challenge) / _FIRMNESS))
    return chance

"""Expected values of bids for a player who sees one hand, and the best bid.

Unseen digits are taken as independent, each equal to the digit in question with the same probability. This is exact for
a player without information about the other hands; a bot with beliefs passes its own probability. The payoffs come from
the rules (`liarspoker.games.digits.settlement`). All values are in units at stake 1, from the point of view of the
player. An `Appraiser` caches them for each table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Protocol

from liarspoker.games.digits.auction import DECIDE, OPEN
from liarspoker.games.digits.hands import count_of, packed_counts
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView
from liarspoker.games.digits.settlement import payoff, settle


class Floats(Protocol):
    """A sequence of floats: a tuple or a list in Python, an array in compiled code."""

    def __len__(self) -> int:
        """Return the length."""

    def __getitem__(self, index: int, /) -> float:
        """Return the float at an index."""


_BIDDER = 0
_OTHER = 1


@lru_cache(maxsize=4096)
def tail(unseen: int, probability: float) -> tuple[float, ...]:
    """Return the probabilities of at least 0, 1, ..., `unseen` of a digit among unseen digits.

    Args:
        unseen: the number of unseen digits, 0 or more.
        probability: the probability that an unseen digit is the digit in question, 0 to 1.

    >>> [round(at_least, 6) for at_least in tail(8, 0.1)[:3]]
    [1.0, 0.569533, 0.186895]
    """
    sums = [0.0]
    for count in range(unseen, 0, -1):
        sums.append(sums[-1] + comb(unseen, count) * probability**count * (1 - probability) ** (unseen - count))
    return (1.0, *(min(1.0, value) for value in reversed(sums[1:])))


def at_least(need: int, tails: Floats) -> float:
    """Return the probability of at least `need` of a digit, given the `tail` of the unseen digits.

    >>> at_least(-3, tail(8, 0.1)), at_least(9, tail(8, 0.1))
    (1.0, 0.0)
    """
    if need <= 0:
        return 1.0
    return tails[need] if need < len(tails) else 0.0


def as_bidder(claim: int, own: int, probability: float, rules: Rules) -> float:
    """Return the expected value of a bid for its bidder if it is counted.

    Args:
        claim: the bid.
        own: how many of its digit the bidder holds.
        probability: the probability that a digit of another player is the bid's digit.
        rules: the table's rules.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(as_bidder(claim_of(level, 7, two), 2, 0.1, two), 6) for level in (2, 3, 4)]
    [1.0, 0.139066, -0.626209]
    """
    return paid_to_bidder(claim, own, tail(rules.hand_size * (rules.seats - 1), probability), rules)


def as_other(claim: int, own: int, bidder: float, others: float, rules: Rules) -> float:
    """Return the expected value of a bid for one of the other players if it is counted.

    The payoff depends on whether the bidder holds any of the digit (hero, none), so the bidder's count is treated
    separately.

    Args:
        claim: the bid.
        own: how many of its digit the player holds.
        bidder: the probability that a digit of the bidder is the bid's digit.
        others: the same for a digit of any other unseen player.
        rules: the table's rules.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(as_other(claim_of(level, 7, two), 2, 0.1, 0.1, two), 6) for level in (2, 3, 4)]
    [-1.430467, -0.139066, 0.626209]
    """
    held, rest = tail(rules.hand_size, bidder), tail(rules.hand_size * (rules.seats - 2), others)
    return paid_to_other(claim, own, held, rest, rules)


def paid_to_bidder(claim: int, own: int, unseen: Floats, rules: Rules) -> float:
    """Return the value of `as_bidder`, given the `tail` of all unseen digits. It can be compiled.

    Args:
        claim: the bid.
        own: how many of its digit the bidder holds.
        unseen: the probabilities of at least 0, 1, ... of the bid's digit among the other players' digits.
        rules: the table's rules.
    """
    return _expected(claim, own, own, unseen, _BIDDER, rules)


def paid_to_other(claim: int, own: int, held: Floats, rest: Floats, rules: Rules) -> float:
    """Return the value of `as_other`, given the tails of the bidder's digits and of the rest. It can be compiled.

    Args:
        claim: the bid.
        own: how many of its digit the player holds.
        held: the probabilities of at least 0, 1, ... of the bid's digit among the bidder's digits.
        rest: the same among the digits of all players but the bidder and the player.
        rules: the table's rules.
    """
    value = 0.0
    for count in range(len(held)):
        beyond = held[count + 1] if count + 1 < len(held) else 0.0
        value += (held[count] - beyond) * _expected(claim, count, count + own, rest, _OTHER, rules)
    return value


def _expected(claim: int, bidder_holds: int, seen: int, unseen: Floats, seat: int, rules: Rules) -> float:
    """Return the expected payoff of `seat` if `seen` of the digit are known, given the tail of the unseen digits.

    There are three cases: none of the digit, some but too few, or enough.
    """
    level = level_of(claim, rules)
    something, enough = at_least(1 - seen, unseen), at_least(level - seen, unseen)
    value = 0.0
    for case in range(3):
        total = 0 if case == 0 else level - 1 if case == 1 else level
        probability = 1.0 - something if case == 0 else something - enough if case == 1 else enough
        if probability > 0.0:
            value += probability * payoff(seat, _BIDDER, settle(claim, bidder_holds, total, rules), 1, rules)
    return value


LEVELS = 4
"""The number of levels per digit that a bot evaluates over a standing bid; at the opening it is the hand size."""

_NO_BID = (float("-inf"), -1)

_REMEMBERED = 1 << 16


@dataclass(frozen=True, slots=True)
class Appraiser:
    """Cached expected values of bids under one set of rules.

    Attributes:
        counted: `counted(claim, own, probability)`, the value for the bidder if the bid is counted; see `as_bidder`.
        faced: `faced(claim, own, bidder, others)`, the value for another player; see `as_other`.
        best: `best(claim, levels, own, probability)`, the best of `levels` bids of the claim's digit, from `claim` up,
            as (value, claim); the strongest of equal bids.
    """

    counted: Callable[[int, int, float], float]
    faced: Callable[[int, int, float, float], float]
    best: Callable[[int, int, int, float], tuple[float, int]]


@lru_cache(maxsize=32)
def appraiser(rules: Rules) -> Appraiser:
    """Return the appraiser for a table's rules; equal rules share one.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> table = appraiser(packed(DigitOptions(), seats=2))
    >>> value, claim = table.best(1, 4, 3, 0.1)  # three twos in hand; bids from one to four twos
    >>> round(value, 6), claim
    (1.0, 21)
    """

    @lru_cache(_REMEMBERED)
    def counted(claim: int, own: int, probability: float) -> float:
        return as_bidder(claim, own, probability, rules)

    @lru_cache(_REMEMBERED)
    def faced(claim: int, own: int, bidder: float, others: float) -> float:
        return as_other(claim, own, bidder, others, rules)

    @lru_cache(_REMEMBERED)
    def best(claim: int, levels: int, own: int, probability: float) -> tuple[float, int]:
        bids = range(claim, claim + levels * rules.symbols, rules.symbols)
        return max((counted(bid, own, probability), bid) for bid in bids)

    return Appraiser(counted, faced, best)


@lru_cache(4096)
def held(number: str, rules: Rules) -> tuple[int, ...]:
    """Return the counts of the digits in play in a number, lowest rank first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> held("06742088", packed(DigitOptions(), seats=2))  # ones, twos, ..., zeros
    (0, 1, 0, 1, 0, 1, 1, 2, 0, 2)
    """
    counts = packed_counts(number)
    return tuple(count_of(counts, digit_of(rank, rules)) for rank in range(rules.symbols))


def hand_of(view: DigitView) -> tuple[int, ...]:
    """Return the counts of the digits in play in the seat's own number, lowest rank first.

    Raises:
        ValueError: the view has no number.
    """
    return held(number_of(view), view.rules)


def number_of(view: DigitView) -> str:
    """Return the seat's own number.

    Raises:
        ValueError: the view has no number.
    """
    if view.number is None:
        raise ValueError("a bot needs the view of a seat with a hand; this view has none")
    return view.number


def bids_weighed(rules: Rules, *, opening: bool) -> int:
    """Return how many of the weakest legal bids a bot evaluates; one more per digit with `loose_order`."""
    levels = rules.hand_size if opening else LEVELS
    return (levels + rules.loose) * rules.symbols


def best_bid(view: DigitView, own: Sequence[int], probabilities: Sequence[float]) -> tuple[float, int]:
    """Return the bid with the highest value if it is counted, as (value, claim); minus infinity if no bid is legal.

    Args:
        view: the view of the seat to act.
        own: the count of each digit in its hand (or the hand it pretends to have), lowest rank first.
        probabilities: for each digit, the probability that an unseen digit is this one.
    """
    weakest, levels = weakest_bids(view)
    best, symbols = appraiser(view.rules).best, view.rules.symbols
    chosen = _NO_BID
    for claim in weakest:
        rank = claim % symbols
        offer = best(claim, levels, own[rank], probabilities[rank])
        chosen = max(chosen, offer)
    return chosen


def weakest_bids(view: DigitView) -> tuple[Sequence[int], int]:
    """Return the bids from which a bot starts to search upward, and how many levels it evaluates from each."""
    rules, claims = view.rules, view.legal.claims
    symbols = rules.symbols
    weighed = bids_weighed(rules, opening=view.auction is not None and view.auction.phase == OPEN)
    if rules.loose or len(claims) <= weighed:  # the bids aren't consecutive, or the top is near
        return claims[:weighed], 1
    return claims[:symbols], weighed // symbols


def answer_value(view: DigitView, own: int, others: float, bidder: float, rest: float) -> float:
    """Return the value of having the standing bid counted: by a challenge, or by counting one's own bid.

    Args:
        view: the view of the seat to act, which must not be opening.
        own: how many of the standing bid's digit it holds.
        others: the probability that a digit of another player is the standing bid's digit.
        bidder: the same for a digit of the bidder.
        rest: the same for a digit of any player but the bidder and this seat.

    Raises:
        ValueError: no hand is in play.
    """
    auction = view.auction
    if auction is None:
        raise ValueError("no hand is in play")
    table = appraiser(view.rules)
    if auction.phase == DECIDE:
        return table.counted(auction.claim, own, others)
    return table.faced(auction.claim, own, bidder, rest)

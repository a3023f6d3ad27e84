"""What bids are worth at one table, worked out once and remembered, and the best bid among many.

The chances that a player gives to unseen digits are part of every question: a bot that looks at its own hand alone
asks with one in the number of digits in play, a bot with beliefs with chances of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.games.digits.auction import DECIDE, OPEN
from liarspoker.games.digits.bots.chances import as_bidder, as_other
from liarspoker.games.digits.hands import count_of, packed_counts
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.view import DigitView

LEVELS = 4
"""How many levels of each digit are weighed, from the weakest bid on; at the opening as many as a hand has digits."""

_NO_BID = (float("-inf"), -1)

_REMEMBERED = 1 << 16


@dataclass(frozen=True, slots=True)
class Appraiser:
    """What bids are worth under one set of rules; every answer is remembered.

    Attributes:
        counted: `counted(claim, own, chance)`, what the bid pays its bidder if it is counted; see `as_bidder`.
        faced: `faced(claim, own, bidders, others)`, what it pays another player; see `as_other`.
        best: `best(claim, levels, own, chance)`, the best of so many levels of the claim's digit from `claim` on, as
            (value, claim); among equal ones the strongest.
    """

    counted: Callable[[int, int, float], float]
    faced: Callable[[int, int, float, float], float]
    best: Callable[[int, int, int, float], tuple[float, int]]


@lru_cache(maxsize=32)
def appraiser(rules: Rules) -> Appraiser:
    """The appraiser of a table; the same one for equal rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> table = appraiser(packed(DigitOptions(), seats=2))
    >>> value, claim = table.best(1, 4, 3, 0.1)  # three twos in hand, weighing one to four twos
    >>> round(value, 6), claim
    (1.0, 21)
    """

    @lru_cache(_REMEMBERED)
    def counted(claim: int, own: int, chance: float) -> float:
        return as_bidder(claim, own, chance, rules)

    @lru_cache(_REMEMBERED)
    def faced(claim: int, own: int, bidders: float, others: float) -> float:
        return as_other(claim, own, bidders, others, rules)

    @lru_cache(_REMEMBERED)
    def best(claim: int, levels: int, own: int, chance: float) -> tuple[float, int]:
        bids = range(claim, claim + levels * rules.symbols, rules.symbols)
        return max((counted(bid, own, chance), bid) for bid in bids)

    return Appraiser(counted, faced, best)


@lru_cache(4096)
def held(number: str, rules: Rules) -> tuple[int, ...]:
    """How many of each digit in play a number holds, the lowest digit of the order first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> held("06742088", packed(DigitOptions(), seats=2))  # ones, twos, ..., tens
    (0, 1, 0, 1, 0, 1, 1, 2, 0, 2)
    """
    counts = packed_counts(number)
    return tuple(count_of(counts, digit_of(rank, rules)) for rank in range(rules.symbols))


def hand_of(view: DigitView) -> tuple[int, ...]:
    """How many of each digit in play the seat itself holds, the lowest digit of the order first.

    Raises:
        ValueError: the view is nobody's, so there is no hand.
    """
    if view.number is None:
        raise ValueError("a bot plays from a seat, and this is nobody's view")
    return held(view.number, view.rules)


def bids_weighed(rules: Rules, *, opening: bool) -> int:
    """How many of the weakest legal bids a bot weighs, all digits alike; under the loose order one of each more."""
    levels = rules.hand_size if opening else LEVELS
    return (levels + rules.loose) * rules.symbols


def best_bid(view: DigitView, own: Sequence[int], chances: Sequence[float]) -> tuple[float, int]:
    """The bid with the greatest value if it is counted, as (value, claim); minus infinity where none is legal.

    Args:
        view: of the seat to act.
        own: how many of each digit it holds, or pretends to, the lowest digit first.
        chances: that an unseen digit is this one, for each of them.
    """
    weakest, levels = weakest_bids(view)
    best, symbols = appraiser(view.rules).best, view.rules.symbols
    chosen = _NO_BID
    for claim in weakest:
        rank = claim % symbols
        offer = best(claim, levels, own[rank], chances[rank])
        chosen = max(chosen, offer)
    return chosen


def weakest_bids(view: DigitView) -> tuple[Sequence[int], int]:
    """The bids from which a bot looks upward, and how many levels it weighs from each of them on."""
    rules, claims = view.rules, view.legal.claims
    symbols = rules.symbols
    weighed = bids_weighed(rules, opening=view.auction is not None and view.auction.phase == OPEN)
    if rules.loose or len(claims) <= weighed:  # not every digit has so many levels left, or they do not lie in a row
        return claims[:weighed], 1
    return claims[:symbols], weighed // symbols


def answer_value(view: DigitView, own: int, others: float, bidders: float, rest: float) -> float:
    """What it is worth to let the standing bid be counted: to challenge it, or to count one's own.

    Args:
        view: of the seat to act, which is not opening.
        own: how many of the standing bid's digit it holds.
        others: the chance that a digit of another player is the standing bid's.
        bidders: the same of the bidder's digits.
        rest: the same of the digits of all who are neither the bidder nor this seat.
    """
    auction = view.auction
    if auction is None:
        raise ValueError("no hand is in play")
    table = appraiser(view.rules)
    if auction.phase == DECIDE:
        return table.counted(auction.claim, own, others)
    return table.faced(auction.claim, own, bidders, rest)

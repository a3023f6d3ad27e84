"""What a bid is worth: to a player who sees one hand, and the best among many.

Digits that a player doesn't see are taken as independent, each the digit in question with the same probability. For a
player who knows nothing of the others that is exact; a bot with beliefs asks with a probability of its own. Which
counts make a bid, and what they pay, is asked of the rules and never known here. All values are units at stake 1, from
the point of view of the player who asks; an `Appraiser` works them out once for each table and remembers them.
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
    """Numbers in a row: a tuple or a list here, an array in compiled code."""

    def __len__(self) -> int:
        """How many."""

    def __getitem__(self, place: int, /) -> float:
        """The number at a place."""


_BIDDER = 0
_OTHER = 1


@lru_cache(maxsize=4096)
def tail(cards: int, chance: float) -> tuple[float, ...]:
    """The chances of at least 0, 1, ..., `cards` of a digit among `cards` unseen ones.

    Args:
        cards: how many digits are unseen, 0 or more.
        chance: that one of them is the digit in question, 0 to 1.

    >>> [round(at_least, 6) for at_least in tail(8, 0.1)[:3]]
    [1.0, 0.569533, 0.186895]
    """
    sums = [0.0]
    for count in range(cards, 0, -1):
        sums.append(sums[-1] + comb(cards, count) * chance**count * (1 - chance) ** (cards - count))
    return (1.0, *(min(1.0, value) for value in reversed(sums[1:])))


def at_least(need: int, tails: Floats) -> float:
    """The chance of `need` or more of a digit among unseen ones, by their `tail`; 1 for a need of 0 or below.

    >>> at_least(-3, tail(8, 0.1)), at_least(9, tail(8, 0.1))
    (1.0, 0.0)
    """
    if need <= 0:
        return 1.0
    return tails[need] if need < len(tails) else 0.0


def as_bidder(claim: int, own: int, chance: float, rules: Rules) -> float:
    """What a bid is expected to pay its bidder if it is counted.

    Args:
        claim: the bid.
        own: how many of its digit the bidder holds.
        chance: that a digit of another player is the bid's.
        rules: the table's rules.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(as_bidder(claim_of(level, 7, two), 2, 0.1, two), 6) for level in (2, 3, 4)]
    [1.0, 0.139066, -0.626209]
    """
    return paid_to_bidder(claim, own, tail(rules.hand_size * (rules.seats - 1), chance), rules)


def as_other(claim: int, own: int, bidders: float, others: float, rules: Rules) -> float:
    """What a bid is expected to pay one of the other players if it is counted.

    The bidder may hold none of its digit, which the rules of the hero and the none look at, so both cases are weighed.

    Args:
        claim: the bid.
        own: how many of its digit the player who asks holds.
        bidders: the chance that one of the bidder's digits is the bid's.
        others: the chance that one of any other unseen player's digits is.
        rules: the table's rules.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(as_other(claim_of(level, 7, two), 2, 0.1, 0.1, two), 6) for level in (2, 3, 4)]
    [-1.430467, -0.139066, 0.626209]
    """
    held, rest = tail(rules.hand_size, bidders), tail(rules.hand_size * (rules.seats - 2), others)
    return paid_to_other(claim, own, held, rest, rules)


def paid_to_bidder(claim: int, own: int, unseen: Floats, rules: Rules) -> float:
    """The same as `as_bidder`, from the `tail` of all unseen digits; plain enough to be compiled.

    Args:
        claim: the bid.
        own: how many of its digit the bidder holds.
        unseen: the chances of at least 0, 1, ... of the bid's digit among all other players' digits.
        rules: the table's rules.
    """
    return _expected(claim, own, own, unseen, _BIDDER, rules)


def paid_to_other(claim: int, own: int, held: Floats, rest: Floats, rules: Rules) -> float:
    """The same as `as_other`, from the `tail` of the bidder's digits and of the rest; plain enough to be compiled.

    Args:
        claim: the bid.
        own: how many of its digit the player who asks holds.
        held: the chances of at least 0, 1, ... of the bid's digit among the bidder's digits.
        rest: the same among the digits of all who are neither the bidder nor the player who asks.
        rules: the table's rules.
    """
    value = 0.0
    for count in range(len(held)):
        beyond = held[count + 1] if count + 1 < len(held) else 0.0
        value += (held[count] - beyond) * _expected(claim, count, count + own, rest, _OTHER, rules)
    return value


def _expected(claim: int, bidder_holds: int, seen: int, unseen: Floats, seat: int, rules: Rules) -> float:
    """The expected payoff of `seat` where `seen` of the digit are known, and `unseen` is the tail of the others.

    A count comes out in one of three ways: nothing at all, something below the level, or the level.
    """
    level = level_of(claim, rules)
    something, enough = at_least(1 - seen, unseen), at_least(level - seen, unseen)
    value = 0.0
    for way in range(3):
        total = 0 if way == 0 else level - 1 if way == 1 else level
        likely = 1.0 - something if way == 0 else something - enough if way == 1 else enough
        if likely > 0.0:
            value += likely * payoff(seat, _BIDDER, settle(claim, bidder_holds, total, rules), 1, rules)
    return value


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

"""What a bid is worth to a player who sees one hand: binomial chances times the payoffs of the rules in force.

Digits that a player does not see are taken as independent, each the digit in question with the same chance. For a
player who knows nothing of the others that is exact; a bot with beliefs asks with a chance of its own. Which counts
make a bid, and what they pay, is asked of the rules and never known here.

All values are units at stake 1, from the point of view of the player who asks.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Protocol

from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.options import Rules
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

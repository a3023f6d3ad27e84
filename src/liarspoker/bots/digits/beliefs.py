"""What the bids of a seat say of its hand, to somebody who half believes them.

A bid is read as the Calculator would have meant it: for which counts of its digit would an honest player, who sees
his own hand alone, have made just this bid over the one that stood? Counts that fit become likelier, the more so the
more the bid is trusted. Only public moves are looked at.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from liarspoker.bots.digits.appraisal import LEVELS, appraiser
from liarspoker.bots.digits.chances import tail
from liarspoker.rules.digits.ladder import NO_CLAIM
from liarspoker.rules.digits.options import Rules

Bid = tuple[int, int]
"""A bid in its place: what stood before it (`NO_CLAIM` at the opening), and the bid."""

_OTHER_LEVEL = 0.1
"""How likely an honest player is to bid another level of his digit than the Calculator would."""

_EQUAL = 1e-9
"""Values so close are the same value."""


def bids_of(moves: tuple[tuple[int, int], ...], seats: int) -> list[tuple[Bid, ...]]:
    """The bids that each seat has made, in order, each with the bid that it was made over.

    >>> bids_of(((0, 17), (1, 23), (0, -1)), seats=2)
    [((-1, 17),), ((17, 23),)]
    """
    made: list[list[Bid]] = [[] for _ in range(seats)]
    standing = NO_CLAIM
    for seat, action in moves:
        if action >= 0:
            made[seat].append((standing, action))
            standing = action
    return [tuple(bids) for bids in made]


@lru_cache(1 << 16)
def expected_counts(bids: tuple[Bid, ...], trust: float, rules: Rules) -> tuple[float, ...]:
    """How many of each digit a seat that made these bids is expected to hold, the lowest digit first.

    What a hand has beyond the digits that were bid is shared evenly by the others, so the counts add up to a hand.

    Args:
        bids: all the bids of the seat in this hand.
        trust: 0 to 1; how much its bids are believed to be honest.
        rules: the table's rules.

    >>> from liarspoker.rules.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(count, 2) for count in expected_counts(((NO_CLAIM, 28),), 0.4, two)]  # opened three nines
    [0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 2.5, 0.61]
    """
    hand, symbols = rules.hand_size, rules.symbols
    weights: dict[int, list[float]] = {}
    for standing, claim in bids:
        rank = claim % symbols
        weights[rank] = _updated(weights.get(rank, _prior(rules)), _fit(standing, claim, rules), trust)
    means = {rank: sum(count * weight for count, weight in enumerate(row)) for rank, row in weights.items()}
    bid = sum(means.values())
    if bid > hand or len(means) == symbols:
        means = {rank: mean * hand / bid for rank, mean in means.items()}
        bid = hand
    rest = (hand - bid) / max(1, symbols - len(means))
    return tuple(means.get(rank, rest) for rank in range(symbols))


def _updated(before: list[float], fit: tuple[float, ...], trust: float) -> list[float]:
    """The chances of each count after a bid, by Bayes' rule: with `trust` it is honest, otherwise it tells nothing."""
    weights = [weight * (trust * how + 1 - trust) for weight, how in zip(before, fit, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else before


@lru_cache(1 << 14)
def _fit(standing: int, claim: int, rules: Rules) -> tuple[float, ...]:
    """How well each count of the bid's digit, from none to a whole hand, explains the bid; 1 on average.

    An honest player bids the digit that is worth most to him, at the level that is. So each count is weighed by the
    chance that no other digit is worth more.
    """
    levels = rules.hand_size if standing == NO_CLAIM else LEVELS
    rank, prior = claim % rules.symbols, _prior(rules)
    rivals = [_offers(other, standing, levels, rules) for other in range(rules.symbols) if other != rank]
    fit = []
    for value, bid in _offers(rank, standing, levels, rules):
        likely = 1.0 if bid == claim else _OTHER_LEVEL
        for rival in rivals:
            likely *= sum(weight for weight, (theirs, _) in zip(prior, rival, strict=True) if theirs <= value + _EQUAL)
        fit.append(likely)
    usual = sum(weight * likely for weight, likely in zip(prior, fit, strict=True))
    return tuple(likely / usual if usual > 0 else 1.0 for likely in fit)


def _offers(rank: int, standing: int, levels: int, rules: Rules) -> list[tuple[float, int]]:
    """The best bid of a digit for each count of it in hand, with its value, to one who sees that hand alone."""
    weakest = standing + 1 + (rank - standing - 1) % rules.symbols
    best, blind = appraiser(rules).best, 1 / rules.symbols
    return [best(weakest, levels, own, blind) for own in range(rules.hand_size + 1)]


@lru_cache(64)
def _prior(rules: Rules) -> list[float]:
    """The chances that a random hand holds none, one, two, ... of a digit."""
    return [more - beyond for more, beyond in pairwise((*tail(rules.hand_size, 1 / rules.symbols), 0.0))]

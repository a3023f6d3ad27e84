"""Beliefs about a seat's hand, given its bids and a degree of trust.

The model of an honest bidder is the Calculator bot, which uses only its own hand. Bayes' rule updates the probability
of each count of the bid's digit by the likelihood that an honest bidder with that count makes this bid over the
standing one. With probability 1 - trust, the bid carries no information. Only public moves are used.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from liarspoker.games.digits.appraisal import LEVELS, Floats, appraiser, tail
from liarspoker.games.digits.ladder import NO_CLAIM
from liarspoker.games.digits.options import Rules

Bid = tuple[int, int]
"""The standing bid before a bid (`NO_CLAIM` at the opening), and the bid."""


class MutableFloats(Floats, Protocol):
    """A mutable sequence of floats: a list in Python, an array in compiled code."""

    def __setitem__(self, index: int, value: float, /) -> None:
        """Set the float at an index."""


class FloatMatrix(Protocol):
    """A matrix of floats: a list of lists in Python, an array in compiled code."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def __getitem__(self, index: int, /) -> Floats:
        """Return a row."""


NOT_BID = -1.0
"""Takes the place of the expected count of a digit that a seat has not bid."""

_OTHER_LEVEL = 0.1
"""The relative likelihood that an honest player bids a level of their digit other than the Calculator's."""

_EQUAL = 1e-9
"""Values closer than this are equal."""


def bids_of(moves: tuple[tuple[int, int], ...], seats: int) -> list[tuple[Bid, ...]]:
    """Return each seat's bids in order, each with the standing bid before it.

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
    """Return the expected count of each digit, lowest rank first, for a seat that made these bids.

    Digits that were not bid share the rest of the hand evenly, so that the counts add up to `hand_size`.

    Args:
        bids: the seat's bids in this hand, as `bids_of` returns them.
        trust: the probability, 0 to 1, that a bid is honest.
        rules: the table's rules.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(count, 2) for count in expected_counts(((NO_CLAIM, 28),), 0.4, two)]  # opened three nines
    [0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 2.5, 0.61]
    """
    counts = [NOT_BID] * rules.symbols
    weights: dict[int, list[float]] = {}
    for standing, claim in bids:
        rank = claim % rules.symbols
        probabilities = weights.setdefault(rank, prior(rules).copy())
        update(probabilities, _fit(standing, claim, rules), trust)
        counts[rank] = mean(probabilities)
    share_out(counts, rules)
    return tuple(counts)


def update(weights: MutableFloats, fit: Floats, trust: float) -> None:
    """Update the probabilities of the counts after a bid, by Bayes' rule.

    Args:
        weights: the probability of each count of the bid's digit, from none to a whole hand; changed in place.
        fit: the relative likelihood of the bid for each count, if it is honest.
        trust: the probability, 0 to 1, that it is honest.
    """
    total = 0.0
    for count in range(len(weights)):
        total += weights[count] * (trust * fit[count] + 1 - trust)
    if total > 0:
        for count in range(len(weights)):
            weights[count] = weights[count] * (trust * fit[count] + 1 - trust) / total


def mean(weights: Floats) -> float:
    """Return the expected count, given the probability of each count.

    >>> mean([0.25, 0.5, 0.25])
    1.0
    """
    total = 0.0
    for count in range(len(weights)):
        total += count * weights[count]
    return total


def share_out(counts: MutableFloats, rules: Rules) -> None:
    """Distribute the rest of a hand evenly over the digits that were not bid.

    If the expected counts of the digits bid exceed a hand, they are scaled down instead.

    Args:
        counts: the expected count of each digit, `NOT_BID` for those that were not bid; changed in place.
        rules: the table's rules.
    """
    digits, bid = 0, 0.0
    for rank in range(len(counts)):
        if counts[rank] != NOT_BID:
            digits += 1
            bid += counts[rank]
    scaled = bid > rules.hand_size or digits == rules.symbols
    rest = 0.0 if scaled else (rules.hand_size - bid) / (rules.symbols - digits)
    for rank in range(len(counts)):
        if counts[rank] == NOT_BID:
            counts[rank] = rest
        elif scaled:
            counts[rank] = counts[rank] * rules.hand_size / bid


@lru_cache(1 << 14)
def _fit(standing: int, claim: int, rules: Rules) -> tuple[float, ...]:
    """Return the relative likelihood of an honest bid for each count of its digit, from none to a whole hand.

    Its prior mean is 1. An honest player bids the digit and level with the highest value, so the likelihood includes
    the probability that no other digit has a higher value.
    """
    rank, own = claim % rules.symbols, range(rules.hand_size + 1)
    values, meant = [[0.0] * len(own) for _ in range(rules.symbols)], [0] * len(own)
    for other in range(rules.symbols):
        offers = [appraiser(rules).best(*weakest_of(other, standing, rules), count, 1 / rules.symbols) for count in own]
        values[other] = [value for value, _ in offers]
        if other == rank:
            meant = [bid for _, bid in offers]
    fit = [0.0] * len(own)
    fit_counts(fit, values, meant, claim, prior(rules))
    return tuple(fit)


def fit_counts(fit: MutableFloats, values: FloatMatrix, meant: Floats, claim: int, before: Floats) -> None:
    """Write the relative likelihood of a bid for each count of its digit, with a prior mean of 1. It can be compiled.

    Args:
        fit: the output, for each count from none to a whole hand.
        values: `[digits, counts]`, the value of the best bid of each digit for each count of it.
        meant: the best bid of the bid's own digit, for each count.
        claim: the bid.
        before: the prior probability of each count.
    """
    rank, usual = claim % len(values), 0.0
    for own in range(len(fit)):
        likely = 1.0 if meant[own] == claim else _OTHER_LEVEL
        for other in range(len(values)):
            if other != rank:
                weaker = 0.0
                for count in range(len(before)):
                    if values[other][count] <= values[rank][own] + _EQUAL:
                        weaker += before[count]
                likely *= weaker
        fit[own] = likely
        usual += before[own] * likely
    for own in range(len(fit)):
        fit[own] = fit[own] / usual if usual > 0 else 1.0


def weakest_of(rank: int, standing: int, rules: Rules) -> tuple[int, int]:
    """Return the weakest bid of a digit over `standing`, and how many levels an honest player evaluates from it."""
    weakest = standing + 1 + (rank - standing - 1) % rules.symbols
    return weakest, rules.hand_size if standing == NO_CLAIM else LEVELS


@lru_cache(64)
def prior(rules: Rules) -> list[float]:
    """Return the probabilities that a random hand holds 0, 1, 2, ... of a digit. The list must not be changed."""
    return [more - beyond for more, beyond in pairwise((*tail(rules.hand_size, 1 / rules.symbols), 0.0))]

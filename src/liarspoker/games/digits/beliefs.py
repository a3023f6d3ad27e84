"""What the bids of a seat say of its hand, to somebody who half believes them.

A bid is read as the Calculator would have meant it: for which counts of its digit would an honest player, who sees
his own hand alone, have made just this bid over the one that stood? Counts that fit become likelier, the more so the
more the bid is trusted. Only public moves are looked at.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from liarspoker.games.digits.appraisal import LEVELS, Floats, appraiser, tail
from liarspoker.games.digits.ladder import NO_CLAIM
from liarspoker.games.digits.options import Rules

Bid = tuple[int, int]
"""A bid in its place: what stood before it (`NO_CLAIM` at the opening), and the bid."""


class Row(Floats, Protocol):
    """Numbers in a row that are written to: a list here, an array in compiled code."""

    def __setitem__(self, place: int, number: float, /) -> None:
        """Write a number."""


class Rows(Protocol):
    """Rows of numbers: a list of lists here, an array in compiled code."""

    def __len__(self) -> int:
        """How many."""

    def __getitem__(self, place: int, /) -> Floats:
        """One of them."""


UNTOLD = -1.0
"""Stands for the expected count of a digit that a seat has not bid."""

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

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(count, 2) for count in expected_counts(((NO_CLAIM, 28),), 0.4, two)]  # opened three nines
    [0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 0.61, 2.5, 0.61]
    """
    counts = [UNTOLD] * rules.symbols
    weights: dict[int, list[float]] = {}
    for standing, claim in bids:
        rank = claim % rules.symbols
        row = weights.setdefault(rank, prior(rules).copy())
        reweigh(row, _fit(standing, claim, rules), trust)
        counts[rank] = mean(row)
    share_out(counts, rules)
    return tuple(counts)


def reweigh(weights: Row, fit: Floats, trust: float) -> None:
    """Update the chances of each count after a bid, by Bayes' rule: with `trust` it is honest, else it tells nothing.

    Args:
        weights: the chance of each count of the bid's digit, from none to a whole hand; changed in place.
        fit: how well each count explains the bid.
        trust: 0 to 1.
    """
    total = 0.0
    for count in range(len(weights)):
        total += weights[count] * (trust * fit[count] + 1 - trust)
    if total > 0:
        for count in range(len(weights)):
            weights[count] = weights[count] * (trust * fit[count] + 1 - trust) / total


def mean(weights: Floats) -> float:
    """The expected count, by the chance of each.

    >>> mean([0.25, 0.5, 0.25])
    1.0
    """
    total = 0.0
    for count in range(len(weights)):
        total += count * weights[count]
    return total


def share_out(counts: Row, rules: Rules) -> None:
    """Give the digits that a seat has not bid what its hand has beyond those that it has, so that all make up a hand.

    Args:
        counts: the expected count of each digit, `UNTOLD` for those that were not bid; changed in place.
        rules: the table's rules.
    """
    told, bid = 0, 0.0
    for rank in range(len(counts)):
        if counts[rank] != UNTOLD:
            told += 1
            bid += counts[rank]
    scaled = bid > rules.hand_size or told == rules.symbols
    rest = 0.0 if scaled else (rules.hand_size - bid) / (rules.symbols - told)
    for rank in range(len(counts)):
        if counts[rank] == UNTOLD:
            counts[rank] = rest
        elif scaled:
            counts[rank] = counts[rank] * rules.hand_size / bid


@lru_cache(1 << 14)
def _fit(standing: int, claim: int, rules: Rules) -> tuple[float, ...]:
    """How well each count of the bid's digit, from none to a whole hand, explains the bid; 1 on average.

    An honest player bids the digit that is worth most to him, at the level that is. So each count is weighed by the
    chance that no other digit is worth more.
    """
    rank, own = claim % rules.symbols, range(rules.hand_size + 1)
    values, meant = [[0.0] * len(own) for _ in range(rules.symbols)], [0] * len(own)
    for other in range(rules.symbols):
        offers = [appraiser(rules).best(*weakest_of(other, standing, rules), count, 1 / rules.symbols) for count in own]
        values[other] = [value for value, _ in offers]
        if other == rank:
            meant = [bid for _, bid in offers]
    fit = [0.0] * len(own)
    explain(fit, values, meant, claim, prior(rules))
    return tuple(fit)


def explain(fit: Row, values: Rows, meant: Floats, claim: int, before: Floats) -> None:
    """Write how well each count of the bid's digit explains it, 1 on average; plain enough to be compiled.

    Args:
        fit: to be written, for each count from none to a whole hand.
        values: `[digits, counts]`, what the best bid of each digit is worth to who holds so many of it.
        meant: the best bid of the bid's own digit, for each count.
        claim: the bid.
        before: the chance of each count before the bid.
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
    """The weakest bid of a digit over the one that stands, and how many levels an honest player weighs from it on."""
    weakest = standing + 1 + (rank - standing - 1) % rules.symbols
    return weakest, rules.hand_size if standing == NO_CLAIM else LEVELS


@lru_cache(64)
def prior(rules: Rules) -> list[float]:
    """The chances that a random hand holds none, one, two, ... of a digit. The list must not be changed."""
    return [more - beyond for more, beyond in pairwise((*tail(rules.hand_size, 1 / rules.symbols), 0.0))]

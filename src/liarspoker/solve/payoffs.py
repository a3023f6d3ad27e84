"""What a counted bid pays: a table computed from the settlement rules, and its expectation over unknown hands.

The counts of the seats are independent, so the distribution of the total of several seats is a convolution of short
vectors. Which count makes a bid, and what it pays, is defined only by the settlement rules.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import OUTCOMES, payoff, settle
from liarspoker.solve.hands import Floats, kernel, quickest

BIDDER = 0
"""The index of the bidder's payoffs in a payoff table."""
ANOTHER = 1
"""The index of any other seat's payoffs in a payoff table."""


@lru_cache(maxsize=8)
def payoff_table(rules: Rules) -> Floats:
    """Return what the bidder and any other seat win when a bid is counted, in units at stake 1.

    Returns:
        float64 `[claims, 2, hand_size + 1, seats * hand_size + 1]`, read-only: by the bid, for the bidder (0) or
        another seat (1), by the bidder's own number of its digit, and by the total of all seats. Impossible totals,
        below the bidder's own number or beyond what the others can hold, have 0.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> payoff_table(five)[claim_of(6, 6, five), :, 0, 6].tolist()  # source 000, "The Hero Bump"
    [12.0, -3.0]
    """
    table = np.zeros((ladder_length(rules), 2, rules.hand_size + 1, rules.seats * rules.hand_size + 1))
    quickest(fill_payoffs, table.size)(table, rules)
    table.setflags(write=False)
    return table


def fill_payoffs(table: Floats, rules: Rules) -> None:
    """Fill the table of :func:`payoff_table`; plain Python, which is compiled for large tables."""
    for claim in range(table.shape[0]):
        _fill_claim(table[claim], claim, rules)


def _fill_claim(table: Floats, claim: int, rules: Rules) -> None:
    for own in range(rules.hand_size + 1):
        for total in range(own, own + rules.hand_size * (rules.seats - 1) + 1):
            settlement = settle(claim, own, total, rules)
            table[BIDDER, own, total] = payoff(0, 0, settlement, 1, rules)
            table[ANOTHER, own, total] = payoff(1, 0, settlement, 1, rules)


@lru_cache(maxsize=1024)
def _count_tables(rules: Rules, claim: int) -> Floats:
    """Return what one bid pays, and an indicator of each outcome: `[1 + outcomes, 2, own, total]`."""
    tables = np.zeros((1 + len(OUTCOMES), 2, rules.hand_size + 1, rules.seats * rules.hand_size + 1))
    _fill_claim(tables[0], claim, rules)
    for own, total in np.ndindex(tables.shape[2:]):
        tables[1 + settle(claim, own, total, rules).outcome, :, own, total] = 1.0
    return tables


class Count(NamedTuple):
    """What a seat can expect from a count, by how many of the bid's digit it holds.

    Attributes:
        units: float64 `[hand_size + 1]`, its expected payoff at stake 1.
        outcomes: float64 `[hand_size + 1, 4]`, the probability of each outcome as in
            `liarspoker.games.digits.settlement.OUTCOMES`: failed, made, hero, none. Rows sum to 1.
    """

    units: Floats
    outcomes: Floats


def count_standing(rules: Rules, seat: int, claim: int, bidder: int, counts: Floats) -> Count:
    """Return what a seat can expect if a bid is counted; it takes about ten microseconds for all of its hands.

    Args:
        rules: the table's rules.
        seat: the seat; its own row of `counts` isn't read.
        claim: the bid.
        bidder: the seat that made it, which may be `seat` itself.
        counts: float64 `[seats, hand_size + 1]`, the probability of each count of the bid's digit in each hand.

    >>> from liarspoker.odds.bids import bid_value
    >>> from liarspoker.odds.counts import distribution
    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> three = packed(DigitOptions(), seats=3)
    >>> blind = np.tile(np.array(distribution(8), np.float64), (3, 1))
    >>> count = count_standing(three, 0, claim_of(4, 6, three), 0, blind)
    >>> abs(count.units[1] - float(bid_value(three, claim_of(4, 6, three), own=1))) < 1e-12
    np.True_
    """
    expected = np.zeros((1 + len(OUTCOMES), rules.hand_size + 1))
    kernel(expect_all)(seat, bidder, counts, _count_tables(rules, claim), new_buffer(rules), expected)
    return Count(expected[0], expected[1:].T)


def new_buffer(rules: Rules) -> Floats:
    """Return a buffer for `expect`, float64 `[2, seats * hand_size + 1]`; not for compiled code."""
    return np.zeros((2, rules.seats * rules.hand_size + 1))


def expect_all(seat: int, bidder: int, counts: Floats, tables: Floats, buffer: Floats, expected: Floats) -> None:
    """Compute what :func:`expect` computes for each of several tables. For compiled code."""
    for table in range(tables.shape[0]):
        expect(seat, bidder, counts, tables[table], buffer, expected[table])


def expect(seat: int, bidder: int, counts: Floats, table: Floats, buffer: Floats, expected: Floats) -> None:
    """Compute the expectation of a table over the hands of all others. For compiled code.

    Args:
        seat: the seat; its own row of `counts` isn't read.
        bidder: the seat that made the bid.
        counts: float64 `[seats, hand_size + 1]`, the weight of each count of the bid's digit in each hand.
        table: float64 `[2, hand_size + 1, seats * hand_size + 1]`, one bid's entry of :func:`payoff_table`.
        buffer: from :func:`new_buffer`.
        expected: float64 `[hand_size + 1]`, the result, for each count of the digit in the seat's own hand.
    """
    kinds = counts.shape[1]
    size, rest = _join(seat, bidder, counts, buffer)
    for own in range(kinds):
        value = 0.0
        if seat == bidder:
            for others in range(size):
                value += buffer[rest, others] * table[BIDDER, own, own + others]
        else:
            for held in range(kinds):
                if counts[bidder, held] > 0.0:
                    for others in range(size):
                        likely = counts[bidder, held] * buffer[rest, others]
                        value += likely * table[ANOTHER, held, own + held + others]
        expected[own] = value


def _join(seat: int, bidder: int, counts: Floats, buffer: Floats) -> tuple[int, int]:
    """Compute the weight of each total in the hands of all seats except `seat` and `bidder`.

    Return the length of this vector, and its row in the buffer.
    """
    size, row, kinds = 1, 0, counts.shape[1]
    buffer[0, 0] = 1.0
    for other in range(counts.shape[0]):
        if other not in (seat, bidder):
            later = 1 - row
            for total in range(size + kinds - 1):
                buffer[later, total] = 0.0
            for total in range(size):
                for held in range(kinds):
                    buffer[later, total + held] += buffer[row, total] * counts[other, held]
            size += kinds - 1
            row = later
    return size, row

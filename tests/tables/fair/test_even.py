"""Uniformity of deals for every seat and position, and the power of the test."""

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest
from hypothesis import settings

from liarspoker.core import catalogue
from liarspoker.core.chance import Stream
from liarspoker.tables.fair.deal import drawn

SEATS = 5
DIGITS = "1234567890"
Cell = tuple[int, int, str | int]


def how_many() -> int:
    """250,000 deals; fewer when measuring coverage, and 200 million in `make soak`."""
    return 10_000 * settings().max_examples


def keys() -> Iterator[bytes]:
    """Yield the same keys in every run."""
    number = 0
    while True:
        yield sha256(number.to_bytes(8, "big")).digest()
        number += 1


def chi_square(counts: dict[str | int, int], values: int) -> float:
    """Return the chi-squared statistic of counts against a uniform distribution."""
    expected = sum(counts.values()) / values
    missing = values - len(counts)
    return sum((count - expected) ** 2 for count in counts.values()) / expected + missing * expected


def bound(values: int) -> float:
    """Return the 1 - 1e-7 quantile of the chi-squared distribution (Wilson and Hilferty)."""
    freedom = values - 1
    return freedom * float(1 - 2 / (9 * freedom) + 5.2 * (2 / (9 * freedom)) ** 0.5) ** 3


def uneven(cells: Counter[Cell], values: int) -> list[str]:
    """Return the seats, positions and combinations whose counts aren't uniform; empty for a uniform source."""
    groups: dict[str, Counter[str | int]] = {}
    for (seat, place, value), count in cells.items():
        for group in ("all", f"seat {seat}", f"place {place}", f"seat {seat}, place {place}"):
            groups.setdefault(group, Counter())[value] += count
    return [group for group, counts in groups.items() if chi_square(counts, values) > bound(values)]


def digits_dealt(count: int, deal: Callable[[bytes], tuple[str, ...]]) -> Counter[Cell]:
    """Return the counts of each digit by seat and position."""
    cells: Counter[Cell] = Counter()
    for key in islice(keys(), count // (8 * SEATS)):
        cells.update(
            (seat, place, digit) for seat, number in enumerate(deal(key)) for place, digit in enumerate(number)
        )
    return cells


BILLS: Any = catalogue.load("dollar-bill").session(SEATS).chance_spec()


def by_remainder(key: bytes) -> Callable[[int], int]:
    """A biased source: the remainder of six bits favours small numbers."""
    stream = Stream(key, "deal")
    return lambda n: stream.below(64) % n


def dealt_by(needs: Any, key: bytes) -> Any:
    """Derive a deal from the randomness of a key."""
    return drawn(needs, key)


@pytest.mark.slow
@pytest.mark.hypothesis
def test_digits_are_uniform_for_every_seat_and_position() -> None:
    assert uneven(digits_dealt(how_many(), lambda key: dealt_by(BILLS, key).numbers), 10) == []


@pytest.mark.slow
def test_a_biased_source_fails_the_uniformity_test() -> None:
    found = uneven(digits_dealt(250_000, lambda key: BILLS.draw(by_remainder(key)).numbers), 10)
    assert {"all", *(f"seat {seat}" for seat in range(SEATS))} <= set(found)

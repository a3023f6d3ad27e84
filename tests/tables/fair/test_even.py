"""Whether all numbers are equally likely, for every seat and place; and whether it would show if not."""

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
    """A quarter of a million, less when only measuring coverage, and two hundred million in `make soak`."""
    return 10_000 * settings().max_examples


def keys() -> Iterator[bytes]:
    """The same keys in every run."""
    number = 0
    while True:
        yield sha256(number.to_bytes(8, "big")).digest()
        number += 1


def chi_square(counts: dict[str | int, int], values: int) -> float:
    """How far counts of so many values are from equal ones."""
    expected = sum(counts.values()) / values
    missing = values - len(counts)
    return sum((count - expected) ** 2 for count in counts.values()) / expected + missing * expected


def bound(values: int) -> float:
    """What an even source of so many values exceeds once in ten million times (Wilson and Hilferty)."""
    freedom = values - 1
    return freedom * float(1 - 2 / (9 * freedom) + 5.2 * (2 / (9 * freedom)) ** 0.5) ** 3


def uneven(cells: Counter[Cell], values: int) -> list[str]:
    """The seats, places and both at once where some values are too frequent; nothing of an even source."""
    groups: dict[str, Counter[str | int]] = {}
    for (seat, place, value), count in cells.items():
        for group in ("all", f"seat {seat}", f"place {place}", f"seat {seat}, place {place}"):
            groups.setdefault(group, Counter())[value] += count
    return [group for group, counts in groups.items() if chi_square(counts, values) > bound(values)]


def digits_dealt(count: int, deal: Callable[[bytes], tuple[str, ...]]) -> Counter[Cell]:
    """How often each seat got each digit in each place, among so many digits."""
    cells: Counter[Cell] = Counter()
    for key in islice(keys(), count // (8 * SEATS)):
        cells.update(
            (seat, place, digit) for seat, number in enumerate(deal(key)) for place, digit in enumerate(number)
        )
    return cells


BILLS: Any = catalogue.load("dollar-bill").session(SEATS).chance_spec()


def by_remainder(key: bytes) -> Callable[[int], int]:
    """A source as it must not be: the remainder of six bits favours small numbers."""
    stream = Stream(key, "deal")
    return lambda n: stream.below(64) % n


def dealt_by(needs: Any, key: bytes) -> Any:
    """A deal from the randomness of a key."""
    return drawn(needs, key)


@pytest.mark.slow
@pytest.mark.hypothesis
def test_every_digit_is_as_likely_as_any_other_for_every_seat_and_place() -> None:
    assert uneven(digits_dealt(how_many(), lambda key: dealt_by(BILLS, key).numbers), 10) == []


@pytest.mark.slow
def test_a_source_that_favours_small_numbers_gives_uneven_digits() -> None:
    found = uneven(digits_dealt(250_000, lambda key: BILLS.draw(by_remainder(key)).numbers), 10)
    assert {"all", *(f"seat {seat}" for seat in range(SEATS))} <= set(found)

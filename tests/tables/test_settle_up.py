"""Settling up: the payments settle all debts, and there are no fewer."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.tables.settle_up import settle_up


def balances(most: int) -> st.SearchStrategy[dict[str, int]]:
    """Units of up to `most` users that sum to zero."""
    units = st.lists(st.integers(-6, 6), max_size=most - 1)
    return units.map(lambda won: {f"user-{number}": one for number, one in enumerate([*won, -sum(won)])})


@given(balances(24))
def test_the_payments_settle_everything(units: dict[str, int]) -> None:
    left = dict(units)
    payments = settle_up(units)
    for payment in payments:
        assert payment.units > 0
        left[payment.payer] += payment.units
        left[payment.payee] -= payment.units
    assert not any(left.values())
    assert len(payments) < max(1, sum(won != 0 for won in units.values())) or not payments


@given(balances(7))
def test_no_smaller_set_of_payments_settles_everything(units: dict[str, int]) -> None:
    left = [won for won in units.values() if won]
    assert len(settle_up(units)) == len(left) - most_groups(tuple(left))


def most_groups(units: tuple[int, ...]) -> int:
    """The largest number of groups whose units sum to zero, by trying all groups of the first user."""
    if not units:
        return 0
    first, rest = units[0], units[1:]
    return max(
        1 + most_groups(tuple(won for at, won in enumerate(rest) if at not in chosen))
        for size in range(len(rest) + 1)
        for chosen in combinations(range(len(rest)), size)
        if first + sum(rest[at] for at in chosen) == 0
    )

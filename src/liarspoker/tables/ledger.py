"""Who owes whom: units won and lost over a table's life, and the fewest payments that settle them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Payment(NamedTuple):
    """One player pays another."""

    payer: str
    payee: str
    units: int


def settle_up(units: Mapping[str, int]) -> tuple[Payment, ...]:
    """Payments after which nobody owes anything: the greatest loser pays the greatest winner, again and again.

    Args:
        units: won or lost by each user; they sum to zero.

    Returns:
        At most one payment fewer than there are users.

    >>> settle_up({"ann": 5, "bob": -2, "cyd": -3})
    (Payment(payer='cyd', payee='ann', units=3), Payment(payer='bob', payee='ann', units=2))
    """
    left = {user: won for user, won in units.items() if won}
    payments = []
    while left:
        payer = min(left, key=lambda user: left[user])
        payee = max(left, key=lambda user: left[user])
        paid = min(-left[payer], left[payee])
        payments.append(Payment(payer, payee, paid))
        for user, change in ((payer, paid), (payee, -paid)):
            left[user] += change
            if not left[user]:
                del left[user]
    return tuple(payments)

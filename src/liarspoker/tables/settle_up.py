"""The payments with which the players of a table settle their debts."""

from __future__ import annotations

from collections.abc import Mapping

from liarspoker.protocol.views import PaymentView

MOST_EXACT = 12
"""The number of users, apart from pairs with opposite units, up to which the payments are certainly the fewest."""


def settle_up(units: Mapping[str, int]) -> tuple[PaymentView, ...]:
    """Return the fewest payments that settle all debts; for more than `MOST_EXACT` users possibly a few more.

    Users who can settle among themselves form a group, in which the biggest loser repeatedly pays the biggest winner. A
    group takes one payment fewer than it has users, so the more groups, the fewer payments.

    Args:
        units: units won or lost by user; they sum to zero.

    >>> [(one.payer, one.payee, one.units) for one in settle_up({"ann": 5, "bob": -2, "cyd": -3})]
    [('cyd', 'ann', 3), ('bob', 'ann', 2)]
    >>> [(one.payer, one.payee) for one in settle_up({"ann": 6, "bob": -3, "cyd": 4, "dan": -4, "eve": -3})]
    [('dan', 'cyd'), ('bob', 'ann'), ('eve', 'ann')]
    """
    left = {user: won for user, won in units.items() if won}
    groups = []
    for user, won in list(left.items()):
        debtor = next((other for other, lost in left.items() if lost == -won), None)
        if user in left and won > 0 and debtor is not None:  # some optimal set of groups contains every such pair
            groups.append({user: left.pop(user), debtor: left.pop(debtor)})
    groups += _most_groups(left) if len(left) <= MOST_EXACT else [left]
    return tuple(payment for group in groups for payment in _payments(group))


def _payments(units: Mapping[str, int]) -> list[PaymentView]:
    """Return payments among a group: repeatedly, the biggest loser pays the biggest winner."""
    left, payments = dict(units), []
    while left:
        payer = min(left, key=lambda user: left[user])
        payee = max(left, key=lambda user: left[user])
        paid = min(-left[payer], left[payee])
        payments.append(PaymentView(payer=payer, payee=payee, units=paid))
        for user, change in ((payer, paid), (payee, -paid)):
            left[user] += change
            if not left[user]:
                del left[user]
    return payments


def _most_groups(units: Mapping[str, int]) -> list[dict[str, int]]:
    """Return a partition of users into as many groups as possible whose units sum to zero.

    `most[mask]` is the largest number of groups that are complete if users join in some order until `mask` is reached.
    """
    users = list(units)
    sums, most = [0], [0]
    for mask in range(1, 1 << len(users)):
        lowest = mask & -mask
        sums.append(sums[mask ^ lowest] + units[users[lowest.bit_length() - 1]])
        before = max(most[mask ^ (1 << at)] for at in range(len(users)) if mask >> at & 1)
        most.append(before + (sums[mask] == 0))
    groups: list[dict[str, int]] = []
    mask = len(most) - 1
    while mask:
        if not sums[mask]:
            groups.append({})
        wanted = most[mask] - (sums[mask] == 0)
        at = next(at for at in range(len(users)) if mask >> at & 1 and most[mask ^ (1 << at)] == wanted)
        groups[-1][users[at]] = units[users[at]]
        mask ^= 1 << at
    return groups

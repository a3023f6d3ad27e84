"""How much memory a solution needs, computed before anything is allocated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from liarspoker.engine.errors import CannotFit
from liarspoker.engine.lanes import LANES
from liarspoker.engine.memory import amount_of
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.solve.algorithms import Algorithm
from liarspoker.solve.hands import hands_in
from liarspoker.solve.layout import best_cut
from liarspoker.solve.tree import rows_in, states_of

MOST_BIDS = 240
"""With more bids than this, positions aren't counted: every set of bids is a history, so there are more than 2**240."""

_BYTES = 4
_SMALL = 40


@dataclass(frozen=True, slots=True)
class Need:
    """What a solution needs.

    Attributes:
        rows: the number of actions at decisions, over all positions; a lower bound if there are more than `MOST_BIDS`
            bids.
        hands: the number of hands of a seat.
        size: bytes of memory while solving.
    """

    rows: int
    hands: int
    size: int

    @property
    def text(self) -> str:
        """The memory as text, such as `3.1 GB`."""
        return amount_of(self.size)


def strategy_size(rules: Rules) -> int:
    """Return the size of a table of probabilities, such as the average strategy, in bytes.

    Raises:
        CannotPlay: its positions can't be enumerated.
    """
    return rows_in(rules) * hands_in(rules) * _BYTES


def need_of(rules: Rules, algorithm: Algorithm) -> Need:
    """Return what solving a table needs: regrets, sums and, with predictions, a third table, four bytes per number.

    Args:
        rules: with a finite ladder in strict order.
        algorithm: the algorithm.

    >>> from liarspoker.solve.algorithms import ALGORITHMS
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> need = need_of(packed(DigitOptions(hand_size=3, symbols=3), seats=2), ALGORITHMS[0])
    >>> need.rows, need.hands, need.text
    (39088167, 10, '3.2 GB')
    """
    hands, tables = hands_in(rules), 3 if algorithm.predicts else 2
    if ladder_length(rules) > MOST_BIDS:
        rows = 2 ** ladder_length(rules)
        return Need(rows, hands, rows * hands * tables * _BYTES)
    rows = rows_in(rules)
    kept = best_cut(states_of(rules)).rows * LANES if log2(rows) < _SMALL else rows
    return Need(rows, hands, kept * hands * tables * _BYTES)


def check_need(rules: Rules, algorithm: Algorithm, limit: int) -> None:
    """Raise an error if a solution needs more memory than is available.

    Args:
        rules: the table's rules.
        algorithm: the algorithm.
        limit: the available memory in bytes.

    Raises:
        CannotFit: it needs more; the message says how much, and what would fit.
    """
    need = need_of(rules, algorithm)
    if need.size <= limit:
        return
    more = "more than " if ladder_length(rules) > MOST_BIDS else ""
    fitting = "; ".join(_fitting(rules, algorithm, limit)) or "no game of this kind"
    raise CannotFit(
        f"{described(rules)}: solving it takes {more}{need.text} of memory, but only {amount_of(limit)} are free; "
        f"this would fit: {fitting}"
    )


def _fitting(rules: Rules, algorithm: Algorithm, limit: int) -> Iterator[str]:
    """Yield the largest tables with no more digits or symbols that would fit, as text."""
    for rebid in sorted({rules.rebid, 0}, reverse=True):
        best: tuple[int, str] | None = None
        for size in range(1, rules.hand_size + 1):
            for symbols in range(2, rules.symbols + 1):
                smaller = rules._replace(hand_size=size, symbols=symbols, rebid=rebid)
                if ladder_length(smaller) > _SMALL:
                    break
                need = need_of(smaller, algorithm)
                if need.size <= limit and (best is None or need.size > best[0]):
                    best = (need.size, f"{described(smaller)} ({need.text})")
        if best:
            yield best[1]


def described(rules: Rules) -> str:
    """Describe a game to solve as text.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> described(packed(DigitOptions(hand_size=1, symbols=2, rebid=False), seats=3))
    '3 players, 1 digit of 2, without rebids'
    """
    rebid = "with" if rules.rebid else "without"
    digits = "1 digit" if rules.hand_size == 1 else f"{rules.hand_size} digits"
    return f"{rules.seats} players, {digits} of {rules.symbols}, {rebid} rebids"

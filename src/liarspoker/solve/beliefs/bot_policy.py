"""Policies that value each digit by their count of it: the light bots' kind, for all hands at once.

Such a policy states, in a public position, the value of the best bid of each digit for each count of it, and the value
of the answer for each count of the standing bid's digit. It plays whatever has the highest value; some of the time it
pretends to hold one more of some digit when it looks for a bid. The light bots' are in `games.digits.weighing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from liarspoker.games.digits.ladder import ladder_length
from liarspoker.solve.beliefs.policies import MixedPolicy, Split, no_chances
from liarspoker.solve.beliefs.positions import Position, PublicView, column_of
from liarspoker.solve.hands import Floats, Small, kernel
from liarspoker.solve.tree import ranks_of_bids

Columns = NDArray[np.int32]

NO_ANSWER = -1


class Weighing(Protocol):
    """How a policy chooses in a position."""

    @property
    def offers(self) -> Sequence[Sequence[tuple[float, int]]]:
        """`[symbols][hand_size + 2]`: for each digit, the lowest first, and each count of it, the best bid.

        A pair of its value and the bid; minus infinity where there is none. The last count is one more than a
        hand holds, for a policy that pretends.
        """

    @property
    def strongest(self) -> bool:
        """Whether among bids of equal value it makes the strongest; else the weakest."""

    @property
    def answer(self) -> int | None:
        """`CHALLENGE` or `COUNT`; `None` at the opening."""

    @property
    def worth(self) -> Sequence[float]:
        """`[hand_size + 1]`: the value of the answer for each count of the standing bid's digit.

        It is played where no bid has a higher value.
        """

    @property
    def pretends(self) -> float:
        """The probability that it chooses a bid as if it held one more of some digit, drawn evenly."""


class Offers(NamedTuple):
    """The same, with the offers numbered from 1 in the order in which one is chosen over another.

    Attributes:
        numbers: uint8 `[symbols, hand_size + 2]`, the number of each digit's offer for each count of it.
        columns: int32 `[offers + 1]`, the column of the bid with each number; at 0 that of the answer.
        standing: the rank of the standing bid's digit, 0 at the opening.
        least: uint8 `[hand_size + 1]`, for each count of that digit the last number over which the answer is given.
        pretends: the probability that it pretends.
    """

    numbers: Small
    columns: Columns
    standing: int
    least: Small
    pretends: float


@dataclass(frozen=True, slots=True)
class BotPolicy(MixedPolicy):
    """The policy of a bot that values bids by the count of their digit.

    Attributes:
        weigh: returns its values, from a view of the seat to act. The view is a `PublicView`, which holds nothing but
            what is public.

    >>> from liarspoker.games.digits.weighing import weighing
    >>> from liarspoker.solve.hands import index_of
    >>> from liarspoker.engine.table import Table
    >>> position = Position.at(Table.of("dollar-bill", seats=2))
    >>> hand = index_of((2, 1, 2, 0, 1, 0, 1, 1, 0, 0))  # 0 0 1 2 2 4 6 7
    >>> row = BotPolicy(weighing("bluffer")).matrix(position)[hand]
    >>> {column: round(float(row[column]), 2) for column in row.nonzero()[0].tolist()}  # 12 is two twos
    {12: 0.9, 14: 0.02, 16: 0.02, 17: 0.02, 20: 0.02, 22: 0.02}
    """

    weigh: Callable[[Any], Weighing]

    def matrix(self, position: Position) -> Floats:
        """As `MixedPolicy.matrix`."""
        matrix = no_chances(position)
        offers, chosen, pretended = self._choices(position)
        for number, way in enumerate(chosen):
            weight = pretended if number else 1.0 - pretended * (len(chosen) - 1)
            matrix[np.arange(way.size), offers.columns[way]] += weight
        return matrix

    def likelihoods(self, position: Position, action: int) -> Floats:
        """As `MixedPolicy.likelihoods`."""
        offers, chosen, pretended = self._choices(position)
        return _likely(chosen, np.flatnonzero(offers.columns == column_of(action, position.rules)), pretended)

    def split(self, position: Position, belief: Floats) -> Split:
        """As `MixedPolicy.split`."""
        offers, chosen, pretended = self._choices(position)
        by_offer = np.zeros((len(chosen), offers.columns.size))
        kernel(add_by_offer)(belief, chosen, by_offer)
        by_offer[0] *= 1.0 - pretended * (len(chosen) - 1)
        by_offer[1:] *= pretended
        bids, counts = ladder_length(position.rules), position.rules.hand_size + 1
        answered = _likely(chosen, np.zeros(1, np.int64), pretended) * belief
        split = Split(np.zeros(bids + 2), np.zeros((bids, counts)), answered)
        _gather(offers, by_offer, split)
        return split

    def _choices(self, position: Position) -> tuple[Offers, Small, float]:
        """The offers; the number of what each hand chooses, `[ways, hands]`; the probability of each way but the first.

        The first way is the honest one, the others are those in which one more is pretended of each digit.
        """
        offers, hands = offers_of(self.weigh(PublicView(position)), position), position.hands
        symbols = position.rules.symbols
        chosen = np.zeros((1 + symbols * (offers.pretends > 0), hands.size), np.uint8)
        kernel(choose_all)(hands.by_digit, offers, np.zeros((symbols + 1, hands.size), np.uint8), chosen)
        return offers, chosen, offers.pretends / symbols


def offers_of(weighing: Weighing, position: Position) -> Offers:
    """Return the values of a position in arrays."""
    rules = position.rules
    pairs = np.array(weighing.offers)
    values, claims = pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel().astype(np.int32)
    order = np.lexsort((claims if weighing.strongest else -claims, values))
    numbers = np.empty(order.size, np.uint8)
    numbers[order] = np.arange(1, order.size + 1)
    least, answer = np.zeros(rules.hand_size + 1, np.uint8), np.int32(NO_ANSWER)
    if weighing.answer is not None:
        least[:] = np.searchsorted(values[order], np.array(weighing.worth, np.float64), side="right")
        answer = np.int32(column_of(weighing.answer, rules))
    return Offers(
        numbers=numbers.reshape(pairs.shape[:2]),
        columns=np.concatenate(([answer], claims[order])),
        standing=int(ranks_of_bids(rules)[position.auction.claim]) if weighing.answer is not None else 0,
        least=least,
        pretends=float(weighing.pretends),
    )


def _likely(chosen: Small, wanted: NDArray[np.int64], pretended: float) -> Floats:
    """The probability with each hand that one of the wanted offers is chosen, float64 `[hands]`."""
    likely = np.empty(chosen.shape[1])
    kernel(likelihoods_of)(chosen, wanted, pretended, np.zeros((2, likely.size), np.uint8), likely)
    return likely


def choose_all(by_digit: Small, offers: Offers, buffer: Small, chosen: Small) -> None:
    """Write the number of the offer that each hand chooses into `chosen`, 0 for the answer.

    Args:
        by_digit: uint8 `[symbols, hands]`.
        offers: what is offered.
        buffer: uint8 `[symbols + 1, hands]`, the last row all 0.
        chosen: uint8 `[ways, hands]`, all 0: first the honest choice, and where there are more ways, what is chosen
            with one more of each digit.
    """
    symbols, rest = by_digit.shape[0], buffer[by_digit.shape[0]]
    for rank in range(symbols):
        _look_up(offers.numbers[rank], by_digit[rank], buffer[rank])
    if chosen.shape[0] == 1:
        for rank in range(symbols):
            _raise_to(buffer[rank], chosen[0])
    else:
        for rank in range(symbols):  # the best of the digits before it
            _raise_to(chosen[0], chosen[rank + 1])
            _raise_to(buffer[rank], chosen[0])
        for rank in range(symbols - 1, -1, -1):  # the best of those after it, and its own with one more
            _raise_to(rest, chosen[rank + 1])
            _raise_to(buffer[rank], rest)
            _look_up(offers.numbers[rank, 1:], by_digit[rank], buffer[rank])
            _raise_to(buffer[rank], chosen[rank + 1])
    _look_up(offers.least, by_digit[offers.standing], rest)
    for way in range(chosen.shape[0]):
        for hand in range(rest.size):
            chosen[way, hand] = chosen[way, hand] if chosen[way, hand] > rest[hand] else 0


def _look_up(table: Small, counts: Small, found: Small) -> None:
    """Look up each hand's count in a digit's table."""
    for hand in range(counts.size):
        found[hand] = table[counts[hand]]


def _raise_to(numbers: Small, highest: Small) -> None:
    """Make `highest` the greater of the two, hand by hand."""
    for hand in range(numbers.size):
        highest[hand] = max(highest[hand], numbers[hand])


def likelihoods_of(chosen: Small, wanted: NDArray[np.int64], pretended: float, ways: Small, likely: Floats) -> None:
    """Write the probability that one of the wanted offers is chosen.

    Args:
        chosen: uint8 `[ways, hands]`.
        wanted: int64 `[some]`, the numbers of the offers, 0 for the answer.
        pretended: the probability of each way but the first.
        ways: a buffer, uint8 `[2, hands]`, all 0.
        likely: float64 `[hands]`.
    """
    for number in wanted:
        for way in range(chosen.shape[0]):
            _count_ways(chosen[way], number, ways[min(way, 1)])
    honest = 1.0 - pretended * (chosen.shape[0] - 1)
    for hand in range(likely.size):
        likely[hand] = honest * ways[0, hand] + pretended * ways[1, hand]


def _count_ways(chosen: Small, number: int, ways: Small) -> None:
    """Count one more wherever this offer is chosen."""
    for hand in range(chosen.size):
        ways[hand] += chosen[hand] == number


def add_by_offer(belief: Floats, chosen: Small, by_offer: Floats) -> None:
    """Add a belief to `by_offer`, `[ways, offers + 1]`, by what is chosen; many hands in a row choose the same."""
    for way in range(chosen.shape[0]):
        row, sums = chosen[way], by_offer[way]
        last, gathered = row[0], 0.0
        for hand in range(row.size):
            if row[hand] != last:
                sums[last] += gathered
                last, gathered = row[hand], 0.0
            gathered += belief[hand]
        sums[last] += gathered


def _gather(offers: Offers, by_offer: Floats, split: Split) -> None:
    """Add what was chosen by offer to the bids: an offer belongs to one digit and one count of it."""
    symbols, counts = offers.numbers.shape
    digits, held = (np.empty(offers.columns.size, np.int64) for _ in range(2))
    digits[offers.numbers], held[offers.numbers] = np.arange(symbols)[:, None], np.arange(counts)
    numbers = np.flatnonzero(by_offer[:, 1:].any(axis=0)) + 1
    likely, bids, held = by_offer[:, numbers], offers.columns[numbers], held[numbers]
    split.chances[offers.columns[0]] += by_offer[:, 0].sum()
    np.add.at(split.chances, bids, likely.sum(axis=0))
    if len(likely) > 1:  # a seat that pretended one more of the digit that it bid holds one less than the offer says
        pretended = likely[digits[numbers] + 1, np.arange(numbers.size)]
        likely[digits[numbers] + 1, np.arange(numbers.size)] = 0.0
        np.add.at(split.bids, (bids, held - 1), pretended)
    np.add.at(split.bids, (bids, np.minimum(held, counts - 2)), likely.sum(axis=0))

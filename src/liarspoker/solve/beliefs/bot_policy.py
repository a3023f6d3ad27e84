"""The mixed policies of the built-in bots, for all hands at once.

In a public position, such a bot needs only the value of the best bid of each digit for each count of that digit, and
the value of the answer for each count of the standing bid's digit. It plays whatever has the highest value. To bluff,
it sometimes pretends to hold one more of some digit when it chooses a bid. The bots' values are computed in
:mod:`liarspoker.games.digits.bot_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.bots.network_bot import network_bot
from liarspoker.games.digits.bot_values import VALUE_FUNCTIONS, value_function
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.network_bot import NETWORK_BOTS
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.policies import MixedPolicy, Split, UniformPolicy, zero_probabilities
from liarspoker.solve.beliefs.positions import Position, PublicView, column_of
from liarspoker.solve.hands import Floats, Small, kernel
from liarspoker.solve.tree import ranks_of_bids

Columns = NDArray[np.int32]
"""An int32 array of action columns."""

NO_ANSWER = -1
"""In place of the answer's column at the opening, where there is no answer."""


class ActionValues(Protocol):
    """The values by which a policy chooses in a position."""

    @property
    def offers(self) -> Sequence[Sequence[tuple[float, int]]]:
        """`[symbols][hand_size + 2]`: the best bid of each digit, the lowest first, for each count of it.

        Each entry is a pair of its value and the bid; the value is minus infinity if there is no bid. The last count is
        one more than a hand can hold, for a policy that pretends.
        """

    @property
    def prefers_strongest(self) -> bool:
        """Whether it makes the strongest of several bids of equal value, or else the weakest."""

    @property
    def answer(self) -> int | None:
        """`CHALLENGE` or `COUNT`; `None` at the opening."""

    @property
    def answer_values(self) -> Sequence[float]:
        """`[hand_size + 1]`: the value of the answer for each count of the standing bid's digit.

        The answer is played if no bid has a higher value.
        """

    @property
    def bluff_probability(self) -> float:
        """The probability that it chooses a bid as if it held one more of a random digit."""


class Offers(NamedTuple):
    """Action values as arrays, with the offers numbered from 1 in the order of preference.

    Attributes:
        numbers: uint8 `[symbols, hand_size + 2]`, the number of each digit's offer for each count of it.
        columns: int32 `[offers + 1]`, the column of the bid with each number; at 0 that of the answer.
        standing: the rank of the standing bid's digit, 0 at the opening.
        least: uint8 `[hand_size + 1]`, for each count of that digit, the last offer to which the answer is preferred.
        pretends: the probability of pretending.
    """

    numbers: Small
    columns: Columns
    standing: int
    least: Small
    pretends: float


@dataclass(frozen=True, slots=True)
class BotPolicy(MixedPolicy):
    """The mixed policy of a bot that values bids by the count of their digit.

    :func:`bot_policy` returns those of the built-in bots.

    Attributes:
        values: returns the bot's action values, given a :class:`~liarspoker.solve.beliefs.positions.PublicView`, which
            contains only public information.

    >>> from liarspoker.solve.hands import index_of
    >>> from liarspoker.engine.table import Table
    >>> position = Position.at(Table.of("dollar-bill", seats=2))
    >>> hand = index_of((2, 1, 2, 0, 1, 0, 1, 1, 0, 0))  # 0 0 1 2 2 4 6 7
    >>> row = BotPolicy(value_function("bluffer")).matrix(position)[hand]
    >>> {column: round(float(row[column]), 2) for column in row.nonzero()[0].tolist()}  # 12 is two twos
    {12: 0.9, 14: 0.02, 16: 0.02, 17: 0.02, 20: 0.02, 22: 0.02}
    """

    values: Callable[[Any], ActionValues]

    def matrix(self, position: Position) -> Floats:
        """Return the probability of each action with each hand; see :meth:`.MixedPolicy.matrix`."""
        matrix = zero_probabilities(position)
        offers, chosen, pretended = self._choices(position)
        for number, way in enumerate(chosen):
            weight = pretended if number else 1.0 - pretended * (len(chosen) - 1)
            matrix[np.arange(way.size), offers.columns[way]] += weight
        return matrix

    def row(self, position: Position, hand: int) -> Floats:
        """Return the probability of each action with one hand; see :meth:`.MixedPolicy.row`."""
        row = np.zeros(ladder_length(position.rules) + 2)
        offers, chosen, pretended = self._choices(position)
        for number, offer in enumerate(chosen[:, hand]):
            row[offers.columns[offer]] += pretended if number else 1.0 - pretended * (len(chosen) - 1)
        return row

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the probability of an action with each hand; see :meth:`.MixedPolicy.likelihoods`."""
        offers, chosen, pretended = self._choices(position)
        return _likely(chosen, np.flatnonzero(offers.columns == column_of(action, position.rules)), pretended)

    def split(self, position: Position, belief: Floats) -> Split:
        """Split a belief by the action; see :meth:`.MixedPolicy.split`."""
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
        """Return the offers, the choice of each hand, `[ways, hands]`, and the probability of each bluff.

        The first way is honest; in the others, the bot pretends to hold one more of each digit in turn.
        """
        offers, hands = offers_of(self.values(PublicView(position)), position), position.hands
        symbols = position.rules.symbols
        chosen = np.zeros((1 + symbols * (offers.pretends > 0), hands.size), np.uint8)
        kernel(choose_all)(hands.by_digit, offers, np.zeros((symbols + 1, hands.size), np.uint8), chosen)
        return offers, chosen, offers.pretends / symbols


def known_bots() -> tuple[str, ...]:
    """Return the names of the bots for which `bot_policy` has a policy."""
    return ("uniform", *VALUE_FUNCTIONS, *NETWORK_BOTS)


def bot_policy(name: str) -> MixedPolicy:
    """Return the mixed policy of a bot at the digit games.

    Args:
        name: the name of a bot of the digit games.

    Raises:
        UnknownBot: this bot's policy isn't available.

    >>> from liarspoker.engine.table import Table
    >>> position = Position.at(Table.of("dollar-bill", seats=2))
    >>> bot_policy("uniform").matrix(position).sum(axis=1).min().round(9)
    np.float64(1.0)
    """
    if name == "uniform":
        return UniformPolicy()
    if (bot := network_bot(name, NETWORK_BOTS)) is not None:
        return NetworkPolicy(bot)
    if name not in VALUE_FUNCTIONS:
        raise UnknownBot(f"there is no policy of the bot {name!r}; choose from {', '.join(known_bots())}")
    return BotPolicy(value_function(name))


def offers_of(found: ActionValues, position: Position) -> Offers:
    """Convert the action values of a position to arrays."""
    rules = position.rules
    pairs = np.array(found.offers)
    values, claims = pairs[:, :, 0].ravel(), pairs[:, :, 1].ravel().astype(np.int32)
    order = np.lexsort((claims if found.prefers_strongest else -claims, values))
    numbers = np.empty(order.size, np.uint8)
    numbers[order] = np.arange(1, order.size + 1)
    least, answer = np.zeros(rules.hand_size + 1, np.uint8), np.int32(NO_ANSWER)
    if found.answer is not None:
        least[:] = np.searchsorted(values[order], np.array(found.answer_values, np.float64), side="right")
        answer = np.int32(column_of(found.answer, rules))
    return Offers(
        numbers=numbers.reshape(pairs.shape[:2]),
        columns=np.concatenate(([answer], claims[order])),
        standing=int(ranks_of_bids(rules)[position.auction.claim]) if found.answer is not None else 0,
        least=least,
        pretends=float(found.bluff_probability),
    )


def _likely(chosen: Small, wanted: NDArray[np.int64], pretended: float) -> Floats:
    """Return the probability with each hand that one of the wanted offers is chosen: float64 `[hands]`."""
    likely = np.empty(chosen.shape[1])
    kernel(likelihoods_of)(chosen, wanted, pretended, np.zeros((2, likely.size), np.uint8), likely)
    return likely


def choose_all(by_digit: Small, offers: Offers, buffer: Small, chosen: Small) -> None:
    """Write the number of the offer that each hand chooses into `chosen`, 0 for the answer.

    Args:
        by_digit: uint8 `[symbols, hands]`.
        offers: the offers.
        buffer: uint8 `[symbols + 1, hands]`, the last row all 0.
        chosen: uint8 `[ways, hands]`, all 0; the result: first the honest choice, then, if there are more ways, the
            choice with one more of each digit.
    """
    symbols, rest = by_digit.shape[0], buffer[by_digit.shape[0]]
    for rank in range(symbols):
        _look_up(offers.numbers[rank], by_digit[rank], buffer[rank])
    if chosen.shape[0] == 1:
        for rank in range(symbols):
            _raise_to(buffer[rank], chosen[0])
    else:
        for rank in range(symbols):  # combine the best offers of all lower digits
            _raise_to(chosen[0], chosen[rank + 1])
            _raise_to(buffer[rank], chosen[0])
        for rank in range(symbols - 1, -1, -1):  # then those of the higher digits, and this digit with one more
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
    """Set `highest` to the maximum of both, hand by hand."""
    for hand in range(numbers.size):
        highest[hand] = max(highest[hand], numbers[hand])


def likelihoods_of(chosen: Small, wanted: NDArray[np.int64], pretended: float, ways: Small, likely: Floats) -> None:
    """Write the probability that one of the wanted offers is chosen.

    Args:
        chosen: uint8 `[ways, hands]`.
        wanted: int64 `[offers]`, the numbers of the offers, 0 for the answer.
        pretended: the probability of each way except the first.
        ways: a buffer, uint8 `[2, hands]`, all 0.
        likely: float64 `[hands]`, the result.
    """
    for number in wanted:
        for way in range(chosen.shape[0]):
            _count_ways(chosen[way], number, ways[min(way, 1)])
    honest = 1.0 - pretended * (chosen.shape[0] - 1)
    for hand in range(likely.size):
        likely[hand] = honest * ways[0, hand] + pretended * ways[1, hand]


def _count_ways(chosen: Small, number: int, ways: Small) -> None:
    """Add one wherever this offer is chosen."""
    for hand in range(chosen.size):
        ways[hand] += chosen[hand] == number


def add_by_offer(belief: Floats, chosen: Small, by_offer: Floats) -> None:
    """Add a belief to `by_offer`, `[ways, offers + 1]`, by the offer that is chosen.

    Neighboring hands mostly choose the same offer, so their sum is added at once.
    """
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
    """Add the probabilities by offer to the bids; an offer belongs to one digit and one count of it."""
    symbols, counts = offers.numbers.shape
    digits, held = (np.empty(offers.columns.size, np.int64) for _ in range(2))
    digits[offers.numbers], held[offers.numbers] = np.arange(symbols)[:, None], np.arange(counts)
    numbers = np.flatnonzero(by_offer[:, 1:].any(axis=0)) + 1
    likely, bids, held = by_offer[:, numbers], offers.columns[numbers], held[numbers]
    split.probabilities[offers.columns[0]] += by_offer[:, 0].sum()
    np.add.at(split.probabilities, bids, likely.sum(axis=0))
    if len(likely) > 1:  # a seat that pretended to hold one more of the digit holds one less than the offer says
        pretended = likely[digits[numbers] + 1, np.arange(numbers.size)]
        likely[digits[numbers] + 1, np.arange(numbers.size)] = 0.0
        np.add.at(split.bids, (bids, held - 1), pretended)
    np.add.at(split.bids, (bids, np.minimum(held, counts - 2)), likely.sum(axis=0))

"""The mixed policy of a neural network, for all hands at once."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.network import MOODS, Style, mood, temperament_of
from liarspoker.engine.errors import CannotBelieve
from liarspoker.engine.lanes import write_layer, write_rectified_sum
from liarspoker.engine.network import (
    FIRST_OF_TABLE,
    NOTHING,
    SHARED,
    Buffers,
    Network,
    Weights,
    buffers_for,
    network_of,
    read_item,
    read_pool,
    read_table,
    write_probabilities,
)
from liarspoker.engine.running import run_in_threads
from liarspoker.games.digits.auction import COUNT, Auction
from liarspoker.games.digits.features import Tails, action_of, held, is_choice, write_features
from liarspoker.games.digits.kernel_network import arrays_of
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.network_bot import DigitNetwork
from liarspoker.games.digits.options import Rules
from liarspoker.solve.beliefs.policies import MixedPolicy, Split, zero_probabilities
from liarspoker.solve.beliefs.positions import Moves, Position, column_of
from liarspoker.solve.hands import Floats, Small, all_hands, kernel
from liarspoker.solve.tree import Ints, ranks_of_bids

SKETCHED = 400
"""The number of hands from which a split is estimated."""

_CACHED = 16
"""The number of positions whose exact probabilities are kept, 8 MB each for eight of ten digits."""


@lru_cache(8)
def _network_for(bot: DigitNetwork, rules: Rules) -> Network:
    if not bot.is_trained(rules):
        raise CannotBelieve("there is no network for this table; such a bot plays as the Bluffer there")
    return network_of(bot.weights(rules))


@dataclass(frozen=True, slots=True)
class NetworkPolicy(MixedPolicy):
    """A neural network as a mixed policy.

    Attributes:
        bot: the bot; it must be trained for the tables at which its policy is asked for.
        threads: the number of threads that evaluate many hands; the result doesn't depend on it.
    """

    bot: DigitNetwork
    threads: int = field(default=1, compare=False)

    _exact: OrderedDict[tuple[Rules, Moves], tuple[Ints, Floats]] = field(
        default_factory=OrderedDict, repr=False, compare=False
    )

    def matrix(self, position: Position) -> Floats:
        """Return the probability of each action with each hand; see :class:`~.policies.MixedPolicy`."""
        matrix = zero_probabilities(position)
        columns, chances = self._all_chances(position)
        matrix[:, columns] = chances
        return matrix

    def row(self, position: Position, hand: int) -> Floats:
        """Return the probability of each action with one hand; see :class:`~.policies.MixedPolicy`."""
        row = np.zeros(ladder_length(position.rules) + 2)
        columns, chances = self._chances(position, position.hands.counts[hand : hand + 1])
        row[columns] = chances[0]
        return row

    def likelihoods(self, position: Position, action: int) -> Floats:
        """Return the probability of one action with each hand; see :class:`~.policies.MixedPolicy`."""
        columns, chances = self._all_chances(position)
        places = np.flatnonzero(columns == column_of(action, position.rules))
        return np.ascontiguousarray(chances[:, places[0]]) if places.size else np.zeros(position.hands.size)

    def split(self, position: Position, belief: Floats) -> Split:
        """Return how a belief splits by the action; see :class:`~.policies.MixedPolicy`."""
        columns, chances = self._all_chances(position)
        return _split(position, np.arange(belief.size), columns, chances * belief[:, None])

    def sketch(self, position: Position, belief: Floats) -> Split:
        """Estimate the split from a few hundred hands, taken from the belief at equal distances."""
        sums = np.cumsum(belief)
        marks = (np.arange(SKETCHED) + 0.5) / SKETCHED * sums[-1]
        drawn, times = np.unique(np.searchsorted(sums, marks, side="right").clip(max=sums.size - 1), return_counts=True)
        columns, chances = self._chances(position, position.hands.counts[drawn])
        return _split(position, drawn, columns, chances * (times * (sums[-1] / SKETCHED))[:, None])

    def rows(self, rules: Rules, auction: Auction, moves: Moves, actions: tuple[int, ...]) -> Floats:
        """Return the probabilities of actions with every hand: float64 `[actions, hands]`."""
        columns, chances = self._evaluated(rules, auction, moves, all_hands(rules).counts)
        found = np.zeros((ladder_length(rules) + 2, chances.shape[0]))
        found[columns] = chances.T
        return found[[column_of(action, rules) for action in actions]]

    def _all_chances(self, position: Position) -> tuple[Ints, Floats]:
        """Return the probabilities with all hands; the latest ones are cached."""
        key = position.rules, position.moves
        if key in self._exact:
            self._exact.move_to_end(key)
        else:
            self._exact[key] = self._chances(position, position.hands.counts)
            if len(self._exact) > _CACHED:
                self._exact.popitem(last=False)
        return self._exact[key]

    def _chances(self, position: Position, hands: Small) -> tuple[Ints, Floats]:
        """Return the columns between which the network chooses, and their probabilities: `[hands, columns]`."""
        return self._evaluated(position.rules, position.auction, position.moves, hands)

    def _evaluated(self, rules: Rules, auction: Auction, moves: Moves, hands: Small) -> tuple[Ints, Floats]:
        network = _network_for(self.bot, rules)
        choices = buffers_for(network, rules.symbols).legal.size
        columns, chances = np.zeros(choices, np.int64), np.zeros((hands.shape[0], choices))
        made, threads = np.array(moves, np.int32).reshape(-1, 2), min(self.threads, hands.shape[0])
        groups = np.zeros(hands.shape[0], np.int64)
        kernel(find_groups)(auction, hands, self.bot.style(rules), rules, groups)
        order = np.argsort(groups, kind="stable")

        def part(begun: int, stop: int) -> NDArray[np.bool_]:
            buffers, known = buffers_for(network, rules.symbols), Known.of(network, rules)
            fixed = network, buffers, known, self.bot.style(rules), auction, made, _arrays(rules), rules
            kernel(evaluate_all)(*fixed, hands, groups, order[begun:stop], columns, chances)
            return buffers.legal

        legal = run_in_threads(part, hands.shape[0], threads)[0]
        return (columns, chances) if legal.all() else (columns[legal], chances[:, legal])  # a copy takes milliseconds


@lru_cache(8)
def _arrays(rules: Rules) -> Tails:
    return arrays_of(rules)


def _split(position: Position, drawn: Ints, columns: Ints, joint: Floats) -> Split:
    """Return a split, given the joint probabilities of the columns with some hands."""
    hands, ranks = position.hands, ranks_of_bids(position.rules)
    probabilities, answered = np.zeros(ranks.size + 2), np.zeros(hands.size)
    bids = np.zeros((ranks.size, position.rules.hand_size + 1))
    for place, column in enumerate(columns.tolist()):
        probabilities[column] = joint[:, place].sum()
        if column < ranks.size:
            bids[column] = np.bincount(hands.by_digit[ranks[column]][drawn], joint[:, place], bids.shape[1])
        else:
            answered[drawn] = joint[:, place]
    return Split(probabilities, bids, answered)


class Known(NamedTuple):
    """Results that hands share, in which the same number of a digit occurs.

    Attributes:
        read: float32 `[symbols, hand_size + 1, hidden]`, what a digit contributes to its first layer, by its number in
            a hand.
        is_read: bool `[symbols, hand_size + 1]`, whether that is known.
        first: float32 `[symbols, hand_size + 1, hidden]`, its first layer.
        weighed: float32 `[symbols, hand_size + 1, hidden]`, what that contributes to its second layer.
        group: int64 `[symbols, hand_size + 1]`, the last group of hands for which the latter two are known.
    """

    read: Weights
    is_read: NDArray[np.bool_]
    first: Weights
    weighed: Weights
    group: Ints

    @staticmethod
    def of(network: Network, rules: Rules) -> Known:
        """Return empty arrays."""
        counts, hidden = (rules.symbols, rules.hand_size + 1), network.first_bias.size
        read, first, weighed = (np.zeros((*counts, hidden), np.float32) for _ in range(3))
        return Known(read, np.zeros(counts, np.bool_), first, weighed, np.full(counts, -1))


def evaluate_all(
    network: Network,
    buffers: Buffers,
    known: Known,
    style: Style,
    auction: Auction,
    moves: Any,
    tails: Tails,
    rules: Rules,
    hands: Small,
    groups: Ints,
    order: Ints,
    columns: Ints,
    chances: Floats,
) -> None:
    """Evaluate a position with many hands. For compiled code.

    Hands of the same group share most of the work.

    Args:
        network: the weights.
        buffers: its buffers; afterwards they contain which of its choices are legal.
        known: from `Known.of`.
        style: from which the temperaments are taken.
        auction: the state of the auction.
        moves: int32 `[moves, 2]`, seat and action of each move.
        tails: from `arrays_of`.
        rules: the table's rules.
        hands: uint8 `[hands, symbols]`.
        groups: int64 `[hands]`, from `find_groups`.
        order: int64, the indices of the hands that are evaluated, ordered by group.
        columns: int64 `[choices]`, the column of each choice in the action mask is written to it.
        chances: float64 `[hands, choices]`, the probabilities are written to it.
    """
    for choice in range(columns.size):
        action = action_of(choice, auction, rules)
        buffers.legal[choice] = is_choice(choice, auction, rules)
        columns[choice] = action if action >= 0 else ladder_length(rules) + (1 if action == COUNT else 0)
    group = -1
    for hand in order:
        counts, is_new = 0, groups[hand] != group
        for rank in range(rules.symbols):
            counts += hands[hand, rank] << 4 * digit_of(rank, rules)
            is_new |= not known.is_read[rank, hands[hand, rank]]
        if is_new:
            write_features(auction, counts, moves, moves.shape[0], tails, rules, buffers.features)
            buffers.features[-1] = temperament_of(style, counts)
        if groups[hand] != group:
            group = groups[hand]
            read_table(network, buffers)
        for rank in range(rules.symbols):
            own = hands[hand, rank]
            if not known.is_read[rank, own]:
                read_item(network, buffers, rank, known.read[rank, own])
                known.is_read[rank, own] = True
            if known.group[rank, own] != group:
                first, nothing = known.first[rank, own], buffers.hidden[NOTHING]
                write_rectified_sum(first, known.read[rank, own], buffers.hidden[FIRST_OF_TABLE])
                write_layer(known.weighed[rank, own], nothing, first, network.item_second)
                known.group[rank, own] = group
            for unit in range(buffers.first.shape[1]):
                buffers.first[rank, unit] = known.first[rank, own, unit]
        read_pool(network, buffers)
        for rank in range(rules.symbols):
            write_rectified_sum(buffers.second[rank], known.weighed[rank, hands[hand, rank]], buffers.hidden[SHARED])
        write_probabilities(network, buffers)
        for choice in range(columns.size):
            chances[hand, choice] = buffers.probabilities[choice]


def find_groups(auction: Auction, hands: Small, style: Style, rules: Rules, groups: Ints) -> None:
    """Write a number for each hand, which is the same for hands with the same features of the table. For compiled code.

    Args:
        auction: the state of the auction.
        hands: uint8 `[hands, symbols]`.
        style: the player's style.
        rules: the table's rules.
        groups: int64 `[hands]`, is written to.
    """
    for hand in range(hands.shape[0]):
        counts = 0
        for rank in range(rules.symbols):
            counts += hands[hand, rank] << 4 * digit_of(rank, rules)
        own, most, second, lacking = held(auction, counts, rules)
        alike = mood(counts) if style.spread else 0
        groups[hand] = (((own * 16 + most) * 16 + second) * 16 + lacking) * MOODS + alike

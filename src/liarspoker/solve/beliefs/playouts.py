"""What actions win when the hand is played to its end between compiled policies, over many deals of the other hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, Chance, begin, seed_of
from liarspoker.engine.compiling import Kernel, compiled
from liarspoker.engine.kernel import Ints
from liarspoker.engine.lineup import Policy, Together, chosen, seated
from liarspoker.engine.running import COMPLETED, ILLEGAL, EarlyStop, Ending, raise_if_illegal, run_in_threads
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import OVER, Auction, after
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel import counts_in
from liarspoker.games.digits.kernel_policies import Observation, refusal_of
from liarspoker.games.digits.ladder import digit_of, ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.solve.beliefs.positions import Position
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import all_hands


class Start(NamedTuple):
    """Where the playouts begin.

    Attributes:
        auction: the state of the auction.
        made: the number of actions so far.
        seat: the seat whose payoffs are wanted.
    """

    auction: Auction
    made: int
    seat: int


class Room(NamedTuple):
    """Buffers for one hand at a time.

    Attributes:
        choices: the random stream of the policies.
        moves: int32 `[most_moves, 2]`, seat and action; it begins with the actions so far.
        bids: bool `[ladder_length]` with `loose_order`, else `[0]`: the bids made so far.
        counts: int64 `[seats]`, each seat's packed counts.
    """

    choices: Chance
    moves: NDArray[np.int32]
    bids: NDArray[np.bool_]
    counts: Ints


def play_out(
    table: Table,
    position: Position,
    actions: Sequence[int],
    numbers: Ints,
    policies: Sequence[Policy | str],
    seed: int,
    threads: int = 1,
) -> Ints:
    """Play each of some actions with each of many deals, and then the hand to its end.

    All actions get the same deals and the same random numbers, so that their payoffs can be compared.

    Args:
        table: the table.
        position: the position before the action.
        actions: legal actions of the seat to act.
        numbers: int64 `[deals, seats]`, the number of every seat, four bits per digit.
        policies: one for each seat, including the seat to act, from its next action on; see
            :func:`~liarspoker.engine.rollout.play`.
        seed: of the policies' random numbers.
        threads: the number of threads; the result doesn't depend on it.

    Returns:
        int64 `[actions, deals]`, the payoffs of the seat to act in units at stake 1.

    Raises:
        IllegalActions: a policy chose an illegal action.

    >>> position = Position.at(Table.of("dollar-bill", seats=2)).after("3x8")
    >>> numbers = np.array([[0x88876543, 0x12345679], [0x12345679, 0x12345679]])
    >>> play_out(Table.of("dollar-bill", seats=2), position, [-1], numbers, ["binomial"], seed=1).tolist()
    [[-1, 1]]
    """
    rules, auction = position.rules, position.auction
    lineup, different = seated(policies, table)
    together = Together(different, table)
    run = _runnable(together.choose)
    made, payoffs = len(position.moves), np.zeros((numbers.shape[0], len(actions)), np.int64)
    wanted, seeded = np.array(actions, np.int64), seed_of(seed)

    def part(begun: int, stop: int) -> EarlyStop:
        room = Room(
            np.zeros(1, np.uint64),
            np.zeros((table.most_moves, 2), np.int32),
            np.zeros(ladder_length(rules) if rules.loose else 0, np.bool_),
            np.zeros(rules.seats, np.int64),
        )
        if made:
            room.moves[:made] = position.moves
        begin_at, dealt, won = Start(auction, made, auction.to_act), numbers[begun:stop], payoffs[begun:stop]
        return EarlyStop(*run(seeded, begun, begin_at, wanted, dealt, rules, lineup, together.data(), room, won))

    for trouble in run_in_threads(part, numbers.shape[0], threads):
        raise_if_illegal(trouble)
    return payoffs.T


def dealt(beliefs: Beliefs, hand: int, deals: int, chance: np.random.Generator) -> Ints:
    """Draw hands for the others, given the hand of the seat to act.

    The draws are stratified: of each seat's hands in order, every equal share of the probability is drawn from once.

    Args:
        beliefs: the beliefs about all hands.
        hand: the index of the hand of the seat to act.
        deals: the number of deals.
        chance: the random numbers.

    Returns:
        int64 `[deals, seats]`, the numbers, four bits per digit.
    """
    rules, packed = beliefs.position.rules, _packed(beliefs.position.rules)
    numbers = np.full((deals, rules.seats), packed[hand])
    for seat, belief in enumerate(beliefs.seats):
        if seat != beliefs.position.to_act:
            sums = np.cumsum(belief)
            marks = (chance.permutation(deals) + chance.random(deals)) / deals * sums[-1]
            numbers[:, seat] = packed[np.searchsorted(sums, marks, side="right").clip(max=sums.size - 1)]
    return numbers


def lack_code(table: Table, policies: Sequence[str]) -> bool:
    """Return whether :func:`play_out` isn't compiled for some policies, and another process could do that."""
    together = Together(seated(policies, table)[1], table)
    return together.lacks_code or _runnable(together.choose).lacks_code


@lru_cache(16)
def _runnable(choose: Callable[..., int]) -> Kernel:
    """Return `play_all` with the policies that a function of `Together` calls."""
    return compiled(play_all, {chosen: choose})  # type: ignore[dict-item]  # both are plain functions


@lru_cache(8)
def _packed(rules: Rules) -> Ints:
    """Return a number for each hand, four bits per digit: int64 `[hands]`."""
    counts = all_hands(rules).counts.astype(np.int64)
    numbers, places = np.zeros(counts.shape[0], np.int64), np.zeros(counts.shape[0], np.int64)
    for rank in range(rules.symbols):
        for more in range(rules.hand_size):
            holds = counts[:, rank] > more
            numbers[holds] |= digit_of(rank, rules) << 4 * places[holds]
            places += holds
    return numbers


def play_all(
    seed: Any,
    first: int,
    start: Start,
    actions: Ints,
    numbers: Ints,
    rules: Rules,
    lineup: Ints,
    data: Any,
    room: Room,
    payoffs: Ints,
) -> Ending:
    """Play all actions with all deals. For compiled code.

    Args:
        seed: from :func:`~liarspoker.engine.chance.seed_of`.
        first: the number of the first deal, for the random numbers.
        start: where to begin.
        actions: int64 `[actions]`.
        numbers: int64 `[deals, seats]`.
        rules: the table's rules.
        lineup: int64 `[seats]`, the index of each seat's policy.
        data: the data of all policies.
        room: buffers.
        payoffs: int64 `[deals, actions]`, the result.
    """
    moves = room.moves
    for deal in range(numbers.shape[0]):
        for seat in range(rules.seats):
            room.counts[seat] = counts_in(numbers[deal, seat], rules)
        for place in range(actions.size):
            begin(room.choices, seed, first + deal, CHOICES)
            for bid in range(room.bids.size):
                room.bids[bid] = False
            for move in range(start.made if room.bids.size > 0 else 0):
                _note(moves[move, 1], room.bids)
            auction, made, action = start.auction, start.made, actions[place]
            while True:
                if refusal_of(auction, action, room.bids, rules) != LEGAL:
                    return ILLEGAL, first + deal, action, refusal_of(auction, action, room.bids, rules)
                moves[made, 0], moves[made, 1] = auction.to_act, action
                made += 1
                _note(action, room.bids)
                auction = after(auction, action, rules)
                if auction.phase == OVER:
                    break
                seat = auction.to_act
                seen = Observation(rules, auction, numbers[deal, seat], room.counts[seat], 0, 1, made, moves, room.bids)
                action = chosen(lineup[seat], seen, room.choices, data)
            payoffs[deal, place] = _paid(start.seat, auction, room.counts, rules)
    return COMPLETED, 0, 0, LEGAL


def _note(action: int, bids: NDArray[np.bool_]) -> None:
    if 0 <= action < bids.size:
        bids[action] = True


def _paid(seat: int, auction: Auction, counts: Ints, rules: Rules) -> int:
    """Return what a seat wins when the standing bid is counted, in units at stake 1."""
    total, digit = 0, digit_of(auction.claim, rules)
    for other in range(counts.size):
        total += count_of(counts[other], digit)
    return payoff(
        seat, auction.bidder, settle(auction.claim, count_of(counts[auction.bidder], digit), total, rules), 1, rules
    )

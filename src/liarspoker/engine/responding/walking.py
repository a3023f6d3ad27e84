"""The walk of a best response through all public positions, in compiled code.

One seat responds; the others play a strategy. At every position each of the others has a vector over its hands: how
likely it was dealt the hand and then played as it did. These vectors do not depend on each other, for hands are dealt
independently and all actions are public. So a position is worth, to each hand of the responder, a sum over them, and a
count needs of each vector only how likely it makes each count of one digit.

The walk keeps a stack of its own. A branch that the others never enter is skipped, rows and all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.auctions import auction_in, put_auction
from liarspoker.engine.responding.payments import TO_BIDDER, TO_OTHER
from liarspoker.engine.strategies.tree import action_listed, actions_listed, rows_for
from liarspoker.games.digits.auction import OVER, Auction, after
from liarspoker.games.digits.ladder import digit_of, rank_of
from liarspoker.games.digits.options import Rules

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Game(NamedTuple):
    """What the walk reads of a game.

    Attributes:
        counts: int64 `[symbols, hands]`, how many of each digit in play a hand holds.
        payments: float64 `[2, claims, own, total]`, from `payments`.
        sizes: int64 `[claims + 1, 2, seats, 4]`, how many rows a position and all that follow it have together, by its
            claim plus 1, `is_rebid`, `challenges` and `phase`.
    """

    counts: Ints
    payments: Floats
    sizes: Ints


class Stack(NamedTuple):
    """Room for the walk: a line for each position on the way to the one at hand, the first at line 0.

    Attributes:
        auctions: int64 `[depth, 6]`, the fields of `Auction`.
        actions: int64 `[depth]`, how many there are.
        places: int64 `[depth]`, how many of them have been begun.
        rows: int64 `[depth]`, where the position's rows begin.
        scales: float64 `[depth, hands]`, what its numbers are multiplied with to add up to 1.
        weights: float64 `[depth, seats, hands]`, how likely each seat but the responder holds a hand and came here.
        best: float64 `[depth, hands]`, what the position is worth to each hand of the responder from there on, in units
            times the chance that the others came here; he plays his best.
        kept: float64 `[depth, hands]`, the same if he keeps to the strategy.
        choices: int64 `[depth, hands]`, the place of the best action found so far.
        spread: float64 `[3, totals]`, for counts.
    """

    auctions: Ints
    actions: Ints
    places: Ints
    rows: Ints
    scales: Floats
    weights: Floats
    best: Floats
    kept: Floats
    choices: Ints
    spread: Floats


def respond(
    seat: int,
    row: int,
    table: NDArray[np.float32],
    answers: NDArray[np.float32],
    game: Game,
    stack: Stack,
    rules: Rules,
) -> int:
    """Work out what `seat` gets at the position in line 0 of the stack, into `best[0]` and `kept[0]`.

    Args:
        seat: the responder.
        row: where the position's rows begin in the table.
        table: float32 `[rows, hands]`, the strategy.
        answers: float32 of the same shape, into which the responder's best actions are written, 1 for each best one
            and 0 for the others; or of no rows, if nobody wants to know.
        game: what is played.
        stack: `auctions[0]` and `weights[0]` are given, the rest is room.
        rules: the table's.

    Returns:
        The row after those of the position and of all that follow it.
    """
    depth = 0
    row = enter(depth, row, seat, table, stack, rules)
    while True:
        place = stack.places[depth]
        if place == stack.actions[depth]:
            if answers.shape[0] and stack.auctions[depth, 4] == seat and stack.actions[depth] > 1:
                write_best(depth, answers, stack)
            if depth == 0:
                return row
            depth -= 1
            gather(depth, seat, table, stack)
            continue
        stack.places[depth] += 1
        auction = auction_in(stack.auctions, depth)
        following = after(auction, action_listed(place, auction, rules), rules)
        put_auction(stack.auctions, depth + 1, following)
        if not follow(depth, seat, table, stack):
            row += rows_below(following, game)
        elif following.phase == OVER:
            count(depth + 1, seat, game, stack, rules)
            gather(depth, seat, table, stack)
        else:
            depth += 1
            row = enter(depth, row, seat, table, stack, rules)


def enter(depth: int, row: int, seat: int, table: NDArray[np.float32], stack: Stack, rules: Rules) -> int:
    """Begin with a position: no action has been looked at. Answers the row after its own."""
    auction = auction_in(stack.auctions, depth)
    actions = actions_listed(auction, rules)
    rows = rows_for(actions)
    stack.actions[depth], stack.places[depth], stack.rows[depth] = actions, 0, row
    worst = -np.inf if auction.to_act == seat else 0.0
    for hand in range(table.shape[1]):
        total = 0.0
        for action in range(row, row + rows):
            total += table[action, hand]
        stack.scales[depth, hand] = 1 / total if rows else 1.0
        stack.best[depth, hand] = worst
        stack.kept[depth, hand] = 0.0
        stack.choices[depth, hand] = 0
    return row + rows


def chance(depth: int, place: int, hand: int, table: NDArray[np.float32], stack: Stack) -> float:
    """How likely the strategy takes the action at a place with a hand."""
    if stack.actions[depth] == 1:
        return 1.0
    likely: float = table[stack.rows[depth] + place, hand] * stack.scales[depth, hand]
    return likely


def follow(depth: int, seat: int, table: NDArray[np.float32], stack: Stack) -> bool:
    """Work out the weights after the action that was begun; whether the others ever come there."""
    mover, place = stack.auctions[depth, 4], stack.places[depth] - 1
    for other in range(stack.weights.shape[1]):
        if other != seat and other != mover:
            for hand in range(table.shape[1]):
                stack.weights[depth + 1, other, hand] = stack.weights[depth, other, hand]
    if mover == seat:
        return True
    reached = 0.0
    for hand in range(table.shape[1]):
        weight = stack.weights[depth, mover, hand] * chance(depth, place, hand, table, stack)
        stack.weights[depth + 1, mover, hand] = weight
        reached += weight
    return reached > 0


def gather(depth: int, seat: int, table: NDArray[np.float32], stack: Stack) -> None:
    """Add what the action that was begun is worth, which stands one line below, to its position's worth."""
    mover, place = stack.auctions[depth, 4], stack.places[depth] - 1
    for hand in range(table.shape[1]):
        best, kept = stack.best[depth + 1, hand], stack.kept[depth + 1, hand]
        if mover != seat:
            stack.best[depth, hand] += best
            stack.kept[depth, hand] += kept
            continue
        stack.kept[depth, hand] += chance(depth, place, hand, table, stack) * kept
        if best > stack.best[depth, hand]:
            stack.best[depth, hand] = best
            stack.choices[depth, hand] = place


def count(depth: int, seat: int, game: Game, stack: Stack, rules: Rules) -> None:
    """What the count of the standing bid is worth to each hand of the responder.

    It pays by what the bidder holds and by what all hold, so of all who are neither bidder nor responder only their
    common count matters.
    """
    claim, bidder = stack.auctions[depth, 0], stack.auctions[depth, 1]
    held = game.counts[rank_of(digit_of(claim, rules), rules)]
    rest, bidders, worth = stack.spread[0], stack.spread[1], stack.spread[2]
    rest[:] = 0.0
    rest[0] = 1.0
    most = 0
    for other in range(rules.seats):
        if other != seat and other != bidder:
            tally(stack.weights[depth, other], held, bidders)
            most = join(rest, most, bidders, rules)
    if bidder != seat:
        tally(stack.weights[depth, bidder], held, bidders)
    for own in range(rules.hand_size + 1):
        worth[own] = 0.0
        if bidder == seat:
            for total in range(most + 1):
                worth[own] += rest[total] * game.payments[TO_BIDDER, claim, own, own + total]
            continue
        for theirs in range(rules.hand_size + 1):
            for total in range(most + 1):
                paid = game.payments[TO_OTHER, claim, theirs, own + theirs + total]
                worth[own] += bidders[theirs] * rest[total] * paid
    for hand in range(held.size):
        stack.best[depth, hand] = worth[held[hand]]
        stack.kept[depth, hand] = worth[held[hand]]


def tally(weights: Floats, held: Ints, likely: Floats) -> None:
    """How likely a seat holds none, one, two, ... of a digit, from how likely it holds each hand."""
    likely[:] = 0.0
    for hand in range(held.size):
        likely[held[hand]] += weights[hand]


def join(rest: Floats, most: int, likely: Floats, rules: Rules) -> int:
    """Add another seat's count to a common one of at most so many; answers how many it may be then."""
    for total in range(most + rules.hand_size, -1, -1):
        joined = 0.0
        for theirs in range(max(0, total - most), min(rules.hand_size, total) + 1):
            joined += likely[theirs] * rest[total - theirs]
        rest[total] = joined
    return most + rules.hand_size


def rows_below(auction: Auction, game: Game) -> int:
    """How many rows a position and all that follow it have; none once the auction is over."""
    if auction.phase == OVER:
        return 0
    rows: int = game.sizes[auction.claim + 1, auction.is_rebid, auction.challenges, auction.phase]
    return rows


def write_best(depth: int, answers: NDArray[np.float32], stack: Stack) -> None:
    """Write the best action of every hand into the rows of a position."""
    row = stack.rows[depth]
    for hand in range(answers.shape[1]):
        for place in range(stack.actions[depth]):
            answers[row + place, hand] = 1.0 if place == stack.choices[depth, hand] else 0.0

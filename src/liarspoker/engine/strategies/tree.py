"""The public positions of an auction in their order, and where the rows of each lie in a table.

Seat 0 opens. Positions come depth first: each before those that follow it, and all that follows its first action before
what follows the second. Its actions stand in this order: the answer, `CHALLENGE` or `COUNT`, where there is one, then
the bids from the weakest up. A position with more than one action has one row for each of them; one with a single
action, such as that of a player who faces the highest bid, has none, since nothing is chosen there.

So anybody can read a table who walks the auction and counts. To skip a part of it, one must know how many rows it has:
that is the same for all positions that differ by the names of the seats alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import NOBODY, OVER, Auction, after, opening
from liarspoker.games.digits.kernel_policies import answer, answers, bid_listed, bids_listed
from liarspoker.games.digits.ladder import NO_CLAIM, ladder_length
from liarspoker.games.digits.options import Rules

_NO_BIDS = np.zeros(0, np.bool_)


@dataclass(frozen=True, slots=True)
class Position:
    """A public position: somebody is to act.

    Attributes:
        moves: the actions that led to it, from the opening.
        auction: where the bidding stands; `auction.to_act` is the seat that is asked, seat 0 the opener.
        actions: what it may do, the answer first, then the bids from the weakest up.
        row: where its rows begin.
    """

    moves: tuple[int, ...]
    auction: Auction
    actions: tuple[int, ...]
    row: int

    @property
    def rows(self) -> int:
        """How many rows it has: one for each action, or none where there is a single action."""
        return rows_for(len(self.actions))


def check_finite(rules: Rules) -> None:
    """Refuse a ladder whose positions cannot be listed.

    Raises:
        CannotPlay: the order is loose, or the ladder has no top.
    """
    if rules.loose:
        raise CannotPlay(
            "loose_order = true: its ladder has cycles, so its positions cannot be listed; take a strict order"
        )
    if not rules.capped:
        raise CannotPlay("cap_level = false: the ladder has no top, so its positions cannot be listed; cap it")


def actions_at(auction: Auction, rules: Rules) -> tuple[int, ...]:
    """What the seat to act may do, in the order of a table's rows; nothing once the auction is over.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
    >>> actions_at(after(opening(0), 1, rules), rules)  # challenge, or bid two of either digit
    (-1, 2, 3)
    """
    if auction.phase == OVER:
        return ()
    return tuple(action_listed(place, auction, rules) for place in range(actions_listed(auction, rules)))


def actions_listed(auction: Auction, rules: Rules) -> int:
    """How many actions the seat to act has; the engine compiles this as it stands."""
    return answers(auction, rules) + bids_listed(auction, _NO_BIDS, rules)


def action_listed(place: int, auction: Auction, rules: Rules) -> int:
    """The action at a place from 0, in the order of a table's rows; the engine compiles this as it stands."""
    answered = answers(auction, rules)
    return answer(auction, rules) if place < answered else bid_listed(place - answered, auction, _NO_BIDS, rules)


def rows_for(actions: int) -> int:
    """How many rows a position with so many actions has; the engine compiles this as it stands."""
    return actions if actions > 1 else 0


def positions(rules: Rules) -> Iterator[Position]:
    """Every public position, those without rows too, in the order of a table.

    There are as many as rows, about; `rows_in` tells how many before you ask.

    Raises:
        CannotPlay: they cannot be listed.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=1, symbols=2, rebid=False), seats=2)
    >>> [(position.moves, position.row, position.rows) for position in positions(rules)][:4]
    [((), 0, 4), ((0,), 4, 4), ((0, 1), 8, 3), ((0, 1, 2), 11, 2)]
    """
    check_finite(rules)
    row = 0
    waiting: list[tuple[tuple[int, ...], Auction]] = [((), opening(0))]
    while waiting:
        moves, auction = waiting.pop()
        position = Position(moves, auction, actions_at(auction, rules), row)
        yield position
        row += position.rows
        for action in reversed(position.actions):
            following = after(auction, action, rules)
            if following.phase != OVER:
                waiting.append(((*moves, action), following))


def position_after(moves: Sequence[int], rules: Rules) -> Position:
    """The position that these actions lead to, and where its rows begin, without a walk through all of them.

    Args:
        moves: actions from the opening on, each of them legal.
        rules: the table's.

    Raises:
        CannotPlay: the positions cannot be listed, an action is not legal, or the auction is over after it.
    """
    sizes = block_sizes(rules)
    auction, row = opening(0), 0
    for place, move in enumerate(moves):
        actions = actions_at(auction, rules)
        if move not in actions:
            raise CannotPlay(f"action {place + 1}, {move}: the seat to act may not play it")
        passed = [after(auction, action, rules) for action in actions[: actions.index(move)]]
        row += rows_for(len(actions)) + sum(sizes[kind_of(other, rules)] for other in passed if other.phase != OVER)
        auction = after(auction, move, rules)
    if auction.phase == OVER:
        raise CannotPlay("the auction is over, and nobody is to act")
    return Position(tuple(moves), auction, actions_at(auction, rules), row)


def rows_in(rules: Rules) -> int:
    """How many rows a table for these rules has, exactly, however many.

    Raises:
        CannotPlay: its positions cannot be listed.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rows_in(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    2582
    """
    return block_sizes(rules)[kind_of(opening(0), rules)]


def kind_of(auction: Auction, rules: Rules) -> Auction:
    """The auction with its seats renamed so that seat 0 is to act; what may follow depends on nothing else."""
    bidder = auction.bidder if auction.bidder == NOBODY else (auction.bidder - auction.to_act) % rules.seats
    return auction._replace(bidder=bidder, to_act=0)


@lru_cache(maxsize=32)
def block_sizes(rules: Rules) -> Mapping[Auction, int]:
    """How many rows a position and all that follow it have together, for each kind of position; see `kind_of`.

    From the highest bid down, so that what follows a position is known before it. All stronger bids that one position
    may make differ from each other by the claim alone, so their sizes are summed as they become known.

    Raises:
        CannotPlay: the positions cannot be listed.
    """
    check_finite(rules)
    sizes: dict[Auction, int] = {}
    stronger: Counter[Auction] = Counter()
    for layer in reversed(_layers(rules)):
        for position in reversed(layer):
            bids, answered = bids_listed(position, _NO_BIDS, rules), answers(position, rules)
            size = rows_for(bids + answered)
            if answered:
                size += sizes.get(kind_of(after(position, answer(position, rules), rules), rules), 0)
            if bids:
                weakest = bid_listed(0, position, _NO_BIDS, rules)
                size += stronger[_but_the_claim(kind_of(after(position, weakest, rules), rules))]
            sizes[position] = size
        for position in layer:
            stronger[_but_the_claim(position)] += sizes[position]
    return sizes


def _layers(rules: Rules) -> list[list[Auction]]:
    """Every kind of position: the opening, then for each bid from the weakest up those in which it stands.

    In a layer, what a position's answer leads to comes after the position.
    """
    layers = [[opening(0)]]
    for claim in range(ladder_length(rules)):
        made = dict.fromkeys(kind_of(after(position, claim, rules), rules) for position in (opening(0), *layers[-1]))
        layers.append([position for bid in made for position in _answered(bid, rules)])
    return layers


def _answered(auction: Auction, rules: Rules) -> Iterator[Auction]:
    """A kind of position, and those that follow it while everybody answers."""
    while auction.phase != OVER:
        yield kind_of(auction, rules)
        auction = after(auction, answer(auction, rules), rules)


def _but_the_claim(kind: Auction) -> Auction:
    return kind._replace(claim=NO_CLAIM)

"""The public tree of one hand: its positions in order, where the rows of each are in a table, and its states.

Seat 0 opens. Positions are in depth-first order: each one before its successors, and all successors of its first action
before those of the second. Its actions are in this order: the answer, `CHALLENGE` or `COUNT`, if there is one, then the
bids from the weakest. A position with more than one action has one row for each of them. A position with a single
action, such as that of a player who faces the highest bid, has no rows, since there is nothing to choose.

So a program can read a table by walking the auction and counting rows. What can follow a position depends only on its
auction, and is the same up to renaming the seats: millions of positions are only a few dozen states, which
:func:`states_of` returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import CHALLENGE, COUNT, NOBODY, OPEN, OVER, RESPOND, Auction, after, opening
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, ladder_length, rank_of
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import Rules

Ints = NDArray[np.int64]
"""An int64 array."""

ENDS = -1
"""In place of a state: the hand is over, and a bid is counted."""


class Position(NamedTuple):
    """A public position with a seat to act.

    Attributes:
        steps: the actions from the opening on, as (seat, action).
        auction: the state of the auction; `auction.to_act` is the seat to act, and seat 0 is the opener.
        actions: its legal actions, the answer first, then the bids from the weakest.
        row: its first row.
        size: the number of rows of the position and all its successors.
    """

    steps: tuple[tuple[int, int], ...]
    auction: Auction
    actions: tuple[int, ...]
    row: int
    size: int

    @property
    def moves(self) -> tuple[int, ...]:
        """The actions from the opening on."""
        return tuple(action for _, action in self.steps)

    @property
    def rows(self) -> int:
        """The number of its rows: one for each action, or none if there is a single action."""
        return _rows_for(len(self.actions))


def action_number(action: int | str, rules: Rules) -> int:
    """Return the number of an action that is given as its number or in the notation, such as `3x8` or `challenge`.

    Raises:
        IllegalAction: the text can't be read, or names a digit that isn't in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(), seats=2)
    >>> action_number("1x2", rules), action_number(1, rules), action_number("challenge", rules)
    (1, 1, -1)
    """
    return read(action, rules) if isinstance(action, str) else action


def check_finite(rules: Rules) -> None:
    """Raise an error if the positions of a ladder can't be enumerated.

    Raises:
        CannotPlay: the order is loose, or the ladder has no top.
    """
    if rules.loose:
        raise CannotPlay(
            "loose_order = true: its ladder has cycles, so its positions cannot be listed; use a strict order"
        )
    if not rules.capped:
        raise CannotPlay("cap_level = false: the ladder has no top, so its positions cannot be listed; cap it")


def actions_at(auction: Auction, rules: Rules) -> tuple[int, ...]:
    """Return the legal actions of the seat to act, in the order of a table's rows; none once the auction is over.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
    >>> actions_at(after(opening(0), 1, rules), rules)  # challenge, or bid two of either digit
    (-1, 2, 3)
    """
    if auction.phase == OVER:
        return ()
    bids = range(auction.claim + 1, ladder_length(rules))
    return tuple(bids) if auction.phase == OPEN else (_answer(auction), *bids)


def positions(rules: Rules, skips: Callable[[Position], bool] | None = None) -> Iterator[Position]:
    """Yield every public position, including those without rows, in the order of a table.

    Their number is about that of the rows, which :func:`rows_in` returns without enumerating them.

    Args:
        rules: the table's rules.
        skips: called with each position after it was yielded; if it returns true, all successors of the position are
            left out. With such a function, positions without rows at or after them are left out too.

    Raises:
        CannotPlay: they can't be enumerated.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(hand_size=1, symbols=2, rebid=False), seats=2)
    >>> [(position.moves, position.row, position.rows) for position in positions(rules)][:4]
    [((), 0, 4), ((0,), 4, 4), ((0, 1), 8, 3), ((0, 1, 2), 11, 2)]
    """
    forks, row = _forks(rules), 0
    waiting: list[tuple[tuple[tuple[int, int], ...], Auction]] = [((), opening(0))]
    while waiting:
        steps, auction = waiting.pop()
        fork = forks.get(auction) or _fork(auction, rules)
        if skips is not None and not fork.size:
            continue
        position = Position(steps, auction, fork.actions, row, fork.size)
        yield position
        if skips is not None and skips(position):
            row += fork.size
            continue
        row += position.rows
        waiting += [((*steps, step), later) for step, later in fork.later]


def position_after(moves: Sequence[int], rules: Rules) -> Position:
    """Return the position after these actions, with its first row, without enumerating all positions.

    Args:
        moves: legal actions from the opening on.
        rules: the table's rules.

    Raises:
        CannotPlay: the positions can't be enumerated, an action isn't legal, or the auction is over after it.
    """
    sizes = block_sizes(rules)
    auction, row, steps = opening(0), 0, list[tuple[int, int]]()
    for number, move in enumerate(moves):
        actions = actions_at(auction, rules)
        if move not in actions:
            raise CannotPlay(f"action {number + 1}, {move}: it isn't legal for the seat to act")
        passed = [kind_of(after(auction, action, rules), rules) for action in actions[: actions.index(move)]]
        row += _rows_for(len(actions)) + sum(sizes.get(kind, 0) for kind in passed)
        steps.append((auction.to_act, move))
        auction = after(auction, move, rules)
    if auction.phase == OVER:
        raise CannotPlay("the auction is over, so no seat is to act")
    return Position(tuple(steps), auction, actions_at(auction, rules), row, sizes[kind_of(auction, rules)])


def rows_in(rules: Rules) -> int:
    """Return the exact number of rows of a table for these rules, however large.

    Raises:
        CannotPlay: its positions can't be enumerated.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rows_in(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    2582
    """
    return block_sizes(rules)[opening(0)]


def kind_of(auction: Auction, rules: Rules) -> Auction:
    """Return the auction with its seats renamed so that seat 0 is to act; it determines everything that can follow."""
    bidder = auction.bidder if auction.bidder == NOBODY else (auction.bidder - auction.to_act) % rules.seats
    return auction._replace(bidder=bidder, to_act=0)


@lru_cache(maxsize=32)
def block_sizes(rules: Rules) -> Mapping[Auction, int]:
    """Return the number of rows of a position and all its successors, for each kind of position; see :func:`kind_of`.

    It proceeds from the highest bid down, so that the successors of a position come first. All stronger bids in a
    position differ only by the claim, so their sizes are summed as they become known.

    Raises:
        CannotPlay: the positions can't be enumerated.
    """
    check_finite(rules)
    length, sizes, stronger = ladder_length(rules), dict[Auction, int](), Counter[Auction]()
    for layer in reversed(_layers(rules)):
        for kind in reversed(layer):
            bids = length - 1 - kind.claim
            size = _rows_for(bids + (kind.phase != OPEN))
            if kind.phase != OPEN:
                size += sizes.get(kind_of(after(kind, _answer(kind), rules), rules), 0)
            if bids:
                weakest = kind_of(after(kind, kind.claim + 1, rules), rules)
                size += stronger[weakest._replace(claim=NO_CLAIM)]
            sizes[kind] = size
        for kind in layer:
            stronger[kind._replace(claim=NO_CLAIM)] += sizes[kind]
    return sizes


def _layers(rules: Rules) -> list[list[Auction]]:
    """Return every kind of position, in layers: the opening, then for each top claim from the weakest its positions.

    In a layer, a position comes before the one that its answer leads to.
    """
    layers = [[opening(0)]]
    for claim in range(ladder_length(rules)):
        made = dict.fromkeys(kind_of(after(kind, claim, rules), rules) for kind in (opening(0), *layers[-1]))
        layers.append([])
        for auction in made:
            while auction.phase != OVER:
                layers[-1].append(kind_of(auction, rules))
                auction = after(auction, _answer(auction), rules)
    return layers


class _Fork(NamedTuple):
    """What is the same in every position with this auction: the actions, the next steps in reverse, and the rows."""

    actions: tuple[int, ...]
    later: tuple[tuple[tuple[int, int], Auction], ...]
    size: int


@lru_cache(maxsize=8)
def _forks(rules: Rules) -> dict[Auction, _Fork]:
    """Return the cache of `_fork` for these rules."""
    return {}


def _fork(auction: Auction, rules: Rules) -> _Fork:
    """Compute what can follow an auction, once."""
    actions = actions_at(auction, rules)
    later = (((auction.to_act, action), after(auction, action, rules)) for action in reversed(actions))
    going_on = tuple((step, following) for step, following in later if following.phase != OVER)
    fork = _Fork(actions, going_on, block_sizes(rules)[kind_of(auction, rules)])
    return _forks(rules).setdefault(auction, fork)


def _answer(auction: Auction) -> int:
    """Return the answer to the standing bid."""
    return CHALLENGE if auction.phase == RESPOND else COUNT


def _rows_for(actions: int) -> int:
    """Return the number of rows of a position with this number of actions."""
    return actions if actions > 1 else 0


@dataclass(frozen=True, slots=True)
class Edge:
    """The effect of one action.

    Attributes:
        action: a bid, `CHALLENGE` or `COUNT`.
        state: the number of the state of the next decision, or `ENDS`.
        turn: the number of seats from the seat to act to the next one to act; at an end, to the bidder.
        claim: at an end, the bid that is counted; else -1.
    """

    action: int
    state: int
    turn: int
    claim: int


class Tree(NamedTuple):
    """The states as arrays, for compiled code.

    Attributes:
        first: int64 `[states + 1]`, each state's first edge; the last entry is the number of edges.
        state: int64 `[edges]`, the next state, or `ENDS`.
        skip: int64 `[edges]`, rows from the first of a position to the first of the child.
        turn: int64 `[edges]`, as in :class:`Edge`.
        claim: int64 `[edges]`, as in :class:`Edge`.
    """

    first: Ints
    state: Ints
    skip: Ints
    turn: Ints
    claim: Ints


@dataclass(frozen=True)
class States:
    """The states of a hand's auction with more than one action; positions with a single action are skipped.

    Attributes:
        rules: the table's rules.
        numbers: the number of each state, by its auction with the seat to act as seat 0; state 0 is the opening.
        edges: the actions of each state, in the order of a table's rows.
        sizes: the rows of each state's subtree, including its own.
    """

    rules: Rules
    numbers: Mapping[Auction, int]
    edges: tuple[tuple[Edge, ...], ...]
    sizes: tuple[int, ...]

    @cached_property
    def auctions(self) -> tuple[Auction, ...]:
        """Each state's auction, with the seat to act as seat 0."""
        return tuple(self.numbers)

    @cached_property
    def from_the_ends(self) -> tuple[int, ...]:
        """The states in an order in which every state comes after all its successors."""
        return tuple(sorted(range(len(self.sizes)), key=self.sizes.__getitem__))

    @cached_property
    def depth(self) -> int:
        """The maximum number of decisions in a hand."""
        depths = [0] * len(self.edges)
        for state in self.from_the_ends:
            depths[state] = 1 + max((depths[edge.state] for edge in self.edges[state] if edge.state != ENDS), default=0)
        return depths[0]

    @cached_property
    def tree(self) -> Tree:
        """The states as arrays."""
        edges = [edge for state in self.edges for edge in state]
        first = np.cumsum([0, *map(len, self.edges)])
        below = np.array([0 if edge.state == ENDS else self.sizes[edge.state] for edge in edges])
        columns = np.array([(edge.state, edge.turn, edge.claim) for edge in edges], np.int64).T.copy()
        return Tree(first, columns[0], skips(first, below), columns[1], columns[2])

    def locate(self, auction: Auction) -> tuple[int, Auction]:
        """Return the state of the next decision after an auction, or `ENDS`, and the auction there."""
        auction = _decided(auction, self.rules)
        return (ENDS if auction.phase == OVER else self.numbers[kind_of(auction, self.rules)]), auction


def skips(first: Ints, below: Ints) -> Ints:
    """Return the rows from the first of a position to the first of each child, from the rows below each child.

    Args:
        first: int64 `[states + 1]`, as in `Tree`.
        below: int64 `[edges]`, rows of the block of each child.
    """
    own, before = np.diff(first), np.cumsum(below) - below
    found: Ints = np.repeat(own - before[first[:-1]], own) + before
    return found


@lru_cache(maxsize=32)
def states_of(rules: Rules) -> States:
    """Return the states of a table's auction, computed with the rule functions.

    Raises:
        CannotPlay: the tree is infinite: the order is loose, or the ladder has no top.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = states_of(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    >>> len(two.edges), two.sizes[0]
    (21, 2582)
    """
    sizes = block_sizes(rules)
    numbers, auctions = {opening(0): 0}, [opening(0)]
    edges: list[tuple[Edge, ...]] = []
    for auction in auctions:  # grows while it is walked
        found = []
        for action in actions_at(auction, rules):
            later = _decided(after(auction, action, rules), rules)
            if later.phase == OVER:
                found.append(Edge(action, ENDS, later.bidder, later.claim))
                continue
            kind = kind_of(later, rules)
            if kind not in numbers:
                numbers[kind] = len(auctions)
                auctions.append(kind)
            found.append(Edge(action, numbers[kind], later.to_act, -1))
        edges.append(tuple(found))
    return States(rules, numbers, tuple(edges), tuple(sizes[auction] for auction in auctions))


def _decided(auction: Auction, rules: Rules) -> Auction:
    """Return the next auction, from this one on, that leaves a choice or is over."""
    while auction.phase != OVER and len(actions := actions_at(auction, rules)) == 1:
        auction = after(auction, actions[0], rules)
    return auction


@lru_cache(maxsize=64)
def ranks_of_bids(rules: Rules) -> Ints:
    """Return the rank of each bid's digit, 0 for the lowest: int64 `[ladder_length]`, read-only."""
    ranks = np.array([rank_of(digit_of(claim, rules), rules) for claim in range(ladder_length(rules))], np.int64)
    ranks.setflags(write=False)
    return ranks

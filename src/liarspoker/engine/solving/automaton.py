"""The public tree of a hand as an automaton, made by the rule functions.

What may follow at a public position depends on the auction alone, and the same up to renaming the seats: so millions of
positions are a few dozen states. A state is an auction seen by the seat to act, which is 0 in it. Positions with a
single legal action are passed over: they are no decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from liarspoker.engine.strategies.tree import actions_at, check_finite, kind_of
from liarspoker.games.digits.auction import OVER, Auction, after, opening
from liarspoker.games.digits.options import Rules


@dataclass(frozen=True, slots=True)
class Edge:
    """What one action leads to.

    Attributes:
        action: a bid, `CHALLENGE` or `COUNT`.
        state: the number of the state in which the next decision is made, or `ENDS`.
        turn: seats from the one who acts to the one who acts next; at an end, to the bidder.
        claim: at an end, the bid that is counted; else -1.
    """

    action: int
    state: int
    turn: int
    claim: int


ENDS = -1


@dataclass(frozen=True)
class Automaton:
    """The states of a hand's auction.

    Attributes:
        rules: the table's.
        auctions: each state's auction as the seat to act, 0, sees it.
        edges: the actions of each state: the answer (challenge or count) first, then the bids, the weakest first.
    """

    rules: Rules
    auctions: tuple[Auction, ...]
    edges: tuple[tuple[Edge, ...], ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Rows of the subtree below each state: one for each action at each decision, its own included."""
        sizes = [0] * len(self.edges)
        for state in self.from_the_ends:
            sizes[state] = sum(1 + (sizes[edge.state] if edge.state != ENDS else 0) for edge in self.edges[state])
        return tuple(sizes)

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """Decisions in the subtree below each state, its own included."""
        numbers = [0] * len(self.edges)
        for state in self.from_the_ends:
            numbers[state] = 1 + sum(numbers[edge.state] for edge in self.edges[state] if edge.state != ENDS)
        return tuple(numbers)

    @cached_property
    def endings(self) -> tuple[int, ...]:
        """Ways in which a hand may go on to its end from each state."""
        numbers = [0] * len(self.edges)
        for state in self.from_the_ends:
            numbers[state] = sum(1 if edge.state == ENDS else numbers[edge.state] for edge in self.edges[state])
        return tuple(numbers)

    @cached_property
    def from_the_ends(self) -> tuple[int, ...]:
        """The states in an order in which every state stands after all that may follow it."""
        order: list[int] = []
        seen: set[int] = set()
        waiting = [(0, False)]
        while waiting:
            state, is_done = waiting.pop()
            if is_done:
                order.append(state)
            elif state not in seen:
                seen.add(state)
                waiting.append((state, True))
                waiting += [(edge.state, False) for edge in self.edges[state] if edge.state not in seen | {ENDS}]
        return tuple(order)


def automaton_of(rules: Rules) -> Automaton:
    """The automaton of a table's auction; state 0 is the opening.

    Args:
        rules: the table's.

    Raises:
        CannotPlay: the tree has no end: the order is loose, or the ladder has no top.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = automaton_of(packed(DigitOptions(hand_size=2, symbols=2), seats=2))
    >>> len(two.edges), two.positions[0], two.sizes[0]
    (21, 987, 2582)
    """
    check_finite(rules)
    numbers = {opening(0): 0}
    auctions = [opening(0)]
    edges: list[tuple[Edge, ...]] = []
    for auction in auctions:  # grows while it is walked
        found = []
        for action in actions_at(auction, rules):
            later = _decided(after(auction, action, rules), rules)
            if later.phase == OVER:
                found.append(Edge(action, ENDS, later.bidder, later.claim))
                continue
            seen = kind_of(later, rules)
            if seen not in numbers:
                numbers[seen] = len(auctions)
                auctions.append(seen)
            found.append(Edge(action, numbers[seen], later.to_act, -1))
        edges.append(tuple(found))
    return Automaton(rules, tuple(auctions), tuple(edges))


def _decided(auction: Auction, rules: Rules) -> Auction:
    """The next auction, from this one on, that leaves a choice or is over."""
    while auction.phase != OVER:
        actions = actions_at(auction, rules)
        if len(actions) > 1:
            return auction
        auction = after(auction, actions[0], rules)
    return auction

"""Positions of Queen Anne's games: pools that agree with what a seat sees, weighed by the claims that it has heard."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.coach.cards.positions import RARE, CardPosition, Deals, weighed
from liarspoker.coach.cards.words import CardWording
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import UNKNOWN, full_deck
from liarspoker.engine.compiling import compiled
from liarspoker.engine.kernel import Array, Ints
from liarspoker.games.queen_annes.bots import Bluffer, beginner, bluffer
from liarspoker.games.queen_annes.heuristics import Ladder, Workspace, chance_of, pool_knowledge
from liarspoker.games.queen_annes.kernel import KERNEL, MOST_CARDS, State, store
from liarspoker.games.queen_annes.kernel_policies import grouped_ladder, working_arrays
from liarspoker.games.queen_annes.ladder import ladder_length, missing, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.review_words import PoolWording
from liarspoker.games.queen_annes.state import CHALLENGE, sees_extra, sees_hand
from liarspoker.odds.pools import partial_pool
from liarspoker.solve.hands import Floats

CARELESS, HONEST = 0.2, 4.0
"""How likely a player is to make a claim that is true with probability p, given what they see: in proportion to
(`CARELESS` + (1 - `CARELESS`) p) ** `HONEST`. See decision 48 for how these were chosen."""

_FRONT = 5
"""The number of claims that are considered, apart from those of bots."""


@dataclass(frozen=True, slots=True)
class PoolPosition(CardPosition):
    """A position of a game of Queen Anne's."""

    playouts: ClassVar[int] = 4_000
    wording: ClassVar[type[CardWording]] = PoolWording

    @property
    def standing(self) -> int:
        """The last claim, -1 for none."""
        return int(self._round.state.claim)

    @property
    def moves(self) -> Array:
        """The actions so far: int32 `[made, 2]`, seat and action."""
        return np.array(self._round.moves, np.int32).reshape(-1, 2)

    @property
    def is_known(self) -> bool:
        """Whether the record has all cards in the pool."""
        return UNKNOWN not in self._round.pool and len(self._round.extras) == self._round.state.drawn

    def sensible(self, chosen: int) -> list[int]:
        """Return the chosen action, a challenge, what the bots would do, and likely claims of different strengths."""
        view = self.sessions[-1].view(self.seat)
        bots = (beginner, Bluffer(trust=0.0, bluffs=0.0), Bluffer(bluffs=0.0), Bluffer(bluffs=1.0))
        answers = (answer for answer in view.legal.answers if answer == CHALLENGE)
        found = dict.fromkeys((chosen, *answers, *(bot(view, Random(1)) for bot in bots)))
        likeliest, front = -1, list[int]()
        for claim, chance in sorted(bluffer.in_mind(view), reverse=True):
            if chance > likeliest:  # no stronger claim is as likely
                likeliest = chance
                front.append(claim)
        steps = np.linspace(0, len(front) - 1, min(_FRONT, len(front))).round().astype(int)
        return list(found | dict.fromkeys(front[step] for step in steps))

    def deals(self, number: int, chance: np.random.Generator, *, hears: bool = True) -> Deals:
        """Draw deals that agree with what the seat sees; without `hears`, whatever the others have claimed."""
        rules, dealt, seat = self.table.rules, self._round, self.seat
        pool, mine = dealt.pool, self._seen(dealt, seat)
        known = [place for place in range(len(pool)) if mine >> place & 1]
        unseen = list(full_deck(rules.jokers))
        for place in known:
            unseen.remove(pool[place])
        rest = [place for place in range(rules.deck_size) if place not in known]
        decks = np.zeros((number, MOST_CARDS), np.int64)
        decks[:, known] = [pool[place] for place in known]
        decks[:, rest] = chance.permuted(np.tile(np.array(unseen, np.int64), (number, 1)), axis=1)
        lines = np.repeat(self._line(), number)
        lines["deck"] = decks
        for other in dealt.terms.alive:
            places = [place for place in range(len(pool)) if self._seen(dealt, other) >> place & 1]
            lines["known"][:, other] = (1 << decks[:, places]).sum(axis=1)
        return Deals(lines, self._weights(decks) if hears else np.ones(number))

    def _line(self) -> Any:
        """Return the public part of the line: a record `[1]`."""
        dealt, line = self._round, KERNEL.lines(1)
        store(line[0], State(dealt.terms.packed, dealt.state))
        line[0].dealt = len(dealt.pool)
        line[0].last[:] = NO_CLAIM
        for seat, action in dealt.moves:
            line[0].last[seat] = action
        return line

    def _weights(self, decks: Ints) -> Floats:
        """Return how well each deal explains the claims of the other seats."""
        claims, places, unknown = [], [], []
        for before, later in zip(self.sessions, self.sessions[1:], strict=False):
            assert before.round is not None
            assert later.round is not None
            (seat, claim), seen = later.round.moves[-1], self._seen(before.round, later.round.moves[-1][0])
            if seat != self.seat and claim >= 0:
                claims.append(claim)
                places.append(seen)
                unknown.append(_pool_size(later.round) - seen.bit_count())
        weights = np.zeros(len(decks))
        if claims:
            run, rules = compiled(weigh), self.table.rules
            arrays = (np.array(column, np.int64) for column in (claims, places, unknown))
            run(decks, *arrays, rules, grouped_ladder(rules), *working_arrays(), HONEST, CARELESS, weights)
        return weighed(weights)

    @staticmethod
    def was_believed(answer: int) -> bool | None:
        """Return whether the action after a claim shows that it was believed; `None` if another seat challenged."""
        return True if answer >= 0 else False if answer == CHALLENGE else None

    def odds(self, chance: np.random.Generator) -> float:
        """Return the exact probability that the standing claim is true, given only the cards that the seat sees."""
        return self._exact(self.standing)

    def possible(self, claim: int, share: float) -> float:
        """Return the share of deals in which a claim is true, but 0 or 1 only if it is impossible or certain."""
        exact = self._exact(claim)
        return exact if exact in (0.0, 1.0) else min(max(share, RARE), 1.0 - RARE)

    def _exact(self, claim: int) -> float:
        view, rules = self.sessions[-1].view(self.seat), self.table.rules
        dealt = self._round if claim == self.standing else self._round.apply(claim)
        unknown = _pool_size(dealt) - len(view.known)
        return float(partial_pool(view.known, unknown, rules).probability(named_hand(claim, rules)))

    def is_there(self, claim: int, deals: Deals) -> Any:
        """Return in which deals a claim is true if it is challenged at once: bool `[deals]`."""
        dealt = self._round if claim == self.standing else self._round.apply(claim)
        found = np.zeros(deals.lines.size, np.bool_)
        requirement = self.table.extra.requirements[claim]
        compiled(find)(deals.lines["deck"], _pool_size(dealt), requirement, self.table.rules, found)
        return found

    def hands(self, lines: Any) -> tuple[tuple[str, float], ...]:
        """Return how likely the best hand of all cards dealt so far is of each category."""
        rules = self.table.rules
        words = [named_hand(claim, rules).word for claim in range(ladder_length(rules))]
        found, requirements = np.zeros(lines.size, np.int64), self.table.extra.requirements
        compiled(strongest)(lines["deck"], _pool_size(self._round), requirements, rules, found)
        counts = Counter(words[claim] for claim in found.tolist())
        return tuple((word, counts[word] / lines.size) for word in dict.fromkeys(words) if counts[word])

    def _seen(self, dealt: Any, seat: int) -> int:
        """Return the places in the deck of the cards in the pool that a seat sees, as a mask."""
        blind, mask, place = self.table.rules.blind == 1, 0, 0
        for owner, hand in enumerate(dealt.hands):
            mask |= ((1 << len(hand)) - 1) * sees_hand(seat, owner, blind) << place
            place += len(hand)
        for extra in dealt.drawn:
            mask |= sees_extra(seat, extra.seat, extra.face_up) << place
            place += 1
        return mask


def _pool_size(dealt: Any) -> int:
    return sum(map(len, dealt.hands)) + int(dealt.state.drawn)


def weigh(
    decks: Ints,
    claims: Ints,
    places: Ints,
    unknown: Ints,
    rules: QueenAnnesRules,
    ladder: Ladder,
    workspace: Workspace,
    honest: float,
    careless: float,
    weights: NDArray[np.float64],
) -> None:
    """Write the logarithm of how well each deal explains the others' claims. For compiled code.

    Args:
        decks: int64 `[deals, cards]`, the cards in dealing order.
        claims: int64 `[claims]`, the claims of the other seats.
        places: int64 `[claims]`, the places in the deck of the cards that the claimant saw, as a mask.
        unknown: int64 `[claims]`, the number of cards in the pool that the claimant couldn't see.
        rules: the table's rules.
        ladder: the claims, grouped.
        workspace: working arrays.
        honest: see `HONEST`.
        careless: see `CARELESS`.
        weights: float64 `[deals]`, the result.
    """
    for deal in range(decks.shape[0]):
        weight = 0.0
        for number in range(claims.size):
            known = 0
            for place in range(decks.shape[1]):
                known += (places[number] >> place & 1) << decks[deal, place]
            knowledge = pool_knowledge(known, unknown[number], rules)
            chance = chance_of(claims[number], knowledge, ladder, workspace)
            weight += honest * math.log(careless + (1.0 - careless) * chance)
        weights[deal] = weight


def strongest(decks: Ints, size: int, requirements: Ints, rules: QueenAnnesRules, found: Ints) -> None:
    """Write the strongest claim that is true in each deal. For compiled code.

    Args:
        decks: int64 `[deals, cards]`, the cards in dealing order.
        size: the number of cards in the pool.
        requirements: the cards that each claim requires.
        rules: the table's rules.
        found: int64 `[deals]`, the result.
    """
    for deal in range(decks.shape[0]):
        pool = _pool(decks, deal, size)
        claim = requirements.size - 1
        while claim > 0 and missing(requirements[claim], pool, rules) > 0:
            claim -= 1
        found[deal] = claim


def find(decks: Ints, size: int, requirement: int, rules: QueenAnnesRules, found: NDArray[np.bool_]) -> None:
    """Write in which deals a hand exists. For compiled code.

    Args:
        decks: int64 `[deals, cards]`, the cards in dealing order.
        size: the number of cards in the pool.
        requirement: the cards that the hand requires.
        rules: the table's rules.
        found: bool `[deals]`, the result.
    """
    for deal in range(decks.shape[0]):
        found[deal] = missing(requirement, _pool(decks, deal, size), rules) == 0


def _pool(decks: Ints, deal: int, size: int) -> int:
    """Return the first cards of a deal as a mask. For compiled code."""
    pool = 0
    for place in range(size):
        pool += 1 << decks[deal, place]
    return pool


POSITION = PoolPosition

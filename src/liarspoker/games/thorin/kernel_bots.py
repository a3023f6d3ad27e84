"""The bots of Thorin's game as policies for compiled rounds.

They use the bots' heuristics, compiled. This module has array versions of counting and caching draws, and of random
numbers. A test checks that bots and policies choose the same actions.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.hand_values import KEYS
from liarspoker.core.cards.match import count_in
from liarspoker.engine.chance import Chance, below, random_float
from liarspoker.engine.lineup import Policy
from liarspoker.games.thorin import draw_chances, heuristics
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.bots import bluffer
from liarspoker.games.thorin.claim_table import Ladder
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.draw_chances import (
    Workspace,
    alike,
    new_workspace,
)
from liarspoker.games.thorin.heuristics import (
    HandKnowledge,
    Turn,
    beginners_answer,
    beginners_discard,
    begun,
    bluffers_answer,
    bluffers_claim,
    bluffers_discard,
    calculators_answer,
    calculators_discard,
    knowledge_after,
    true_or_least,
)
from liarspoker.games.thorin.kernel_policies import (
    BITS,
    CHOOSE,
    KINDS,
    MIXED,
    ONE_COLOR,
    ONE_SUIT,
    STARTS,
    WIDTH,
    Ints,
    Observation,
    hand_rank,
    is_answer,
    ranks_table,
    uniform,
)
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DISCARDING, RESPOND

NOT_INLINED = ("count_class", "reach", "remember")
"""Functions that the engine doesn't inline, because they are long or have many callers."""

SLOTS = 131_071
CAPACITY = 1 << 22
"""Cache sizes: number of kinds of kept cards, and of hand ranks in total."""

_BLACK, _RED, _ALL = 9, 6, 15
_ACE = 12


class Draws(NamedTuple):
    """Cache of the outcomes of draws.

    Attributes:
        ranks: the hand ranks from `ranks_table`.
        keys: the kept cards in canonical suits plus one, or 0 for a free slot.
        starts, sizes: where the entries of a slot start in `values` and `chances`, and their number.
        values: the reachable hand ranks, ascending.
        chances: for each the probability of at least it.
        used: number of entries in use.
        counts: working array: number of draws that lead to each hand rank.
        drawn: working array: the ranks drawn.
    """

    ranks: Ints
    keys: Ints
    starts: Ints
    sizes: Ints
    values: NDArray[np.int32]
    chances: NDArray[np.float64]
    used: Ints
    counts: Ints
    drawn: Ints


def reach(kept: int, value: int, workspace: Workspace) -> float:
    """Return the probability that the kept cards and a draw reach at least `value`, like `draw_chances.reach`."""
    draws: Draws = workspace.draws
    if cards_in(kept) == HAND_CARDS:
        return 1.0 if hand_rank(kept, draws.ranks) >= value else 0.0
    kind = alike(kept)
    slot = kind % SLOTS
    while draws.keys[slot] not in (0, kind + 1):
        slot = slot + 1 if slot + 1 < SLOTS else 0
    if draws.keys[slot] == 0:
        slot = remember(kind, slot, workspace.jokers, draws)
    low = draws.starts[slot]
    end = low + draws.sizes[slot]
    high = end
    while low < high:
        middle = (low + high) // 2
        if draws.values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return draws.chances[low] if low < end else 0.0


def remember(kept: int, slot: int, all_jokers: int, draws: Draws) -> int:
    """Compute the outcomes of kept cards, cache them, and return their slot."""
    used = draws.used[0]
    if used + draws.counts.size > CAPACITY:
        for other in range(SLOTS):
            draws.keys[other] = 0
        used, slot = 0, kept % SLOTS
    missing, jokers = HAND_CARDS - cards_in(kept), all_jokers - (kept >> JOKER)
    total = 0
    for wild in range(min(missing, jokers) + 1):
        total += count_draws(kept, missing - wild, CHOOSE[jokers * WIDTH + wild], draws)
    size, ways = 0, 0
    for value in range(draws.counts.size):
        size += draws.counts[value] > 0
    place = used + size
    for step in range(draws.counts.size):
        value = draws.counts.size - 1 - step
        if draws.counts[value] > 0:
            ways += draws.counts[value]
            place -= 1
            draws.values[place], draws.chances[place] = value, ways / total
        draws.counts[value] = 0
    draws.keys[slot], draws.starts[slot], draws.sizes[slot], draws.used[0] = kept + 1, used, size, used + size
    return slot


def count_draws(kept: int, number: int, ways: int, draws: Draws) -> int:
    """Add the draws of `number` cards without jokers, weighted by `ways`, to `draws.counts`; return their number."""
    total = 0
    for place in range(number):
        draws.drawn[place] = 0
    while True:
        total += ways * count_class(kept, number, ways, draws)
        place = number - 1
        while place >= 0 and draws.drawn[place] == _ACE:
            place -= 1
        if place < 0:
            return total
        rank = draws.drawn[place] + 1
        for later in range(place, number):
            draws.drawn[later] = rank


def count_class(kept: int, number: int, ways: int, draws: Draws) -> int:
    """Add the draws with the ranks in `draws.drawn` to `draws.counts`; return their number."""
    every, black, red, shared = 1, 1, 1, _ALL
    suits, place, plain, taken = 0, 0, 0, 0
    for rank in range(_ACE + 1):
        held = kept >> 4 * rank & _ALL
        suits |= held
        free, count = _ALL & ~held, 0
        while taken < number and draws.drawn[taken] == rank:
            count += 1
            taken += 1
        for _ in range(BITS[held] + count):
            place += CHOOSE[(rank + plain) * WIDTH + plain + 1]
            plain += 1
        if count:
            every *= CHOOSE[BITS[free] * WIDTH + count]
            black *= CHOOSE[BITS[free & _BLACK] * WIDTH + count]
            red *= CHOOSE[BITS[free & _RED] * WIDTH + count]
            shared = shared & free if count == 1 else 0
    if every == 0:
        return 0
    one_color = (0 if suits & _RED else black) + (0 if suits & _BLACK else red)
    one_suit = 0
    if BITS[suits] <= 1:
        one_suit = BITS[shared & suits if suits else shared]
    kind = (STARTS[plain] + place) * KINDS
    draws.counts[draws.ranks[kind + MIXED]] += ways * (every - one_color)
    draws.counts[draws.ranks[kind + ONE_COLOR]] += ways * (one_color - one_suit)
    draws.counts[draws.ranks[kind + ONE_SUIT]] += ways * one_suit
    return every


def between(chance: Chance, low: int, high: int) -> int:
    """Return a uniform int from `low` to `high`, inclusive."""
    return low + below(chance, high - low + 1)


def fraction(chance: Chance) -> float:
    """Return a uniform float in [0, 1)."""
    return random_float(chance)


def normal(chance: Chance) -> float:
    """Return a float from the standard normal distribution (Box-Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_float(chance)))
    return radius * math.cos(2.0 * math.pi * random_float(chance))


SUBSTITUTES = {
    draw_chances.reach: reach,
    heuristics.between: between,
    heuristics.fraction: fraction,
    heuristics.normal: normal,
}
"""Substitutes of the engine for some of the heuristics."""


def truthful(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Beginner."""
    if seen.state.phase == RESPOND:
        return beginners_answer(turn_of(seen), seen.ladder)
    if seen.state.phase == DISCARDING:
        return beginners_discard(seen.hand)
    return true_or_least(turn_of(seen), seen.ladder)


def calculating(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Calculator; `data` comes from `bot_policy`."""
    (workspace,) = data
    if seen.state.phase == RESPOND:
        return calculators_answer(turn_of(seen), knowledge_of(seen), workspace)
    if seen.state.phase == DISCARDING:
        return calculators_discard(turn_of(seen), workspace)
    return true_or_least(turn_of(seen), seen.ladder)


def bluffing(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Bluffer; `data` comes from `bot_policy`."""
    whim, tricks, workspace = data
    turn = turn_of(seen)
    if seen.state.phase == RESPOND:
        return bluffers_answer(turn, knowledge_of(seen), workspace)
    if seen.state.phase == DISCARDING:
        return bluffers_discard(turn, tricks, chance, workspace)
    return bluffers_claim(turn, whim, tricks, chance, workspace)


def turn_of(seen: Observation) -> Turn:
    """Return what the seat knows on its turn."""
    state = seen.state
    mine = hand_rank(seen.hand, seen.ranks) if state.phase != RESPOND else 0
    may_take, may_pass = is_answer(TAKE, seen), is_answer(PASS, seen)
    return Turn(state.claim, count_in(seen.alive), may_take, may_pass, seen.hand, mine, seen.taken, seen.discarded)


def knowledge_of(seen: Observation) -> HandKnowledge:
    """Return what the seat under the gun knows about the hand."""
    knowledge = begun(seen.had, count_in(seen.alive))
    for place in range(seen.made):
        knowledge = knowledge_after(knowledge, seen.moves[place, 1], seen.moves[place, 0] == seen.state.to_act)
    return knowledge


# Nothing below is compiled.


def bot_policy(name: str, rules: ThorinRules) -> Policy:
    """Return the policy that plays like a bot; it is only valid for tables with these rules.

    Args:
        name: `uniform`, `beginner`, `binomial` or `bluffer`.
        rules: the table's rules.
    """
    if name in ("uniform", "beginner"):
        return Policy(uniform if name == "uniform" else truthful)

    def workspace() -> tuple[Workspace]:
        return (array_workspace(rules),)

    if name == "binomial":
        return Policy(calculating, (), workspace)
    return Policy(bluffing, (bluffer.whim, bluffer.tricks), workspace)


def array_workspace(rules: ThorinRules) -> Workspace:
    """Return a workspace of arrays for one thread.

    Draws take long to count. When nobody refers to a workspace any more, the next one gets what it has counted.
    """
    _ladder, _example_hands, *rest = new_workspace(rules)
    room: Any = [np.full(len(each), each[0]) if isinstance(each, list) else each for each in rest]
    workspace = Workspace(*constants(rules), *room)
    return workspace._replace(draws=_borrowed(rules.jokers, bool(rules.double_any)))


@lru_cache(16)
def constants(rules: ThorinRules) -> tuple[Ladder, Any]:
    """Return the claims of a table and its example hands as arrays, to which nothing may be written."""
    ladder, example_hands, *_room = new_workspace(rules)
    claims: Any = (np.array(each, np.int64) for each in ladder)
    return Ladder(*claims), np.array(example_hands)


def _borrowed(jokers: int, double_any: bool) -> Draws:
    """Return a cache that is idle, or a new one; it is idle again when its result is deleted."""
    idle = _idle(jokers, double_any)
    try:
        draws = idle.pop()
    except IndexError:
        draws = _new_cache(jokers, double_any)
    lent = draws._replace(used=draws.used[:])
    finalize(lent.used, idle.append, draws)
    return lent


@cache
def _idle(jokers: int, double_any: bool) -> list[Draws]:
    return []


def _new_cache(jokers: int, double_any: bool) -> Draws:
    slots: Any = [np.zeros(SLOTS, np.int64) for _ in range(3)]
    room: Any = (np.zeros(CAPACITY, np.int32), np.zeros(CAPACITY), np.zeros(1, np.int64), np.zeros(len(KEYS), np.int64))
    rest: Any = (*room, np.zeros(HAND_CARDS, np.int64))
    return Draws(ranks_table(jokers, double_any), *slots, *rest)

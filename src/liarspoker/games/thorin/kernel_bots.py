"""The bots of Thorin's game as policies, so that they play in compiled rounds.

They judge by the bots' own heuristics, compiled. What is written for arrays here is how draws are counted and
remembered, and how chance is drawn; a test plays the same rounds with the bots and expects the same actions.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.hand_values import KEYS
from liarspoker.core.cards.match import count_in
from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.lineup import Policy
from liarspoker.games.thorin import heuristics, outlook
from liarspoker.games.thorin.actions import PASS, TAKE
from liarspoker.games.thorin.bots import bluffer
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.heuristics import (
    Story,
    Turn,
    beginners_answer,
    beginners_discard,
    begun,
    bluffers_answer,
    bluffers_claim,
    bluffers_discard,
    calculators_answer,
    calculators_discard,
    story_with,
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
from liarspoker.games.thorin.listed import Ladder
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.outlook import (
    Desk,
    alike,
    new_desk,
)
from liarspoker.games.thorin.state import DISCARDING, RESPOND

NOT_INLINED = ("count_class", "reach", "remember")
"""Functions that the engine doesn't inline, because they are long or called from many places."""

SLOTS = 131_071
ROOM = 1 << 22
"""For how many kinds of kept cards, and for how many values in all, probabilities are remembered."""

_BLACK, _RED, _ALL = 9, 6, 15
_ACE = 12


class Draws(NamedTuple):
    """What kept cards and a draw come to.

    Attributes:
        ranks: from `ranks_table`.
        keys: one more than the cards kept, in suits that stand for all, or 0;
        starts, sizes: where in the arrays below their values begin, and how many there are.
        values: those that may come, ascending, and
        chances: for each the probability of it or a better one.
        used: how many of those are in use.
        counts: room to count the draws that lead to each value.
        drawn: room for the ranks that are drawn.
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


def reach(kept: int, value: int, desk: Desk) -> float:
    """The probability that these cards and a draw are worth `value` or more, as `outlook.reach`."""
    draws: Draws = desk.draws
    if cards_in(kept) == HAND_CARDS:
        return 1.0 if hand_rank(kept, draws.ranks) >= value else 0.0
    kind = alike(kept)
    slot = kind % SLOTS
    while draws.keys[slot] not in (0, kind + 1):
        slot = slot + 1 if slot + 1 < SLOTS else 0
    if draws.keys[slot] == 0:
        slot = remember(kind, slot, desk.jokers, draws)
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
    """Work out what some kept cards may come to, and return where it is found: in `slot` if there is room."""
    used = draws.used[0]
    if used + draws.counts.size > ROOM:
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
    """Add the draws of so many natural cards, each counted so many times, to `draws.counts`; how many there are."""
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
    """The same for the ranks in `draws.drawn` alone: how many draws have these, of which so many are of one color."""
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
    """A uniform int from `low` to `high`."""
    return low + below(chance, high - low + 1)


def fraction(chance: Chance) -> float:
    """A uniform float from 0 to just below 1."""
    return chance_below_one(chance)


def normal(chance: Chance) -> float:
    """A float of the standard normal distribution (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - chance_below_one(chance)))
    return radius * math.cos(2.0 * math.pi * chance_below_one(chance))


SUBSTITUTES = {
    outlook.reach: reach,
    heuristics.between: between,
    heuristics.fraction: fraction,
    heuristics.normal: normal,
}
"""What the engine has in place of some of the heuristics."""


def truthful(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Beginner plays."""
    if seen.course.phase == RESPOND:
        return beginners_answer(_turn(seen), seen.ladder)
    if seen.course.phase == DISCARDING:
        return beginners_discard(seen.hand)
    return true_or_least(_turn(seen), seen.ladder)


def calculating(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Calculator plays; `data` is as `bot_policy` makes it."""
    (desk,) = data
    if seen.course.phase == RESPOND:
        return calculators_answer(_turn(seen), _story(seen), desk)
    if seen.course.phase == DISCARDING:
        return calculators_discard(_turn(seen), desk)
    return true_or_least(_turn(seen), seen.ladder)


def bluffing(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Bluffer plays; `data` is as `bot_policy` makes it."""
    whim, tricks, desk = data
    turn = _turn(seen)
    if seen.course.phase == RESPOND:
        return bluffers_answer(turn, _story(seen), desk)
    if seen.course.phase == DISCARDING:
        return bluffers_discard(turn, tricks, chance, desk)
    return bluffers_claim(turn, whim, tricks, chance, desk)


def _turn(seen: Observation) -> Turn:
    """What the seat knows of its turn."""
    course = seen.course
    mine = hand_rank(seen.hand, seen.ranks) if course.phase != RESPOND else 0
    may_take, may_pass = is_answer(TAKE, seen), is_answer(PASS, seen)
    return Turn(course.claim, count_in(seen.alive), may_take, may_pass, seen.hand, mine, seen.taken, seen.thrown)


def _story(seen: Observation) -> Story:
    """What the seat under the gun knows of the hand."""
    story = begun(seen.had, count_in(seen.alive))
    for place in range(seen.made):
        story = story_with(story, seen.moves[place, 1], seen.moves[place, 0] == seen.course.to_act)
    return story


# From here on nothing is compiled.


def bot_policy(name: str, rules: ThorinRules) -> Policy:
    """The policy that plays at a table as the bot of this name does; it's for no other table.

    Args:
        name: `uniform`, `beginner`, `binomial` or `bluffer`.
        rules: the table's.
    """
    if name in ("uniform", "beginner"):
        return Policy(uniform if name == "uniform" else truthful)

    def workspace() -> tuple[Desk]:
        return (_new_desk(rules),)

    if name == "binomial":
        return Policy(calculating, (), workspace)
    return Policy(bluffing, (bluffer.whim, bluffer.tricks), workspace)


def _new_desk(rules: ThorinRules) -> Desk:
    """Room for one thread: the bots' own, in arrays."""
    slots: Any = [np.zeros(SLOTS, np.int64) for _ in range(3)]
    room: Any = (np.zeros(ROOM, np.int32), np.zeros(ROOM), np.zeros(1, np.int64), np.zeros(len(KEYS), np.int64))
    draws: Any = (ranks_table(rules.jokers, bool(rules.double_any)), *slots, *room, np.zeros(HAND_CARDS, np.int64))
    plain: Any = new_desk(rules)
    ladder, *rest = plain
    listed: Any = [np.array(each) for each in ladder]
    arrays: Any = [np.array(each) if isinstance(each, list | tuple) else each for each in rest]
    return Desk(Ladder(*listed), *arrays)._replace(draws=Draws(*draws))

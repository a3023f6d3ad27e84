"""Heuristics of the bots for Thorin's game, as functions on ints.

`bots` calls them on views, and the engine compiles them, except `between`, `fraction` and `normal`, for which it has
substitutes. A hand is a mask of `liarspoker.core.cards.deck.mask_of`.

* A player under the gun considers whether the declaration is true and whether the hand can be improved. "If the active
  player names a hand that's difficult to improve on and you're under the gun, you should usually challenge" (source
  002): a player who takes the hand must declare a better one, and lie if they can't improve it.
* A player who declares considers how credible the declaration is to the next player, who knows that players lie.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.hand_values import (
    CATEGORIES,
    FOUR,
    KEY_LENGTHS,
    KEYS,
    PAIR,
    STARTS,
    THREE,
    TWO_PAIR,
    VALUE_OF,
)
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE
from liarspoker.games.thorin.claim_table import ALL_WORDS, NO_VALUE, WORD_BITS, Ladder, floor_of, is_claim, value_above
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.draw_chances import (
    Workspace,
    best_discard_chance,
    best_keep,
    improvable,
    keep_candidates,
    reach,
    reach_if_true,
    singles,
)

NOT_INLINED = ("challenged", "considered", "consider", "same_set")
"""Functions that the engine doesn't inline, because they are long or have many callers."""

_CATEGORIES = len(CATEGORIES)
_FULL = tuple(ALL_WORDS ^ (ALL_WORDS >> length) for length in KEY_LENGTHS)
"""The mask that names every rank, for each category."""

_SET_RANKS = tuple({PAIR: 1, TWO_PAIR: 2, THREE: 1, FOUR: 1}.get(category, 0) for category in range(_CATEGORIES))
"""Number of ranks in the set of each category; the others are kickers."""

_BEST_PAIRS = tuple(
    VALUE_OF[PAIR, (pair, *[rank for rank in range(12, -1, -1) if rank != pair][:3])] for pair in range(13)
)
"""For each rank, the pair with the best kickers."""


def between(chance: Any, low: int, high: int) -> int:
    """Return a uniform int from `low` to `high`, inclusive."""
    number: int = chance.randint(low, high)
    return number


def fraction(chance: Any) -> float:
    """Return a uniform float in [0, 1)."""
    number: float = chance.random()
    return number


def normal(chance: Any) -> float:
    """Return a float from the standard normal distribution."""
    number: float = chance.gauss(0.0, 1.0)
    return number


CAUGHT = 0.5
"""Assumed probability that a forced lie is challenged."""

_COUNT_BITS = 3
_COUNTS = (1 << 60) - 1


class HandKnowledge(NamedTuple):
    """What a player knows about the hand of a declaration.

    Attributes:
        claim: the declaration.
        before: the declaration before it; `NO_CLAIM` at the opening.
        known: the hand when the player last passed it on in this round; 0 if the player hasn't had it.
        discards: sizes of the discards since then, three bits each, the latest lowest.
        turns: number of players who have had the hand since then.
        players: number of players still in.
    """

    claim: int
    before: int
    known: int
    discards: int
    turns: int
    players: int


def begun(known: int, players: int) -> HandKnowledge:
    """Return what is known before the first action of a round."""
    return HandKnowledge(NO_CLAIM, NO_CLAIM, known, 0, 0, players)


def knowledge_after(knowledge: HandKnowledge, action: int, is_own: bool) -> HandKnowledge:
    """Return what is known after one more action of the round.

    Args:
        knowledge: what was known before the action.
        action: the action as the player sees it.
        is_own: whether the player made the action.
    """
    if action >= 0:
        return HandKnowledge(
            action, knowledge.claim, knowledge.known, knowledge.discards, knowledge.turns, knowledge.players
        )
    if action > DISCARD:
        return knowledge
    if is_own:
        return HandKnowledge(knowledge.claim, knowledge.before, knowledge.known, 0, 0, knowledge.players)
    discarded = discard_size(action)
    discards = (knowledge.discards << _COUNT_BITS | discarded) & _COUNTS
    return HandKnowledge(
        knowledge.claim, knowledge.before, knowledge.known, discards, knowledge.turns + 1, knowledge.players
    )


def discard_size(action: int) -> int:
    """Return the number of cards of a discard, known or unknown."""
    packed = DISCARD - action
    return cards_in(packed & (4 << JOKER) - 1) + (packed >> JOKER + 2)


def knowledge_of_next(turn: Turn, discarded: int) -> HandKnowledge:
    """Return what the next player will know about the hand after a discard of `discarded` cards.

    With two players, the next player knows the hand that they passed on.
    """
    known = turn.taken if turn.players == 2 and turn.claim != NO_CLAIM else 0
    return HandKnowledge(NO_CLAIM, turn.claim, known, discarded, 1, turn.players)


def reach_given(value: int, knowledge: HandKnowledge, workspace: Workspace) -> float:
    """Return the probability that the hand reaches `value`, if every player drew to that."""
    if knowledge.before == NO_CLAIM:
        return reach(0, value, workspace)
    hand, turns, fails = knowledge.known, knowledge.turns, 1.0
    if hand == 0:
        fails -= reach_if_true(knowledge.before, value, workspace)
        hand, turns = workspace.example_hands[floor_of(knowledge.before)], min(1, knowledge.turns)
    for turn in range(turns):
        discarded = knowledge.discards >> _COUNT_BITS * (turns - 1 - turn) & 7
        fails *= 1.0 - best_discard_chance(hand, discarded, value, workspace)
    return 1.0 - fails


def truth_of(knowledge: HandKnowledge, workspace: Workspace) -> float:
    """Return the probability that the hand beats the previous declaration, so that a true declaration was legal."""
    least = value_above(floor_of(knowledge.before), workspace.ladder)
    return 0.0 if least == NO_VALUE else reach_given(least, knowledge, workspace)


def prospects(value: int, truth: float, players: int, is_wary: bool, workspace: Workspace) -> tuple[float, float]:
    """Return the expected values of a challenge and of taking the hand: -1 for elimination, 1 for winning the match.

    Args:
        value: the hand rank that is promised.
        truth: the probability that the declaration is true.
        players: number of players still in.
        is_wary: assume that the next player challenges a lie more often the harder the hand was to improve; otherwise
            with probability `CAUGHT`.
        workspace: working arrays.
    """
    challenge = (1.0 - truth) * (1.0 / (players - 1)) - truth
    higher = value_above(value, workspace.ladder)
    if higher == NO_VALUE:
        return challenge, -1.0
    improves = truth * improvable(value, workspace) + (1.0 - truth) * reach(0, higher, workspace)
    return challenge, -(1.0 - improves) * (1.0 - improves if is_wary else CAUGHT)


DOUBT = 0.1
"""Smallest probability that a declaration is false, and that it is true."""

OTHERS_DOUBT = 0.3
"""Smallest probability that other players assume for a false opening."""

_SMALL_LIES = 0.5
"""Share of small lies after the opening; the rest, and all lies at the opening, are large."""

_SMALL, _GREAT = 6, 3
"""Exponents of the densities of small and large lies over the range of possible hands."""

_RANDOM_ANSWERS = 0.3
"""Probability that the next player answers at random."""

_FIRMNESS = 0.1
"""Difference in expected value between two answers at which the better one is chosen with odds of e to 1."""


def believed(value: int, knowledge: HandKnowledge, doubt: float, workspace: Workspace) -> float:
    """Return the posterior probability that a declaration of `value` is true.

    True declarations follow the distribution of draws. Lies are concentrated just above the previous declaration, or
    near the top of the possible hands.

    Args:
        value: the hand rank that is promised.
        knowledge: what is known about the hand.
        doubt: smallest probability that an opening is false.
        workspace: working arrays.
    """
    is_opening = knowledge.before == NO_CLAIM
    room = truth_of(knowledge, workspace)
    prior = min(1.0 - (doubt if is_opening else DOUBT), max(DOUBT, room))
    below = 1.0 - reach_given(value, knowledge, workspace) / room if room > 0.0 else 0.0
    small = 0.0 if is_opening else _SMALL_LIES
    cube = (1.0 - below) * (1.0 - below) * (1.0 - below)
    lie = small * (1 + _SMALL) * (cube * cube) + (1.0 - small) * (1 + _GREAT) * (below * below * below)
    return prior / (prior + (1.0 - prior) * lie)


def challenged(value: int, knowledge: HandKnowledge, workspace: Workspace) -> float:
    """Return the probability that the next player challenges a declaration of `value`.

    The next player either assumes that players lie only if necessary, or judges credibility like this bot.

    Args:
        value: the hand rank to declare.
        knowledge: what the next player knows about the hand.
        workspace: working arrays.
    """
    chance = _RANDOM_ANSWERS / 2
    for truth in (truth_of(knowledge, workspace), believed(value, knowledge, OTHERS_DOUBT, workspace)):
        challenge, take = prospects(value, truth, knowledge.players, False, workspace)
        chance += (1 - _RANDOM_ANSWERS) / 2 / (1.0 + math.exp((take - challenge) / _FIRMNESS))
    return chance


WORTH_A_PASS = -0.3
"""A pass is used if neither answer has a higher expected value."""

IMPRESSED_FROM = THREE
"""The lowest category that the Beginner always challenges."""

_DRAWN = 8
"""Number of random hand ranks to consider."""

_STUCK = 0.6
"""Assumed probability of elimination for a player who takes the hand and can't improve it."""

_HAVING_IT = 0.8
"""Value of having a true declaration, as a fraction of the value of another player's elimination."""

_LIES_UP_TO = 1
_DECLARES_UP_TO = 3
"""Number of categories above the last one to consider: for lies when discarding, and when declaring."""

_ROUTINE = 0.3
"""Declarations with a lower probability of a challenge count as routine."""

_TRICK_FROM = 3
"""Smallest number of better kickers for which a set is broken as a trick."""

_SEVERAL = 4
"""Smallest number of players for an early bluff aimed at a player several seats away."""

_UNSET = -9.0
_NO_TRICK = -1


class Turn(NamedTuple):
    """What a seat knows when it is to act.

    Attributes:
        claim: the last declaration.
        players: number of players still in.
        may_take, may_pass: which answers are legal.
        hand: the hand, if the seat has it.
        mine: the rank of the hand, if the seat has it.
        taken: the hand as the seat got it.
        discarded: the cards that it has discarded.
    """

    claim: int
    players: int
    may_take: bool
    may_pass: bool
    hand: int
    mine: int
    taken: int
    discarded: int


def full_claim(value: int, ladder: Ladder) -> int:
    """Return the claim that names every rank of hand rank `value`."""
    return value << WORD_BITS | _FULL[ladder.categories[value]]


def beginners_answer(turn: Turn, ladder: Ladder) -> int:
    """Take whatever is below three of a kind, and challenge the rest."""
    return TAKE if turn.may_take and ladder.categories[floor_of(turn.claim)] < IMPRESSED_FROM else CHALLENGE


def beginners_discard(hand: int) -> int:
    """Discard all cards except sets."""
    return DISCARD - singles(hand)


def true_or_least(turn: Turn, ladder: Ladder) -> int:
    """Declare the hand exactly, or, if that isn't legal, the lowest legal hand."""
    floor = floor_of(turn.claim)
    return full_claim(turn.mine if turn.mine > floor else value_above(floor, ladder), ladder)


def calculators_answer(turn: Turn, knowledge: HandKnowledge, workspace: Workspace) -> int:
    """Take or challenge by expected value, assuming that players lie only if necessary."""
    truth = truth_of(knowledge, workspace)
    return answered(prospects(floor_of(turn.claim), truth, turn.players, False, workspace), turn)


def calculators_discard(turn: Turn, workspace: Workspace) -> int:
    """Keep the cards most likely to beat the declaration."""
    higher = value_above(floor_of(turn.claim), workspace.ladder)
    return DISCARD if higher == NO_VALUE else DISCARD - (turn.hand - best_keep(turn.hand, higher, workspace)[1])


def bluffers_answer(turn: Turn, knowledge: HandKnowledge, workspace: Workspace) -> int:
    """Take or challenge by expected value, judging the declaration's credibility."""
    value = floor_of(turn.claim)
    truth = believed(value, knowledge, DOUBT, workspace)
    return answered(prospects(value, truth, turn.players, True, workspace), turn)


def answered(either: tuple[float, float], turn: Turn) -> int:
    """Take or challenge, whichever has the higher expected value; pass, if possible, when both are bad."""
    challenge, take = either
    if turn.may_pass and max(challenge, take) < WORTH_A_PASS:
        return PASS
    return CHALLENGE if challenge > take or not turn.may_take else TAKE


def bluffers_discard(turn: Turn, tricks: float, chance: Any, workspace: Workspace) -> int:
    """Discard, weighing a better draw against the lower credibility of a large discard."""
    floor = floor_of(turn.claim)
    least = value_above(floor, workspace.ladder)
    if least == NO_VALUE:
        return DISCARD
    broken = broken_set(turn, workspace)
    if broken != _NO_TRICK and turn.players > 2 and fraction(chance) < tricks:
        return DISCARD - (turn.hand - broken)
    lies = consider(floor, floor, _LIES_UP_TO, chance, workspace.ladder, workspace)
    having_it = _HAVING_IT / (turn.players - 1)
    for discarded in range(HAND_CARDS + 1):
        workspace.lie_values[discarded] = _UNSET
    best, better, chosen = -2, -1.0, 0
    for place in range(keep_candidates(turn.hand, workspace)):
        kept = workspace.candidates[place]
        discarded = HAND_CARDS - cards_in(kept)
        if workspace.lie_values[discarded] == _UNSET:
            knowledge = knowledge_of_next(turn, discarded)
            for lie in range(lies):
                ev = expected_value(workspace.values[lie], floor, knowledge, workspace)
                workspace.lie_values[discarded] = max(workspace.lie_values[discarded], ev)
            keep_candidates(turn.hand, workspace)  # judging the lies overwrote the candidates
        has = reach(kept, least, workspace)
        score = math.floor(1000 * (has * having_it + (1 - has) * workspace.lie_values[discarded]) + 0.5)
        improves = reach(kept, turn.mine + 1, workspace)
        if (score, improves, kept) > (best, better, chosen) or place == 0:
            best, better, chosen = score, improves, kept
    return DISCARD - (turn.hand - chosen)


def bluffers_claim(turn: Turn, whim: float, tricks: float, chance: Any, workspace: Workspace) -> int:
    """Declare a trick if there is one, or the declaration with the highest expected value."""
    floor, mine = floor_of(turn.claim), turn.mine
    knowledge = knowledge_of_next(turn, cards_in(turn.discarded))
    count = 0
    if knowledge.before == NO_CLAIM and turn.players >= _SEVERAL and fraction(chance) < tricks:
        count = early_bluffs(mine, knowledge, workspace)
    elif turn.discarded >> 4 * first_key(floor, workspace.ladder) & 15:
        count = same_set(floor, workspace.ladder, workspace)
    if count == 0:
        count = consider(floor, mine, _DECLARES_UP_TO, chance, workspace.ladder, workspace)
    best, chosen = -9.0, 0
    for place in range(count):
        value = workspace.values[place]
        ev = expected_value(value, mine, knowledge, workspace) + whim * normal(chance)
        if ev >= best:
            best, chosen = ev, value
    return full_claim(chosen, workspace.ladder)


def expected_value(value: int, mine: int, knowledge: HandKnowledge, workspace: Workspace) -> float:
    """Return the expected value of a declaration: -1 for elimination, 1 for winning the match.

    Args:
        value: the hand rank to declare.
        mine: the rank of the hand.
        knowledge: what the next player knows about the hand.
        workspace: working arrays.
    """
    gain = 1.0 / (knowledge.players - 1)
    higher = value_above(value, workspace.ladder)
    if value < mine:
        bettered = 1.0
    elif value == mine:
        bettered = improvable(value, workspace)
    else:
        bettered = 0.0 if higher == NO_VALUE else reach(0, higher, workspace)
    doubted = challenged(value, knowledge, workspace)
    return (gain if value <= mine else -1.0) * doubted + (1.0 - doubted) * _STUCK * (1.0 - bettered) * gain


def consider(floor: int, mine: int, upwards: int, chance: Any, ladder: Ladder, workspace: Workspace) -> int:
    """Write hand ranks to declare into `workspace.values`, ascending, and return their number.

    They are the lowest legal one, the truth, the best of each category (the hardest to improve on), the hand's pair
    with the best kickers, and random ones, including true ones.

    Args:
        floor: the hand rank to beat.
        mine: the rank of the hand.
        upwards: number of categories above that of `floor` to consider.
        chance: the random stream.
        ladder: the table's claims.
        workspace: working arrays.
    """
    top = max(mine, STARTS[min(_CATEGORIES, ladder.categories[floor] + upwards + 1)] - 1)
    count = considered(mine, floor, top, 0, ladder, workspace)
    for category in range(_CATEGORIES):
        count = considered(STARTS[category + 1] - 1, floor, top, count, ladder, workspace)
    count = considered(value_above(floor, ladder), floor, top, count, ladder, workspace)
    count = considered(_BEST_PAIRS[first_key(mine, ladder)], floor, top, count, ladder, workspace)
    for _ in range(_DRAWN):
        count = considered(between(chance, floor, top), floor, top, count, ladder, workspace)
    if mine > floor:
        for _ in range(_DRAWN // 2):
            count = considered(between(chance, floor, mine), floor, top, count, ladder, workspace)
    return count


def considered(value: int, floor: int, top: int, count: int, ladder: Ladder, workspace: Workspace) -> int:
    """Insert a hand rank into `workspace.values` if it is legal and new; return the new count."""
    if not floor < value <= top or not is_claim(full_claim(value, ladder), ladder):
        return count
    place = count
    while place > 0 and workspace.values[place - 1] > value:
        place -= 1
    if place > 0 and workspace.values[place - 1] == value:
        return count
    for later in range(count - place):
        workspace.values[count - later] = workspace.values[count - later - 1]
    workspace.values[place] = value
    return count + 1


def same_set(floor: int, ladder: Ladder, workspace: Workspace) -> int:
    """Write the hand ranks with the set of `floor` and better kickers; return their number.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> from liarspoker.games.thorin.draw_chances import new_workspace
    >>> workspace = new_workspace(packed(ThorinOptions(), seats=4))
    >>> count = same_set(VALUE_OF[TWO_PAIR, (8, 3, 9)], workspace.ladder, workspace)  # 10-10-5-5-J
    >>> [KEYS[value][1] for value in workspace.values[:count]]
    [(8, 3, 10), (8, 3, 11), (8, 3, 12)]
    """
    category = ladder.categories[floor]
    unnamed = 4 * (WORD_BITS - _SET_RANKS[category])
    count, value = 0, floor + 1
    if _SET_RANKS[category]:
        while value < STARTS[category + 1] and ladder.keys[value] >> unnamed == ladder.keys[floor] >> unnamed:
            count = considered(value, floor, value, count, ladder, workspace)
            value += 1
    return count


def set_ranks(category: int) -> int:
    """Return the number of ranks in the set of a category; its other ranks are kickers."""
    return _SET_RANKS[category]


def first_key(value: int, ladder: Ladder) -> int:
    """Return the most significant rank of a hand rank, such as that of its set."""
    return (ladder.keys[value] >> 4 * (WORD_BITS - 1)) - 1


def early_bluffs(mine: int, knowledge: HandKnowledge, workspace: Workspace) -> int:
    """Write false openings that are likely to be taken and easy to improve; return their number.

    "If you want to try and knock out a player several seats away, try making an easily improvable bluff early in the
    round."
    """
    count = 0
    for value in EASY_SETS:
        if value > mine and challenged(value, knowledge, workspace) < _ROUTINE:
            workspace.values[count] = value
            count += 1
    return count


def broken_set(turn: Turn, workspace: Workspace) -> int:
    """Return the cards to keep to break the declared set, without its kickers; -1 if the trick isn't possible.

    "Another funny trick you can pull is to discard cards that are part of a set, and then name the same set with
    improved kickers, assuming the next player will routinely accept it."
    """
    floor = floor_of(turn.claim)
    better = same_set(floor, workspace.ladder, workspace)
    if better < _TRICK_FROM or turn.mine < floor:
        return _NO_TRICK
    kept = turn.hand & 15 << 4 * first_key(floor, workspace.ladder)
    if kept:
        kept &= kept - 1
        kept += turn.hand >> JOKER << JOKER
    elif turn.hand >> JOKER:
        kept = (turn.hand >> JOKER) - 1 << JOKER
    knowledge = knowledge_of_next(turn, HAND_CARDS - cards_in(kept) - 1)
    middle = workspace.values[better // 2]
    return kept if challenged(middle, knowledge, workspace) < _ROUTINE else _NO_TRICK


# Nothing below is compiled.


def _easy_sets() -> tuple[int, ...]:
    """Return every pair and two pair with the lowest kickers, which are easy to improve; ascending."""
    sets: dict[tuple[int, ...], int] = {}
    for category in (PAIR, TWO_PAIR):
        for value in range(STARTS[category], STARTS[category + 1]):
            sets.setdefault((category, *KEYS[value][1][: _SET_RANKS[category]]), value)
    return tuple(sorted(sets.values()))


EASY_SETS = _easy_sets()

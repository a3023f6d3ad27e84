"""What a neural network sees of Thorin's game, and which actions it chooses from.

A network compares the possible actions with each other. When it has the hand, they are discards or declarations, each
with a row of features; further features describe the table as a whole. A player under the gun chooses between answers.

Features are mostly probabilities of draws, and what the bots' heuristics make of them. All functions can be compiled.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any, NamedTuple

from liarspoker.bots.network import Sizes
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, PAIR, STARTS
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE
from liarspoker.games.thorin.claim_table import NO_VALUE, WORD_BITS, Ladder, best_fitting, floor_of, value_above
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.draw_chances import Workspace, improvable, keep_candidates, reach
from liarspoker.games.thorin.heuristics import (
    DOUBT,
    OTHERS_DOUBT,
    HandKnowledge,
    Turn,
    believed,
    challenged,
    considered,
    expected_value,
    first_key,
    full_claim,
    knowledge_of_next,
    prospects,
    reach_given,
    set_ranks,
    truth_of,
)
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DECLARE, DISCARDING, RESPOND, RoundState, passes_left, spent_by

NOT_INLINED = ("_offer", "_write_claim", "_write_claims", "_write_discards", "_write_standing", "_write_turn")
"""Functions that the engine doesn't inline, because they are long or have many callers."""

ITEMS = 16
"""The most discards or declarations between which a network chooses."""

ANSWERS = 3
"""The number of answers: take, challenge and pass, in this order."""

_OF_CLAIM = 17
_OF_DISCARD = 15

OF_ITEM = _OF_CLAIM + _OF_DISCARD
"""The number of features of each discard or declaration."""

OF_TABLE = 51
"""The number of features of the table; the last one is the temperament, which the network's user sets."""

SIZES = Sizes(ITEMS, OF_ITEM, OF_TABLE, 1, ANSWERS)
"""The sizes of a network."""

_VALUES = len(KEYS)
_CATEGORIES = len(CATEGORIES)
_UPWARDS = 3
"""Number of categories above the last one to consider."""

_PAIRS = 220
"""Number of hand ranks with the same pair."""


class Around(NamedTuple):
    """What else the seat to act sees.

    Attributes:
        passes: passes that it has left.
        others_passes: passes that all other seats still in have left.
        stock: number of cards in the stock.
        discards: number of discards.
        made: number of actions in this round so far.
    """

    passes: int
    others_passes: int
    stock: int
    discards: int
    made: int


def around_of(
    state: RoundState, alive: int, seat: int, stock: int, discards: int, made: int, rules: ThorinRules
) -> Around:
    """Return what else a seat sees.

    Args:
        state: the state of the round.
        alive: mask of the seats still in.
        seat: the seat.
        stock: number of cards in the stock.
        discards: number of discards.
        made: number of actions in this round so far.
        rules: the table's rules.
    """
    others = 0
    for other in range(rules.seats):
        if other != seat and alive >> other & 1:
            others += passes_left(spent_by(other, state.spent), rules)
    return Around(passes_left(spent_by(seat, state.spent), rules), others, stock, discards, made)


def write_features(
    phase: int,
    turn: Turn,
    knowledge: HandKnowledge,
    around: Around,
    rules: ThorinRules,
    workspace: Workspace,
    out: Any,
    actions: Any,
    legal: Any,
) -> None:
    """Write the features of the seat to act, and the actions it chooses from.

    Args:
        phase: `DECLARE`, `RESPOND` or `DISCARDING`.
        turn: what the seat knows on its turn.
        knowledge: what it knows about the hand under the gun; ignored in other phases, when it sees the hand.
        around: what else it sees.
        rules: the table's rules.
        workspace: working arrays.
        out: `ITEMS * OF_ITEM + OF_TABLE` numbers, all of which are written: those of every item, then
            the table's.
        actions: the action of each of the `ITEMS + ANSWERS` columns; arbitrary if illegal.
        legal: whether the action of each column is legal.
    """
    for place in range(len(out)):
        out[place] = 0.0
    for column in range(ITEMS + ANSWERS):
        actions[column], legal[column] = CHALLENGE, False
    actions[ITEMS], actions[ITEMS + 1], actions[ITEMS + 2] = TAKE, CHALLENGE, PASS
    _write_turn(phase, turn, around, rules, workspace, out)
    if phase == RESPOND:
        legal[ITEMS], legal[ITEMS + 1], legal[ITEMS + 2] = turn.may_take, True, turn.may_pass
        _write_standing(turn, knowledge, workspace, out)
    elif phase == DISCARDING:
        count = offered_discards(turn.hand, workspace, actions)
        for item in range(count):
            legal[item] = True
        _write_discards(count, turn, workspace, out, actions)
    elif phase == DECLARE:
        count = offered_values(turn, workspace)
        for item in range(count):
            actions[item], legal[item] = full_claim(workspace.values[item], workspace.ladder), True
        _write_claims(count, turn, workspace, out)


def offered_discards(hand: int, workspace: Workspace, actions: MutableSequence[int]) -> int:
    """Write the discards to choose from to `actions`, without duplicates; return their number."""
    found = 0
    for place in range(keep_candidates(hand, workspace)):
        action, is_new = DISCARD - (hand - workspace.candidates[place]), True
        for earlier in range(found):
            if actions[earlier] == action:
                is_new = False
        if is_new:
            actions[found] = action
            found += 1
    return found


def offered_values(turn: Turn, workspace: Workspace) -> int:
    """Write the hand ranks to declare to `workspace.values`, ascending; return their number.

    They are the lowest legal one and the truth, and, as far as there is room: the hand's pair with the best kickers,
    better kickers for the last declaration, the worst and the best with the next better set, the best of each category,
    and some between these.
    """
    ladder, floor, mine = workspace.ladder, floor_of(turn.claim), turn.mine
    least = value_above(floor, ladder)
    above = STARTS[min(_CATEGORIES, ladder.categories[floor] + _UPWARDS + 1)] - 1
    near = STARTS[min(_CATEGORIES, ladder.categories[floor] + 2)] - 1
    top = max(mine, above, least)
    count = considered(least, floor, top, 0, ladder, workspace)
    count = considered(mine, floor, top, count, ladder, workspace)
    pair = STARTS[PAIR] + _PAIRS * (first_key(mine, ladder) + 1) - 1
    count = considered(pair, floor, top, count, ladder, workspace)
    best = best_of_set(floor, ladder)
    if best > floor:
        count = considered(best, floor, top, count, ladder, workspace)
        count = considered((floor + best + 1) // 2, floor, top, count, ladder, workspace)
        if best < above:
            count = considered(best + 1, floor, top, count, ladder, workspace)
            count = considered(best_of_set(best + 1, ladder), floor, top, count, ladder, workspace)
    for step in range(_UPWARDS + 1):
        end = STARTS[min(_CATEGORIES, ladder.categories[floor] + step + 1)] - 1
        count = considered(end, floor, top, count, ladder, workspace)
    if mine > floor:
        count = considered((floor + mine) // 2, floor, top, count, ladder, workspace)
    for step in range(3):
        count = _offer(floor + ((near - floor) >> 3 - step), floor, top, count, workspace)
    count = _offer((floor + above) // 2, floor, top, count, workspace)
    return _offer((floor + 3 * mine) // 4, floor, top, count, workspace)


def _offer(value: int, floor: int, top: int, count: int, workspace: Workspace) -> int:
    """Insert a hand rank into `workspace.values` if there is room."""
    return considered(value, floor, top, count, workspace.ladder, workspace) if count < ITEMS else count


def best_of_set(value: int, ladder: Ladder) -> int:
    """Return the hand rank with the set of `value` and the best kickers; `value` itself if it has no set."""
    category = ladder.categories[value]
    ranks = set_ranks(category)
    if ranks == 0:
        return value
    unnamed = 4 * (WORD_BITS - ranks)
    low, high, keys = value, STARTS[category + 1] - 1, ladder.keys[value] >> unnamed
    while low < high:
        middle = (low + high + 1) // 2
        if ladder.keys[middle] >> unnamed == keys:
            low = middle
        else:
            high = middle - 1
    return low


def _write_claims(count: int, turn: Turn, workspace: Workspace, out: MutableSequence[float]) -> None:
    """Write the features of the declarations in `workspace.values`."""
    next_knows = knowledge_of_next(turn, cards_in(turn.discarded))
    for item in range(count):
        _write_claim(workspace.values[item], item, turn, next_knows, workspace, out)


def _write_claim(
    value: int, item: int, turn: Turn, next_knows: HandKnowledge, workspace: Workspace, out: MutableSequence[float]
) -> None:
    """Write the features of a declaration."""
    start, floor, ladder = item * OF_ITEM, floor_of(turn.claim), workspace.ladder
    higher = value_above(value, ladder)
    out[start] = 1.0
    out[start + 1] = 1.0 if value <= turn.mine else 0.0
    out[start + 2] = 1.0 if value == turn.mine else 0.0
    out[start + 3] = value / _VALUES
    out[start + 4] = ladder.categories[value] / 10
    out[start + 5] = 4 * (value - floor) / _VALUES
    out[start + 6] = (ladder.categories[value] - ladder.categories[floor]) / 4
    out[start + 7] = 2 * (value - turn.mine) / _VALUES
    out[start + 8] = reach_given(value, next_knows, workspace)
    out[start + 9] = believed(value, next_knows, OTHERS_DOUBT, workspace)
    out[start + 10] = challenged(value, next_knows, workspace)
    out[start + 11] = expected_value(value, turn.mine, next_knows, workspace)
    out[start + 12] = improvable(value, workspace)
    out[start + 13] = 0.0 if higher == NO_VALUE else reach(0, higher, workspace)
    out[start + 14] = 1.0 if item == 0 else 0.0
    out[start + 15] = 1.0 if higher == NO_VALUE else 0.0
    out[start + 16] = 1.0 if value <= best_of_set(floor, ladder) else 0.0


def _write_discards(
    count: int, turn: Turn, workspace: Workspace, out: MutableSequence[float], actions: MutableSequence[int]
) -> None:
    """Write the features of the discards in `actions`; what depends only on their size is computed once for each."""
    floor, ladder = floor_of(turn.claim), workspace.ladder
    least = value_above(floor, ladder)
    middle = least
    if least != NO_VALUE:
        end = STARTS[min(_CATEGORIES, ladder.categories[floor] + 2)] - 1
        middle = max(least, value_above((floor + end) // 2, ladder))
    named = 15 << 4 * first_key(floor, ladder)
    for size in range(HAND_CARDS + 1):
        is_new = True
        easy, credible, risky, lie, risky_lie = 0.0, 0.0, 0.0, 0.0, 0.0
        for item in range(count):
            kept = turn.hand - (DISCARD - actions[item])
            if cards_in(kept) != HAND_CARDS - size:
                continue
            start = item * OF_ITEM + _OF_CLAIM
            if is_new and least != NO_VALUE:
                next_knows = knowledge_of_next(turn, size)
                easy, risky = challenged(least, next_knows, workspace), challenged(middle, next_knows, workspace)
                credible = believed(middle, next_knows, OTHERS_DOUBT, workspace)
                lie = expected_value(least, floor, next_knows, workspace)
                risky_lie = expected_value(middle, floor, next_knows, workspace)
                is_new = False
            out[start] = 1.0
            out[start + 1] = size / HAND_CARDS
            out[start + 2] = 1.0 if size == 0 else 0.0
            out[start + 3] = 1.0 if size == HAND_CARDS else 0.0
            out[start + 7] = cards_in(kept & named) / 4
            out[start + 8] = (kept >> JOKER) / 2
            out[start + 9] = easy
            out[start + 10] = risky
            out[start + 11] = credible
            out[start + 12] = lie
            out[start + 13] = risky_lie
            if least != NO_VALUE:
                has = reach(kept, least, workspace)
                out[start + 4] = has
                out[start + 5] = reach(kept, turn.mine + 1, workspace)
                out[start + 6] = reach(kept, middle, workspace)
                out[start + 14] = has + (1.0 - has) * max(lie, risky_lie)


def _write_turn(
    phase: int, turn: Turn, around: Around, rules: ThorinRules, workspace: Workspace, out: MutableSequence[float]
) -> None:
    """Write the features of the table that don't depend on what the seat knows about a hidden hand."""
    table, ladder, floor = ITEMS * OF_ITEM, workspace.ladder, floor_of(turn.claim)
    higher = value_above(floor, ladder)
    out[table + phase] = 1.0
    out[table + 3] = turn.players / 5
    out[table + 4] = 1.0 if turn.players == 2 else 0.0
    out[table + 5] = floor / _VALUES
    out[table + 6] = ladder.categories[floor] / 10
    out[table + 7] = 1.0 if turn.claim == NO_CLAIM else 0.0
    out[table + 8] = first_key(floor, ladder) / 12
    out[table + 9] = 0.0 if higher == NO_VALUE else reach(0, higher, workspace)
    out[table + 10] = 1.0 if higher == NO_VALUE else 0.0
    if turn.claim != NO_CLAIM:
        out[table + 11] = improvable(floor, workspace)
        out[table + 12] = 4 * (best_fitting(turn.claim, ladder) - floor) / _VALUES
    out[table + 13] = 1.0 if turn.may_take else 0.0
    out[table + 14] = 1.0 if turn.may_pass else 0.0
    out[table + 15] = min(around.passes, 4) / 2
    out[table + 16] = min(around.others_passes, 8) / 4
    out[table + 17] = around.stock / 50
    out[table + 18] = around.discards / 50
    out[table + 19] = min(around.made, 40) / 8
    out[table + 20] = rules.jokers / 2
    out[table + 21] = 1.0 if rules.double_any else 0.0
    out[table + 22] = 1.0 if rules.by_words else 0.0
    out[table + 23] = 1.0 if rules.take_top else 0.0
    if phase == RESPOND:
        return
    out[table + 24] = turn.mine / _VALUES
    out[table + 25] = ladder.categories[turn.mine] / 10
    out[table + 26] = 1.0 if turn.mine > floor else 0.0
    out[table + 27] = 1.0 if turn.mine >= floor else 0.0
    out[table + 28] = improvable(turn.mine, workspace)
    out[table + 29] = 2 * (turn.mine - floor) / _VALUES
    out[table + 30] = (turn.hand >> JOKER) / 2
    if phase == DECLARE:
        next_knows = knowledge_of_next(turn, cards_in(turn.discarded))
        out[table + 31] = cards_in(turn.discarded) / HAND_CARDS
        out[table + 32] = truth_of(next_knows, workspace)
        out[table + 33] = 1.0 if next_knows.known else 0.0


def _write_standing(turn: Turn, knowledge: HandKnowledge, workspace: Workspace, out: MutableSequence[float]) -> None:
    """Write what the seat under the gun thinks of the declaration."""
    table, value, before = ITEMS * OF_ITEM, floor_of(turn.claim), floor_of(knowledge.before)
    truth, credible = truth_of(knowledge, workspace), believed(value, knowledge, DOUBT, workspace)
    out[table + 34] = truth
    out[table + 35] = credible
    out[table + 36] = reach_given(value, knowledge, workspace)
    out[table + 37], out[table + 38] = prospects(value, credible, turn.players, True, workspace)
    out[table + 39], out[table + 40] = prospects(value, truth, turn.players, False, workspace)
    out[table + 41] = (knowledge.discards & 7) / HAND_CARDS
    out[table + 42] = 1.0 if knowledge.known else 0.0
    out[table + 43] = min(knowledge.turns, 10) / 5
    out[table + 44] = 1.0 if knowledge.before == NO_CLAIM else 0.0
    out[table + 45] = before / _VALUES
    out[table + 46] = workspace.ladder.categories[before] / 10
    out[table + 47] = 4 * (value - before) / _VALUES
    out[table + 48] = 1.0 if value <= best_of_set(before, workspace.ladder) else 0.0
    out[table + 49] = out[table + 37] - out[table + 38]

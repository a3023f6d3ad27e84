"""What a neural network sees of Queen Anne's games, and which actions it chooses from.

A network compares hands that may be named: the weakest legal ones, and then, in steps of rising strength, always the
most probable of the stronger ones. For each of them it gets a row of features, such as its probability with and without
trust in the other claims; further features describe the table as a whole.

Probabilities come from the heuristics of the other bots, so that options which change them need no features of their
own. All functions can be compiled.
"""

from __future__ import annotations

import math
from typing import Any

from liarspoker.bots.network import Sizes
from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT
from liarspoker.core.cards.deck import cards_in
from liarspoker.core.cards.match import count_in, next_in
from liarspoker.games.queen_annes.heuristics import (
    Hints,
    Ladder,
    PoolKnowledge,
    Workspace,
    believing,
    chance_of,
    consider,
    credence,
    hints_with,
    pool_knowledge,
    shortfall,
)
from liarspoker.games.queen_annes.ladder import KIND_BITS, missing, wild_mask
from liarspoker.games.queen_annes.seen import Observation, hints_of, knowledge_of, when_answered
from liarspoker.games.queen_annes.state import CHALLENGE, RESPOND, losses_of

ITEMS = 16
"""The largest number of hands between which a network chooses."""

ANSWERS = 1
"""The number of answers: a challenge."""

LOWEST = 4
"""How many of the weakest legal hands are always among them."""

TRUST = 0.8
"""How far the other players' claims are believed when hands are compared."""

OF_HAND = 17
OF_TABLE = 31
"""The numbers of features of each hand, and of the table; the table's last one is the temperament, which the network's
user sets."""

SIZES = Sizes(ITEMS, OF_HAND, OF_TABLE, 1, ANSWERS)
"""The sizes of a network."""

NOT_INLINED = ("write_features", "_write_hand")
"""Functions that the engine doesn't inline, because they are long."""

_LEAST = 1e-4
_MOST = 5.0
_MOST_COUNTED = 40


def write_features(seen: Observation, ladder: Ladder, workspace: Workspace, out: Any, actions: Any, legal: Any) -> None:
    """Write the features of the seat to act, first those of every hand, then the table's, and the possible actions.

    Args:
        seen: what the seat sees.
        ladder: the table's claims.
        workspace: working arrays.
        out: `ITEMS * OF_HAND + OF_TABLE` numbers, all of which are written.
        actions: the action of each column: `ITEMS` hands, then a challenge.
        legal: whether each of them is legal.
    """
    for place in range(len(out)):
        out[place] = 0.0
    for place in range(ITEMS):
        actions[place], legal[place] = NO_CLAIM, False
    actions[ITEMS], legal[ITEMS] = CHALLENGE, seen.state.phase == RESPOND
    rules, above = seen.rules, seen.state.claim
    now = knowledge_of(seen)
    later, hints = when_answered(seen, now, ladder), hints_of(seen, now, ladder)
    following = next_in(seen.seat, seen.terms.alive)
    theirs = pool_knowledge(
        seen.shared[following], later.unknown + cards_in(seen.known ^ seen.shared[following]), rules
    )
    likeliest = 0.0
    if above + 1 < len(ladder.requirements):
        believed = believing(later, hints)
        count = _choose(later, believed, above, ladder, workspace, actions)
        persuaded = believing(theirs, _all_hints(seen, following, theirs, ladder))
        for place in range(count):
            legal[place] = True
            _write_hand(place, actions[place], seen, later, believed, theirs, persuaded, ladder, workspace, out)
            likeliest = max(likeliest, out[place * OF_HAND + 2])
        most = 0.0
        for step in range(count):
            place = count - 1 - step
            out[place * OF_HAND + 5] = most
            most = max(most, out[place * OF_HAND + 2])
    _write_table(seen, now, later, hints, likeliest, ladder, workspace, out)


def _choose(
    later: PoolKnowledge, believed: PoolKnowledge, above: int, ladder: Ladder, workspace: Workspace, actions: Any
) -> int:
    """Write the hands between which the network chooses, ascending, and return their number."""
    count, claims = consider(later, believed, above, ladder, workspace), workspace.claims
    for place in range(count):
        workspace.credences[place] = credence(claims[place], later, believed, TRUST, ladder, workspace)
    chosen = min(LOWEST, len(ladder.requirements) - above - 1)
    for place in range(chosen):
        actions[place] = above + 1 + place
    floor = above + chosen
    while chosen < ITEMS:
        best, found = -1, NO_CLAIM
        for place in range(count):
            claim, likely = claims[place], workspace.credences[place]
            if claim > floor and (likely > best or (likely == best and claim > found)):
                best, found = likely, claim
        if found == NO_CLAIM:
            break
        actions[chosen] = floor = found
        chosen += 1
    return chosen


def _all_hints(seen: Observation, of: int, knowledge: PoolKnowledge, ladder: Ladder) -> Hints:
    """Return what all claims except those of seat `of` suggest to that seat, as far as this seat knows."""
    hints, natural = Hints(0, 0), ~wild_mask(seen.rules)
    for place in range(seen.made):
        seat, claim = seen.moves[place][0], seen.moves[place][1]
        if claim > NO_CLAIM and seat != of:
            both = seen.shared[of] if seat == seen.seat else seen.shared[of] & seen.shared[seat]
            hints = hints_with(hints, claim, both & natural, knowledge, ladder)
    return hints


def _write_hand(
    place: int,
    claim: int,
    seen: Observation,
    later: PoolKnowledge,
    believed: PoolKnowledge,
    theirs: PoolKnowledge,
    persuaded: PoolKnowledge,
    ladder: Ladder,
    workspace: Workspace,
    out: Any,
) -> None:
    """Write the features of a hand that may be named; `_choose` has chosen it, and the sixth is written later."""
    start, many, above = place * OF_HAND, len(ladder.requirements), seen.state.claim
    requirement = ladder.requirements[claim]
    own = chance_of(claim, later, ladder, workspace)
    likely = TRUST * chance_of(claim, believed, ladder, workspace) + (1.0 - TRUST) * own
    out[start] = 1.0
    out[start + 1] = own
    out[start + 2] = likely
    out[start + 3] = chance_of(claim, theirs, ladder, workspace)
    out[start + 4] = chance_of(claim, persuaded, ladder, workspace)
    out[start + 6] = claim / many
    out[start + 7] = (claim - above) / many
    out[start + 8] = 1.0 if claim == above + 1 else 0.0
    out[start + 9] = shortfall(claim, later, ladder) / 2
    out[start + 10] = _cards_required(requirement) / 5
    out[start + 11] = 1.0 if (requirement >> 4 & 7) - 1 != NO_SUIT else 0.0
    if above != NO_CLAIM:
        out[start + 12] = 1.0 if ladder.requirements[above] & 15 == requirement & 15 else 0.0
    out[start + 13] = missing(requirement, seen.known, seen.rules) / 2
    for move in range(seen.made):
        seat, earlier = seen.moves[move][0], seen.moves[move][1]
        if earlier > NO_CLAIM and ladder.requirements[earlier] & 15 == requirement & 15:
            column = start + (14 if seat == seen.seat else 15)
            out[column] = min(out[column] + 0.5, _MOST)
    out[start + 16] = _log_odds(likely)


def _write_table(
    seen: Observation,
    now: PoolKnowledge,
    later: PoolKnowledge,
    hints: Hints,
    likeliest: float,
    ladder: Ladder,
    workspace: Workspace,
    out: Any,
) -> None:
    """Write the features of the table."""
    table, rules, terms, above, many = (
        ITEMS * OF_HAND,
        seen.rules,
        seen.terms,
        seen.state.claim,
        len(ladder.requirements),
    )
    before, claimant = NO_CLAIM, seen.state.claimant
    for move in range(seen.made):
        seat, claim = seen.moves[move][0], seen.moves[move][1]
        if claim > NO_CLAIM and claim != above:
            before = claim
        if seat == seen.seat:
            out[table + 27] = min(out[table + 27] + 0.25, _MOST)
        elif seat == claimant:
            out[table + 28] = min(out[table + 28] + 0.25, _MOST)
    if above != NO_CLAIM:
        requirement = ladder.requirements[above]
        own = chance_of(above, now, ladder, workspace)
        likely = TRUST * chance_of(above, believing(now, hints), ladder, workspace) + (1.0 - TRUST) * own
        both = pool_knowledge(seen.shared[claimant], seen.dealt - cards_in(seen.shared[claimant]), rules)
        out[table] = 1.0
        out[table + 1] = own
        out[table + 2] = likely
        out[table + 3] = _log_odds(likely)
        out[table + 4] = chance_of(above, both, ladder, workspace)
        out[table + 5] = above / many
        out[table + 6] = (above - before) / many
        out[table + 9] = 1.0 - likely - likeliest
        out[table + 14] = losses_of(claimant, terms.losses) / rules.exit_losses
        out[table + 24] = _cards_required(requirement) / 5
        out[table + 25] = 1.0 if (requirement >> 4 & 7) - 1 != NO_SUIT else 0.0
        out[table + 26] = missing(requirement, seen.known, rules) / 2
        if before != NO_CLAIM:
            out[table + 29] = 1.0 if ladder.requirements[before] & 15 == requirement & 15 else 0.0
    players = count_in(terms.alive)
    out[table + 7] = min(seen.made, _MOST_COUNTED) / 8
    out[table + 8] = likeliest
    out[table + 10] = players / 5
    out[table + 11] = 1.0 if players == 2 else 0.0
    out[table + 12] = losses_of(seen.seat, terms.losses) / rules.exit_losses
    out[table + 13] = losses_of(next_in(seen.seat, terms.alive), terms.losses) / rules.exit_losses
    out[table + 15] = now.unknown / 10
    out[table + 16] = later.unknown - now.unknown
    out[table + 17] = seen.dealt / 20
    out[table + 18] = cards_in(seen.known) / 10
    out[table + 19] = rules.blind
    out[table + 20] = rules.extras / 5
    out[table + 21] = rules.loss_costs_card
    out[table + 22] = rules.jokers / 2
    out[table + 23] = cards_in(rules.wild_ranks) / 4


def _cards_required(requirement: int) -> int:
    """Return the number of cards of a hand."""
    cards = 0
    while requirement > 0:
        cards += 1 if (requirement >> 4 & 7) - 1 != NO_SUIT else requirement >> 7 & 7
        requirement >>= KIND_BITS
    return cards


def _log_odds(chance: float) -> float:
    """Return the logarithm of the odds, for chances that aren't too close to 0 or 1, as a number from about -1 to 1."""
    bounded = min(max(chance, _LEAST), 1.0 - _LEAST)
    return math.log(bounded / (1.0 - bounded)) / 8

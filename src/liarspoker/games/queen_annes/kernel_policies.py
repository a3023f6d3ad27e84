"""Observations of policies in Queen Anne's games, and the bots of these games as policies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import cards_in
from liarspoker.core.cards.match import count_in
from liarspoker.engine.chance import Chance, below, random_float
from liarspoker.engine.lineup import Policy
from liarspoker.games.queen_annes.bots import Bluffer, binomial, bluffer
from liarspoker.games.queen_annes.heuristics import (
    MEMO,
    MISSING,
    MOST_CLAIMS,
    NO_HINTS,
    UNKNOWN,
    WAYS,
    Hints,
    Ladder,
    PoolKnowledge,
    Workspace,
    believing,
    challenges_out_of_turn,
    credence,
    fair_share_action,
    hints_with,
    ladder_of,
    likeliest_action,
    pool_knowledge,
    with_unknown,
)
from liarspoker.games.queen_annes.ladder import ladder_length, wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import CHALLENGE, RESPOND, PackedTerms, RoundState, after

NOT_INLINED = ("expecting", "weighing")
"""Functions that the engine doesn't inline: they take long to compile, and several bots share them."""

_QUIET = 0
"""What a policy returns to decline a challenge out of turn."""


class Observation(NamedTuple):
    """Observation of a seat. Policies must not write to its arrays.

    Attributes:
        rules: the table's rules.
        terms: opener, seats still in, and losses.
        state: the state of the round; `state.to_act` is the seat to act.
        seat: the seat that decides; if it isn't the seat to act, it decides whether to challenge out of turn.
        known: the cards in the pool that it sees, as a mask of `liarspoker.core.cards.deck.mask_of`.
        shared: for each seat, which of these cards that seat sees too, without jokers; 0 for seats beyond the table.
        dealt: number of cards in the pool, seen or not.
        requirements: int64 `[claims]`, the cards that each claim requires, for
            `liarspoker.games.queen_annes.ladder.missing`.
        made: number of actions in this round so far.
        moves: int32 `[many, 2]`, seat and action; the first `made` rows are filled.
    """

    rules: QueenAnnesRules
    terms: PackedTerms
    state: RoundState
    seat: int
    known: int
    shared: tuple[int, ...]
    dealt: int
    requirements: NDArray[np.int64]
    made: int
    moves: NDArray[np.int32]


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Choose uniformly among the legal actions."""
    claim = seen.state.claim + 1 + below(chance, legal_claims(seen) + (1 if seen.state.phase == RESPOND else 0))
    return claim if claim < ladder_length(seen.rules) else CHALLENGE


def legal_claims(seen: Observation) -> int:
    """Return the number of legal claims: those above `seen.state.claim`."""
    return ladder_length(seen.rules) - seen.state.claim - 1


def bot_policy(name: str, rules: QueenAnnesRules) -> Policy:
    """Return the policy that plays like a bot; it is only valid for tables with these rules.

    Args:
        name: `uniform`, `beginner`, `binomial` or `bluffer`.
        rules: the table's rules.
    """
    if name == "uniform":
        return Policy(uniform)
    ladder = grouped_ladder(rules)
    if name == "beginner":
        return Policy(expecting, (ladder,), working_arrays)
    bot: Bluffer = {"binomial": binomial, "bluffer": bluffer}[name]
    return Policy(weighing, (ladder, bot.trust, bot.bluffs, bot.nerve), working_arrays, out_of_turn=True)


def grouped_ladder(rules: QueenAnnesRules) -> Ladder:
    """Return the claims of a table's ladder as arrays."""
    return Ladder(*map(np.array, ladder_of(rules)))  # type: ignore[arg-type]  # read alike


def working_arrays() -> tuple[Workspace]:
    """Return new working arrays."""
    strongest = np.full((4 << 13) * (MISSING + 1), UNKNOWN)
    workspace: Any = (
        np.zeros(MOST_CLAIMS, np.int64),
        np.zeros(WAYS),
        strongest,
        np.zeros(MEMO, np.int64),
        np.zeros(MEMO),
    )
    return (Workspace(*workspace),)


def expecting(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Beginner; `data` comes from `bot_policy`."""
    ladder, workspace = data
    now = _knowledge(seen)
    return fair_share_action(now, _when_answered(seen, now, ladder), seen.state.claim, ladder, workspace)


def weighing(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Calculator and the Bluffer; `data` comes from `bot_policy`."""
    ladder, trust, bluffs, nerve, workspace = data
    now, above = _knowledge(seen), seen.state.claim
    hints = _hints(seen, now, ladder) if trust > 0.0 else NO_HINTS
    if seen.seat != seen.state.to_act:
        holds = credence(above, now, believing(now, hints), trust, ladder, workspace)
        return CHALLENGE if challenges_out_of_turn(holds, count_in(seen.terms.alive)) else _QUIET
    is_bluffing = bluffs > 0.0 and random_float(chance) < bluffs
    later = _when_answered(seen, now, ladder)
    return likeliest_action(now, later, hints, above, trust, nerve, is_bluffing, ladder, workspace)


def _knowledge(seen: Observation) -> PoolKnowledge:
    """Return what the seat knows about the pool."""
    return pool_knowledge(seen.known, seen.dealt - cards_in(seen.known), seen.rules)


def _when_answered(seen: Observation, now: PoolKnowledge, ladder: Ladder) -> PoolKnowledge:
    """Return what the seat knows about the pool when the next player acts, after possible extra cards."""
    state, rules = seen.state, seen.rules
    if not rules.extras or state.claim + 1 == len(ladder.requirements):
        return now
    later = after(state, state.claim + 1, seen.terms, rules)
    return with_unknown(now, now.unknown + later.drawn - state.drawn)


def _hints(seen: Observation, now: PoolKnowledge, ladder: Ladder) -> Hints:
    """Return what the other players' claims suggest."""
    hints, natural = NO_HINTS, ~wild_mask(seen.rules)
    for place in range(seen.made):
        seat, claim = seen.moves[place, 0], seen.moves[place, 1]
        if claim > NO_CLAIM and seat != seen.seat:
            hints = hints_with(hints, claim, seen.shared[seat] & natural, now, ladder)
    return hints

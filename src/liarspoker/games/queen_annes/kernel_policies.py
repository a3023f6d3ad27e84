"""The bots of Queen Anne's games as compiled policies."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

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
    Ladder,
    Workspace,
    believing,
    challenges_out_of_turn,
    credence,
    fair_share_action,
    ladder_of,
    likeliest_action,
)
from liarspoker.games.queen_annes.ladder import ladder_length
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.seen import Observation, hints_of, knowledge_of, when_answered
from liarspoker.games.queen_annes.state import CHALLENGE, RESPOND

NOT_INLINED = ("expecting", "weighing")
"""Functions that the engine doesn't inline: they take long to compile, and several bots share them."""

_QUIET = 0
"""What a policy returns to decline a challenge out of turn."""


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


@lru_cache(16)
def grouped_ladder(rules: QueenAnnesRules) -> Ladder:
    """Return the claims of a table's ladder as arrays, to which nothing may be written."""
    return Ladder(*map(np.array, ladder_of(rules)))  # type: ignore[arg-type]  # read alike


def working_arrays() -> tuple[Workspace]:
    """Return new working arrays."""
    strongest = np.full((4 << 13) * (MISSING + 1), UNKNOWN)
    workspace: Any = (
        np.zeros(MOST_CLAIMS, np.int64),
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
    now = knowledge_of(seen)
    return fair_share_action(now, when_answered(seen, now, ladder), seen.state.claim, ladder, workspace)


def weighing(seen: Observation, chance: Chance, data: Any) -> int:
    """Policy of the Calculator and the Bluffer; `data` comes from `bot_policy`."""
    ladder, trust, bluffs, nerve, workspace = data
    now, above = knowledge_of(seen), seen.state.claim
    hints = hints_of(seen, now, ladder) if trust > 0.0 else NO_HINTS
    if seen.seat != seen.state.to_act:
        holds = credence(above, now, believing(now, hints), trust, ladder, workspace)
        return CHALLENGE if challenges_out_of_turn(holds, count_in(seen.terms.alive)) else _QUIET
    is_bluffing = bluffs > 0.0 and random_float(chance) < bluffs
    later = when_answered(seen, now, ladder)
    return likeliest_action(now, later, hints, above, trust, nerve, is_bluffing, ladder, workspace)

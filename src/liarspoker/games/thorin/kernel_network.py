"""How compiled networks see Thorin's game."""

from __future__ import annotations

from typing import Any

from liarspoker.engine.chance import Chance, below
from liarspoker.engine.network import Buffers
from liarspoker.engine.networks import NOTHING_WILD, Inputs, loser_pays, no_secrets
from liarspoker.games.thorin.features import ITEMS, SIZES, around_of, write_features
from liarspoker.games.thorin.kernel_bots import array_workspace, knowledge_of, turn_of
from liarspoker.games.thorin.kernel_policies import Observation, claim_count, discard_count, nth_claim, nth_discard
from liarspoker.games.thorin.state import DECLARE, DISCARDING

_WILD_STEPS = 1000
"""How far a wild declaration may be above the last one."""


def see(seen: Observation, workspace: Any, buffers: Buffers) -> int:
    """Write the features and the possible actions of an observation, and return the seat to act."""
    state, rules = seen.state, seen.rules
    around = around_of(state, seen.alive, state.to_act, seen.stock, seen.discards, seen.made, rules)
    turn, knowledge = turn_of(seen), knowledge_of(seen)
    out, actions, legal = buffers.features, buffers.actions, buffers.legal
    write_features(state.phase, turn, knowledge, around, rules, workspace, out, actions, legal)
    return state.to_act


def secret(seen: Observation) -> int:
    """Return the hand as a mask, or 0 if the seat doesn't have it."""
    return seen.hand


def wild(seen: Observation, chance: Chance) -> int:
    """Return a random discard, or a declaration up to `_WILD_STEPS` steps up."""
    if seen.state.phase == DECLARE:
        return nth_claim(below(chance, min(_WILD_STEPS, claim_count(seen))), seen)
    if seen.state.phase == DISCARDING:
        return nth_discard(below(chance, discard_count(seen.hand)), seen.hand)
    return NOTHING_WILD


INPUTS = Inputs(
    sizes=lambda rules: SIZES,
    about=lambda rules: {"family": "thorin"},
    see=see,
    secret=secret,
    sources=array_workspace,
    wild=wild,
    won=lambda played: loser_pays(played, 1),
    secrets=no_secrets(ITEMS),
)

"""How compiled networks see Queen Anne's games."""

from __future__ import annotations

from typing import Any

from liarspoker.engine.chance import Chance, below
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.network import Buffers
from liarspoker.engine.networks import NOTHING_WILD, Inputs, loser_pays, no_secrets
from liarspoker.games.queen_annes.features import ITEMS, SIZES, write_features
from liarspoker.games.queen_annes.kernel_policies import grouped_ladder, legal_claims, working_arrays
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.seen import Observation

_WILD_STEPS = 200
"""How far a wild claim may be above the last one."""


def see(seen: Observation, sources: Any, buffers: Buffers) -> int:
    """Write the features and the possible actions of an observation, and return the seat to act."""
    ladder, workspace = sources
    write_features(seen, ladder, workspace, buffers.features, buffers.actions, buffers.legal)
    return seen.seat


def secret(seen: Observation) -> int:
    """Return the cards that the seat sees, as a mask."""
    return seen.known


def wild(seen: Observation, chance: Chance) -> int:
    """Return a random claim up to `_WILD_STEPS` steps up."""
    left = min(_WILD_STEPS, legal_claims(seen))
    return seen.state.claim + 1 + below(chance, left) if left else NOTHING_WILD


def _about(rules: QueenAnnesRules) -> dict[str, str]:
    if rules.anyone_challenges:
        raise CannotPlay("who_may_challenge = anyone: networks can't be trained for it")
    return {"family": "queen_annes"}


def _sources(rules: QueenAnnesRules) -> Any:
    return (grouped_ladder(rules), *working_arrays())


INPUTS = Inputs(
    sizes=lambda rules: SIZES,
    about=_about,
    see=see,
    secret=secret,
    sources=_sources,
    wild=wild,
    won=lambda played: loser_pays(played, played.table.rules.exit_losses),
    secrets=no_secrets(ITEMS),
)

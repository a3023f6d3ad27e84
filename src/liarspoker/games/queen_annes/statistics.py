"""Statistics of many rounds of Queen Anne's games."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from liarspoker.core.cards.claims import WORDS
from liarspoker.core.cards.deck import cards_in
from liarspoker.engine.kernel import Ints
from liarspoker.games.cards.statistics import CardStatistics
from liarspoker.games.queen_annes.heuristics import chance_of, pool_knowledge
from liarspoker.games.queen_annes.kernel import Extra, Line, State
from liarspoker.games.queen_annes.kernel_policies import grouped_ladder, working_arrays
from liarspoker.games.queen_annes.ladder import ladder_length, missing, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.probability import probability


def alive_in(state: State) -> int:
    """Return the mask of the seats that play the round."""
    return state.terms.alive


def judged(state: State, line: Line, data: Any, rules: QueenAnnesRules, extra: Extra) -> tuple[float, bool]:
    """Return the probability that the last hand named exists, given what its claimant sees, and whether it does."""
    ladder, workspace = data
    claim, known, pool = state.round_state.claim, line.known[state.round_state.claimant], 0
    for place in range(line.dealt):
        pool += 1 << line.deck[place]
    knowledge = pool_knowledge(known, line.dealt - cards_in(known), rules)
    is_true = missing(extra.requirements[claim], pool, rules) == 0
    return chance_of(claim, knowledge, ladder, workspace), is_true


@lru_cache(maxsize=16)
def _categories(rules: QueenAnnesRules) -> Ints:
    """Return the categories of all claims, indices of `WORDS`."""
    return np.array([WORDS.index(named_hand(claim, rules).word) for claim in range(ladder_length(rules))])


STATISTICS = CardStatistics(
    alive_in=alive_in,
    judged=judged,
    data=lambda rules: (grouped_ladder(rules), *working_arrays()),
    actions=("claims", "challenges"),
    kind_of=lambda actions: (actions < 0).astype(np.int64),
    category_of=lambda claims, rules: _categories(rules)[claims],
    probability=probability,
)

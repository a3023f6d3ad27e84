"""Statistics of many rounds of Thorin's game. A declaration is a bluff if its claimant's hand doesn't keep it."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.core.cards.claims import WORDS
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS
from liarspoker.engine.kernel import Ints
from liarspoker.games.cards.statistics import CardStatistics
from liarspoker.games.thorin.actions import CHALLENGE, PASS, SHOW, TAKE
from liarspoker.games.thorin.claim_table import WORD_BITS, keeps_promise
from liarspoker.games.thorin.kernel import Extra, Line, State
from liarspoker.games.thorin.kernel_policies import hand_rank
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.probability import probability

ACTIONS = ("claims", "challenges", "takes", "passes", "discards")
"""The kinds of actions; that a hidden hand is shown after a challenge isn't counted."""

_CATEGORIES = np.array([WORDS.index(CATEGORIES[category]) for category, _keys in KEYS])


def alive_in(state: State) -> int:
    """Return the mask of the seats that play the round."""
    return state.alive


def judged(state: State, line: Line, data: Any, rules: ThorinRules, extra: Extra) -> tuple[float, bool]:
    """Return whether the hand keeps the last declaration, as its claimant, who has the hand, knows too."""
    is_true = keeps_promise(hand_rank(state.hand, extra.ranks), state.round_state.claim, rules.by_words, extra.ladder)
    return (1.0 if is_true else 0.0), is_true


def kind_of(actions: Ints) -> Ints:
    """Return the kinds of actions, indices of `ACTIONS`; -1 for a show."""
    negative = [actions == CHALLENGE, actions == TAKE, actions == PASS, actions <= SHOW]
    return np.where(actions >= 0, 0, np.select(negative, [1, 2, 3, -1], 4))


STATISTICS = CardStatistics(
    alive_in=alive_in,
    judged=judged,
    data=lambda rules: (),
    actions=ACTIONS,
    kind_of=kind_of,
    category_of=lambda claims, rules: _CATEGORIES[claims >> WORD_BITS],
    probability=probability,
)

"""The engine's table of hand ranks agrees with the rules."""

from __future__ import annotations

import os
import random
from itertools import combinations

import pytest

from liarspoker.core.cards.deck import JOKER, full_deck, mask_of
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.kernel_policies import hand_rank, ranks_table

STEP = 1 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 500


@pytest.mark.slow
@pytest.mark.soak
def test_every_hand_without_jokers_has_the_same_rank() -> None:
    """Check all 2,598,960 hands in the soak run, one in five hundred otherwise."""
    ranks = ranks_table(0, False)
    for number, hand in enumerate(combinations(range(JOKER), 5)):
        if number % STEP == 0:
            assert hand_rank(mask_of(hand), ranks) == hand_value(hand), hand


@pytest.mark.parametrize("double_any", [False, True])
def test_any_hand_with_jokers_has_the_same_rank(double_any: bool) -> None:
    chance = random.Random(5)
    for jokers in (1, 2):
        ranks = ranks_table(jokers, double_any)
        for _ in range(3_000):
            held = chance.randint(0, jokers)
            hand = (*chance.sample(full_deck(0), 5 - held), *(JOKER,) * held)
            assert hand_rank(mask_of(hand), ranks) == hand_value(hand, double_any), hand

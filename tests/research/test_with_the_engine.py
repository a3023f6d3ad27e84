"""Environments and the engine number actions alike and make the same observations."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from liarspoker.core.session import RoundSetup
from liarspoker.engine.batch import Batch
from liarspoker.engine.table import Table
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.kernel import number_text
from liarspoker.research.game_state import OVER, GameState
from liarspoker.research.spec import EnvironmentSpec


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("salomon-1986", 3, {}),
        ("dollar-bill", 2, {"hand_size": 2, "symbols": 3, "rebid": True}),
        ("dollar-bill", 3, {"hand_size": 2, "symbols": 3, "loose_order": True}),
    ],
    ids=["1986", "small", "loose"],
)
def test_masks_observations_and_payoffs_agree_with_the_engine(
    game: str, seats: int, options: dict[str, object]
) -> None:
    chance, many = random.Random(1), 20
    batch = Batch(Table.of(game, seats, options, from_slips=False), many, seed=1)
    batch.deal()
    spec = EnvironmentSpec.of(game, seats, options=options)
    start: Any = spec.start
    deals = [DigitDeal(tuple(number_text(one, batch.table.rules) for one in row)) for row in batch.numbers]
    states = [GameState(spec, start.deal(deal, RoundSetup(opener=0))) for deal in deals]
    vector = np.zeros(spec.features, np.float32)
    while not batch.is_over.all():
        masks, seen = batch.legal(), batch.observe()
        columns = np.zeros(many, np.int64)
        for row, state in enumerate(states):
            if state.player == OVER:
                continue
            assert state.player == batch.to_act[row]
            assert state.legal.tolist() == np.flatnonzero(masks[row]).tolist()
            spec.observe(state.session.view(state.player), vector)
            assert vector.tolist() == seen[row].tolist()
            columns[row] = chance.choice(state.legal.tolist())
            states[row] = state.after(int(columns[row]))
        batch.step(batch.actions_at(columns))
    assert [state.units for state in states] == [tuple(row) for row in batch.payoffs.tolist()]

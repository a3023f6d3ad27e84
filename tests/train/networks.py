"""Networks with random weights."""

from __future__ import annotations

import numpy as np

from liarspoker.bots.network import Weights, shapes_of
from liarspoker.games.digits.features import sizes_of
from liarspoker.games.digits.options import Rules

HIDDEN = 8


def random_weights(rules: Rules, seed: int) -> Weights:
    """Return a network for a table with weights that 16 bits hold exactly."""
    shapes = shapes_of(sizes_of(rules), HIDDEN)
    chance = np.random.default_rng(seed)
    numbers = {
        name: tuple(chance.normal(size=int(np.prod(shape))).astype(np.float16).tolist())
        for name, shape in shapes.items()
    }
    about = {"seats": rules.seats, "hand_size": rules.hand_size, "symbols": rules.symbols}
    return Weights(about, shapes, numbers)

"""Networks with random weights."""

from __future__ import annotations

import numpy as np

from liarspoker.bots.network import Weights
from liarspoker.games.digits.features import ANSWERS, BIDS, digit_features, table_features
from liarspoker.games.digits.options import Rules

HIDDEN = 8


def random_weights(rules: Rules, seed: int) -> Weights:
    """Return a network for a table with weights that 16 bits hold exactly."""
    item, table, wide = digit_features(rules), table_features(rules), HIDDEN
    shapes: dict[str, tuple[int, ...]] = {
        "item_first": (item, wide),
        "table_first": (table, wide),
        "first_bias": (wide,),
        "pooled_middle": (wide, wide),
        "table_middle": (table, wide),
        "middle_bias": (wide,),
        "item_second": (wide, wide),
        "middle_second": (wide, wide),
        "second_bias": (wide,),
        "item_choice": (wide, BIDS),
        "choice_bias": (BIDS,),
        "middle_answer": (wide, ANSWERS),
        "answer_bias": (ANSWERS,),
    }
    chance = np.random.default_rng(seed)
    numbers = {
        name: tuple(chance.normal(size=int(np.prod(shape))).astype(np.float16).tolist())
        for name, shape in shapes.items()
    }
    about = {"seats": rules.seats, "hand_size": rules.hand_size, "symbols": rules.symbols}
    return Weights(about, shapes, numbers)

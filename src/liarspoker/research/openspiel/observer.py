"""What a seat knows, in the forms that OpenSpiel uses: a tensor, named parts of it, and a string."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

from liarspoker.research.blocks import named_parts, size_of
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.spec import EnvironmentSpec


class SeatObserver:
    """An observer of one seat, with OpenSpiel's observer protocol.

    Without perfect recall it writes the observation of the PettingZoo environments. With perfect recall, in single
    hands of a digit game, the moves follow in order.

    Args:
        spec: the game.
        kind: what is observed.

    Attributes:
        tensor: float32, flat.
        dict: the same by name, in their shapes.

    Raises:
        BadEnvironment: `kind` isn't the knowledge of exactly one seat.
    """

    def __init__(self, spec: EnvironmentSpec, kind: Any) -> None:
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise BadEnvironment("observer: it must be the public and private information of a single player")
        self._recalls = kind.perfect_recall
        self._spec = spec
        history = spec.history if self._recalls else None
        blocks = spec.layout if history is None else (*spec.layout, history)
        self.tensor = np.zeros(size_of(blocks), np.float32)
        self.dict = named_parts(self.tensor, blocks)

    def set_from(self, state: Any, player: int) -> None:
        """Write what `player` knows in `state`."""
        view = state.game_state.session.view(player)
        self._spec.observe(view, self.tensor[: self._spec.features])
        if "moves" in self.dict:
            self.dict["moves"].fill(0)
            self._spec.rules.write_history(view, self.dict["moves"])

    def string_from(self, state: Any, player: int) -> str:
        """Return everything that `player` knows in `state`; without perfect recall, only about the round in play."""
        information_state: str = state.game_state.information_state(player, recall=self._recalls)
        return information_state

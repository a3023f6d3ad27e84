"""What a seat knows, as OpenSpiel asks for it: as a tensor, as named parts of it, and as a string."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

from liarspoker.research.blocks import named_parts, size_of
from liarspoker.research.errors import CannotStudy
from liarspoker.research.study import Study


class SeatObserver:
    """An observer of one seat, under OpenSpiel's protocol for observers.

    Without perfect recall it is the observation of the PettingZoo environments; with it, where a hand of a digit game
    is played, its moves follow in their order.

    Args:
        study: what is played.
        kind: what is observed.

    Attributes:
        tensor: float32, flat.
        dict: the same by names, in their shapes.

    Raises:
        CannotStudy: what is asked for is not just what one seat knows.
    """

    def __init__(self, study: Study, kind: Any) -> None:
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise CannotStudy("observer: it tells what one seat knows, public and private; nothing else is offered")
        self._recalls = kind.perfect_recall
        self._study = study
        history = study.history if self._recalls else None
        blocks = study.layout if history is None else (*study.layout, history)
        self.tensor = np.zeros(size_of(blocks), np.float32)
        self.dict = named_parts(self.tensor, blocks)

    def set_from(self, state: Any, player: int) -> None:
        """Write what `player` knows in `state`."""
        view = state.course.session.view(player)
        self._study.observe(view, self.tensor[: self._study.features])
        if "moves" in self.dict:
            self.dict["moves"].fill(0)
            self._study.family.remember(view, self.dict["moves"])

    def string_from(self, state: Any, player: int) -> str:
        """All that `player` knows in `state`, or without perfect recall what it knows of the round in play."""
        account: str = state.course.account(player, recall=self._recalls)
        return account

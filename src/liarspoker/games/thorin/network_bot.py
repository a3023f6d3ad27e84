"""Bots of Thorin's game that play as a neural network."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.bots.protocol import Bot
from liarspoker.core.cards.match import mask_of
from liarspoker.games.cards.network_bot import STYLES, CardNetworkBot
from liarspoker.games.thorin.bots import asked, bluffer, knowledge_of
from liarspoker.games.thorin.features import SIZES, around_of, write_features
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.result import ThorinView


class ThorinNetwork(CardNetworkBot):
    """A bot that plays as the network of Thorin's game.

    It plays as the Bluffer with more than five players.
    """

    __slots__ = ()

    family = "thorin"
    otherwise: ClassVar[Bot] = bluffer
    challenge = 1
    network_sizes = SIZES

    def look(self, view: ThorinView, out: list[float], actions: list[int], legal: list[bool]) -> int:
        """Write what the network sees of a view, and the possible actions; return the hand as a mask."""
        phase, turn, workspace = asked(view)
        state, rules = view.state, view.rules
        assert state is not None
        around = around_of(
            state, mask_of(view.alive), state.to_act, view.stock_left, view.discards, len(view.moves), rules
        )
        write_features(phase, turn, knowledge_of(view), around, rules, workspace, out, actions, legal)
        return turn.hand

    def is_usual(self, rules: ThorinRules) -> bool:
        """Return true: the options change the odds, which the network sees."""
        return True


NETWORK_BOTS = {name: ThorinNetwork((style,)) for name, style in STYLES.items()}
"""The bots of this module, by name."""

pip, hal, mae, ivy, gus, rex, champion, shark = NETWORK_BOTS.values()

from_file = ThorinNetwork.from_file

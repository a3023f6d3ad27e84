"""Bots of Queen Anne's games that play as a neural network."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from liarspoker.bots.protocol import Bot
from liarspoker.games.cards.network_bot import STYLES, CardNetworkBot
from liarspoker.games.queen_annes.bots import bluffer, seen_in, workspace_for
from liarspoker.games.queen_annes.features import SIZES, write_features
from liarspoker.games.queen_annes.heuristics import ladder_of
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView


class QueenAnnesNetwork(CardNetworkBot):
    """A bot that plays as the network of Queen Anne's games.

    It plays as the Bluffer with more than five players, and where anyone may challenge.
    """

    __slots__ = ()

    family = "queen_annes"
    otherwise: ClassVar[Bot] = bluffer
    network_sizes = SIZES

    def look(self, view: QueenAnnesView, out: list[float], actions: list[int], legal: list[bool]) -> int:
        """Write what the network sees of a view, and the possible actions; return the cards it sees as a mask."""
        seen = seen_in(view)
        write_features(seen, ladder_of(view.rules), workspace_for(view.rules), out, actions, legal)
        return seen.known

    def is_usual(self, rules: QueenAnnesRules) -> bool:
        """Return whether only the next player may challenge."""
        return not rules.anyone_challenges

    def challenges_out_of_turn(self, view: QueenAnnesView, chance: Random) -> bool:
        """Return whether to challenge out of turn, as the Bluffer does."""
        return bluffer.challenges_out_of_turn(view, chance)


NETWORK_BOTS = {name: QueenAnnesNetwork((style,)) for name, style in STYLES.items()}
"""The bots of this module, by name."""

pip, hal, mae, ivy, gus, rex, champion, shark = NETWORK_BOTS.values()

from_file = QueenAnnesNetwork.from_file

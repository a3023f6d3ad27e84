"""Bots of the card games that play as a neural network: one for each family, at tables of two to five players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, ClassVar

from liarspoker.bots.network import BadNetwork, Sizes, Style, Weights, read_network
from liarspoker.bots.network_bot import NetworkBot

STYLES = {
    "pip": Style(0.0, heat=8.0),
    "hal": Style(0.5, heat=5.5, doubt=-3.0),
    "mae": Style(0.0, heat=3.9, doubt=2.0),
    "ivy": Style(-0.6, heat=2.1),
    "gus": Style(1.0, heat=2.2),
    "rex": Style(0.6, heat=1.6),
    "champion": Style(0.4),
    "shark": Style(1.0),
}
"""How the bots of the card games play, by name; with two players, each of the first seven beats the one before it."""


class CardNetworkBot(NetworkBot):
    """A bot that plays as its family's network.

    Attributes:
        network_sizes: the sizes of the network.
    """

    __slots__ = ()

    network_sizes: ClassVar[Sizes]

    seats = range(2, 6)
    from_file_styles = (Style(),)

    def sizes(self, rules: Any) -> Sizes:
        """Return the sizes of the family's network."""
        return self.network_sizes

    def trained(self, rules: Any) -> Weights:
        """Return the weights of the family's network."""
        return _trained(self.family)

    def check(self, about: Mapping[str, Any], rules: Any) -> None:
        """Raise `BadNetwork` if no network is trained for the options of a table."""
        if not self.is_usual(rules):
            raise BadNetwork("networks aren't trained for the options of this table")


@lru_cache(4)
def _trained(family: str) -> Weights:
    """Return the weights of a family's network, which come with this package."""
    place = files(f"liarspoker.games.{family}") / "network.safetensors"
    return read_network(place.read_bytes(), place.name)

"""Bots of the card games that play as a neural network: one for each family, at tables of two to five players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any, ClassVar, NamedTuple

from liarspoker.bots.network import (
    BadNetwork,
    Style,
    Weights,
    drawn,
    network_file,
    probabilities_of,
    read_network,
    shapes_of,
    styled,
    temperament_of,
)
from liarspoker.bots.protocol import ActionProbabilities, Bot

SEATS = range(2, 6)
"""The numbers of players at whose tables the networks were trained."""

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


class NetworkSizes(NamedTuple):
    """The sizes of a family's network.

    Attributes:
        items: the most items that it compares.
        item: the number of features of each.
        table: the number of features of the table.
        answers: the number of answers.
        challenge: which of the answers is the challenge.
    """

    items: int
    item: int
    table: int
    answers: int
    challenge: int


@dataclass(frozen=True, slots=True)
class CardNetworkBot(ABC):
    """A bot that plays as its family's network.

    At a table for which it isn't trained, it plays as the Bluffer.

    Attributes:
        style: how it plays.
        own: the weights of a network from a file; `None` for those of this package.
    """

    style: Style
    own: Weights | None = None

    family: ClassVar[str]
    sizes: ClassVar[NetworkSizes]
    otherwise: ClassVar[Bot]

    @abstractmethod
    def look(self, view: Any, out: list[float], actions: list[int], legal: list[bool]) -> int:
        """Write what the network sees of a view, and the possible actions; return a number for what the player sees."""

    @abstractmethod
    def has_usual_options(self, rules: Any) -> bool:
        """Return whether the network was trained for the options of a table."""

    def __call__(self, view: Any, chance: Random) -> int:
        """Return an action drawn with its probability."""
        if not self.is_trained(view.rules):
            return self.otherwise(view, chance)
        chances = self.probabilities(view)
        return chances[drawn([likely for _, likely in chances], chance)][0]

    def probabilities(self, view: Any) -> ActionProbabilities:
        """Return the actions between which the network chooses, with their probabilities; there must be a network."""
        items, item, table, answers, _challenge = self.sizes
        features = [0.0] * (items * item + table)
        actions, legal = [0] * (items + answers), [False] * (items + answers)
        secret = self.look(view, features, actions, legal)
        features[-1] = temperament_of(self.style, secret)
        chances = probabilities_of(self.weights(), features, legal, items)
        rows = zip(actions, legal, chances, strict=True)
        return tuple((action, likely) for action, is_legal, likely in rows if is_legal)

    def weights(self) -> Weights:
        """Return the weights of its network."""
        return styled(self.own or _trained(self.family), self.style, self.sizes.challenge)

    def is_trained(self, rules: Any) -> bool:
        """Return whether there is a network for a table.

        Raises:
            BadNetwork: the network from a file was trained for other games.
        """
        if self.own is None:
            return rules.seats in SEATS and self.has_usual_options(rules)
        if self.own.about.get("family") != self.family:
            raise BadNetwork("the network was trained for another family of games")
        if not self.has_usual_options(rules):
            raise BadNetwork("networks aren't trained for the options of this table")
        hidden, *_ = *self.own.shapes["first_bias"], 0
        if self.own.shapes != shapes_of(self.sizes.item, self.sizes.table, hidden, 1, self.sizes.answers):
            raise BadNetwork("the network's layers have other sizes than those of this program; train it again")
        return True

    @classmethod
    def from_file(cls, place: str) -> CardNetworkBot:
        """Return the bot of a network that `liarspoker train` has written.

        Args:
            place: the file's path, which may be followed by `@` and temperaments; otherwise the temperament is 0.

        Raises:
            UnknownBot: there is no such file.
            BadNetwork: it isn't a network.
        """
        weights, style = network_file(place)
        return cls(style or Style(), weights)


@lru_cache(4)
def _trained(family: str) -> Weights:
    """Return the weights of a family's network, which come with this package."""
    place = files(f"liarspoker.games.{family}") / "network.safetensors"
    return read_network(place.read_bytes(), place.name)

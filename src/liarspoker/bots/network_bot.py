"""Bots that play as a neural network, in any family of games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Self, TypeVar

from liarspoker.bots.network import (
    BadNetwork,
    Sizes,
    Style,
    Weights,
    drawn,
    network_file,
    probabilities_of,
    shapes_of,
    styled,
    temperament_of,
)
from liarspoker.bots.protocol import ActionProbabilities, Bot

Kind = TypeVar("Kind", bound="NetworkBot")

FROM_FILE = "net:"
"""What the name of a bot begins with if the rest is the file of a network."""


@dataclass(frozen=True, slots=True)
class NetworkBot(ABC):
    """A bot that plays as a network.

    At a table for which there is none, it plays as the Bluffer.

    Attributes:
        styles: how it plays at tables of 2 players, of 3, and so on; the last one holds for all larger tables.
        own: the weights of a network from a file; `None` for those of this package.
        family: the family of games.
        seats: the numbers of players for which the package has a network.
        otherwise: the Bluffer of the family.
        challenge: which of the network's answers is the challenge.
        from_file_styles: the styles of a network from a file, if its name has no temperaments.
    """

    styles: tuple[Style, ...]
    own: Weights | None = None

    family: ClassVar[str]
    seats: ClassVar[range]
    otherwise: ClassVar[Bot]
    challenge: ClassVar[int] = 0
    from_file_styles: ClassVar[tuple[Style, ...]]

    @abstractmethod
    def sizes(self, rules: Any) -> Sizes:
        """Return the sizes of the network for a table."""

    @abstractmethod
    def look(self, view: Any, out: list[float], actions: list[int], legal: list[bool]) -> int:
        """Write what the network sees of a view, and the possible actions; return a number for what the player sees."""

    @abstractmethod
    def is_usual(self, rules: Any) -> bool:
        """Return whether the networks of this package were trained for the options of a table."""

    @abstractmethod
    def trained(self, rules: Any) -> Weights:
        """Return the weights for a table, which come with this package."""

    @abstractmethod
    def check(self, about: Mapping[str, Any], rules: Any) -> None:
        """Raise `BadNetwork` if a network from a file, given what it says about itself, can't play at a table."""

    def __call__(self, view: Any, chance: Random) -> int:
        """Return an action drawn with its probability."""
        if not self.is_trained(view.rules):
            return self.otherwise(view, chance)
        chances = self.probabilities(view)
        return chances[drawn([likely for _, likely in chances], chance)][0]

    def probabilities(self, view: Any) -> ActionProbabilities:
        """Return the actions between which the network chooses, with their probabilities; there must be a network."""
        rules, sizes = view.rules, self.sizes(view.rules)
        columns = sizes.items * sizes.choices + sizes.answers
        features, actions, legal = [0.0] * (sizes.items * sizes.item + sizes.table), [0] * columns, [False] * columns
        secret = self.look(view, features, actions, legal)
        features[-1] = temperament_of(self.style(rules), secret)
        chances = probabilities_of(self.weights(rules), features, legal, sizes.items)
        rows = zip(actions, legal, chances, strict=True)
        return tuple((action, likely) for action, is_legal, likely in rows if is_legal)

    def style(self, rules: Any) -> Style:
        """Return how it plays at a table."""
        place: int = min(rules.seats - self.seats[0], len(self.styles) - 1)
        return self.styles[place]

    def weights(self, rules: Any) -> Weights:
        """Return the weights of its network for a table."""
        return styled(self.own or self.trained(rules), self.style(rules), self.challenge)

    def is_trained(self, rules: Any) -> bool:
        """Return whether there is a network for a table.

        Raises:
            BadNetwork: the network from a file was trained for other tables.
        """
        if self.own is None:
            return rules.seats in self.seats and self.is_usual(rules)
        if self.own.about.get("family", "digits") != self.family:
            raise BadNetwork("the network was trained for another family of games")
        self.check(self.own.about, rules)
        hidden, *_ = (*self.own.shapes["first_bias"], 0)
        if self.own.shapes != shapes_of(self.sizes(rules), hidden):
            raise BadNetwork("the network's layers have other sizes than those of this program; train it again")
        return True

    @classmethod
    def from_file(cls, place: str) -> Self:
        """Return the bot of a network that `liarspoker train` has written.

        Args:
            place: the file's path, which may be followed by `@` and temperaments; otherwise the bot has the styles of
                `from_file_styles`.

        Raises:
            UnknownBot: there is no such file.
            BadNetwork: it isn't a network.
        """
        weights, style = network_file(place)
        return cls(cls.from_file_styles if style is None else (style,), weights)


def network_bot(name: str, bots: Mapping[str, Kind]) -> Kind | None:
    """Return a family's bot with this name, or for the file after `net:`; `None` if another kind of bot has the name.

    Args:
        name: the name.
        bots: the family's network bots by name.

    Raises:
        UnknownBot: there is no such file.
        BadNetwork: it isn't a network.
    """
    if name.startswith(FROM_FILE):
        return next(iter(bots.values())).from_file(name.removeprefix(FROM_FILE))
    return bots.get(name)

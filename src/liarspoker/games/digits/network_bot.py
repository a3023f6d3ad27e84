"""Bots that play as a neural network; each is trained for one number of players."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any

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
from liarspoker.bots.protocol import ActionProbabilities
from liarspoker.games.digits.appraisal import number_of
from liarspoker.games.digits.bots import bluffer
from liarspoker.games.digits.features import (
    ANSWERS,
    BIDS,
    action_of,
    digit_features,
    is_choice,
    table_features,
    tails_of,
    write_features,
)
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView

SEATS = range(2, 7)
"""The numbers of players for which there is a network."""


@dataclass(frozen=True, slots=True)
class NetworkBot:
    """A bot that plays as the network for its table.

    At a table for which no network is trained, it plays as the Bluffer: with other hands than eight of ten digits,
    without `cap_level`, with `loose_order`, or with more than six players.

    Attributes:
        styles: how it plays at tables of 2 players, of 3, and so on; the last one holds for all larger tables.
        own: the weights of a network from a file, for one kind of table; `None` for those of this package.
    """

    styles: tuple[Style, ...]
    own: Weights | None = None

    def __call__(self, view: DigitView, chance: Random) -> int:
        """Return an action drawn with its probability."""
        if not self.is_trained(view.rules):
            return bluffer(view, chance)
        chances = self.action_probabilities(view)
        return chances[drawn([likely for _, likely in chances], chance)][0]

    def action_probabilities(self, view: DigitView) -> ActionProbabilities:
        """Return the legal actions between which it chooses, with their probabilities."""
        rules, auction = view.rules, view.auction
        if auction is None or not self.is_trained(rules):
            return bluffer.action_probabilities(view)
        weights, counts = self.weights(rules), packed_counts(number_of(view))
        features = [0.0] * (rules.symbols * digit_features(rules) + table_features(rules))
        write_features(auction, counts, view.moves, len(view.moves), tails_of(rules), rules, features)
        features[-1] = temperament_of(self.style(rules), counts)
        columns = range(rules.symbols * BIDS + ANSWERS)
        legal = [is_choice(column, auction, rules) for column in columns]
        chances = probabilities_of(weights, features, legal, rules.symbols)
        return tuple((action_of(column, auction, rules), chances[column]) for column in columns if legal[column])

    def history_key(self, view: DigitView) -> Any:
        """Return all moves."""
        return view.moves

    def style(self, rules: Rules) -> Style:
        """Return how it plays at a table."""
        return self.styles[min(rules.seats - SEATS[0], len(self.styles) - 1)]

    def weights(self, rules: Rules) -> Weights:
        """Return the weights of its network for a table."""
        return styled(self.own or trained(rules.seats), self.style(rules))

    def is_trained(self, rules: Rules) -> bool:
        """Return whether there is a network for a table.

        Raises:
            BadNetwork: the network from a file was trained for another kind of table.
        """
        if self.own is None:
            usual = rules.hand_size == 8 and rules.symbols == 10
            return usual and rules.seats in SEATS and bool(rules.capped) and not rules.loose
        about = self.own.about
        if "hand_size" not in about:
            raise BadNetwork("the network was trained for another family of games")
        if (about["seats"], about["hand_size"], about["symbols"]) != (rules.seats, rules.hand_size, rules.symbols):
            raise BadNetwork(
                f"the network was trained for {about['seats']} players with {about['hand_size']} of "
                f"{about['symbols']} digits, not for {rules.seats} with {rules.hand_size} of {rules.symbols}"
            )
        hidden, *_ = *self.own.shapes["first_bias"], 0
        if self.own.shapes != shapes_of(digit_features(rules), table_features(rules), hidden, BIDS, ANSWERS):
            raise BadNetwork("the network's layers have other sizes than those of this program; train it again")
        if rules.loose or not rules.capped:
            raise BadNetwork("a network plays only with cap_level and without loose_order")
        return True


def from_file(place: str) -> NetworkBot:
    """Return the bot of a network that `liarspoker train` has written.

    Args:
        place: the file's path, which may be followed by `@` and temperaments; otherwise the bot has the Champion's
            style.

    Raises:
        UnknownBot: there is no such file.
        BadNetwork: it isn't a network.
    """
    weights, style = network_file(place)
    return replace(champion if style is None else NetworkBot((style,)), own=weights)


@lru_cache(8)
def trained(seats: int) -> Weights:
    """Return the weights of the network for a number of players, which come with this package."""
    place = files(__package__) / "networks" / f"{seats}.safetensors"
    return read_network(place.read_bytes(), place.name)


pip = NetworkBot((Style(0.0, heat=8.0),))
"""Pip, who has just learned the rules."""

hal = NetworkBot((Style(0.5, heat=4.0, doubt=-3.0),))
"""Hal, who believes too much."""

mae = NetworkBot((Style(0.0, heat=3.5, doubt=2.0),))
"""Mae, who doubts too much."""

ivy = NetworkBot((Style(-0.6, heat=1.6),))
"""Ivy, who gives little away."""

gus = NetworkBot((Style(1.0, heat=2.4),))
"""Gus, who goes for weak players."""

rex = NetworkBot((Style(0.6, heat=1.4), Style(0.5)))
"""Rex, who plays almost like the Champion."""

champion = NetworkBot((Style(0.05, spread=0.45), Style(0.2, spread=0.6)))
"""The Champion: hard to exploit, and strong against everybody."""

shark = NetworkBot((Style(0.35), Style(0.6), Style(0.8), Style(1.0)))
"""The Shark: wins more from weak players, and is easier to exploit."""

NETWORK_BOTS = {
    "pip": pip,
    "hal": hal,
    "mae": mae,
    "ivy": ivy,
    "gus": gus,
    "rex": rex,
    "champion": champion,
    "shark": shark,
}
"""The bots of this module, by name."""

"""Bots that play as a neural network; each is trained for one number of players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, ClassVar

from liarspoker.bots.network import BadNetwork, Sizes, Style, Weights, read_network
from liarspoker.bots.network_bot import NetworkBot
from liarspoker.bots.protocol import ActionProbabilities, Bot
from liarspoker.games.digits.appraisal import number_of
from liarspoker.games.digits.bots import bluffer
from liarspoker.games.digits.features import (
    action_of,
    is_choice,
    sizes_of,
    tails_of,
    write_features,
)
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView

# Temperaments: with two players the Champion's mixture is narrower than at larger tables.
STYLES = {
    "pip": (Style(0.0, heat=8.0),),  # has just learned the rules
    "hal": (Style(0.5, heat=4.0, doubt=-3.0),),  # believes too much
    "mae": (Style(0.0, heat=3.5, doubt=2.0),),  # doubts too much
    "ivy": (Style(-0.6, heat=1.6),),  # gives little away
    "gus": (Style(1.0, heat=2.4),),  # goes for weak players
    "rex": (Style(0.6, heat=1.4), Style(0.5)),  # plays almost like the Champion
    "champion": (Style(0.05, spread=0.45), Style(0.2, spread=0.6)),  # hard to exploit, and strong against everybody
    "shark": (Style(0.35), Style(0.6), Style(0.8), Style(1.0)),  # wins more from weak players, easier to exploit
}
"""How the bots of the digit games play, by name; see `NetworkBot.styles`."""


class DigitNetwork(NetworkBot):
    """A bot that plays as the network for its table.

    At a table for which no network is trained, it plays as the Bluffer: with other hands than eight of ten digits,
    without `cap_level`, with `loose_order`, or with more than six players.
    """

    __slots__ = ()

    family = "digits"
    seats = range(2, 7)
    otherwise: ClassVar[Bot] = bluffer
    from_file_styles = STYLES["champion"]

    def action_probabilities(self, view: DigitView) -> ActionProbabilities:
        """Return the legal actions between which it chooses, with their probabilities."""
        if view.auction is None or not self.is_trained(view.rules):
            return bluffer.action_probabilities(view)
        return self.probabilities(view)

    def history_key(self, view: DigitView) -> Any:
        """Return all moves."""
        return view.moves

    def sizes(self, rules: Rules) -> Sizes:
        """Return the sizes of the network for a table."""
        return sizes_of(rules)

    def look(self, view: DigitView, out: list[float], actions: list[int], legal: list[bool]) -> int:
        """Write what the network sees of a view, and the possible actions; return the packed counts of the hand."""
        rules, auction, counts = view.rules, view.auction, packed_counts(number_of(view))
        assert auction is not None
        write_features(auction, counts, view.moves, len(view.moves), tails_of(rules), rules, out)
        for column in range(len(actions)):
            actions[column], legal[column] = action_of(column, auction, rules), is_choice(column, auction, rules)
        return counts

    def is_usual(self, rules: Rules) -> bool:
        """Return whether hands have eight of ten digits, with `cap_level` and without `loose_order`."""
        return rules.hand_size == 8 and rules.symbols == 10 and bool(rules.capped) and not rules.loose

    def trained(self, rules: Rules) -> Weights:
        """Return the weights of the network for a number of players."""
        return trained(rules.seats)

    def check(self, about: Mapping[str, Any], rules: Rules) -> None:
        """Raise `BadNetwork` if a network from a file was trained for other tables."""
        if "hand_size" not in about:
            raise BadNetwork("the network was trained for another family of games")
        if (about["seats"], about["hand_size"], about["symbols"]) != (rules.seats, rules.hand_size, rules.symbols):
            raise BadNetwork(
                f"the network was trained for {about['seats']} players with {about['hand_size']} of "
                f"{about['symbols']} digits, not for {rules.seats} with {rules.hand_size} of {rules.symbols}"
            )
        if rules.loose or not rules.capped:
            raise BadNetwork("a network plays only with cap_level and without loose_order")


@lru_cache(8)
def trained(seats: int) -> Weights:
    """Return the weights of the network for a number of players, which come with this package."""
    place = files(__package__) / "networks" / f"{seats}.safetensors"
    return read_network(place.read_bytes(), place.name)


NETWORK_BOTS = {name: DigitNetwork(styles) for name, styles in STYLES.items()}
"""The bots of this module, by name."""

pip, hal, mae, ivy, gus, rex, champion, shark = NETWORK_BOTS.values()

from_file = DigitNetwork.from_file

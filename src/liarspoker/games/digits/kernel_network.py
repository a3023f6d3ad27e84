"""Neural networks as compiled policies of the digit games."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarspoker.engine.chance import Chance
from liarspoker.engine.lineup import Policy
from liarspoker.engine.network import Buffers, Network, buffers_for, draw, evaluate
from liarspoker.games.digits.features import Tails, action_of, is_choice, tails_of, write_features
from liarspoker.games.digits.kernel_policies import Observation
from liarspoker.games.digits.options import Rules


def arrays_of(rules: Rules) -> Tails:
    """Return the tails for a table's rules as arrays."""
    return Tails(*(np.array(each) for each in tails_of(rules)))


def network_policy(network: Network, temperament: float, rules: Rules) -> Policy:
    """Return the policy that plays as a network.

    Args:
        network: its weights, which have been trained for tables with as many seats and digits.
        temperament: from -1, hard to exploit, to 1, which wins more from weak players.
        rules: the table's rules.
    """
    return Policy(
        network_action, (network, arrays_of(rules), temperament), lambda: (buffers_for(network, rules.symbols),)
    )


def network_action(observation: Observation, chance: Chance, data: Any) -> int:
    """Return an action drawn with the network's probabilities; `data` is made by `network_policy`."""
    network, tails, temperament, buffers = data
    see(observation, tails, temperament, buffers)
    evaluate(network, buffers)
    return action_of(draw(buffers.probabilities, chance), observation.auction, observation.rules)


def see(observation: Observation, tails: Tails, temperament: float, buffers: Buffers) -> None:
    """Write the features and the legal actions of an observation; the last feature is the temperament."""
    auction, rules = observation.auction, observation.rules
    write_features(auction, observation.counts, observation.moves, observation.made, tails, rules, buffers.features)
    buffers.features[-1] = temperament
    for column in range(buffers.legal.size):
        buffers.legal[column] = is_choice(column, auction, rules)

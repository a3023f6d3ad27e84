"""How the networks of a family of games see a table, and the compiled policies that play as them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.network import Sizes, Style, temperament_of
from liarspoker.bots.network_bot import NetworkBot, network_bot
from liarspoker.engine.chance import Chance
from liarspoker.engine.lineup import Choose, Policy, bound
from liarspoker.engine.network import Network, buffers_for, draw, evaluate, network_of

if TYPE_CHECKING:
    from liarspoker.engine.rollout import Rollout

NOTHING_WILD = -(1 << 62)
"""What `Inputs.wild` returns if the network is to decide."""


@dataclass(frozen=True)
class Inputs:
    """What the networks of a family see, what they choose from, and what they learn from.

    Attributes:
        sizes: returns a network's sizes for a table's rules.
        about: returns the facts that say for which tables a network was trained, by name; it raises `CannotPlay` if it
            can't be trained for the options of a table.
        see: writes the features, all but the last, the actions and which of them are legal to `Buffers`, and returns
            the seat to act. It may write the keys of items, and skip the features of those that are known. It is
            compiled: `see(observation, sources, buffers)`.
        secret: returns a number for what only the seat to act sees, 0 or more. It is compiled: `secret(observation)`.
        sources: returns what `see` reads, and arrays that it may write to, for a table's rules.
        wild: returns a random action, or `NOTHING_WILD`, for training. It is compiled: `wild(observation, chance)`.
        won: returns what each seat has won in each round: float32 `[matches, rounds, seats]`.
        secrets: returns what only the critic sees, float32 `[n, items, secret_features]`, given a rollout with deals,
            the numbers of the rounds of n decisions, and the seats that decided.
        secret_features: returns how many more features of an item the critic sees, for a table's rules.
        keys: returns the number of keys for which `Buffers` remember what the features of an item contribute.
    """

    sizes: Callable[[Any], Sizes]
    about: Callable[[Any], dict[str, Any]]
    see: Callable[[Any, Any, Any], int]
    secret: Callable[[Any], int]
    sources: Callable[[Any], Any]
    wild: Callable[[Any, Chance], int]
    won: Callable[[Rollout], NDArray[Any]]
    secrets: Callable[[Rollout, NDArray[Any], NDArray[Any]], NDArray[Any]]
    secret_features: Callable[[Any], int] = lambda rules: 0
    keys: Callable[[Any], int] = lambda rules: 0

    def policy(self, network: Network, style: Style, rules: Any) -> Policy:
        """Return the policy that plays as a network.

        Args:
            network: its weights, which have been trained for such tables, with the heat and the doubt of the style.
            style: from which the temperaments are taken.
            rules: the table's rules.
        """
        items, keys = self.sizes(rules).items, self.keys(rules)
        return Policy(
            _playing(self.see, self.secret),
            (network, style),
            lambda: (self.sources(rules), buffers_for(network, items, keys)),
        )


def policy_of(
    name: str,
    rules: Any,
    bots: Mapping[str, NetworkBot],
    inputs: Callable[[], Inputs],
    otherwise: Callable[[str, Any], Policy],
) -> Policy:
    """Return the policy of a bot.

    Args:
        name: its name, or `net:` and the file of its network.
        rules: the table's rules.
        bots: the family's network bots by name.
        inputs: returns how networks see the family's games.
        otherwise: returns the policy of another bot, by its name; network bots that have no network for the table play
            as the Bluffer.
    """
    bot = network_bot(name, bots)
    if bot is None or not bot.is_trained(rules):
        return otherwise(name if bot is None else "bluffer", rules)
    return inputs().policy(network_of(bot.weights(rules)), bot.style(rules), rules)


if TYPE_CHECKING:  # bound by `_playing`

    def _see(observation: Any, sources: Any, buffers: Any) -> int: ...

    def _secret(observation: Any) -> int: ...


def _network_action(observation: Any, chance: Chance, data: Any) -> int:
    """Return an action drawn with the network's probabilities; `data` is made by `Inputs.policy`."""
    network, style, sources, buffers = data
    _see(observation, sources, buffers)
    buffers.features[-1] = temperament_of(style, _secret(observation))
    evaluate(network, buffers)
    action: int = buffers.actions[draw(buffers.probabilities, chance)]
    return action


@lru_cache(maxsize=16)
def _playing(see: Callable[[Any, Any, Any], int], secret: Callable[[Any], int]) -> Choose:
    return bound(_network_action, _see=see, _secret=secret)


def loser_pays(played: Rollout, losses: int) -> NDArray[np.float32]:
    """Return what each seat wins in each round, if the loser pays one unit, which the others share.

    Args:
        played: matches whose rounds have a field `losers`, -1 for nobody.
        losses: the number of losses after which a seat is out.
    """
    losers, seats = played.losers, np.arange(played.table.rules.seats)
    played_here = np.arange(losers.shape[1]) < played.lengths[:, None]
    lost = (losers[:, :, None] == seats) & played_here[:, :, None]
    before = np.cumsum(lost, axis=1) - lost
    others = (before < losses) & ~lost
    paid = lost.any(axis=2, keepdims=True)
    shares = others / np.maximum(1, others.sum(axis=2, keepdims=True))
    found: NDArray[np.float32] = (np.where(lost, -1.0, shares) * paid).astype(np.float32)
    return found


def no_secrets(items: int) -> Callable[[Rollout, NDArray[Any], NDArray[Any]], NDArray[np.float32]]:
    """Return the function `Inputs.secrets` of a family whose critic sees no more than the network."""
    return lambda played, rounds, seats: np.zeros((rounds.size, items, 0), np.float32)

"""Models of the players: by one, the coach reads the bids and continues the hand after an action."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from liarspoker.bots.network_bot import FROM_FILE
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.table import Table
from liarspoker.games.digits.network_bot import NETWORK_BOTS
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import _
from liarspoker.solve.beliefs.bot_policy import bot_policy, known_bots
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.policies import BlendPolicy, MixedPolicy, TablePolicy, UniformPolicy
from liarspoker.solve.strategy import Strategy

CARELESS = 0.05
"""The probability with which a model of people, when the coach reads their actions, takes any action at random. So no
action is impossible, and a single odd bid doesn't decide what a player is believed to hold."""

STRONGEST = "champion"
"""The model by default."""

WITHOUT_NETWORK = "bluffer"
"""The model by default where no network is trained."""

SIMPLE = "binomial"
"""The second model, players who go by the odds alone: it shows how much a verdict depends on the first."""


@dataclass(frozen=True, slots=True)
class Model:
    """How everybody is assumed to play.

    Attributes:
        name: a bot's name, or the file of a strategy.
        policy: the mixed policy by which the coach reads actions.
        strategy: a strategy of a small game, which values actions exactly; `None` for a bot.
    """

    name: str
    policy: MixedPolicy
    strategy: Strategy | None = None


def model_of(name: str | None, session: DigitSession, threads: int = 1) -> Model:
    """Return a model.

    Args:
        name: a bot's name, `net:` and a file, or the file of a strategy; `None` for the strongest bot there is.
        session: a session at the table.
        threads: the number of threads that evaluate a network.

    Raises:
        CannotPlay: there is no such bot and no such file.
        BadStrategy: the file isn't a strategy for this table.
        BadNetwork: the network is for other rules.
    """
    rules = session.setup.rules
    if name is None or (name in NETWORK_BOTS and not NETWORK_BOTS[name].is_trained(rules)):
        name = STRONGEST if NETWORK_BOTS[STRONGEST].is_trained(rules) else WITHOUT_NETWORK
    if name in known_bots() or name.startswith(FROM_FILE):
        policy = bot_policy(name)
        if isinstance(policy, NetworkPolicy):
            policy = replace(policy, threads=threads)
        return Model(name, BlendPolicy(((1 - CARELESS, policy), (CARELESS, UniformPolicy()))))
    if not Path(name).exists():
        known = ", ".join(known_bots())
        raise CannotPlay(_("{name}: no such bot and no such file; the bots are {names}", name=name, names=known))
    strategy = Strategy.load(name)
    strategy.require(session.setup.preset.id, session.seats, session.option_changes())
    return Model(name, TablePolicy(strategy), strategy)


def other_model(model: Model, session: DigitSession) -> Model | None:
    """Return the second model, by which a verdict is checked; `None` if the first is exact or the same."""
    return None if model.strategy is not None or model.name == SIMPLE else model_of(SIMPLE, session)


def table_of(session: DigitSession) -> Table:
    """Return the table at which single hands of a session are played out.

    Raises:
        CannotPlay: the ladder has no top, so that actions can't be numbered.
    """
    table = Table.of(session.setup.preset.id, session.seats, session.option_changes(), from_slips=False)
    table.actions  # noqa: B018  # raises an error for a ladder without a top
    return table

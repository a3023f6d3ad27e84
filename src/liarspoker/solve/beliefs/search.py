"""Bots that think before they act: a neural network, improved at each decision by playing the hand on.

The bot draws the others' hands from what they may hold if everybody plays as its network, plays each of the network's
likeliest actions with them, and lets the network play on to the end. Then it plays actions that win more, more often
than the network does. It stays close to the network, since the others may play otherwise.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

import numpy as np

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.bots.network import drawn
from liarspoker.bots.protocol import ActionProbabilities
from liarspoker.engine.table import Table
from liarspoker.games.digits.appraisal import number_of
from liarspoker.games.digits.network_bot import NETWORK_BOTS, DigitNetwork
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView
from liarspoker.language import N_, _
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.playouts import dealt, play_out
from liarspoker.solve.beliefs.policies import BlendPolicy, MixedPolicy, UniformPolicy
from liarspoker.solve.beliefs.positions import Moves, action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import counts_of, index_of

PLAYOUTS = 20
"""The number of playouts in a millisecond. It is fixed, so that a bot plays the same on every machine."""

MOST_MILLISECONDS = 10_000

GREED = 0.2
"""How much more an action must win, in units, to be played e times as often, relative to the network."""

_LIKELIEST = 8
_LEAST = 0.02
"""The number of actions that are played out, those that the network plays most often, and their least probability."""

_CARELESS = 0.05
"""The probability of an action at random, by which no action of the others is impossible."""

_CACHED = 64


@dataclass(frozen=True, slots=True)
class SearchBot:
    """A neural network that thinks.

    Where no network is trained, it plays as the bot does there.

    Attributes:
        name: the name of the bot whose network it is.
        milliseconds: how long it thinks about a decision, 20 playouts per millisecond. Reading a bid takes longer,
            about 40 ms.
        greed: see :data:`GREED`; 0 plays what won most.
    """

    name: str
    milliseconds: int
    greed: float = GREED
    _known: OrderedDict[tuple[Rules, int, Moves], Beliefs] = field(
        default_factory=OrderedDict, repr=False, compare=False
    )

    def __call__(self, view: DigitView, chance: Random) -> int:
        """Return an action drawn with its probability."""
        if not self.is_trained(view.rules):
            return self._bot(view, chance)
        chances = self._probabilities(view, chance)
        return chances[drawn([likely for _action, likely in chances], chance)][0]

    def is_trained(self, rules: Rules) -> bool:
        """Return whether there is a network for a table."""
        return self._bot.is_trained(rules)

    @property
    def _bot(self) -> DigitNetwork:
        return NETWORK_BOTS[self.name]

    def _probabilities(self, view: DigitView, chance: Random) -> ActionProbabilities:
        """Return the actions between which it chooses, with probabilities that depend on random playouts."""
        assert view.terms is not None
        table = replace(Table.of(view.game, view.rules.seats), rules=view.rules)
        beliefs = self._beliefs(table, view.terms.opener, view.moves)
        position, hand = beliefs.position, index_of(counts_of(number_of(view), view.rules))
        plays = NetworkPolicy(self._bot).row(position, hand)
        columns = [column for column in np.argsort(-plays)[:_LIKELIEST].tolist() if plays[column] >= _LEAST]
        actions = [action_at(column, view.rules) for column in columns]
        if len(actions) == 1:
            return ((actions[0], 1.0),)
        deals = max(1, PLAYOUTS * self.milliseconds // len(actions))
        numbers = dealt(beliefs, hand, deals, np.random.default_rng(chance.getrandbits(64)))
        won = play_out(table, position, actions, numbers, [self.name], chance.getrandbits(62)).mean(axis=1)
        if self.greed == 0.0:
            return ((actions[int(won.argmax())], 1.0),)
        better = plays[columns] * np.exp((won - won.max()) / self.greed)
        return tuple(zip(actions, (better / better.sum()).tolist(), strict=True))

    def _beliefs(self, table: Table, opener: int, moves: Moves) -> Beliefs:
        """Return the beliefs after some actions; the latest ones are kept."""
        key = table.rules, opener, moves
        if key in self._known:
            self._known.move_to_end(key)
        else:
            if moves:
                found = self._beliefs(table, opener, moves[:-1]).after(moves[-1][1], surprise="keep")
            else:
                found = Beliefs.at(table, [_policy(self.name)], opener)
            self._known[key] = found
            if len(self._known) > _CACHED:
                self._known.popitem(last=False)
        return self._known[key]


@lru_cache(8)
def _policy(name: str) -> MixedPolicy:
    """Return how the others play. All beliefs share it, since it keeps up to 130 MB of probabilities."""
    return BlendPolicy(((1 - _CARELESS, NetworkPolicy(NETWORK_BOTS[name])), (_CARELESS, UniformPolicy())))


@lru_cache(16)
def thinking(name: str, budget: str) -> SearchBot:
    """Return a bot that thinks, such as `champion` with `50ms`. It is the same object each time, and remembers beliefs.

    Raises:
        UnknownBot: it has no network, or the budget isn't a number of milliseconds.
    """
    if name not in NETWORK_BOTS:
        known = ", ".join(NETWORK_BOTS)
        raise UnknownBot(
            _("{name}:{budget}: only these bots can think: {known}", name=name, budget=budget, known=known)
        )
    found = re.fullmatch(r"([0-9]{1,5})ms", budget)
    if found is None or not 1 <= int(found[1]) <= MOST_MILLISECONDS:
        message = N_("{name}:{budget}: the time to think must be from 1ms to {most}ms, such as {name}:50ms")
        raise UnknownBot(_(message, name=name, budget=budget, most=MOST_MILLISECONDS))
    return SearchBot(name, int(found[1]))

"""The training loop: play, learn, measure, save; it can be interrupted and resumed at any time.

An update consists of parts. Each begins with the same weights, plays hands, and learns from them by itself; then the
mean of the results is taken. So parts can be computed on several machines, which exchange only what has been learned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import cos, pi
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from zipfile import BadZipFile

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.network import BadNetwork, Sizes, Style, Weights, network_file, shapes_of
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.network import Network, network_of
from liarspoker.engine.table import Table
from liarspoker.engine.totals import strength
from liarspoker.files import new_file
from liarspoker.train.learner import Learner, Minibatch, Settings, fresh, imitate, improve, value
from liarspoker.train.selfplay import Recorder, Sample, Temperaments, advantages, inputs_of, no_decisions

FIRST_SHARE = 0.7
"""The share of the hands that are played at the first of several tables."""

CRITIC_FIRST = 10
"""In a training that begins with the weights of another one, only the critic learns in this number of updates."""

MEASURED = 60_000
"""The number of hands in which a network's strength is measured."""

AGAINST_BOTS = Temperaments(0.0, 1.0, 0.5)
"""The temperaments in hands against other bots."""


class Plan(NamedTuple):
    """How to train.

    Attributes:
        seed: of all random numbers.
        hidden: the width of the layers.
        hands: the number of hands between two updates, in each part of an update.
        passes: how often each decision is learned from.
        minibatch: how many decisions a step learns from.
        trace: lambda of the advantage estimates.
        rate: the learning rate at the beginning; it falls to a hundredth of it.
        entropy: the weight of the entropy at the beginning and at the end, in units.
        bots: the names of the bots that the network also plays against.
        bot_share: the share of the hands that it does so.
        wild: the probability of a random bid in place of the network's.
        parts: the number of parts of an update.
        start: the file of the network with whose weights it begins; empty for random ones.
        temperaments: the lowest and the highest temperament in self-play.
        teachers: the files of networks that it imitates, instead of learning from what it wins.
    """

    seed: int = 1
    hidden: int = 48
    hands: int = 8192
    passes: int = 2
    minibatch: int = 1024
    trace: float = 0.9
    rate: float = 1.5e-3
    entropy: tuple[float, float] = (0.06, 0.03)
    bots: tuple[str, ...] = ("binomial", "bluffer")
    bot_share: float = 0.2
    wild: float = 0.04
    parts: int = 1
    start: str = ""
    temperaments: tuple[float, float] = (-1.0, 1.0)
    teachers: tuple[str, ...] = ()

    def rate_at(self, done: float) -> float:
        """Return the learning rate when a share of the time has passed, 0 or more; it stays the same from 1 on.

        >>> [round(Plan().rate_at(done), 6) for done in (0, 0.5, 1, 1.1)]
        [0.0015, 0.000758, 1.5e-05, 1.5e-05]
        """
        bend = (1 + cos(pi * min(1.0, done))) / 2
        return self.rate * (0.01 + 0.99 * bend)


class Progress(NamedTuple):
    """The state of a training after an update.

    Attributes:
        done: the share of the planned time that has passed, 0 to 1.
        seconds: how long it has trained, all sessions together.
        hands: the number of hands played.
        entropy: the mean entropy of a decision, in nats.
        error: the critic's mean squared error, in units squared.
        moved: the mean divergence of an update; with teachers, that from the mean of their policies.
    """

    done: float
    seconds: float
    hands: int
    entropy: float
    error: float
    moved: float


class Measured(NamedTuple):
    """What a network wins from a bot, in units per hand at stake 1, or in units per match."""

    game: str
    players: int
    temperament: float
    bot: str
    mean: float
    half_width: float


class Part(NamedTuple):
    """A part of an update.

    Attributes:
        learner: what has been learned, as NumPy arrays.
        hands: the number of hands played.
        facts: the mean entropy, the critic's mean squared error and the mean divergence, see `Progress`.
    """

    learner: Learner
    hands: int
    facts: tuple[float, float, float]


Spread = Callable[[Callable[[int], Part], int], Iterable[Part]]
"""Calls a function with 0 to n - 1, and yields the results in order."""


def in_turn(work: Callable[[int], Part], parts: int) -> Iterator[Part]:
    """Compute the parts of an update in this process, one after the other."""
    yield from map(work, range(parts))


def part_of_update(
    tables: tuple[Table, ...], plan: Plan, learner: Learner, number: int, done: float, part: int
) -> Part:
    """Compute a part of an update, which depends on nothing but the arguments.

    Args:
        tables: the tables.
        plan: how to train.
        learner: what has been learned so far.
        number: the number of the update, from 0.
        done: the share of the planned time that has passed.
        part: the number of the part, from 0.
    """
    chance = np.random.default_rng((plan.seed, number, part))
    hall = _hall(tables, plan)
    for array, weight in zip(hall.playing, learner.actor, strict=True):
        array[...] = np.asarray(weight)
    recorder = hall.recorders[int(np.searchsorted(_shares(tables), chance.random(), side="right"))]
    matches = plan.hands // max(1, recorder.table.most_rounds)
    bot = plan.bots[number % len(plan.bots)] if plan.bots else ""
    against = int(matches * plan.bot_share) if bot else 0
    seeds = [int(seed) for seed in chance.integers(1 << 62, size=2)]
    samples = [recorder.play(matches - against, seeds[0], (), Temperaments(*plan.temperaments))]
    if against:
        samples.append(recorder.play(against, seeds[1], (bot,), AGAINST_BOTS))
    prepared = [_prepared(sample, learner, plan.trace, hall.settings) for sample in samples]
    batch = Minibatch(*(np.concatenate(arrays) for arrays in zip(*prepared, strict=True)))
    learned, facts = _learn(learner, batch, plan, number, done, hall.settings, chance)
    return Part(jax.tree.map(np.asarray, learned), sum(sample.played for sample in samples), facts)


class _Hall(NamedTuple):
    """Where hands are played: the weights with which the recorders play, and the recorders of all tables."""

    settings: Settings
    playing: Network
    recorders: list[Recorder]


@lru_cache(maxsize=1)
def _hall(tables: tuple[Table, ...], plan: Plan) -> _Hall:
    """Return what a process keeps from one update to the next."""
    sizes = inputs_of(tables[0]).sizes(tables[0].rules)
    playing = Network(*(np.array(weight) for weight in fresh(sizes, 0, plan.hidden, plan.seed).actor))
    seats = max(table.rules.seats for table in tables)
    decisions = no_decisions(playing, sizes.items, plan.hands * 8 * seats)
    recorders = [Recorder(table, playing, decisions, plan.wild) for table in tables]
    return _Hall(Settings(sizes.items), playing, recorders)


def _shares(tables: Sequence[Table]) -> NDArray[np.float64]:
    """Return the sums of the shares of the hands at each table: the first one has most; those of matches are equal."""
    others = len(tables) - 1
    if tables[0].most_rounds:
        return np.cumsum([1 / len(tables)] * len(tables))
    return np.cumsum([FIRST_SHARE if others else 1.0, *[(1 - FIRST_SHARE) / max(1, others)] * others])


def _prepared(sample: Sample, learner: Learner, trace: float, settings: Settings) -> Minibatch:
    """Return all decisions of a sample with their advantages, which aren't estimated if there are teachers."""
    decisions, size = sample.decisions, 1 << 14
    values = np.zeros(sample.rounds.size, np.float32)
    for start in range(0, 0 if learner.teachers else values.size, size):
        part = slice(start, start + size)
        rows, secrets = decisions.features[part], sample.secrets[part]
        short = size - rows.shape[0]
        if short:
            rows = np.concatenate([rows, np.zeros((short, rows.shape[1]), np.float32)])
            secrets = np.concatenate([secrets, np.zeros((short, *secrets.shape[1:]), np.float32)])
        found = np.asarray(value(learner.critic, rows, secrets, settings.items))
        values[part] = found[: size - short]
    better, targets = advantages(sample, values, trace)
    chosen = decisions.columns, decisions.probabilities
    return Minibatch(decisions.features, sample.secrets, decisions.legal, *chosen, better, targets)


def _learn(
    learner: Learner, batch: Minibatch, plan: Plan, number: int, done: float, settings: Settings, chance: Any
) -> tuple[Learner, tuple[float, float, float]]:
    """Make the steps of a part of an update; return what has been learned, and the facts."""
    rate = plan.rate_at(done)
    entropy = plan.entropy[0] + (plan.entropy[1] - plan.entropy[0]) * min(1.0, done)
    size, decisions = plan.minibatch, batch.columns.shape[0]
    acts = jnp.float32(not plan.start or number >= CRITIC_FIRST)
    decay = 1 - 1 / max(1.0, min(number * 0.1, 200.0) * (plan.passes * decisions // size))
    facts = []
    for _ in range(plan.passes):
        for rows in chance.permutation(decisions)[: decisions // size * size].reshape(-1, size):
            some = Minibatch(*(array[rows] for array in batch))
            if learner.teachers:
                learner, fact = imitate(learner, some, jnp.float32(rate), jnp.float32(decay), settings)
            else:
                learner, fact = improve(
                    learner, some, jnp.float32(rate), jnp.float32(entropy), jnp.float32(decay), acts, settings
                )
            facts.append(fact)
    mean = np.mean(np.asarray(facts), axis=0) if facts else np.zeros(3)
    return learner, (float(mean[0]), float(mean[1]), float(mean[2]))


def begun_with(learner: Learner, place: str) -> Learner:
    """Return a learner with the weights of a network.

    Raises:
        UnknownBot: there is no such file.
        BadNetwork: it isn't a network with layers of these sizes.
    """
    weights, _ = network_file(place)
    wanted = {name: array.shape for name, array in learner.actor._asdict().items()}
    if {name: tuple(weights.shapes[name]) for name in wanted} != wanted:
        raise BadNetwork(f"{place}: its layers have other sizes; begin with a network for as many players and digits")
    actor = _as_jax(weights)
    return learner._replace(actor=actor, average=actor)


def teacher(place: str, sizes: Sizes) -> Network:
    """Return the weights of a network to imitate, whose layers may have any width.

    Raises:
        UnknownBot: there is no such file.
        BadNetwork: it isn't a network for these sizes.
    """
    weights, _ = network_file(place)
    hidden, *_ = (*weights.shapes["first_bias"], 0)
    if weights.shapes != shapes_of(sizes, hidden):
        raise BadNetwork(f"{place}: it is for other tables; a teacher is for as many players and digits")
    return _as_jax(weights)


def _as_jax(weights: Weights) -> Network:
    arrays: Any = map(jnp.array, network_of(weights))
    return Network(*arrays)


def _mean(*leaves: NDArray[Any]) -> NDArray[Any]:
    """Return the mean of the arrays that the parts of an update have learned; of a counter, the highest."""
    return max(leaves) if leaves[0].dtype.kind == "i" else np.mean(leaves, axis=0, dtype=leaves[0].dtype)


@dataclass
class Trainer:
    """A training of one network for tables with the same numbers of seats and digits.

    Attributes:
        tables: the tables, which differ in their options; hands are played at each in turn.
        plan: how to train.
        learner: the weights.
        seconds: how long it has trained.
        rounds: the number of updates.
        hands: the number of hands.
        curve: the state of the training once a minute.
    """

    tables: tuple[Table, ...]
    plan: Plan
    learner: Learner
    seconds: float = 0.0
    rounds: int = 0
    hands: int = 0
    curve: list[Progress] = field(default_factory=list)

    @classmethod
    def begin(cls, tables: Sequence[Table], plan: Plan) -> Trainer:
        """Return a training with random weights.

        Raises:
            CannotPlay: networks can't be trained for one of the tables, or one network can't play at all of them.
            UnknownBot: there is no file of the network to begin with, or of a teacher.
            BadNetwork: it isn't a network for these tables, or not one with layers of this width to begin with.
        """
        inputs, rules = inputs_of(tables[0]), tables[0].rules
        for table in tables:
            table.actions  # noqa: B018  # raises an error for a ladder without a top
            if inputs_of(table) is not inputs or inputs.about(table.rules) != inputs.about(rules):
                raise CannotPlay(f"{tables[0].game} and {table.game}: one network can't play both")
        sizes = inputs.sizes(rules)
        learner = fresh(sizes, inputs.secret_features(rules), plan.hidden, plan.seed)
        learner = learner._replace(teachers=tuple(teacher(place, sizes) for place in plan.teachers))
        return cls(tuple(tables), plan, begun_with(learner, plan.start) if plan.start else learner)

    def run(self, minutes: float, spread: Spread = in_turn) -> Iterator[Progress]:
        """Train until the time is up, and yield after every update.

        Args:
            minutes: the time, with that of earlier runs.
            spread: computes the parts of an update; by default in this process, one after the other.
        """
        begun, before = monotonic(), self.seconds
        while self.seconds < minutes * 60:
            learner, done = jax.tree.map(np.asarray, self.learner), self.seconds / (minutes * 60)
            work = partial(part_of_update, self.tables, self.plan, learner, self.rounds, done)
            parts = list(spread(work, self.plan.parts))
            self.learner = jax.tree.map(_mean, *(part.learner for part in parts))
            self.rounds += 1
            self.hands += sum(part.hands for part in parts)
            self.seconds = before + monotonic() - begun
            facts = np.mean([part.facts for part in parts], axis=0).tolist()
            now = Progress(min(1.0, self.seconds / (minutes * 60)), self.seconds, self.hands, *facts)
            if self.seconds >= 60 * len(self.curve):
                self.curve.append(now)
            yield now

    def network(self) -> Network:
        """Return the running average of the weights, which plays better than the latest ones."""
        return Network(*(np.asarray(weight) for weight in self.learner.average))

    def weights(self) -> Weights:
        """Return the network with the facts about its training, as it is written to a file."""
        rules, network = self.tables[0].rules, self.network()
        about = {
            **inputs_of(self.tables[0]).about(rules),
            "games": list(dict.fromkeys(table.game for table in self.tables)),
            "hands": self.hands,
            "seconds": round(self.seconds),
            "plan": self.plan._replace(
                start=Path(self.plan.start).name, teachers=tuple(Path(place).name for place in self.plan.teachers)
            )._asdict(),
        }
        shapes = {name: array.shape for name, array in network._asdict().items()}
        return Weights(
            about, shapes, {name: tuple(array.ravel().tolist()) for name, array in network._asdict().items()}
        )

    def save(self, path: Path) -> None:
        """Save everything that is needed to resume."""
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(self.learner)]
        about = {
            "seconds": self.seconds,
            "rounds": self.rounds,
            "hands": self.hands,
            "curve": self.curve,
            "training": self._identity(),
        }
        with new_file(path, overwrite=True) as file:
            arrays: dict[str, Any] = {f"leaf{number}": leaf for number, leaf in enumerate(leaves)}
            np.savez(file, about=np.array(json.dumps(about)), **arrays)

    def _identity(self) -> dict[str, Any]:
        """Return what must be equal to resume. The number of parts may change, as the processors of a cluster do."""
        tables = [[table.game, list(table.rules)] for table in self.tables]
        plan = {name: value for name, value in self.plan._asdict().items() if name != "parts"}
        return {"plan": plan, "tables": tables}

    def resume(self, path: Path) -> None:
        """Load what :meth:`save` has saved.

        Raises:
            BadNetwork: it isn't a checkpoint of the same training.
        """
        try:
            with np.load(path) as saved:
                about = json.loads(str(saved["about"]))
                leaves = [saved[f"leaf{number}"] for number in range(len(jax.tree.leaves(self.learner)))]
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise BadNetwork(f"{path}: it isn't a checkpoint; remove it to start again") from error
        if about["training"] != json.loads(json.dumps(self._identity())):
            raise BadNetwork(f"{path}: it is a checkpoint of another training; remove it, or choose another output")
        self.curve = [Progress(*row) for row in about["curve"]]
        self.learner = jax.tree.unflatten(jax.tree.structure(self.learner), [jnp.array(leaf) for leaf in leaves])
        self.seconds, self.rounds, self.hands = about["seconds"], about["rounds"], about["hands"]

    def measure(self, hands: int = MEASURED) -> list[Measured]:
        """Return what the network wins from each of the other bots, at the first table, or in matches at each."""
        network, inputs, seed = self.network(), inputs_of(self.tables[0]), self.plan.seed
        is_match = bool(self.tables[0].most_rounds)
        return [
            Measured(table.game, table.rules.seats, temperament, bot, *strength(table, policy, bot, number, seed))
            for table in (self.tables if is_match else self.tables[:1])
            for policies in [{one: inputs.policy(network, Style(one), table.rules) for one in (0.0, 0.2, 0.5, 0.8)}]
            for number in [hands // 20 if is_match else hands]
            for bot in self.plan.bots
            for temperament, policy in policies.items()
        ]

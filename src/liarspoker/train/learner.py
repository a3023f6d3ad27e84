"""Policy gradients: proximal policy optimization (Schulman and others, 2017) with entropy that depends on temperament.

The network that plays knows what its seat may know. The critic, which estimates the value of a decision during training
only, sees all hands, so its estimates have much less noise.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from liarspoker.bots.network import Sizes
from liarspoker.engine.network import Network

Arrays = Any
"""A JAX array."""


class Settings(NamedTuple):
    """Constants of the method.

    Attributes:
        items: the number of items.
        clip: how far a probability may move in one update, as a ratio minus 1.
        steepness: the weight of the entropy is divided by this for every unit of temperament.
    """

    items: int
    clip: float = 0.2
    steepness: float = 3.0


class Minibatch(NamedTuple):
    """Decisions, float32 `[n, ...]`, as in `liarspoker.train.selfplay`."""

    features: Arrays
    secrets: Arrays
    legal: Arrays
    columns: Arrays
    probabilities: Arrays
    better: Arrays
    targets: Arrays


class Learner(NamedTuple):
    """Everything that changes during training.

    Attributes:
        actor: the weights of the network that plays.
        critic: the weights of the network that estimates values.
        average: a running average of the actor's weights.
        state: the optimizer's.
        teachers: the weights of networks that the actor imitates; if there are none, it learns from what it wins.
    """

    actor: Network
    critic: Network
    average: Network
    state: Any
    teachers: tuple[Network, ...] = ()


def fresh(sizes: Sizes, secret: int, hidden: int, seed: int) -> Learner:
    """Return a learner with random weights.

    Args:
        sizes: the sizes of the network.
        secret: how many more features of an item the critic sees.
        hidden: the width of the layers.
        seed: of the weights.
    """
    chance = np.random.default_rng(seed)
    actor = _random(chance, sizes.item, sizes.table, hidden, sizes.choices, sizes.answers)
    critic = _random(chance, sizes.item + secret, sizes.table, hidden, 1, 1)
    return Learner(actor, critic, actor, _optimizer().init((actor, critic)))


def _random(chance: np.random.Generator, item: int, table: int, hidden: int, choices: int, answers: int) -> Network:
    def layer(*shape: int, scale: float = 1.0) -> Arrays:
        return jnp.array(chance.normal(size=shape) * scale / np.sqrt(shape[0]), jnp.float32)

    def bias(size: int) -> Arrays:
        return jnp.zeros(size, jnp.float32)

    return Network(
        layer(item, hidden),
        layer(table, hidden, scale=0.7),
        bias(hidden),
        layer(hidden, hidden),
        layer(table, hidden, scale=0.7),
        bias(hidden),
        layer(hidden, hidden),
        layer(hidden, hidden),
        bias(hidden),
        layer(hidden, choices, scale=0.1),
        bias(choices),
        layer(hidden, answers, scale=0.1),
        bias(answers),
    )


def _optimizer() -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(b1=0.9, b2=0.98, eps=1e-5))


def logits(weights: Network, items: Arrays, table: Arrays) -> tuple[Arrays, Arrays]:
    """Return the logits of the choices, `[n, items * choices]`, and of the answers, `[n, answers]`."""
    first = jax.nn.relu(items @ weights.item_first + (table @ weights.table_first + weights.first_bias)[:, None])
    middle = jax.nn.relu(
        first.mean(axis=1) @ weights.pooled_middle + table @ weights.table_middle + weights.middle_bias
    )
    second = jax.nn.relu(first @ weights.item_second + (middle @ weights.middle_second + weights.second_bias)[:, None])
    choices = second @ weights.item_choice + weights.choice_bias
    return choices.reshape(items.shape[0], -1), middle @ weights.middle_answer + weights.answer_bias


def _split(features: Arrays, items: int, table: int) -> tuple[Arrays, Arrays]:
    return features[:, : features.shape[1] - table].reshape(features.shape[0], items, -1), features[:, -table:]


def log_probabilities(weights: Network, features: Arrays, legal: Arrays, items: int) -> Arrays:
    """Return the logarithms of the probabilities of all columns; very negative for illegal ones."""
    rows, table = _split(features, items, weights.table_first.shape[0])
    found = jnp.concatenate(logits(weights, rows, table), axis=1)
    return jax.nn.log_softmax(jnp.where(legal, found, -1e9), axis=1)


def _value(critic: Network, features: Arrays, secrets: Arrays, items: int) -> Arrays:
    rows, table = _split(features, items, critic.table_first.shape[0])
    everything = jnp.concatenate([rows, secrets / 4], axis=2)
    return logits(critic, everything, table)[1][:, 0]


@partial(jax.jit, static_argnames="items")
def value(critic: Network, features: Arrays, secrets: Arrays, items: int) -> Arrays:
    """Return the critic's estimates, float32 `[n]`."""
    return _value(critic, features, secrets, items)


@partial(jax.jit, static_argnames="settings")
def improve(
    learner: Learner,
    batch: Minibatch,
    rate: Arrays,
    entropy: Arrays,
    decay: Arrays,
    acts: Arrays,
    settings: Settings,
) -> tuple[Learner, Arrays]:
    """Make one step on a minibatch.

    Args:
        learner: what to improve.
        batch: the decisions.
        rate: the learning rate.
        entropy: the weight of the entropy at temperament 0, in units.
        decay: how much of the running average is kept.
        acts: 1, or 0 if only the critic learns.
        settings: constants.

    Returns:
        The improved learner; the mean entropy, the critic's mean squared error, and the mean divergence from the policy
        that played.
    """

    def loss(both: tuple[Network, Network]) -> tuple[Arrays, Arrays]:
        actor, critic = both
        logs = log_probabilities(actor, batch.features, batch.legal, settings.items)
        disorder = -(jnp.exp(logs) * jnp.where(batch.legal, logs, 0.0)).sum(axis=1)
        chosen = jnp.take_along_axis(logs, batch.columns[:, None], axis=1)[:, 0]
        change = chosen - jnp.log(batch.probabilities)
        ratio = jnp.exp(change)
        bounded = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
        gain = jnp.minimum(ratio * batch.better, bounded * batch.better)
        weight = entropy * settings.steepness ** -batch.features[:, -1]
        error = jnp.square(_value(critic, batch.features, batch.secrets, settings.items) - batch.targets)
        total = acts * (-gain.mean() - (weight * disorder).mean()) + 0.5 * error.mean()
        return total, jnp.stack([disorder.mean(), error.mean(), (ratio - 1 - change).mean()])

    slopes, facts = jax.grad(loss, has_aux=True)((learner.actor, learner.critic))
    return _moved(learner, slopes, rate, decay), facts


@partial(jax.jit, static_argnames="settings")
def imitate(
    learner: Learner, batch: Minibatch, rate: Arrays, decay: Arrays, settings: Settings
) -> tuple[Learner, Arrays]:
    """Make one step towards the policy whose logits are the means of the teachers' logits.

    What is peculiar to one teacher, such as the mistakes of its training, mostly disappears in the mean.

    Args:
        learner: what to improve; the critic doesn't change.
        batch: the decisions; only their features and their legal actions are read.
        rate: the learning rate.
        decay: how much of the running average is kept.
        settings: constants.

    Returns:
        The improved learner; the mean entropy of the goal, 0 for the critic, and the mean divergence from the goal.
    """
    found = [log_probabilities(one, batch.features, batch.legal, settings.items) for one in learner.teachers]
    goal = jax.nn.log_softmax(sum(found) / len(found), axis=1)

    def behind(actor: Network) -> Arrays:
        logs = log_probabilities(actor, batch.features, batch.legal, settings.items)
        return (jnp.exp(goal) * jnp.where(batch.legal, goal - logs, 0.0)).sum(axis=1).mean()

    divergence, slopes = jax.value_and_grad(behind)(learner.actor)
    disorder = -(jnp.exp(goal) * jnp.where(batch.legal, goal, 0.0)).sum(axis=1).mean()
    still = jax.tree.map(jnp.zeros_like, learner.critic)
    return _moved(learner, (slopes, still), rate, decay), jnp.stack([disorder, jnp.zeros(()), divergence])


def _moved(learner: Learner, slopes: tuple[Network, Network], rate: Arrays, decay: Arrays) -> Learner:
    """Return a learner after a step against the slopes of the actor's and the critic's loss."""
    both = (learner.actor, learner.critic)
    steps, state = _optimizer().update(slopes, learner.state)
    actor, critic = jax.tree.map(lambda weight, step: weight - rate * step, both, steps)
    average = jax.tree.map(lambda old, new: decay * old + (1 - decay) * new, learner.average, actor)
    return learner._replace(actor=actor, critic=critic, average=average, state=state)

"""A small neural network that chooses an action, evaluated in compiled code.

The network compares a number of items, such as the digits in play. Each item has a row of features, and the table has
some as well. The same layers read every item; through an average over the items, each depends on all others:

    first  = relu(item features, table features)          for each item
    middle = relu(average of first, table features)
    second = relu(first, middle)                          for each item
    logits = (second, for each item and choice; middle, for each answer)

Probabilities are the softmax of the logits of the legal actions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.network import Weights as FileWeights
from liarspoker.engine.chance import Chance, random_float

Weights = NDArray[np.float32]
"""A float32 array."""


class Network(NamedTuple):
    """The weights: float32 `[inputs, outputs]` and biases `[outputs]`.

    Attributes:
        item_first, table_first, first_bias: the first layer.
        pooled_middle, table_middle, middle_bias: the layer of the average.
        item_second, middle_second, second_bias: the second layer.
        item_choice, choice_bias: the logits of an item's choices.
        middle_answer, answer_bias: the logits of the answers.
    """

    item_first: Weights
    table_first: Weights
    first_bias: Weights
    pooled_middle: Weights
    table_middle: Weights
    middle_bias: Weights
    item_second: Weights
    middle_second: Weights
    second_bias: Weights
    item_choice: Weights
    choice_bias: Weights
    middle_answer: Weights
    answer_bias: Weights


def network_of(weights: FileWeights) -> Network:
    """Return the weights that were read from a file as arrays."""
    arrays = {
        name: np.array(weights.numbers[name], np.float32).reshape(shape) for name, shape in weights.shapes.items()
    }
    return Network(**arrays)


class Buffers(NamedTuple):
    """Arrays that an evaluation writes to.

    Attributes:
        features: float32, those of all items, then those of the table.
        first: float32 `[items, hidden]`.
        hidden: float32 `[4, hidden]`.
        legal: bool `[columns]`, which actions are legal.
        probabilities: float64 `[columns]`: the choices of the first item, of the second, ..., and the answers.
    """

    features: Weights
    first: Weights
    hidden: Weights
    legal: NDArray[np.bool_]
    probabilities: NDArray[np.float64]


def buffers_for(network: Network, items: int) -> Buffers:
    """Return buffers for a network with a number of items. It isn't compiled."""
    item, hidden = network.item_first.shape
    columns = items * network.choice_bias.size + network.answer_bias.size
    return Buffers(
        np.zeros(items * item + network.table_first.shape[0], np.float32),
        np.zeros((items, hidden), np.float32),
        np.zeros((4, hidden), np.float32),
        np.zeros(columns, np.bool_),
        np.zeros(columns, np.float64),
    )


def evaluate(network: Network, buffers: Buffers) -> None:
    """Compute the probabilities of the actions from the features and the legal actions in the buffers."""
    items, hidden = buffers.first.shape
    item, choices, answers = network.item_first.shape[0], network.choice_bias.size, network.answer_bias.size
    table, features, found = items * item, buffers.features, buffers.probabilities
    shared, pooled, middle, second = buffers.hidden[0], buffers.hidden[1], buffers.hidden[2], buffers.hidden[3]
    _set(shared, network.first_bias)
    _set(middle, network.middle_bias)
    for place in range(network.table_first.shape[0]):
        one = features[table + place]
        if one != 0.0:
            _add(shared, one, network.table_first[place])
            _add(middle, one, network.table_middle[place])
    for unit in range(hidden):
        pooled[unit] = 0.0
    for number in range(items):
        row = buffers.first[number]
        _set(row, shared)
        for place in range(item):
            one = features[number * item + place]
            if one != 0.0:
                _add(row, one, network.item_first[place])
        for unit in range(hidden):
            row[unit] = max(row[unit], np.float32(0.0))
            pooled[unit] += row[unit]
    for unit in range(hidden):
        _add(middle, pooled[unit] / np.float32(items), network.pooled_middle[unit])
    _set(shared, network.second_bias)
    for unit in range(hidden):
        middle[unit] = max(middle[unit], np.float32(0.0))
        if middle[unit] != 0.0:
            _add(shared, middle[unit], network.middle_second[unit])
    for number in range(items):
        _set(second, shared)
        for unit in range(hidden):
            one = buffers.first[number, unit]
            if one != 0.0:
                _add(second, one, network.item_second[unit])
        for choice in range(choices):
            total = network.choice_bias[choice]
            for unit in range(hidden):
                total += max(second[unit], np.float32(0.0)) * network.item_choice[unit, choice]
            found[number * choices + choice] = total
    for place in range(answers):
        total = network.answer_bias[place]
        for unit in range(hidden):
            total += middle[unit] * network.middle_answer[unit, place]
        found[items * choices + place] = total
    _soften(found, buffers.legal)


def _set(out: Any, values: Any) -> None:
    for unit in range(out.size):
        out[unit] = values[unit]


def _add(out: Any, factor: Any, values: Any) -> None:
    for unit in range(out.size):
        out[unit] += factor * values[unit]


def _soften(found: Any, legal: Any) -> None:
    """Replace logits by probabilities."""
    most = -np.inf
    for column in range(found.size):
        if legal[column]:
            most = max(most, found[column])
    total = 0.0
    for column in range(found.size):
        found[column] = np.exp(found[column] - most) if legal[column] else 0.0
        total += found[column]
    for column in range(found.size):
        found[column] /= total


def draw(probabilities: Any, chance: Chance) -> int:
    """Return a column drawn with its probability."""
    left, last = random_float(chance), 0
    for column in range(probabilities.size):
        if probabilities[column] > 0.0:
            last = column
            left -= probabilities[column]
            if left < 0.0:
                break
    return last

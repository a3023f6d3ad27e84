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

SHARED, POOLED, MIDDLE, SECOND, FIRST_OF_TABLE, MIDDLE_OF_TABLE = range(6)
"""The rows of `Buffers.hidden`."""


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
        hidden: float32 `[6, hidden]`: what all items share, the sum of their first layers, the middle layer, and room.
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
        np.zeros((6, hidden), np.float32),
        np.zeros(columns, np.bool_),
        np.zeros(columns, np.float64),
    )


def evaluate(network: Network, buffers: Buffers) -> None:
    """Compute the probabilities of the actions from the features and the legal actions in the buffers."""
    second = buffers.hidden[SECOND]
    read_table(network, buffers, buffers.hidden[FIRST_OF_TABLE], buffers.hidden[MIDDLE_OF_TABLE])
    begin(buffers, buffers.hidden[FIRST_OF_TABLE], buffers.hidden[MIDDLE_OF_TABLE])
    for number in range(buffers.first.shape[0]):
        row = buffers.first[number]
        read_item(network, buffers, number, row)
        complete_first(buffers, row, row)
        add_to_pool(buffers, row)
    read_pool(network, buffers)
    for number in range(buffers.first.shape[0]):
        weigh_item(network, buffers.first[number], second)
        write_choices(network, buffers, number, second)
    write_probabilities(network, buffers)


def read_table(network: Network, buffers: Buffers, first: Any, middle: Any) -> None:
    """Write what the features of the table contribute to the first layer of all items, and to the middle layer.

    This function and the next ones are the steps of `evaluate`. Callers that evaluate many similar tables can skip
    steps whose results are known.
    """
    table = buffers.first.shape[0] * network.item_first.shape[0]
    _set(first, network.first_bias)
    _set(middle, network.middle_bias)
    for place in range(network.table_first.shape[0]):
        one = buffers.features[table + place]
        if one != 0.0:
            _add(first, one, network.table_first[place])
            _add(middle, one, network.table_middle[place])


def begin(buffers: Buffers, first: Any, middle: Any) -> None:
    """Begin an evaluation, given what the features of the table contribute, with an empty pool."""
    pooled = buffers.hidden[POOLED]
    _set(buffers.hidden[SHARED], first)
    _set(buffers.hidden[MIDDLE], middle)
    for unit in range(pooled.size):
        pooled[unit] = 0.0


def read_item(network: Network, buffers: Buffers, number: int, out: Any) -> None:
    """Write what the features of an item contribute to its first layer."""
    item = network.item_first.shape[0]
    for unit in range(out.size):
        out[unit] = 0.0
    for place in range(item):
        one = buffers.features[number * item + place]
        if one != 0.0:
            _add(out, one, network.item_first[place])


def complete_first(buffers: Buffers, read: Any, out: Any) -> None:
    """Write the first layer of an item, given what its features contribute."""
    shared = buffers.hidden[SHARED]
    for unit in range(out.size):
        out[unit] = max(read[unit] + shared[unit], np.float32(0.0))


def add_to_pool(buffers: Buffers, first: Any) -> None:
    """Add the first layer of an item to the pool, whose average is read later."""
    pooled = buffers.hidden[POOLED]
    for unit in range(pooled.size):
        pooled[unit] += first[unit]


def read_pool(network: Network, buffers: Buffers) -> None:
    """Compute the middle layer, when all items are in the pool, and what it contributes to the second layer."""
    shared, pooled, middle = buffers.hidden[SHARED], buffers.hidden[POOLED], buffers.hidden[MIDDLE]
    for unit in range(pooled.size):
        _add(middle, pooled[unit] / np.float32(buffers.first.shape[0]), network.pooled_middle[unit])
    _set(shared, network.second_bias)
    for unit in range(middle.size):
        middle[unit] = max(middle[unit], np.float32(0.0))
        if middle[unit] != 0.0:
            _add(shared, middle[unit], network.middle_second[unit])


def weigh_item(network: Network, first: Any, out: Any) -> None:
    """Write what the first layer of an item contributes to its second layer."""
    for unit in range(out.size):
        out[unit] = 0.0
    for unit in range(first.size):
        if first[unit] != 0.0:
            _add(out, first[unit], network.item_second[unit])


def write_choices(network: Network, buffers: Buffers, number: int, weighed: Any) -> None:
    """Write the logits of an item's choices."""
    shared, second, choices = buffers.hidden[SHARED], buffers.hidden[SECOND], network.choice_bias.size
    for unit in range(second.size):
        second[unit] = max(weighed[unit] + shared[unit], np.float32(0.0))
    for choice in range(choices):
        buffers.probabilities[number * choices + choice] = network.choice_bias[choice] + _product(
            second, network.item_choice[:, choice]
        )


def write_probabilities(network: Network, buffers: Buffers) -> None:
    """Complete an evaluation, when the logits of all items are written."""
    middle, found, answers = buffers.hidden[MIDDLE], buffers.probabilities, network.answer_bias.size
    for place in range(answers):
        total = network.answer_bias[place]
        for unit in range(middle.size):
            total += middle[unit] * network.middle_answer[unit, place]
        found[found.size - answers + place] = total
    _soften(found, buffers.legal)


def _set(out: Any, values: Any) -> None:
    for unit in range(out.size):
        out[unit] = values[unit]


def _add(out: Any, factor: Any, values: Any) -> None:
    for unit in range(out.size):
        out[unit] += factor * values[unit]


def _product(values: Any, weights: Any) -> Any:
    """Return the scalar product. Four sums are independent of each other, so the processor computes them together."""
    first, second, third, fourth = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
    whole = values.size // 4 * 4
    for unit in range(0, whole, 4):
        first += values[unit] * weights[unit]
        second += values[unit + 1] * weights[unit + 1]
        third += values[unit + 2] * weights[unit + 2]
        fourth += values[unit + 3] * weights[unit + 3]
    for unit in range(whole, values.size):
        first += values[unit] * weights[unit]
    return (first + second) + (third + fourth)


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

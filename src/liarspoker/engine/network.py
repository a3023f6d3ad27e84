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
from liarspoker.engine.lanes import write_layer, write_rectified_layer, write_rectified_sum

Weights = NDArray[np.float32]
"""A float32 array."""

POOLED, MIDDLE, SHARED, FIRST_OF_TABLE, MIDDLE_OF_TABLE, NOTHING = range(6)
"""The rows of `Buffers.hidden`."""


NEVER = np.float32(-1e30)
"""Less than any logit."""


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
        shares: float32 `[items]`, the weight of each item in the average.
        first, second: float32 `[items, hidden]`, the layers of the items.
        hidden: float32 `[6, hidden]`: the average of the items' first layers, the middle layer, what that contributes
            to the second layers, what the features of the table contribute to the first layers and to the middle layer,
            and zeros.
        logits: float32 `[columns]`.
        choices: float32 `[items, choices]`, the part of the logits for the choices of the items.
        answers: float32 `[answers]`, the part for the answers.
        actions: int64 `[columns]`, the action of each column: the choices of the first item, of the second, ..., and
            the answers.
        legal: bool `[columns]`, which of them are legal.
        probabilities: float64 `[columns]`, with which they are chosen.
        keys: int64 `[items]`; items with the same key have the same features, and those with -1 may have any.
        read: float32 `[keys, hidden]`, what the features of an item contribute to its first layer, by its key.
        is_read: bool `[keys]`, whether that is known. If it is, the features needn't be written.
    """

    features: Weights
    shares: Weights
    first: Weights
    second: Weights
    hidden: Weights
    logits: Weights
    choices: Weights
    answers: Weights
    actions: NDArray[np.int64]
    legal: NDArray[np.bool_]
    probabilities: NDArray[np.float64]
    keys: NDArray[np.int64]
    read: Weights
    is_read: NDArray[np.bool_]


def buffers_for(network: Network, items: int, keys: int = 0) -> Buffers:
    """Return buffers for a network with a number of items. It isn't compiled.

    Args:
        network: the network, whose weights don't change if there are keys.
        items: the number of items.
        keys: the number of keys by which the features of items are remembered.
    """
    item, hidden = network.item_first.shape
    choices, answers = network.choice_bias.size, network.answer_bias.size
    columns = items * choices + answers
    logits = np.zeros(columns, np.float32)
    return Buffers(
        np.zeros(items * item + network.table_first.shape[0], np.float32),
        np.full(items, 1 / items, np.float32),
        np.zeros((items, hidden), np.float32),
        np.zeros((items, hidden), np.float32),
        np.zeros((6, hidden), np.float32),
        logits,
        logits[: items * choices].reshape(items, choices),
        logits[items * choices :],
        np.zeros(columns, np.int64),
        np.zeros(columns, np.bool_),
        np.zeros(columns, np.float64),
        np.full(items, -1, np.int64),
        np.zeros((keys, hidden), np.float32),
        np.zeros(keys, np.bool_),
    )


def evaluate(network: Network, buffers: Buffers) -> None:
    """Compute the probabilities of the actions from the features and the legal actions in the buffers."""
    read_table(network, buffers)
    for number in range(buffers.first.shape[0]):
        row, key = buffers.first[number], buffers.keys[number]
        if key < 0:
            read_item(network, buffers, number, row)
        elif buffers.is_read[key]:
            row = buffers.read[key]
        else:
            read_item(network, buffers, number, buffers.read[key])
            buffers.is_read[key], row = True, buffers.read[key]
        write_rectified_sum(buffers.first[number], row, buffers.hidden[FIRST_OF_TABLE])
    read_pool(network, buffers)
    write_rectified_layer(buffers.second, buffers.hidden[SHARED], buffers.first, network.item_second)
    write_probabilities(network, buffers)


def read_table(network: Network, buffers: Buffers) -> None:
    """Write what the features of the table contribute to the first layer of all items, and to the middle layer.

    This function and the next ones are the steps of `evaluate`. Callers that evaluate many similar tables can skip
    steps whose results are known.
    """
    features = buffers.features[buffers.first.shape[0] * network.item_first.shape[0] :]
    write_layer(buffers.hidden[FIRST_OF_TABLE], network.first_bias, features, network.table_first)
    write_layer(buffers.hidden[MIDDLE_OF_TABLE], network.middle_bias, features, network.table_middle)


def read_item(network: Network, buffers: Buffers, number: int, out: Any) -> None:
    """Write what the features of an item contribute to its first layer."""
    item = network.item_first.shape[0]
    features = buffers.features[number * item : (number + 1) * item]
    write_layer(out, buffers.hidden[NOTHING], features, network.item_first)


def read_pool(network: Network, buffers: Buffers) -> None:
    """Compute the middle layer, when the first layers of all items are written, and its part of the second ones."""
    pooled, middle = buffers.hidden[POOLED], buffers.hidden[MIDDLE]
    write_layer(pooled, buffers.hidden[NOTHING], buffers.shares, buffers.first)
    write_rectified_layer(middle, buffers.hidden[MIDDLE_OF_TABLE], pooled, network.pooled_middle)
    write_layer(buffers.hidden[SHARED], network.second_bias, middle, network.middle_second)


def write_probabilities(network: Network, buffers: Buffers) -> None:
    """Complete an evaluation, when the second layers of all items are written."""
    write_layer(buffers.choices, network.choice_bias, buffers.second, network.item_choice)
    write_layer(buffers.answers, network.answer_bias, buffers.hidden[MIDDLE], network.middle_answer)
    soften(buffers.logits, buffers.legal, buffers.probabilities)


def soften(logits: Any, legal: Any, probabilities: Any) -> None:
    """Write the softmax of the logits of the legal actions, of which there must be one.

    Args:
        logits: float32 `[columns]`.
        legal: bool `[columns]`.
        probabilities: float64 `[columns]`, is written to; 0 for the other actions.
    """
    most, total = NEVER, 0.0
    for column in range(logits.size):
        most = max(most, logits[column] if legal[column] else NEVER)
    for column in range(logits.size):
        likely = _exponential(float(logits[column] - most))
        probabilities[column] = likely if legal[column] else 0.0
    for column in range(logits.size):
        total += probabilities[column]
    for column in range(logits.size):
        probabilities[column] /= total


def _exponential(exponent: float) -> float:
    """Return e to an exponent, which is limited to -80 to 0; the relative error is 2e-12 down to -10, and 4e-7 at -80.

    It is the 1,024th power of a short series. Compiled, several such numbers are computed at once; with `np.exp`, they
    aren't.
    """
    part = min(max(exponent, -80.0), 0.0) / 1024
    power = 1 + part * (1 + part * (1 / 2 + part * (1 / 6 + part * (1 / 24 + part / 120))))
    for _ in range(10):
        power *= power
    return power


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

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

AT_ONCE = 4
"""The number of rows of a matrix that are added, or of logits that are computed, at a time: a sum is loaded and stored
once for all of the rows, and an item's unit is computed once for all of the logits."""

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
        actions: int64 `[columns]`, the action of each column: the choices of the first item, of the second, ..., and
            the answers.
        legal: bool `[columns]`, which of them are legal.
        probabilities: float64 `[columns]`, with which they are chosen.
        places, values: int64 and float32, room for the numbers of a layer that aren't 0.
        keys: int64 `[items]`; items with the same key have the same features, and those with -1 may have any.
        read: float32 `[keys, hidden]`, what the features of an item contribute to its first layer, by its key.
        is_read: bool `[keys]`, whether that is known. If it is, the features needn't be written.
    """

    features: Weights
    first: Weights
    hidden: Weights
    actions: NDArray[np.int64]
    legal: NDArray[np.bool_]
    probabilities: NDArray[np.float64]
    places: NDArray[np.int64]
    values: Weights
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
    columns, table = items * network.choice_bias.size + network.answer_bias.size, network.table_first.shape[0]
    room = max(item, table, hidden)
    return Buffers(
        np.zeros(items * item + table, np.float32),
        np.zeros((items, hidden), np.float32),
        np.zeros((6, hidden), np.float32),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.bool_),
        np.zeros(columns, np.float64),
        np.zeros(room, np.int64),
        np.zeros(room, np.float32),
        np.full(items, -1, np.int64),
        np.zeros((keys, hidden), np.float32),
        np.zeros(keys, np.bool_),
    )


def evaluate(network: Network, buffers: Buffers) -> None:
    """Compute the probabilities of the actions from the features and the legal actions in the buffers."""
    second = buffers.hidden[SECOND]
    read_table(network, buffers, buffers.hidden[FIRST_OF_TABLE], buffers.hidden[MIDDLE_OF_TABLE])
    begin(buffers, buffers.hidden[FIRST_OF_TABLE], buffers.hidden[MIDDLE_OF_TABLE])
    for number in range(buffers.first.shape[0]):
        row, key = buffers.first[number], buffers.keys[number]
        if key < 0:
            read_item(network, buffers, number, row)
            complete_first(buffers, row, row)
        else:
            if not buffers.is_read[key]:
                read_item(network, buffers, number, buffers.read[key])
                buffers.is_read[key] = True
            complete_first(buffers, buffers.read[key], row)
        add_to_pool(buffers, row)
    read_pool(network, buffers)
    for number in range(buffers.first.shape[0]):
        if _has_choice(number, network, buffers):
            weigh_item(network, buffers, buffers.first[number], second)
            write_choices(network, buffers, number, second)
    write_probabilities(network, buffers)


def read_table(network: Network, buffers: Buffers, first: Any, middle: Any) -> None:
    """Write what the features of the table contribute to the first layer of all items, and to the middle layer.

    This function and the next ones are the steps of `evaluate`. Callers that evaluate many similar tables can skip
    steps whose results are known.
    """
    start = buffers.first.shape[0] * network.item_first.shape[0]
    number = _find(buffers.features[start : start + network.table_first.shape[0]], buffers)
    _set(first, network.first_bias)
    _add_rows(number, network.table_first, buffers, first)
    _set(middle, network.middle_bias)
    _add_rows(number, network.table_middle, buffers, middle)


def begin(buffers: Buffers, first: Any, middle: Any) -> None:
    """Begin an evaluation, given what the features of the table contribute, with an empty pool."""
    _set(buffers.hidden[SHARED], first)
    _set(buffers.hidden[MIDDLE], middle)
    _clear(buffers.hidden[POOLED])


def read_item(network: Network, buffers: Buffers, number: int, out: Any) -> None:
    """Write what the features of an item contribute to its first layer."""
    item = network.item_first.shape[0]
    _clear(out)
    _add_rows(_find(buffers.features[number * item : (number + 1) * item], buffers), network.item_first, buffers, out)


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
        pooled[unit] /= np.float32(buffers.first.shape[0])
    _add_rows(_find(pooled, buffers), network.pooled_middle, buffers, middle)
    for unit in range(middle.size):
        middle[unit] = max(middle[unit], np.float32(0.0))
    _set(shared, network.second_bias)
    _add_rows(_find(middle, buffers), network.middle_second, buffers, shared)


def weigh_item(network: Network, buffers: Buffers, first: Any, out: Any) -> None:
    """Write what the first layer of an item contributes to its second layer."""
    _clear(out)
    _add_rows(_find(first, buffers), network.item_second, buffers, out)


def write_choices(network: Network, buffers: Buffers, number: int, weighed: Any) -> None:
    """Write the logits of an item's choices."""
    shared, found, bias = buffers.hidden[SHARED], buffers.probabilities, network.choice_bias
    start, choices = number * bias.size, bias.size
    for choice in range(0, choices - AT_ONCE + 1, AT_ONCE):
        one, two, three, four = bias[choice], bias[choice + 1], bias[choice + 2], bias[choice + 3]
        for unit in range(shared.size):
            second, weights = max(weighed[unit] + shared[unit], np.float32(0.0)), network.item_choice[unit]
            one += second * weights[choice]
            two += second * weights[choice + 1]
            three += second * weights[choice + 2]
            four += second * weights[choice + 3]
        place = start + choice
        found[place], found[place + 1], found[place + 2], found[place + 3] = one, two, three, four
    for choice in range(choices // AT_ONCE * AT_ONCE, choices):
        total = bias[choice]
        for unit in range(shared.size):
            total += max(weighed[unit] + shared[unit], np.float32(0.0)) * network.item_choice[unit, choice]
        found[start + choice] = total


def write_probabilities(network: Network, buffers: Buffers) -> None:
    """Complete an evaluation, when the logits of all items are written."""
    middle, found, answers = buffers.hidden[MIDDLE], buffers.probabilities, network.answer_bias.size
    for place in range(answers):
        total = network.answer_bias[place]
        for unit in range(middle.size):
            total += middle[unit] * network.middle_answer[unit, place]
        found[found.size - answers + place] = total
    _soften(found, buffers.legal)


def _has_choice(item: int, network: Network, buffers: Buffers) -> bool:
    """Return whether a choice of an item is legal."""
    choices = network.choice_bias.size
    return bool(buffers.legal[item * choices : (item + 1) * choices].any())


def _set(out: Any, values: Any) -> None:
    for unit in range(out.size):
        out[unit] = values[unit]


def _clear(out: Any) -> None:
    for unit in range(out.size):
        out[unit] = 0.0


def _find(numbers: Any, buffers: Buffers) -> int:
    """Write the places and the values of the numbers that aren't 0 to the buffers; return how many there are.

    About half of the numbers are 0, in no order that a processor could predict, so there is no branch.
    """
    found, places, values = 0, buffers.places, buffers.values
    for place in range(numbers.size):
        places[found], values[found] = place, numbers[place]
        found += numbers[place] != 0.0
    return found


def _add_rows(number: int, weights: Any, buffers: Buffers, out: Any) -> None:
    """Add the rows of a matrix at the places that were found, times their values, four at a time."""
    places, values = buffers.places, buffers.values
    whole = number // AT_ONCE * AT_ONCE
    for at in range(0, whole, AT_ONCE):
        one, two, three, four = values[at], values[at + 1], values[at + 2], values[at + 3]
        first, second = weights[places[at]], weights[places[at + 1]]
        third, fourth = weights[places[at + 2]], weights[places[at + 3]]
        for unit in range(out.size):
            out[unit] += (one * first[unit] + two * second[unit]) + (three * third[unit] + four * fourth[unit])
    for at in range(whole, number):
        one, first = values[at], weights[places[at]]
        for unit in range(out.size):
            out[unit] += one * first[unit]


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

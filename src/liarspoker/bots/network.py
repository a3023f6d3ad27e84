"""Neural networks in plain Python: their files, and the probabilities of actions.

`liarspoker.engine.network` describes the network and evaluates it in compiled code; both give the same probabilities
up to rounding. Files have the safetensors format: the length of a JSON header as eight bytes, the header, and the
numbers, here of 16 bits each.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from math import exp, isfinite, prod
from operator import mul
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from liarspoker.bots.catalogue import UnknownBot
from liarspoker.core.errors import LiarsPokerError

Row = list[float]
"""A row of a matrix, or a bias."""

MATRICES = (
    "item_first",
    "table_first",
    "pooled_middle",
    "table_middle",
    "item_second",
    "middle_second",
    "item_choice",
    "middle_answer",
)
"""The names of the weights, `[inputs, outputs]`."""

BIASES = ("first_bias", "middle_bias", "second_bias", "choice_bias", "answer_bias")
"""The names of the biases, `[outputs]`."""


class Sizes(NamedTuple):
    """The sizes of what a network reads and writes.

    Attributes:
        items: the number of items that it compares.
        item: the number of features of each.
        table: the number of features of the table.
        choices: the number of choices of each item.
        answers: the number of answers.
    """

    items: int
    item: int
    table: int
    choices: int
    answers: int


def shapes_of(sizes: Sizes, hidden: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of a network whose layers have the width `hidden`."""
    matrices = (
        *((sizes.item, hidden), (sizes.table, hidden), (hidden, hidden), (sizes.table, hidden)),
        *((hidden, hidden), (hidden, hidden), (hidden, sizes.choices), (hidden, sizes.answers)),
    )
    biases = ((hidden,), (hidden,), (hidden,), (sizes.choices,), (sizes.answers,))
    return dict(zip(MATRICES + BIASES, matrices + biases, strict=True))


class Style(NamedTuple):
    """How a bot plays as a network.

    Attributes:
        temperament: from -1, hard to exploit, to 1, which wins more from weak players.
        heat: divides the logits: 1 plays as trained, more plays more at random, less more predictably; above 0.
        doubt: is added to the logit of every challenge and count: above 0 the bot challenges more often than trained.
        spread: how far the temperament of a hand may be from `temperament`; both ends are between -1 and 1.
    """

    temperament: float = 0.0
    heat: float = 1.0
    doubt: float = 0.0
    spread: float = 0.0


MOODS = 7
"""The number of different temperaments of a style with a spread."""


def mood(secret: int) -> int:
    """Return a number from 0 to 6 that is as good as random, but the same whenever the hand is the same.

    Args:
        secret: a number for what the player sees, 0 or more.
    """
    return secret % 9973 * MOODS // 9973


def temperament_of(style: Style, secret: int) -> float:
    """Return the temperament with which a player plays a hand.

    Nobody else knows the hand, so with a spread the others face a mixture of players, as in training.

    Args:
        style: the style.
        secret: a number for what the player sees, 0 or more.

    >>> [round(temperament_of(Style(0.1, spread=0.3), hand), 2) for hand in (0, 5000, 9000)]
    [-0.2, 0.1, 0.4]
    """
    return style.temperament + style.spread * (2 * mood(secret) / (MOODS - 1) - 1)


class BadNetwork(LiarsPokerError):
    """A file isn't a network, or one for another table."""

    code = "bad-network"


@dataclass(frozen=True, eq=False)
class Weights:
    """A network's weights, and for which tables it was trained.

    Attributes:
        about: facts about the training, by name, among them for which tables.
        shapes: the shape of each array.
        numbers: the numbers of each array, row by row.
    """

    about: Mapping[str, Any]
    shapes: Mapping[str, tuple[int, ...]]
    numbers: Mapping[str, tuple[float, ...]]

    @cached_property
    def rows(self) -> dict[str, list[Row]]:
        """The rows of each matrix."""
        found = {}
        for name, shape in self.shapes.items():
            width = shape[-1]
            numbers = self.numbers[name]
            found[name] = [list(numbers[start : start + width]) for start in range(0, len(numbers), width)]
        return found


@lru_cache(128)
def styled(weights: Weights, style: Style, challenge: int = 0) -> Weights:
    """Return the weights of a player with another style; temperaments are an input, and have no effect here.

    Args:
        weights: those of the network.
        style: the style.
        challenge: which of the answers is the challenge.
    """
    if style._replace(temperament=0.0, spread=0.0) == Style():
        return weights
    numbers = dict(weights.numbers)
    answers = [number + style.doubt * (place == challenge) for place, number in enumerate(numbers["answer_bias"])]
    numbers["answer_bias"] = tuple(answers)
    for name in ("item_choice", "choice_bias", "middle_answer", "answer_bias"):
        numbers[name] = tuple(number / style.heat for number in numbers[name])
    return Weights(weights.about, weights.shapes, numbers)


def read_network(raw: bytes, name: str) -> Weights:
    """Read a network.

    Args:
        raw: the contents of a file.
        name: its name, for errors.

    Raises:
        BadNetwork: it isn't a network.
    """
    try:
        start = 8 + int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8:start])
        about = json.loads(header.pop("__metadata__")["about"])
        shapes = {key: tuple(found["shape"]) for key, found in header.items()}
        numbers = {}
        for key, found in header.items():
            begin, end = found["data_offsets"]
            numbers[key] = struct.unpack(f"<{prod(shapes[key])}e", raw[start + begin : start + end])
        if set(shapes) != {*MATRICES, *BIASES}:
            raise BadNetwork(f"{name}: its arrays aren't those of a network of this program")
        if not all(map(isfinite, chain.from_iterable(numbers.values()))):
            raise BadNetwork(f"{name}: some of its numbers are infinite or undefined; train it again")
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, MemoryError, struct.error) as error:
        raise BadNetwork(f"{name}: it isn't a network of this program, as `liarspoker train` writes them") from error
    return Weights(about, shapes, numbers)


def numbers_in(text: str) -> tuple[float, ...]:
    """Return the numbers in a text such as `0.1` or `-0.4..0.5`; none if it is anything else."""
    try:
        return tuple(float(end) for end in text.split(".."))
    except ValueError:
        return ()


def are_temperaments(ends: Sequence[float]) -> bool:
    """Return whether one or two numbers are a temperament, or the lowest and the highest one."""
    return len(ends) in (1, 2) and -1 <= ends[0] <= ends[-1] <= 1


def network_file(place: str) -> tuple[Weights, Style | None]:
    """Read the network of a file that `liarspoker train` has written.

    Args:
        place: the file's path, which may be followed by `@` and a temperament, or by a range of them, as in `@-1..1`.

    Returns:
        The network, and the style with these temperaments, if there are any.

    Raises:
        UnknownBot: there is no such file.
        BadNetwork: it isn't a network, or the temperaments aren't between -1 and 1.
    """
    path, _, number = place.rpartition("@")
    ends = numbers_in(number) if path else ()
    path = path if ends else place
    if ends and not are_temperaments(ends):
        raise BadNetwork(f"{place}: temperaments are from -1 to 1, as in {path}@0.1 or {path}@-0.4..0.5")
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise UnknownBot(f"{path}: {error.strerror}; name a network's file, as `liarspoker train` writes it") from error
    style = Style((ends[0] + ends[-1]) / 2, spread=(ends[-1] - ends[0]) / 2) if ends else None
    return read_network(raw, path), style


def network_bytes(weights: Weights) -> bytes:
    """Return the contents of a network's file; `read_network` reads them."""
    sizes = {name: 2 * prod(shape) for name, shape in weights.shapes.items()}
    ends = list(accumulate(sizes.values()))
    header: dict[str, Any] = {"__metadata__": {"about": json.dumps(weights.about)}}
    for (name, size), end in zip(sizes.items(), ends, strict=True):
        header[name] = {"dtype": "F16", "shape": list(weights.shapes[name]), "data_offsets": [end - size, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(struct.pack(f"<{len(weights.numbers[name])}e", *weights.numbers[name]) for name in sizes)
    return len(text).to_bytes(8, "little") + text + data


def save_network(weights: Weights, path: Path) -> None:
    """Write a network to a file."""
    path.write_bytes(network_bytes(weights))


def probabilities_of(weights: Weights, features: Sequence[float], legal: Sequence[bool], items: int) -> Row:
    """Return the probability of each column, 0 for illegal ones; see `liarspoker.engine.network.Buffers`.

    Args:
        weights: the network's.
        features: those of all items, then those of the table.
        legal: which columns are legal.
        items: the number of items.
    """
    width = weights.shapes["item_first"][0]
    table = features[items * width :]
    shared = _layer(weights, "first_bias", ("table_first", table))
    first = [
        _relu(_plus(shared, weights.rows["item_first"], features[number * width : (number + 1) * width]))
        for number in range(items)
    ]
    pooled = [sum(units) / items for units in zip(*first, strict=True)]
    middle = _relu(_layer(weights, "middle_bias", ("table_middle", table), ("pooled_middle", pooled)))
    shared = _layer(weights, "second_bias", ("middle_second", middle))
    logits: Row = []
    choices = weights.shapes["choice_bias"][0]
    for row in first:
        if any(legal[len(logits) : len(logits) + choices]):
            second = _relu(_plus(shared, weights.rows["item_second"], row))
            logits += _layer(weights, "choice_bias", ("item_choice", second))
        else:
            logits += [0.0] * choices
    logits += _layer(weights, "answer_bias", ("middle_answer", middle))
    most = max(logit for logit, possible in zip(logits, legal, strict=True) if possible)
    odds = [exp(logit - most) if possible else 0.0 for logit, possible in zip(logits, legal, strict=True)]
    total = sum(odds)
    return [one / total for one in odds]


def _layer(weights: Weights, bias: str, *inputs: tuple[str, Sequence[float]]) -> Row:
    """Return a bias plus the products of inputs and matrices."""
    found = list(weights.numbers[bias])
    for name, values in inputs:
        found = _plus(found, weights.rows[name], values)
    return found


def _plus(start: Row, rows: list[Row], values: Sequence[float]) -> Row:
    """Return `start` plus a row vector times a matrix; zeros cost nothing."""
    used = [place for place, value in enumerate(values) if value]
    some = [values[place] for place in used]
    if not used:
        return start
    columns = zip(*(rows[place] for place in used), strict=True)
    return [total + sum(map(mul, some, column)) for total, column in zip(start, columns, strict=True)]


def _relu(values: Row) -> Row:
    return [value if value > 0.0 else 0.0 for value in values]


def drawn(probabilities: Sequence[float], chance: Random) -> int:
    """Return an index drawn with these probabilities, which sum to 1."""
    return chance.choices(range(len(probabilities)), probabilities)[0]

"""The file format of strategies.

In this order:

* 8 bytes: `89 4C 50 53 0D 0A 1A 0A`, a signature that line-ending conversion would break.
* 4 bytes: the format version, 1.
* 4 bytes: the length of the header in bytes.
* 8 bytes: the length of the whole file in bytes.
* The header, JSON: an object with `game`, `seats`, `options` (all of them, by name), `rules_version`, `shape` (rows and
  hands) and `training`.
* Zeros, up to the next multiple of 64 bytes.
* The table, row after row, in 32-bit floats.
* 32 bytes: the SHA-256 of all bytes before it.

All numbers are little-endian. The order of rows and hands is that of :mod:`liarspoker.solve.tree` and
:mod:`liarspoker.solve.hands`.

Nothing in a file is executed. Reading rejects a file that isn't exactly as it was written.
"""

from __future__ import annotations

import json
import os
import struct
from dataclasses import asdict
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption, BadSeats, UnknownGame
from liarspoker.engine.errors import BadStrategy, CannotPlay
from liarspoker.files import new_file
from liarspoker.games.digits.options import packed
from liarspoker.solve.hands import hands_in
from liarspoker.solve.strategy import Strategy, check_table, options_of
from liarspoker.solve.tree import rows_in

FORMAT = 1
"""The version of the file format."""
MAGIC = b"\x89LPS\r\n\x1a\n"
"""The first bytes of every strategy file."""

_PREFIX = struct.Struct("<8sIIQ")
_SUM = 32
_ALIGNED = 64
_FLOAT = np.dtype("<f4")

_CHUNK = 1 << 22
"""The size in bytes of the chunks that are read, written and hashed."""

MAPPED = 1 << 26
"""A table of this many bytes or more is memory-mapped instead of read."""


def write(strategy: Strategy, path: str | os.PathLike[str], overwrite: bool = True) -> None:
    """Write a strategy to a file. An existing file is replaced once everything is written.

    The table is written directly from memory, chunk by chunk, and never copied as a whole.

    Args:
        strategy: the strategy.
        path: the file.
        overwrite: replace an existing file.

    Raises:
        FileExists: the file exists, and `overwrite` is false.
        CannotWrite: it can't be written.
        TypeError: the training record can't be written as JSON.
    """
    header = _header(strategy)
    start = _aligned(_PREFIX.size + len(header))
    length = start + strategy.probabilities.nbytes + _SUM
    head = (_PREFIX.pack(MAGIC, FORMAT, len(header), length) + header).ljust(start, b"\0")
    with new_file(Path(path), overwrite) as file:
        _write_summed(file, head, strategy.probabilities)


def read(path: str | os.PathLike[str]) -> Strategy:
    """Read a strategy from a file. Don't change the file while the strategy is in use: a large table is memory-mapped.

    Raises:
        BadStrategy: the file doesn't exist, wasn't written by :func:`write`, is damaged or of a newer format, or is for
            other rules; the message begins with the path.
    """
    try:
        with Path(path).open("rb") as file:
            header, start = _checked(file)
            return _strategy(header, file, start)
    except OSError as error:
        raise BadStrategy(f"{path}: {error.strerror or error}") from error
    except (BadStrategy, CannotPlay, BadOption, BadSeats, UnknownGame) as error:
        raise BadStrategy(f"{path}: {error}") from error


def _header(strategy: Strategy) -> bytes:
    """Return everything except the table, as JSON."""
    described = {
        "game": strategy.game,
        "seats": strategy.seats,
        "options": asdict(strategy.options),
        "rules_version": strategy.rules_version,
        "shape": list(strategy.probabilities.shape),
        "training": dict(strategy.training),
    }
    return json.dumps(described, allow_nan=False).encode()


def _write_summed(file: IO[bytes], head: bytes, table: NDArray[np.float32]) -> None:
    """Write the head, the table and the checksum of both."""
    sums = sha256(head)
    file.write(head)
    step = _CHUNK // _FLOAT.itemsize
    numbers = table.reshape(-1)
    for begin in range(0, numbers.size, step):
        chunk = numbers[begin : begin + step].astype(_FLOAT, copy=False).data
        sums.update(chunk)
        file.write(chunk)
    file.write(sums.digest())


def _checked(file: IO[bytes]) -> tuple[dict[str, Any], int]:
    """Return the header, and where the table begins, of an undamaged file."""
    prefix = file.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size or not prefix.startswith(MAGIC):
        raise BadStrategy("it isn't a strategy file")
    _, form, header_length, length = _PREFIX.unpack(prefix)
    if form != FORMAT:
        raise BadStrategy(
            f"its format is {form}, but this version of liarspoker reads only {FORMAT}; update liarspoker"
        )
    present = os.fstat(file.fileno()).st_size
    if present != length:
        raise BadStrategy(f"it should have {length:,} bytes and has {present:,}; copy it again")
    start = _aligned(_PREFIX.size + header_length)
    if start + _SUM > length:
        raise BadStrategy("it is damaged: its header is longer than the file; copy it again")
    file.seek(0)
    sums, left = sha256(), length - _SUM
    while left:
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            raise BadStrategy("it was truncated while it was read")
        sums.update(chunk)
        left -= len(chunk)
    if file.read(_SUM) != sums.digest():
        raise BadStrategy("it is damaged: its checksum is not that of its bytes; copy it again")
    file.seek(_PREFIX.size)
    return _header_in(file.read(header_length)), start


def _header_in(text: bytes) -> dict[str, Any]:
    """Return the header's object."""
    try:
        return dict(json.loads(text))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadStrategy("its header isn't a JSON object") from error


def _strategy(header: dict[str, Any], file: IO[bytes], start: int) -> Strategy:
    """Return the strategy of an undamaged file, which must be for the rules of this version."""
    try:
        game, seats, named = str(header["game"]), int(header["seats"]), dict(header["options"])
        version, training = int(header["rules_version"]), dict(header["training"])
        shape = tuple(header["shape"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadStrategy(f"its header is not that of a strategy ({error!r})") from error
    now = catalogue.preset(game).rules_version
    if version != now:
        raise BadStrategy(
            f"it is for version {version} of the rules of {game}; the current version is {now}; solve the game again"
        )
    options = options_of(game, seats, named)
    rules = packed(options, seats)
    expected = (rows_in(rules), hands_in(rules))
    if shape != expected or os.fstat(file.fileno()).st_size != start + prod(expected) * _FLOAT.itemsize + _SUM:
        raise BadStrategy(f"the shape of its table is {shape}; for its rules it is {expected}")
    table = _table(file, start, expected)
    check_table(table, rules)
    return Strategy(game, options, seats, version, table, training)


def _table(file: IO[bytes], start: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return the table, read-only; a large one is memory-mapped."""
    if prod(shape) * _FLOAT.itemsize >= MAPPED:
        return np.memmap(file, _FLOAT, "r", start, shape).view(np.ndarray)
    file.seek(start)
    table = np.fromfile(file, _FLOAT, prod(shape)).reshape(shape).astype(np.float32, copy=False)
    table.flags.writeable = False
    return table


def _aligned(length: int) -> int:
    """Return the next multiple of 64, where the table begins."""
    return -(-length // _ALIGNED) * _ALIGNED

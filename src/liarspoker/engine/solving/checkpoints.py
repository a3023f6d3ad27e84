"""The state of an unfinished solution in a file, so that it can go on after a stop.

In this order: 8 bytes that mark the file; the length of the header, 8 bytes, lowest first; the header, JSON; the
arrays, as they lie in memory; and the CRC-32 of all that stands before it, 4 bytes. A checkpoint is for the machine and
the version that wrote it; a strategy file is what lasts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from liarspoker.core import catalogue
from liarspoker.engine.errors import CannotSolve
from liarspoker.engine.solving.solver import Solver
from liarspoker.files import new_file

_MARK = b"\x89LPC\r\n\x1a\n"
_CHUNK = 1 << 24


def save(solver: Solver, record: dict[str, Any], path: Path) -> None:
    """Write a solver's state; what stood there before is replaced once all is written.

    Args:
        solver: between two iterations.
        record: what else is to be kept; what JSON can write.
        path: of the file.

    Raises:
        CannotWrite: it can't be written.
    """
    header = json.dumps({**_identity(solver), "iterations": solver.iterations, "record": record}).encode()
    with new_file(path, overwrite=True) as file:
        head = _MARK + len(header).to_bytes(8, "little") + header
        file.write(head)
        total = crc32(head)
        for array in solver.arrays().values():
            for chunk in _chunks(array):
                total = crc32(chunk, total)
                file.write(chunk)
        file.write(total.to_bytes(4, "little"))


def load(solver: Solver, path: Path) -> dict[str, Any]:
    """Put a solver into the state that a file holds.

    Args:
        solver: a new one, for the same rules and algorithm.
        path: of the file.

    Returns:
        What else was kept.

    Raises:
        CannotSolve: it cannot be read, is no checkpoint or damaged, or belongs to other rules, another algorithm or
            another version; the solver must not be used then.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(_MARK) + 8)
            if not head.startswith(_MARK) or len(head) < len(_MARK) + 8:
                raise CannotSolve(f"{path}: it is no checkpoint of the solver; delete it, or name another file")
            length = int.from_bytes(head[len(_MARK) :], "little")
            text = file.read(min(length, os.fstat(file.fileno()).st_size))
            header = _header(text, path)
            if any(header.get(name) != value for name, value in _identity(solver).items()):
                raise CannotSolve(f"{path}: it is a checkpoint of another solution; delete it, or name another file")
            total = crc32(text, crc32(head))
            for array in solver.arrays().values():
                for chunk in _chunks(array):
                    if file.readinto(chunk) != chunk.nbytes:
                        raise CannotSolve(f"{path}: the checkpoint is cut short; delete it to begin anew")
                    total = crc32(chunk, total)
            if file.read() != total.to_bytes(4, "little"):
                raise CannotSolve(f"{path}: the checkpoint is damaged; delete it to begin anew")
    except OSError as error:
        raise CannotSolve(f"{path}: {error.strerror or error}") from error
    solver.iterations = int(header["iterations"])
    record: dict[str, Any] = header["record"]
    return record


def _identity(solver: Solver) -> dict[str, Any]:
    """What a checkpoint must have in common with the solver that goes on from it."""
    versions = [[row.id, row.rules_version] for row in catalogue.GAMES if row.family == "digits"]
    return {
        "rules": list(solver.rules),
        "rules_versions": versions,
        "algorithm": repr(solver.algorithm),
        "rows": solver.layout.rows,
        "roots": crc32(solver.layout.roots.tobytes()),
    }


def _header(text: bytes, path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except (TypeError, ValueError) as error:
        raise CannotSolve(f"{path}: the checkpoint is damaged; delete it to begin anew") from error


def _chunks(array: np.ndarray[Any, Any]) -> list[memoryview]:
    """The bytes of an array, in order, as views of some megabytes each."""
    numbers = array.reshape(-1).view(np.uint8)
    return [numbers[begin : begin + _CHUNK].data for begin in range(0, numbers.size, _CHUNK)]

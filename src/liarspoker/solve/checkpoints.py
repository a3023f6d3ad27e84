"""Save and load the state of an unfinished solution, so that it can be resumed.

A checkpoint is an `.npz` archive without pickled objects: `header`, which is JSON as bytes, and the solver's arrays. It
can be read only on the same kind of machine by the same version; use a strategy file for permanent storage.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from liarspoker.engine.errors import CannotSolve
from liarspoker.files import new_file
from liarspoker.games.digits.presets import presets
from liarspoker.solve.solver import Solver

_ZIP = b"PK\x03\x04"

_HEADER = "header.npy"

_AT_ONCE = 1 << 16
"""The number of bytes that are read at once."""

_FLOATS = np.dtype(np.float32).str


def save(solver: Solver, record: dict[str, Any], path: Path) -> None:
    """Write a solver's state. An existing file is replaced once everything is written.

    Args:
        solver: a solver between two iterations.
        record: JSON values to save with it.
        path: the file.

    Raises:
        CannotWrite: it can't be written.
    """
    header = json.dumps({**_identity(solver), "iterations": solver.iterations, "record": record}).encode()
    rows, width = sum(solver.block_rows), solver.width
    kind: dict[str, Any] = {"descr": _FLOATS, "fortran_order": False, "shape": (rows, width)}
    with new_file(path, overwrite=True) as file, ZipFile(file, "w") as archive:
        with archive.open(_HEADER, "w") as member:
            np.lib.format.write_array(member, np.frombuffer(header, np.uint8))
        for name in solver.array_names:  # block by block, since they may be in other processes
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array_header_1_0(member, kind)
                for number in range(len(solver.block_rows)):
                    member.write(np.ascontiguousarray(solver.block(number, name)).reshape(-1).view(np.uint8).data)


def load(solver: Solver, path: Path) -> dict[str, Any]:
    """Restore a solver from a file.

    Args:
        solver: a new solver, for the same rules and algorithm.
        path: the file.

    Returns:
        The record that was saved with it.

    Raises:
        CannotSolve: the file can't be read, isn't a checkpoint or is damaged, or belongs to other rules, another
            algorithm or another version.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_ZIP)) != _ZIP:
                raise CannotSolve(f"{path}: it isn't a checkpoint of the solver; delete it, or choose another file")
            file.seek(0)
            with ZipFile(file) as archive:
                header: dict[str, Any] = json.loads(np.lib.format.read_array(archive.open(_HEADER)).tobytes())
                for (name, value), other in zip(_identity(solver).items(), _OTHERS, strict=True):
                    if header.get(name) != value:
                        raise CannotSolve(f"{path}: it is a checkpoint {other}; delete it, or choose another file")
                for name in solver.array_names:
                    with archive.open(f"{name}.npy") as member:
                        _read_blocks(solver, name, member)
    except OSError as error:
        raise CannotSolve(f"{path}: {error.strerror or error}") from error
    except (BadZipFile, EOFError, KeyError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        raise CannotSolve(f"{path}: the checkpoint is damaged or incomplete; delete it to start again") from error
    solver.iterations = int(header["iterations"])
    record: dict[str, Any] = header["record"]
    return record


def _read_blocks(solver: Solver, name: str, member: IO[bytes]) -> None:
    """Read an array of a checkpoint into a solver.

    Raises:
        ValueError: it isn't an array of this size.
    """
    np.lib.format.read_magic(member)
    shape, _is_fortran, kind = np.lib.format.read_array_header_1_0(member)
    if (shape, kind.str) != ((sum(solver.block_rows), solver.width), _FLOATS):
        raise ValueError(f"{name}: it has another size")
    for number, rows in enumerate(solver.block_rows):
        block = np.empty((rows, solver.width), np.float32)
        raw = block.reshape(-1).view(np.uint8)
        for begun in range(0, raw.size, _AT_ONCE):
            wanted = raw[begun : begun + _AT_ONCE]
            piece = np.frombuffer(member.read(wanted.size), np.uint8)
            if piece.size != wanted.size:
                raise ValueError(f"{name}: it is too short")
            wanted[:] = piece
        solver.set_block(number, name, block)
    if member.read(1):
        raise ValueError(f"{name}: it is too long")


_LATE = 1000
"""The iteration whose parameters show that a version computes as another one does."""

_OTHERS = (
    "of a solution with other rules",
    "by another version of the rules",
    "of a solution with another algorithm",
    "by another version of the solver",
    "by another version of the solver",
    "by another version of the solver",
)
"""What a checkpoint is instead, for each entry of :func:`_identity`."""


def _identity(solver: Solver) -> dict[str, Any]:
    """Return what a checkpoint must have in common with the solver that resumes it."""
    versions = [[row.id, row.rules_version] for row in presets().values()]
    return {
        "rules": list(solver.rules),
        "rules_versions": versions,
        "algorithm": repr(solver.algorithm),
        "late_step": [float(number) for number in solver.algorithm.step(_LATE)],
        "rows": solver.layout.rows,
        "roots": zlib.crc32(solver.layout.roots.tobytes()),
    }

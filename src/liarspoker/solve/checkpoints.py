"""The state of an unfinished solution in a file, so that it can go on after a stop.

A checkpoint is an `.npz` archive without pickled objects: `header`, JSON as bytes, and the solver's arrays. It is for
the machine and the version that wrote it; a strategy file is what lasts.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from liarspoker.engine.errors import CannotSolve
from liarspoker.files import new_file
from liarspoker.games.digits.presets import presets
from liarspoker.solve.solver import Solver

_ZIP = b"PK\x03\x04"


def save(solver: Solver, record: dict[str, Any], path: Path) -> None:
    """Write a solver's state; a file of this name is replaced once all is written.

    Args:
        solver: between two iterations.
        record: what else is to be saved; JSON values.
        path: of the file.

    Raises:
        CannotWrite: it can't be written.
    """
    header = json.dumps({**_identity(solver), "iterations": solver.iterations, "record": record}).encode()
    with new_file(path, overwrite=True) as file:
        arrays: dict[str, Any] = {"header": np.frombuffer(header, np.uint8), **solver.arrays()}
        np.savez(file, **arrays)


def load(solver: Solver, path: Path) -> dict[str, Any]:
    """Put a solver into the state that a file holds.

    Args:
        solver: a new one, for the same rules and algorithm.
        path: of the file.

    Returns:
        What else was saved.

    Raises:
        CannotSolve: it can't be read, isn't a checkpoint or is damaged, or belongs to other rules, another algorithm or
            another version.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_ZIP)) != _ZIP:
                raise CannotSolve(f"{path}: it is no checkpoint of the solver; delete it, or name another file")
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                header: dict[str, Any] = json.loads(archive["header"].tobytes())
                if any(header[name] != value for name, value in _identity(solver).items()):
                    raise CannotSolve(
                        f"{path}: it is a checkpoint of another solution; delete it, or name another file"
                    )
                arrays = {name: archive[name] for name in solver.arrays()}
    except OSError as error:
        raise CannotSolve(f"{path}: {error.strerror or error}") from error
    except (BadZipFile, EOFError, KeyError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        raise CannotSolve(f"{path}: the checkpoint is damaged or cut short; delete it to begin anew") from error
    solver.restore(int(header["iterations"]), arrays)
    record: dict[str, Any] = header["record"]
    return record


def _identity(solver: Solver) -> dict[str, Any]:
    """What a checkpoint must have in common with the solver that goes on from it."""
    versions = [[row.id, row.rules_version] for row in presets().values()]
    return {
        "rules": list(solver.rules),
        "rules_versions": versions,
        "algorithm": repr(solver.algorithm),
        "rows": solver.layout.rows,
        "roots": zlib.crc32(solver.layout.roots.tobytes()),
    }

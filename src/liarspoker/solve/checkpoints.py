"""Save and load the state of an unfinished solution, so that it can be resumed.

A checkpoint is an `.npz` archive without pickled objects: `header`, which is JSON as bytes, and the solver's arrays. It
can be read only on the same kind of machine by the same version; use a strategy file for permanent storage.
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
    """Write a solver's state. An existing file is replaced once everything is written.

    Args:
        solver: a solver between two iterations.
        record: JSON values to save with it.
        path: the file.

    Raises:
        CannotWrite: it can't be written.
    """
    header = json.dumps({**_identity(solver), "iterations": solver.iterations, "record": record}).encode()
    with new_file(path, overwrite=True) as file:
        arrays: dict[str, Any] = {"header": np.frombuffer(header, np.uint8), **solver.arrays()}
        np.savez(file, **arrays)


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
            with np.load(file, allow_pickle=False) as archive:
                header: dict[str, Any] = json.loads(archive["header"].tobytes())
                if any(header[name] != value for name, value in _identity(solver).items()):
                    raise CannotSolve(
                        f"{path}: it is a checkpoint of another solution; delete it, or choose another file"
                    )
                arrays = {name: archive[name] for name in solver.array_names}
    except OSError as error:
        raise CannotSolve(f"{path}: {error.strerror or error}") from error
    except (BadZipFile, EOFError, KeyError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        raise CannotSolve(f"{path}: the checkpoint is damaged or incomplete; delete it to start again") from error
    solver.restore(int(header["iterations"]), arrays)
    record: dict[str, Any] = header["record"]
    return record


def _identity(solver: Solver) -> dict[str, Any]:
    """Return what a checkpoint must have in common with the solver that resumes it."""
    versions = [[row.id, row.rules_version] for row in presets().values()]
    return {
        "rules": list(solver.rules),
        "rules_versions": versions,
        "algorithm": repr(solver.algorithm),
        "rows": solver.layout.rows,
        "roots": zlib.crc32(solver.layout.roots.tobytes()),
    }

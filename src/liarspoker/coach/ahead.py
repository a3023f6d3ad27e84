"""Compile the playouts of a review in a process of their own, while the review compiles what it needs first.

Python compiles on one core only, and on a new machine the playouts take nearly as long as everything before them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from subprocess import DEVNULL, Popen

import numpy as np

from liarspoker.engine.table import Table
from liarspoker.solve.beliefs.playouts import lack_code, play_out
from liarspoker.solve.beliefs.positions import Position


@contextmanager
def playouts_compiled(
    table: Table, options: Mapping[str, object], models: Sequence[str]
) -> Iterator[Popen[bytes] | None]:
    """Compile the playouts of each model in another process while the block runs, unless they are compiled already.

    A call that needs one of them before it is compiled waits for it.

    Args:
        table: the table.
        options: those of its options that differ from the game's own.
        models: the names of bots.

    Yields:
        The process; `None` if there is nothing to compile, or only one processor core.
    """
    missing = [model for model in models if lack_code(table, [model])]
    if not missing or (os.cpu_count() or 1) < 2:
        yield None
        return
    task = json.dumps([table.game, table.rules.seats, options, missing])
    # -P: don't import modules from the current folder. What goes wrong there goes wrong here too, with a message.
    command = (sys.executable, "-P", "-m", __name__, task)
    try:
        process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    except OSError:  # it only takes longer without
        yield None
        return
    with process:
        try:
            yield process
        finally:
            process.terminate()


def main() -> None:
    """Play a hand out with each model, which compiles the playouts."""
    game, seats, options, models = json.loads(sys.argv[1])
    table = Table.of(game, seats, options, from_slips=False)
    position = Position.at(table)
    for model in models:
        play_out(table, position, [0], np.zeros((1, seats), np.int64), [model], seed=1)


if __name__ == "__main__":
    main()

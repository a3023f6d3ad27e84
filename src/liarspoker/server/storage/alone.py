"""One server a name: two of one name on a file of SQLite would take every table from each other all the time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from liarspoker.server.storage.errors import BadPlace
from liarspoker.server.storage.place import sqlite_path


@contextmanager
def alone(url: str, node: str) -> Iterator[None]:
    """Be the only server called `node` on the file of SQLite at `url`; the system lets go however the process ends.

    Raises:
        BadPlace: another server is called so.
    """
    path = sqlite_path(url)
    if path is None or sys.platform == "win32":
        yield
        return
    import fcntl

    with path.with_name(f"{path.name}.{quote(node, safe='')}.lock").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            told = f"{path}: another server called {node} uses it; stop that one, or give another folder"
            raise BadPlace(told) from error
        yield

"""One server a name on a file of SQLite, by a lock that the system releases however the process ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from liarspoker.server.storage.errors import BadPlace, NameTaken
from liarspoker.server.storage.place import REMEDY, sqlite_path
from liarspoker.server.storage.private import make_private, tighten


@contextmanager
def alone(url: str, node: str) -> Iterator[bool]:
    """Be the only server called `node` on the file of SQLite at `url`.

    Yields:
        Whether that is certain; false for a database server, and on Windows.

    Raises:
        NameTaken: another server is called so.
        BadPlace: the file beside the database that says so cannot be made.
    """
    path = sqlite_path(url)
    if path is None or sys.platform == "win32":
        yield False
        return
    import fcntl

    lock = path.with_name(f"{path.name}.{quote(node, safe='')}.lock")
    try:
        make_private(lock)
        tighten(lock)
        held = lock.open("w")
    except OSError as error:
        raise BadPlace(f"{lock}: {error.strerror or error}; {REMEDY}") from error
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise NameTaken(node) from error
        yield True

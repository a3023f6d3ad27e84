"""Files that their owner alone can read: whoever reads the database or the key may read hands."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MODE = 0o600


def make_private(path: Path) -> None:
    """Make an empty file at `path`, unless there is something already.

    What is there is not even opened: closing a file that SQLite has open in this process would end its locks.

    Raises:
        OSError: there is nothing, and a file cannot be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))


def tighten(path: Path) -> None:
    """Close the file at `path` to everybody but its owner, if there is one and it is ours.

    SQLite gives new files beside a database the mode of the database.
    """
    with suppress(FileNotFoundError, PermissionError):
        if path.is_file() and path.stat().st_mode & 0o077:
            path.chmod(MODE)

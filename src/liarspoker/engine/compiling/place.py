"""Where machine code is kept between starts, and how it is thrown away."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from time import time

PLACE = "LIARSPOKER_CACHE"
"""The environment variable that names another folder."""

_UNUSED_DAYS = 30


def cache_folder() -> Path:
    """The folder of all that is kept: `$LIARSPOKER_CACHE/compiled`, or one in the user's folder for caches."""
    from platformdirs import user_cache_path

    chosen = os.environ.get(PLACE)
    return (Path(chosen) if chosen else user_cache_path("liarspoker", appauthor=False)) / "compiled"


def folder_of(key: str) -> Path:
    """The folder for what has this key; it is there after the call, and counts as used today.

    Raises:
        OSError: it cannot be made.
    """
    folder = cache_folder() / key
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _forget_the_unused(folder.parent)
    os.utime(folder)
    return folder


def _forget_the_unused(parent: Path) -> None:
    """Remove what no start has used for a month: other versions of the rules, numba or Python left it."""
    oldest = time() - _UNUSED_DAYS * 86_400
    for folder in parent.iterdir():
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)

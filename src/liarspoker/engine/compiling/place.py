"""Where machine code and other results are cached between starts, and how they are removed."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from time import time

PLACE = "LIARSPOKER_CACHE"
"""The environment variable that names another folder."""

_UNUSED_DAYS = 30


def cache_folder(kind: str = "compiled") -> Path:
    """The folder of all that is cached: `$LIARSPOKER_CACHE/compiled`, or one in the user's folder for caches.

    Args:
        kind: what is cached: `compiled` for machine code, `strategies` for solutions that nobody gave a name.
    """
    from platformdirs import user_cache_path

    chosen = os.environ.get(PLACE)
    return (Path(chosen) if chosen else user_cache_path("liarspoker", appauthor=False)) / kind


def folder_of(key: str, kind: str = "compiled") -> Path:
    """The folder for what has this key; it is there after the call, and counts as used today.

    Args:
        key: the name of the folder.
        kind: as for `cache_folder`.

    Raises:
        OSError: it cannot be made.
    """
    folder = cache_folder(kind) / key
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

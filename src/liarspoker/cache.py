"""Where compiled code and other results are cached between starts, and how old ones are removed."""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from time import time

CACHE_VARIABLE = "LIARSPOKER_CACHE"
"""The environment variable that names another folder."""

_UNUSED_DAYS = 30


def cache_folder(kind: str = "compiled") -> Path:
    """Return the folder of everything that is cached: `$LIARSPOKER_CACHE/KIND`, or one in the user's cache folder.

    Args:
        kind: what is cached: `compiled` for machine code, `strategies` for solutions saved without a name, `templates`
            for the code of templates.
    """
    from platformdirs import user_cache_path

    chosen = os.environ.get(CACHE_VARIABLE)
    return (Path(chosen) if chosen else user_cache_path("liarspoker", appauthor=False)) / kind


def folder_of(key: str, kind: str = "compiled") -> Path:
    """Create the folder of a cache key if necessary, mark it as used today, and return it.

    Args:
        key: the name of the folder.
        kind: as for :func:`cache_folder`.

    Raises:
        OSError: it can't be created.
    """
    folder = cache_folder(kind) / key
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _forget_the_unused(folder.parent)
    os.utime(folder)
    return folder


def code_folder(key: str, kind: str = "compiled") -> Path | None:
    """Return the folder of a cache key as :func:`folder_of` does, for code that this program will run.

    Returns:
        The folder; `None` if it can't be created, or if others could have put code there: it belongs to another user,
        or everybody can write to it.
    """
    try:
        folder = folder_of(key, kind)
        status = folder.stat()
    except OSError:
        return None
    others = hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & stat.S_IWOTH)
    return None if others else folder


def _forget_the_unused(parent: Path) -> None:
    """Remove folders that haven't been used for a month: they belong to other versions of the program or a library."""
    oldest = time() - _UNUSED_DAYS * 86_400
    for folder in parent.iterdir():
        with suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)

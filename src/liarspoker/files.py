"""Atomic file writing that doesn't overwrite files without permission."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _


class CannotWrite(LiarsPokerError):
    """The file can't be written."""

    code = "file"


class FileExists(CannotWrite):
    """The file exists, and overwriting wasn't allowed."""

    code = "file-exists"


def data_folder() -> Path:
    """Return the user's data folder for this program; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("liarspoker", appauthor=False)


def check_writable(path: Path, overwrite: bool = False) -> None:
    """Check that `new_file` can write a file, before any work is done.

    Args:
        path: the path of the file.
        overwrite: whether an existing regular file may be replaced.

    Raises:
        FileExists: the path exists, and `overwrite` is false.
        CannotWrite: the path isn't a regular file, or no file can be created in its folder; the message says why.
    """
    with _naming(path):
        folder = _target(path, overwrite).absolute().parent
        if path.exists() and not path.is_file():
            raise CannotWrite(_("{path}: this file can't be written", path=path))
        with TemporaryFile(dir=folder):  # only this has the system's reason
            pass
        if not overwrite and os.path.lexists(path):
            raise FileExists(_("{path} already exists", path=path))


@contextmanager
def new_file(path: Path, overwrite: bool = False, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Context manager that writes a file atomically.

    The file appears under its path, synced to disk, when the block ends without an error. Until then an existing file
    is unchanged, and a block that fails leaves nothing behind. If the path is a symbolic link and `overwrite` is true,
    the link is kept and its target is replaced.

    Args:
        path: the path of the file.
        overwrite: replace an existing file. If false, a file created in the meantime isn't replaced either.
        mode: the permissions of the file before the umask; a replacement also gets no more permissions than the old
            file.

    Raises:
        FileExists: the path exists, and `overwrite` is false.
        CannotWrite: the file can't be written; the message says why.
    """
    with _naming(path):
        target = _target(path, overwrite)
        draft = target.with_name(f".{secrets.token_hex(8)}.unfinished")
        try:
            with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _publish(draft, target, overwrite, mode)
        finally:
            draft.unlink(missing_ok=True)


def _target(path: Path, overwrite: bool) -> Path:
    """Return the path to write: `path`, or the target of a symbolic link that is to be overwritten."""
    if not path.name or "\0" in path.name:
        raise CannotWrite(_("{path}: this isn't the name of a file", path=path))
    return Path(os.path.realpath(path)) if overwrite else path


def _publish(draft: Path, target: Path, overwrite: bool, mode: int) -> None:
    """Move a complete draft to its path."""
    if overwrite:
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode) & mode)
        draft.replace(target)
        return
    try:
        os.link(draft, target)  # unlike a rename, this never replaces a file
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system: reserve the name with an empty file
        target.touch(exist_ok=False)
        draft.replace(target)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Convert errors of the operating system, adding the path."""
    try:
        yield
    except FileExistsError:
        raise FileExists(_("{path} already exists", path=path)) from None
    except OSError as error:
        raise CannotWrite(f"{str(path)[:200]}: {error.strerror or error}") from error

"""Writing a file that somebody named: complete or not at all, and over another file only with permission."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from liarspoker.core.errors import LiarsPokerError


class CannotWrite(LiarsPokerError):
    """No file can be written under this name."""

    code = "file"


class FileExists(CannotWrite):
    """A file of this name exists, and must not be overwritten without permission."""

    code = "file-exists"


def check_writable(path: Path, overwrite: bool = False) -> None:
    """Refuse, before any work is done, a name under which `new_file` could not write.

    Args:
        path: the name.
        overwrite: a regular file that exists may be replaced.

    Raises:
        FileExists: something of this name exists, and `overwrite` is false.
        CannotWrite: it isn't a regular file, or its folder doesn't exist or isn't writable.
    """
    with _naming(path):
        folder = _target(path, overwrite).absolute().parent
        if (path.exists() and not path.is_file()) or not folder.is_dir() or not os.access(folder, os.W_OK):
            raise CannotWrite(f"{path}: no file can be written there")
        if not overwrite and os.path.lexists(path):
            raise FileExists(f"{path} already exists")


@contextmanager
def new_file(path: Path, overwrite: bool = False, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name when the block ends without an error.

    It is on the disk then. What was there before is kept until that moment, and whatever ends the block early leaves
    nothing behind. A symbolic link that may be overwritten stays a link, to the new file.

    Args:
        path: the name.
        overwrite: replace a file of this name; without it, a file that somebody else made meanwhile isn't lost either.
        mode: who may read and write a new file, before the umask; a replaced file gives its successor no more than
            its own permissions.

    Raises:
        FileExists: something of this name exists, and `overwrite` is false.
        CannotWrite: it can't be written; the message says why.
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
    """What is written: the name itself, or the file to which it leads if that is to be replaced."""
    if not path.name or "\0" in path.name:
        raise CannotWrite(f"{path}: this isn't the name of a file")
    return Path(os.path.realpath(path)) if overwrite else path


def _publish(draft: Path, target: Path, overwrite: bool, mode: int) -> None:
    """Give a complete file its name."""
    if overwrite:
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode) & mode)
        draft.replace(target)
        return
    try:
        os.link(draft, target)  # unlike a renaming, this never replaces anything
    except FileExistsError:
        raise
    except OSError:  # the file system knows no second names; then the name is claimed by an empty file first
        target.touch(exist_ok=False)
        draft.replace(target)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Report what the system refuses, with the name of the file."""
    try:
        yield
    except FileExistsError:
        raise FileExists(f"{path} already exists") from None
    except OSError as error:
        raise CannotWrite(f"{str(path)[:200]}: {error.strerror or error}") from error

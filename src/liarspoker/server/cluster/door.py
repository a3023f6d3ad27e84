"""Connections handed whole to another process on the same machine, through a Unix socket in a folder that both share.

Nothing of what comes later on such a connection costs the process that accepted it anything.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

MOST_BYTES = 32 * 1024
MODE = 0o600

Take = Callable[[bytes, socket.socket], None]
"""Takes what has been read of a connection, and the connection."""


class Door:
    """Where a node takes connections from others on this machine.

    Args:
        folder: which only the user of these processes can enter.
        address: of the node, by which the others know it.

    Raises:
        OSError: the folder can't be used, or its path is too long for a socket.
    """

    def __init__(self, folder: Path, address: str) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_abandoned(folder)
        self._path = _path(folder, address)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        before = os.umask(0o777 & ~MODE)
        try:
            self._socket.bind(str(self._path))
        except OSError:
            self._socket.close()
            raise
        finally:
            os.umask(before)

    def open(self, take: Take) -> None:
        """Take what comes from now on."""
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._receive, take)

    def _receive(self, take: Take) -> None:
        with suppress(BlockingIOError):
            while True:
                read, handles, *_ = socket.recv_fds(self._socket, MOST_BYTES, 1)
                for handle in handles:
                    take(read, socket.socket(fileno=handle))

    def close(self) -> None:
        """Take nothing more."""
        asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._socket.close()
        self._path.unlink(missing_ok=True)


def hand_in(folder: Path, address: str, read: bytes, handle: int) -> bool:
    """Hand a connection to the node at an address; false where it has no door here, or a queue before it.

    Args:
        folder: which both share.
        address: of the other node.
        read: what has been read of the connection already.
        handle: the connection's file descriptor, which stays open here.
    """
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.setblocking(False)
            door.connect(str(_path(folder, address)))
            return len(read) <= MOST_BYTES and socket.send_fds(door, [read], [handle]) == len(read)
    except OSError:
        return False


def _path(folder: Path, address: str) -> Path:
    return folder / f"{quote(address, safe='')}.door"


def _remove_abandoned(folder: Path) -> None:
    """Remove the doors of processes that have died."""
    for path in folder.glob("*.door"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            try:
                door.connect(str(path))
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)

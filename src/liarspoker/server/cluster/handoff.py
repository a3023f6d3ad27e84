"""Handover of open connections to another process on the same machine, through a Unix socket in a shared folder.

After the handover, the connection costs the process that accepted it nothing.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

MAX_BYTES = 32 * 1024
MODE = 0o600

Take = Callable[[bytes, socket.socket], None]
"""Called with the bytes that were already read from a connection, and the connection."""


class HandoffSocket:
    """The socket on which a node receives connections from other nodes on this machine.

    Args:
        folder: a folder that only the user of these processes can access.
        address: the node's address, by which other nodes know it.

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
        """Start receiving connections."""
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._receive, take)

    def _receive(self, take: Take) -> None:
        with suppress(BlockingIOError):
            while True:
                read, handles, *_ = socket.recv_fds(self._socket, MAX_BYTES, 1)
                for handle in handles:
                    take(read, socket.socket(fileno=handle))

    def close(self) -> None:
        """Stop receiving connections, and remove the socket."""
        asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._socket.close()
        self._path.unlink(missing_ok=True)


def send_connection(folder: Path, address: str, read: bytes, handle: int) -> bool:
    """Send a connection to the node at an address; return false if it has no socket here, or its queue is full.

    Args:
        folder: the shared folder.
        address: the address of the other node.
        read: the bytes that were already read from the connection.
        handle: the connection's file descriptor, which stays open here.
    """
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.connect(str(_path(folder, address)))
            return len(read) <= MAX_BYTES and socket.send_fds(sender, [read], [handle]) == len(read)
    except OSError:
        return False


def _path(folder: Path, address: str) -> Path:
    return folder / f"{quote(address, safe='')}.door"


def _remove_abandoned(folder: Path) -> None:
    """Remove the sockets of processes that have died."""
    for path in folder.glob("*.door"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)

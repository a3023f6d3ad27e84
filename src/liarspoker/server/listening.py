"""Listening sockets and `HOST:PORT` addresses."""

from __future__ import annotations

import errno
import logging
import os
import socket

from liarspoker.core.errors import LiarsPokerError

log = logging.getLogger(__name__)

BACKLOG = 2048


class CannotListen(LiarsPokerError):
    """The server can't listen on an address, because it is in use or isn't an address of this machine."""

    code = "cannot-listen"


def listen(
    host: str, port: int, *, option: str = "--port", shared: bool = False, backlog: int | None = BACKLOG
) -> socket.socket:
    """Return a listening socket.

    Args:
        host: the address to listen on.
        port: the port; 0 for any free port.
        option: the command-line option that sets the port, for the error message.
        shared: other processes listen on the same port, and the operating system distributes connections.
        backlog: maximum number of connections waiting to be accepted; `None` binds the address without listening.

    Raises:
        CannotListen: the address is in use or isn't an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening: socket.socket | None = None
    try:
        # With the protocol given, asyncio recognizes the connections as TCP and sets TCP_NODELAY.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((host, port))
        if backlog is not None:
            listening.listen(backlog)
    except (OSError, UnicodeError) as error:  # a name that can't be looked up may raise UnicodeError
        if listening is not None:
            listening.close()
        reason = _reason(error)
        log.critical("cannot listen", extra={"code": CannotListen.code, "reason": reason})
        raise CannotListen(_explained(host, port, reason, option, error)) from error
    return listening


def _reason(error: OSError | UnicodeError) -> str:
    """Return the system's description of an error, without the host."""
    if isinstance(error, UnicodeError):
        return "not a host name"
    if isinstance(error, socket.gaierror):
        return str(error.strerror)
    return os.strerror(error.errno or 0)


def _explained(host: str, port: int, reason: str, option: str, error: OSError | UnicodeError) -> str:
    """Return what is wrong with an address, and the option that changes it."""
    if isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES):
        return f"{written_address(host, port)}: {reason}; choose another port with {option}"
    if host.startswith("["):
        return f"{host}: {reason}; write the address without brackets, as in {host.strip('[]')}"
    host_option = "--host" if option == "--port" else option
    return f"{host}: {reason}; choose another host with {host_option}, an address or a name of this machine"


def host_and_port(address: str) -> tuple[str, int]:
    """Split `HOST:PORT` into host and port.

    Raises:
        ValueError: the text has another form.

    >>> host_and_port("127.0.0.1:8000"), host_and_port("[::1]:0")
    (('127.0.0.1', 8000), ('::1', 0))
    """
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= 65535):
        raise ValueError(f"{address}: use HOST:PORT, such as 10.0.0.3:7000 or [fd00::3]:7000")
    return host.removeprefix("[").removesuffix("]"), int(port)


def written_address(host: str, port: int) -> str:
    """Return `HOST:PORT`, with brackets around an IPv6 address.

    >>> written_address("10.0.0.3", 7000), written_address("fd00::3", 7000)
    ('10.0.0.3:7000', '[fd00::3]:7000')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

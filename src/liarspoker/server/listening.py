"""Sockets that listen."""

from __future__ import annotations

import logging
import os
import socket

from liarspoker.core.errors import LiarsPokerError

log = logging.getLogger(__name__)

BACKLOG = 2048


class CannotListen(LiarsPokerError):
    """The address is taken, or not this machine's."""

    code = "cannot-listen"


def listen(
    host: str, port: int, *, option: str = "--port", shared: bool = False, backlog: int | None = BACKLOG
) -> socket.socket:
    """A socket that listens; 0 is any port that is free.

    Args:
        host: the address to listen on.
        port: the port.
        option: the option by which another address can be chosen, for the error's message.
        shared: other processes listen on the same port, and the system spreads connections over them.
        backlog: so many connections may wait to be accepted; `None` reserves the address and doesn't listen.

    Raises:
        CannotListen: the address is taken, or not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, so that asyncio knows the connections as TCP and sends at once what is written.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((host, port))
        if backlog is not None:
            listening.listen(backlog)
    except OSError as error:
        listening.close()
        reason = os.strerror(error.errno or 0)
        log.critical("cannot listen", extra={"code": CannotListen.code, "reason": reason})
        raise CannotListen(f"{host}:{port}: {reason}; choose another port with {option}") from error
    return listening


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of `HOST:PORT`.

    Raises:
        ValueError: the text is something else.

    >>> host_and_port("127.0.0.1:8000"), host_and_port("[::1]:0")
    (('127.0.0.1', 8000), ('::1', 0))
    """
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) <= 65535):
        raise ValueError(f"{address}: write HOST:PORT, as in 10.0.0.3:7000 or [fd00::3]:7000")
    return host.removeprefix("[").removesuffix("]"), int(port)


def written_address(host: str, port: int) -> str:
    """`HOST:PORT`, with an address of IPv6 in brackets.

    >>> written_address("10.0.0.3", 7000), written_address("fd00::3", 7000)
    ('10.0.0.3:7000', '[fd00::3]:7000')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

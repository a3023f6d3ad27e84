"""A server process: uvicorn around the application, on sockets of its own."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_network

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.app import application
from liarspoker.server.config import Config, WallClock
from liarspoker.server.service import Service
from liarspoker.server.socket import QuietSocketProtocol

log = logging.getLogger(__name__)

STOP_SECONDS = 2
"""So long an open connection may take to end when the server stops. With what tables and storage may take after it, a
stop takes less than 5 s, also while the database is away."""

SWITCH_SECONDS = 0.0005
"""So long a thread holds the interpreter while another waits for it. The one that commits waits several times for each
commit, and everybody at the tables waits for that; Python's own 5 ms would add up to more than the disk takes."""

YOUNG, GENERATIONS = 10_000, (5, 5)
"""How many objects come to stay between two looks of the garbage collector at what is young, and how many looks lie
between those at what is older. A table's state lives until its next command, so that a look soon after it finds next to
nothing to free and has to go through all of it: with 200 here, looks took a tenth of all processor time; now they take
a hundredth, some 20 ms every few seconds where 250 tables play 500 moves a second. What nothing needs any more is freed
without them anyway, if it is in no cycle."""

MOST_FRAME_BYTES = 16 * 1024


REQUEST_SECONDS = 30.0
"""How long a client may take to send a request, from connecting or from its first byte to its last.

Without a timeout a client that connects and sends nothing holds a connection for ever, and a few thousand of them keep
everybody else out.
"""


class CannotListen(LiarsPokerError):
    """The address is taken, or not this machine's."""

    code = "cannot-listen"


MountPages = Callable[[FastAPI], None]
"""Adds pages for people to the application."""


def serve(
    config: Config, host: str, port: int, ready: Callable[[int], None], mount_pages: MountPages | None = None
) -> None:
    """Serve until the process is told to stop.

    Args:
        config: how.
        host: the address to listen on.
        port: the port; 0 for any that is free.
        ready: called with the port once the server listens.
        mount_pages: adds the pages for people, where there are any.

    Raises:
        CannotListen: the address is taken, or not this machine's.
        LiarsPokerError: the data cannot be opened; or nothing could be stored any more, and what was acknowledged is
            safe.
    """
    listening = listen(host, port)
    server = Server(config, lambda: ready(listening.getsockname()[1]), mount_pages=mount_pages)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(YOUNG, *GENERATIONS)
    _allow_many_connections()
    try:
        with listening:
            server.run(sockets=[listening])
    except SystemExit as end:
        # So uvicorn ends where the application could not start.
        raise server.failure or CannotListen("the server could not start; the lines above say why") from end
    if server.failure is not None:
        log.critical("ended, since nothing can be stored any more", extra={"code": server.failure.code})
        raise server.failure


class RequestTimeoutProtocol(H11Protocol):
    """An HTTP connection that is closed where a client does not send a whole request in time."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Start the timeout when a client connects."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Start the timeout with a request, and stop it when the request is complete."""
        self._wait()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._wait_no_more()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop the timeout: WebSockets have timeouts of their own."""
        self._wait_no_more()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout when the client disconnects."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._limit is None:
            self._limit = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class Server(uvicorn.Server):
    """uvicorn as this program runs it.

    Attributes:
        failure: why the server could not start, or why nothing could be stored any more, if it has ended for that.
    """

    def __init__(
        self,
        config: Config,
        ready: Callable[[], None],
        clock: WallClock | None = None,
        mount_pages: MountPages | None = None,
    ) -> None:
        self._ready = ready
        self._drain = config.drain
        self.failure: LiarsPokerError | None = None
        self.application = application(config, clock, self._fail, mount_pages=mount_pages)
        super().__init__(
            uvicorn.Config(
                self.application,
                log_config=None,
                access_log=False,
                lifespan="on",
                loop="auto",
                http=RequestTimeoutProtocol,
                ws=QuietSocketProtocol,
                ws_max_size=MOST_FRAME_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=20,
                ws_ping_timeout=20,
                timeout_graceful_shutdown=STOP_SECONDS,
                server_header=False,
                proxy_headers=bool(config.trusted_proxies),
                forwarded_allow_ips=believed(config.trusted_proxies),
            )
        )

    def _fail(self, failure: LiarsPokerError) -> None:
        self.failure = failure
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        if self.started:
            gc.freeze()  # what has been imported stays, and need not be looked at ever again
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand the tables over to other nodes, or else take no more commands; end sockets and streams.

        Nothing has to be waited for then.
        """
        if self.started:
            service: Service = self.application.state.service
            if service.registry.membership.has_heirs:
                service.registry.membership.announce_leaving()
                await asyncio.sleep(self._drain)
                for server in self.servers:  # whoever comes again comes to another node
                    server.close()
                await service.registry.hand_over()
                service.stop()
            else:
                service.stop()
                await asyncio.sleep(self._drain)
        await super().shutdown(sockets)


def _allow_many_connections() -> None:
    """Let this process open as many files as the system permits: every connection is one, and 1024 are soon used up."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):  # some systems permit less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def believed(proxies: Sequence[str]) -> list[str]:
    """Addresses and networks, and how a server that listens on `::` sees those of IPv4.

    Raises:
        ValueError: one is neither an address nor a network.

    >>> believed(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"])
    ['127.0.0.1/32', '10.0.0.0/8', '2001:db8::/32', '::ffff:127.0.0.1/128', '::ffff:10.0.0.0/104']
    """
    networks = [ip_network(proxy) for proxy in proxies]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in networks if one.version == 4]
    return [*map(str, networks), *mapped]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; 0 is any port that is free.

    Raises:
        CannotListen: the address is taken, or not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, so that asyncio knows the connections as TCP and sends at once what is written.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        reason = os.strerror(error.errno or 0)
        log.critical("cannot listen", extra={"code": CannotListen.code, "reason": reason})
        raise CannotListen(f"{host}:{port}: {reason}; choose another port with --port") from error
    return listening

"""A server process: uvicorn running the application."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_network
from typing import Any, cast

import uvicorn
from fastapi import FastAPI

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.app import application
from liarspoker.server.cluster.forward import Forwarding, ForwardingProtocol, Preface, receive_connection
from liarspoker.server.cluster.handoff import HandoffSocket
from liarspoker.server.config import Config, WallClock
from liarspoker.server.http import RequestTimeoutProtocol
from liarspoker.server.listening import BACKLOG, CannotListen, host_and_port, listen, written_address
from liarspoker.server.service import Service
from liarspoker.server.socket import DirectSocketProtocol
from liarspoker.server.storage.location import sqlite_path

log = logging.getLogger(__name__)

STOP_SECONDS = 2
"""How long open connections may take to end when the server stops. Together with closing the tables and the storage,
stopping takes less than 5 s, even while the database is unreachable."""

SWITCH_SECONDS = 0.0005
"""Python's thread switch interval. The writer thread waits for the interpreter several times per commit, and every
player at a table waits for that commit; with Python's default of 5 ms this would take longer than the disk."""

YOUNG, GENERATIONS = 10_000, (5, 5)
"""Thresholds of the garbage collector. A table's state lives until its next command, so a collection soon after finds
next to nothing to free but has to traverse all of it. With thresholds of 200, collections took a tenth of the processor
time; with these they take a hundredth, about 20 ms every few seconds at 500 moves a second on 250 tables. Objects that
aren't part of a cycle are freed by reference counting anyway."""

MAX_FRAME_BYTES = 16 * 1024

MountPages = Callable[[FastAPI], None]
"""Adds the web pages to the application."""


def serve(
    config: Config,
    host: str,
    port: int,
    ready: Callable[[int], None],
    mount_pages: MountPages | None = None,
    shared: bool = False,
) -> None:
    """Serve until the process is asked to stop.

    Args:
        config: the configuration.
        host: the address to listen on.
        port: the port to listen on; 0 for any free port.
        ready: called with the port once the server listens.
        mount_pages: adds the web pages, if any.
        shared: whether other processes listen on the same port.

    Raises:
        CannotListen: the address is in use, or doesn't belong to this machine.
        LiarsPokerError: the database can't be opened, or it could no longer be written; acknowledged commands are safe.
    """
    _stop_on_hangup()
    listening = listen(host, port, shared=shared)
    server = Server(config, lambda: ready(listening.getsockname()[1]), mount_pages=mount_pages)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(YOUNG, *GENERATIONS)
    _allow_many_connections()
    try:
        with listening:
            server.run(sockets=[listening])
    except SystemExit as end:
        # uvicorn raises this if the application couldn't start.
        raise server.failure or CannotListen("the server could not start; see the log lines above") from end
    if server.failure is not None:
        log.critical("stopped because the database can't be written any more", extra={"code": server.failure.code})
        raise server.failure


class Server(uvicorn.Server):
    """uvicorn configured for this application.

    If several nodes can share the database, the server also listens for other nodes on `config.internal`. If its port
    is 0, the application receives the port that was chosen.

    Attributes:
        failure: why the server couldn't start, or why it had to stop; `None` otherwise.
        forwarding: what connections know about other nodes. The application has it as `app.state.forwarding`, and sets
            its `routes`.

    Raises:
        CannotListen: `config.internal` is in use, or doesn't belong to this machine.
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
        self._for_nodes: asyncio.base_events.Server | None = None
        self.failure: LiarsPokerError | None = None
        self._internal: socket.socket | None = None
        self._handoff: HandoffSocket | None = None
        self.forwarding, http = Forwarding(), cast(Any, RequestTimeoutProtocol)
        if sqlite_path(config.database) is None:
            self._internal = listen(*host_and_port(config.internal), option="--internal")
            config = replace(config, internal=written_address(*self._internal.getsockname()[:2]))
            self.forwarding = Forwarding(config.internal, config.key_folder)
            http = partial(ForwardingProtocol, self.forwarding)
        self.application = application(config, clock, self._fail, mount_pages=mount_pages)
        self.application.state.forwarding = self.forwarding
        super().__init__(
            uvicorn.Config(
                self.application,
                log_config=None,
                access_log=False,
                lifespan="on",
                loop="auto",
                http=http,
                ws=DirectSocketProtocol,
                ws_max_size=MAX_FRAME_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=20,
                ws_ping_timeout=20,
                timeout_graceful_shutdown=STOP_SECONDS,
                server_header=False,
                proxy_headers=bool(config.trusted_proxies),
                forwarded_allow_ips=trusted_networks(config.trusted_proxies),
            )
        )

    def _fail(self, failure: LiarsPokerError) -> None:
        self.failure = failure
        self.should_exit = True

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the process is asked to stop."""
        with self._internal or nullcontext():
            await super().serve(sockets)
        if self._handoff is not None:
            self._handoff.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, and call `ready`."""
        messages = logging.getLogger("uvicorn.error")
        messages.addFilter(self._adds_to_failure)
        try:
            await super().startup(sockets)
        finally:
            messages.removeFilter(self._adds_to_failure)
        if self._internal is not None:
            loop, connections = asyncio.get_running_loop(), self.server_state.connections
            accept = partial(Preface, self.forwarding, connections, self._forwarded_protocol)
            self._for_nodes = await loop.create_server(accept, sock=self._internal, backlog=BACKLOG)
            self.servers.append(self._for_nodes)
            self._handoff = self._open_handoff()
        if self.started:
            gc.freeze()  # imported modules stay in memory, so the collector needn't traverse them again
            self._ready()

    def _adds_to_failure(self, record: logging.LogRecord) -> bool:
        """Return whether a message of uvicorn says more about a failed start than `failure`, which has been logged."""
        return self.failure is None

    def _open_handoff(self) -> HandoffSocket | None:
        """Open the socket on which other nodes on this machine pass connections; without it they proxy them."""
        assert self.forwarding.folder is not None
        try:
            handoff = HandoffSocket(self.forwarding.folder, self.forwarding.address)
        except OSError as error:
            log.warning("no socket for connections from other nodes", extra={"reason": os.strerror(error.errno or 0)})
            return None
        handoff.open(partial(receive_connection, self.forwarding, self._forwarded_protocol))
        return handoff

    def _forwarded_protocol(self) -> ForwardingProtocol:
        """Create the protocol for a connection that another node has handed over."""
        return ForwardingProtocol(
            self.forwarding, config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand the tables over to other nodes, or reject further commands without other nodes; close connections.

        After this, no connection keeps the server from stopping.
        """
        if self.started:
            service: Service = self.application.state.service
            if service.registry.membership.has_successors:
                service.registry.membership.announce_leaving()
                await asyncio.sleep(self._drain)
                for server in self.servers:  # clients that reconnect reach another node
                    if server is not self._for_nodes:
                        server.close()
                await service.registry.hand_over()
                service.stop()
            else:
                service.stop()
                await asyncio.sleep(self._drain)
        await super().shutdown(sockets)


def _stop_on_hangup() -> None:
    """When the terminal is closed, stop as on SIGTERM, unless this signal is ignored, as under nohup."""
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))


def _allow_many_connections() -> None:
    """Raise the limit of open files as far as the system permits: every connection needs one, and 1024 is too few."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):  # some systems permit less than they report
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def trusted_networks(proxies: Sequence[str]) -> list[str]:
    """Return proxies as networks, with IPv4 networks also in the form that a server listening on `::` sees.

    Raises:
        ValueError: an item is neither an address nor a network.

    >>> trusted_networks(["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"])
    ['127.0.0.1/32', '10.0.0.0/8', '2001:db8::/32', '::ffff:127.0.0.1/128', '::ffff:10.0.0.0/104']
    """
    networks = [ip_network(proxy) for proxy in proxies]
    mapped = [f"::ffff:{one.network_address}/{96 + one.prefixlen}" for one in networks if one.version == 4]
    return [*map(str, networks), *mapped]

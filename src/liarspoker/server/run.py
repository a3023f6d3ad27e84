"""A server process: uvicorn around the application, on sockets of its own."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
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
from liarspoker.server.cluster.door import Door
from liarspoker.server.cluster.forward import Forwarding, ForwardingProtocol, Preface, take_in
from liarspoker.server.config import Config, WallClock
from liarspoker.server.http import RequestTimeoutProtocol
from liarspoker.server.listening import BACKLOG, CannotListen, host_and_port, listen, written_address
from liarspoker.server.service import Service
from liarspoker.server.socket import QuietSocketProtocol
from liarspoker.server.storage.place import sqlite_path

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

MountPages = Callable[[FastAPI], None]
"""Adds pages for people to the application."""


def serve(
    config: Config,
    host: str,
    port: int,
    ready: Callable[[int], None],
    mount_pages: MountPages | None = None,
    shared: bool = False,
) -> None:
    """Serve until the process is told to stop.

    Args:
        config: how.
        host: the address to listen on.
        port: the port; 0 for any that is free.
        ready: called with the port once the server listens.
        mount_pages: adds the pages for people, where there are any.
        shared: other processes listen on the same port.

    Raises:
        CannotListen: the address is taken, or not this machine's.
        LiarsPokerError: the data cannot be opened; or nothing could be stored any more, and what was acknowledged is
            safe.
    """
    listening = listen(host, port, shared=shared)
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


class Server(uvicorn.Server):
    """uvicorn as this program runs it.

    Where several nodes may share the database, it listens for them too, on `config.internal`, of which the
    application is told the port that was found free.

    Attributes:
        failure: why the server could not start, or why nothing could be stored any more, if it has ended for that.
        forwarding: what the connections know of other nodes; the application has it as `app.state.forwarding`, and
            sets its `routes`.

    Raises:
        CannotListen: `config.internal` is taken, or not this machine's.
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
        self._door: Door | None = None
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

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the process is told to stop."""
        with self._internal or nullcontext():
            await super().serve(sockets)
        if self._door is not None:
            self._door.close()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        if self._internal is not None:
            loop, connections = asyncio.get_running_loop(), self.server_state.connections
            accept = partial(Preface, self.forwarding, connections, self._serve_handed_on)
            self._for_nodes = await loop.create_server(accept, sock=self._internal, backlog=BACKLOG)
            self.servers.append(self._for_nodes)
            self._door = self._opened_door()
        if self.started:
            gc.freeze()  # what has been imported stays, and need not be looked at ever again
            self._ready()

    def _opened_door(self) -> Door | None:
        """Where other nodes on this machine hand connections in; without one they pass on what they read."""
        assert self.forwarding.folder is not None
        try:
            door = Door(self.forwarding.folder, self.forwarding.address)
        except OSError as error:
            log.warning("no door for other nodes", extra={"reason": os.strerror(error.errno or 0)})
            return None
        door.open(partial(take_in, self.forwarding, self._serve_handed_on))
        return door

    def _serve_handed_on(self) -> ForwardingProtocol:
        """What serves a connection that another node has handed on."""
        return ForwardingProtocol(
            self.forwarding, config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

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
                    if server is not self._for_nodes:
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

"""The ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.http import ErrorResponse
from liarspoker.server import problems
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.backups import Backups
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.server.cluster.bus import Shards, default_address, open_bus
from liarspoker.server.cluster.relay import Owners
from liarspoker.server.cluster.revocations import Revocations
from liarspoker.server.config import Chance, Config, WallClock, limiter
from liarspoker.server.guard import Guard
from liarspoker.server.maintenance import Maintenance
from liarspoker.server.metrics import Metrics, told_at
from liarspoker.server.observed import Observed, SocketRoute
from liarspoker.server.orders import Orders
from liarspoker.server.routes import accounts, catalogue, tables
from liarspoker.server.routes import metrics as metrics_route
from liarspoker.server.routes.messages import Told
from liarspoker.server.service import Service
from liarspoker.server.socket import table_socket
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import only_server
from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.storage.storage import Storage, has_sealed
from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)


def application(
    config: Config,
    clock: WallClock | None,
    fail: Callable[[LiarsPokerError], None],
    chance: Chance = secrets.token_bytes,
    mount_pages: Callable[[FastAPI], None] | None = None,
) -> FastAPI:
    """The application that serves tables as `config` says.

    Args:
        config: how it runs.
        clock: its time; `None` for a clock of its own.
        fail: called with what keeps the server from starting, or when nothing can be stored any more; it must end the
            process, since going on would lose moves.
        chance: where seeds and the ids of tables come from.
        mount_pages: adds the pages for people, where there are any; where a page takes more than `guard.MOST_BYTES`,
            it says so in `app.state.larger`.
    """
    clock, limits, metrics = clock or WallClock(), config.limits, Metrics()
    requests = limiter(limits.requests, clock.now)
    traces = None
    if config.traces:
        from liarspoker.server.traces import Traced, TracedService, Traces

        traces = Traces(config.traces, config.node.name)
        config = replace(config, probe=traces.probe(config.probe))

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as held:
            try:
                storage, certain = await _storage(config, held)
                members = Accounts(storage, clock.now)
                held.callback(members.close)
                bots = BotWorkers(config.bot_processes)
                if traces is not None:
                    held.push_async_callback(traces.close)
                    traces.watch(storage)
                node = replace(config.node, address=app.state.forwarding.address or None)
                registry = TableRegistry(storage, bots, clock, node, config.probe, chance)
                bus = await open_bus(
                    config.bus or default_address(config.database), config.database, registry.instance, storage.scope
                )
                held.push_async_callback(bus.close)
                registry.membership.when_moved = lambda: bus.tell(Shards())
                bus.listeners.append(lambda message: registry.look() if isinstance(message, Shards) else None)
                bus.when_missed.append(registry.look)
                await registry.start(certain)
                held.push_async_callback(registry.close)
                held.enter_context(told_at(metrics, config.metrics))
            except LiarsPokerError as error:
                log.critical("cannot start", extra={"code": error.code})
                fail(error)
                raise
            parts = config, storage, members, registry, clock, bus, metrics, requests
            service = Service(*parts) if traces is None else TracedService(*parts, traces=traces)
            if node.address is not None:
                service.routes = routes = Owners(registry.membership, await storage.shared_secret())
                app.state.forwarding.routes = routes
                registry.is_ready = routes.is_ready
                registry.membership.when_died = lambda node: app.state.forwarding.cut(node.address)
            metrics.watch(service, bots)
            registry.when_removed = service.newcomers.removed
            app.state.service = service
            if config.backup.folder:
                service.backups = Backups(storage, config.database, config.backup, registry.instance)
                held.callback(asyncio.create_task(service.backups.run()).cancel)
            for work in (
                _tell_when_storage_fails(storage, fail),
                Maintenance(registry, members, limits).run(),
                storage.check(),
                metrics.look_at_loop(),
                Revocations(members, service.connections, bus).run(),
                Orders(service).run(),
            ):
                held.callback(asyncio.create_task(work).cancel)
            log.info("ready", extra={"node": config.node.name})
            yield
        log.info("stopped", extra={"node": config.node.name})

    responses = {"4XX": {"model": Told[ErrorResponse]}, "5XX": {"model": Told[ErrorResponse]}}
    app = FastAPI(
        title="liarspoker",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=responses,  # type: ignore[arg-type]
    )
    for router in (
        accounts.router,
        catalogue.router,
        tables.streams_router,
        tables.router,
        catalogue.health_router,
        metrics_route.router,
    ):
        app.include_router(router)
    app.router.routes.append(SocketRoute("/api/tables/{table}/socket", table_socket))
    app.add_exception_handler(LiarsPokerError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(Exception, _failed)
    app.add_exception_handler(ClientDisconnect, _gone)
    if mount_pages is not None:
        mount_pages(app)
    app.add_middleware(
        Guard,
        requests=requests,
        tls=config.tls,
        larger=getattr(app.state, "larger", {}),
    )
    if traces is not None:
        app.add_middleware(Traced, traces=traces)
    app.add_middleware(Observed, metrics=metrics, proxies=config.trusted_proxies)
    return app


async def _storage(config: Config, held: contextlib.AsyncExitStack) -> tuple[Storage, bool]:
    """The storage, brought up to date and opened, and whether there is no other server; `held` closes it."""
    await asyncio.to_thread(migrate, config.database)
    certain = held.enter_context(only_server(config.database))
    sealed = await asyncio.to_thread(has_sealed, config.database)
    find = partial(find_key, config.key_folder, given=config.key)
    sealer = Sealer(find(make=not sealed), again=partial(find, make=False))
    return await held.enter_async_context(await Storage.open(config.database, sealer, config.probe)), certain


async def _tell_when_storage_fails(storage: Storage, fail: Callable[[LiarsPokerError], None]) -> None:
    fail(await storage.failure)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LiarsPokerError)
    if isinstance(error, StorageError):
        # What went wrong names tables and nodes, which are nobody's business here.
        if isinstance(error, TableDamaged | DatabaseDamaged):
            return problems.error_response(error.code, problems.damage_message(error.code))
        return problems.error_response(
            error.code, "nobody can say now whether it took effect; ask again with the same id", 1.0
        )
    return problems.error_response(error.code, str(error), getattr(error, "retry_after", None))


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    if isinstance(error.body, bytes):  # it is read as JSON only where it is called so
        return problems.error_response("bad-command", f"{place[:100]}: send JSON, with Content-Type: application/json")
    return problems.error_response("bad-command", f"{place[:100]}: {first['msg']}")


async def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _PLAIN.get(error.status_code, "bad-request")
    response = problems.error_response(code, str(error.detail), status=error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _failed(request: Request, error: Exception) -> Response:
    response = problems.error_response(
        "internal", "something is wrong with the server; nobody can say what took effect"
    )
    response.headers["Cache-Control"] = "no-store"
    return response


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # which nobody reads


_PLAIN = {404: "not-found", 413: "too-large"}

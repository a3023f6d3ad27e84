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
from liarspoker.language import _
from liarspoker.protocol.http import ErrorResponse
from liarspoker.server import problems
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.backups import Backups
from liarspoker.server.bots.table_bots import TableBots
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.server.cluster.bus import Message, Shards, VacationChanged, default_address, open_bus
from liarspoker.server.cluster.relay import Owners
from liarspoker.server.cluster.revocations import Revocations
from liarspoker.server.config import Config, RandomBytes, WallClock, limiter
from liarspoker.server.guard import Guard
from liarspoker.server.maintenance import Maintenance
from liarspoker.server.metrics import Metrics, serve_metrics
from liarspoker.server.notices.mail import Mail
from liarspoker.server.orders import Orders
from liarspoker.server.request_tracking import RequestTracking, SocketRoute
from liarspoker.server.routes import accounts, catalogue, events, passkeys, people, ratings, tables
from liarspoker.server.routes import metrics as metrics_route
from liarspoker.server.routes.messages import ResponseBody
from liarspoker.server.service import Service
from liarspoker.server.socket import table_socket
from liarspoker.server.storage.errors import DatabaseDamaged, StorageError, TableDamaged
from liarspoker.server.storage.location import only_server, predecessor
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.storage.storage import MAIL_MARK, PUSH_MARK, Storage, has_sealed
from liarspoker.server.tables.registry import TableRegistry

log = logging.getLogger(__name__)


def application(
    config: Config,
    clock: WallClock | None,
    fail: Callable[[LiarsPokerError], None],
    chance: RandomBytes = secrets.token_bytes,
    mount_pages: Callable[[FastAPI], None] | None = None,
) -> FastAPI:
    """Return the ASGI application.

    Args:
        config: configuration of the server.
        clock: clock of the server; `None` for a new one.
        fail: called with the error if the server can't start or can't store data any more. It must end the process,
            since a server that continues would lose moves.
        chance: source of random bytes for seeds and table ids.
        mount_pages: adds the web pages, if there are any. Pages that accept more than `guard.MAX_BYTES` must be listed
            in `app.state.larger`.
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
                bots = TableBots(BotWorkers(config.bot_processes))
                if traces is not None:
                    held.push_async_callback(traces.close)
                    traces.watch(storage)
                node = replace(config.node, address=app.state.forwarding.address or None)
                registry = TableRegistry(storage, bots, clock, node, config.probe, chance)
                bus = await open_bus(
                    config.bus or default_address(config.database), config.database, registry.instance, storage.scope
                )
                held.push_async_callback(bus.close)
                registry.membership.when_moved = lambda: bus.publish(Shards())
                bus.listeners.append(partial(_on_message, registry))
                bus.when_missed.append(registry.refresh_ownership)
                before = predecessor(config.key_folder, node.name, registry.instance)
                await registry.start(certain, held.enter_context(before))
                held.push_async_callback(registry.close)
                held.enter_context(serve_metrics(metrics, config.metrics))
            except LiarsPokerError as error:
                log.critical("cannot start", extra={"code": error.code, "reason": str(error)})
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
            registry.on_removed = service.newcomers.removed
            if config.push_contact:
                from liarspoker.server.notices.push import WebPush

                secret = await storage.shared_secret(PUSH_MARK)
                service.push = WebPush(storage, secret, config.push_contact, config.push_private, clock.now)
                service.notices.start(service.push)
            held.push_async_callback(service.notices.close)
            if config.mail.server:
                secret = await storage.shared_secret(MAIL_MARK)
                confirmations = limiter(limits.confirmations, clock.now)
                service.mail = Mail(storage, config.mail, secret, clock.now, service.connections.users, confirmations)
                held.callback(asyncio.create_task(service.mail.run()).cancel)
            held.push_async_callback(service.reviews.close)
            app.state.service = service
            if config.backup.folder:
                service.backups = Backups(storage, config.database, config.backup, registry.instance)
                held.callback(asyncio.create_task(service.backups.run()).cancel)
            for work in (
                _report_storage_failure(storage, fail),
                Maintenance(registry, members, limits).run(),
                storage.check(),
                metrics.measure_loop_lag(),
                Revocations(members, service.connections, bus).run(),
                Orders(service).run(),
                service.online.run(),
            ):
                held.callback(asyncio.create_task(work).cancel)
            log.info("ready", extra={"node": config.node.name})
            yield
        log.info("stopped", extra={"node": config.node.name})

    responses = {"4XX": {"model": ResponseBody[ErrorResponse]}, "5XX": {"model": ResponseBody[ErrorResponse]}}
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
        people.router,
        ratings.router,
        events.router,
        passkeys.router,
        catalogue.health_router,
        metrics_route.router,
    ):
        app.include_router(router)
    app.router.routes.append(SocketRoute("/api/tables/{table}/socket", table_socket))
    app.add_exception_handler(LiarsPokerError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    app.add_exception_handler(ClientDisconnect, _disconnected)
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
    app.add_middleware(RequestTracking, metrics=metrics, proxies=config.trusted_proxies)
    return app


def _on_message(registry: TableRegistry, message: Message) -> None:
    if isinstance(message, Shards):
        registry.refresh_ownership()
    elif isinstance(message, VacationChanged):
        registry.vacation_changed(message.user)


async def _storage(config: Config, held: contextlib.AsyncExitStack) -> tuple[Storage, bool]:
    """Migrate and open the storage; return it and whether no other server uses it. `held` closes the storage."""
    await asyncio.to_thread(migrate, config.database)
    certain = held.enter_context(only_server(config.database))
    sealed = await asyncio.to_thread(has_sealed, config.database)
    find = partial(find_key, config.key_folder, given=config.key)
    sealer = Sealer(find(make=not sealed), again=partial(find, make=False))
    return await held.enter_async_context(await Storage.open(config.database, sealer, config.probe)), certain


async def _report_storage_failure(storage: Storage, fail: Callable[[LiarsPokerError], None]) -> None:
    fail(await storage.failure)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LiarsPokerError)
    if isinstance(error, StorageError):
        # The error's own message isn't shown to clients, since it names tables and nodes.
        if isinstance(error, TableDamaged | DatabaseDamaged):
            return problems.error_response(error.code, problems.damage_message(error.code))
        return problems.error_response(
            error.code, _("it is unknown whether this took effect; try again with the same id"), 1.0
        )
    return problems.error_response(error.code, str(error), getattr(error, "retry_after", None))


async def _invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"]))
    if isinstance(error.body, bytes):  # the body is parsed as JSON only with a JSON content type
        return problems.error_response(
            "bad-command", _("{place}: send JSON, with Content-Type: application/json", place=place[:100])
        )
    return problems.error_response("bad-command", f"{place[:100]}: {first['msg']}")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _HTTP_CODES.get(error.status_code, "bad-request")
    response = problems.error_response(code, str(error.detail), status=error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _internal_error(request: Request, error: Exception) -> Response:
    response = problems.error_response(
        "internal", _("internal server error; it is unknown whether the request took effect")
    )
    response.headers["Cache-Control"] = "no-store"
    return response


async def _disconnected(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # the client has disconnected, so the response isn't read


_HTTP_CODES = {404: "not-found", 413: "too-large"}

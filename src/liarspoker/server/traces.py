"""Traces of requests and commands, for an OpenTelemetry collector. Imported only where the setting `traces` names one.

A command is a tree of spans: `command` with `decide`, `append` (which has the `commit`) and `publish`, under the
`request` that brought it; what a socket brings has no request around it. Attributes are codes, templates of routes, ids
of requests and hashes of tables alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from asyncio import Future
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec import Raw
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context, use_span
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liarspoker import __version__
from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.accounts.credentials import User
from liarspoker.server.journal import request_id, table_mark
from liarspoker.server.observed import template_of
from liarspoker.server.service import Service
from liarspoker.server.storage.log import Entry
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Answer, TableActor

EXPORT_SECONDS = 2
"""So long the collector may take for what it is sent, and so long a stop waits for it."""


class _Append(NamedTuple):
    """An entry that is being stored.

    Attributes:
        command: the span of the command that it comes from.
        span: its own.
        asked_at: since when, by the monotonic clock.
    """

    command: Span
    span: Span
    asked_at: float


class Traces:
    """The spans of one server.

    Args:
        collector: the address of the collector, for OTLP over HTTP.
        node: the name of this node.
    """

    def __init__(self, collector: str, node: str) -> None:
        named = {"service.name": "liarspoker", "service.version": __version__, "service.instance.id": node}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        exporter = OTLPSpanExporter(f"{collector.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("liarspoker", __version__)
        self._commands: dict[str, Span] = {}
        self._appends: dict[Future[None], _Append] = {}
        self._waits: Callable[[], float] = float
        self._decided = 0, 0
        self._begun: dict[str, int] = {}
        self._stored: Span | None = None

    def begin(self, name: str, kind: SpanKind = SpanKind.INTERNAL) -> Span:
        """A span that begins now, in the one that is current."""
        span = self._tracer.start_span(name, kind=kind)
        request = request_id()
        if request is not None:
            span.set_attribute("liarspoker.request", request)
        return span

    def command(self, key: str, actor: TableActor) -> Span:
        """The span of a command, which `ended` has to end.

        Args:
            key: how entries name the command.
            actor: the table that it is for.
        """
        self._commands[key] = span = self.begin("command")
        span.set_attribute("liarspoker.table", table_mark(actor.table.id))
        return span

    def ended(self, key: str, span: Span, code: str) -> None:
        """A command has had its outcome, `ok` or the code of an error."""
        span.set_attribute("liarspoker.outcome", code)
        span.end()
        self._commands.pop(key, None)

    def probe(self, inner: Callable[[str], None]) -> Callable[[str], None]:
        """`inner`, after whose points spans end.

        The points of deciding and publishing are reached in the event loop, those of the commit in the writer's thread;
        nothing else happens between the two points of a pair there.
        """

        def reached(name: str) -> None:
            before, _, what = name.partition("-")
            if before == "before":
                self._begun[what] = time.time_ns()
            inner(name)
            if before == "after":
                self._reached(what, self._begun.get(what, 0), time.time_ns())

        return reached

    def _reached(self, what: str, begun: int, ended: int) -> None:
        if what == "decide":
            self._decided = begun, ended
        elif what == "commit":
            taken = time.monotonic() - self._waits()
            for append in list(self._appends.values()):
                if append.asked_at <= taken:
                    self._add("commit", append.span, begun, ended)
        elif what == "publish" and self._stored is not None:
            self._add("publish", self._stored, begun, ended)
            self._stored = None

    def _add(self, name: str, parent: Span, begun: int, ended: int) -> None:
        """A span that is over already."""
        self._tracer.start_span(name, set_span_in_context(parent), start_time=begun).end(ended)

    def watch(self, storage: Storage) -> None:
        """Follow what is appended to `storage`."""
        really, self._waits = storage.append, storage.timer.waits

        def append(entry: Entry) -> Future[None]:
            command = self._commands.get(entry.command_id or "")
            if command is None:  # by a clock or a bot
                return really(entry)
            self._add("decide", command, *self._decided)
            span = self._tracer.start_span("append", set_span_in_context(command))
            stored = really(entry)
            self._appends[stored] = _Append(command, span, time.monotonic())
            stored.add_done_callback(self._is_stored)  # before the table's own, which publishes
            return stored

        storage.append = append

    def _is_stored(self, stored: Future[None]) -> None:
        command, span, _ = self._appends.pop(stored)
        failed = stored.cancelled() or stored.exception() is not None
        if failed:
            span.set_status(Status(StatusCode.ERROR))
        span.end()
        self._stored = None if failed else command

    async def close(self) -> None:
        """Send what is left, unless the collector takes too long for it."""
        closing = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, EXPORT_SECONDS)


@dataclass(slots=True)
class TracedService(Service):
    """A service whose commands have spans.

    Attributes:
        traces: where they go.
    """

    traces: Traces = field(kw_only=True)

    async def ask(
        self, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
    ) -> Answer:
        """What a command comes to, as `Service.ask` says."""
        key, code = f"{user.user_id}/{command_id}", "internal"
        span = self.traces.command(key, actor)
        try:
            with use_span(span, record_exception=False, set_status_on_exception=False):  # its text may tell a hand
                answer = await Service.ask(self, actor, user, address, command_id, given)
            code = "ok" if answer.ok else answer.code
            return answer
        except LiarsPokerError as error:
            code = error.code
            raise
        finally:
            self.traces.ended(key, span, code)


class Traced:
    """An ASGI application around another one, whose requests have spans; of a socket, its handshake."""

    def __init__(self, app: ASGIApp, traces: Traces) -> None:
        self._app = app
        self._traces = traces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        span = self._traces.begin("request", SpanKind.SERVER)

        async def seen(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                span.set_attribute("http.response.status_code", message.get("status", 101))
            await send(message)

        try:
            with use_span(span, record_exception=False, set_status_on_exception=False):
                await self._app(scope, receive, seen)
        finally:
            span.set_attribute("http.route", template_of(scope))
            span.end()

"""OpenTelemetry traces of requests and commands. Imported only if the setting `traces` is set.

A command has the span `command` with the children `decide`, `append` (whose child is `commit`) and `publish`, inside
the `request` that brought it; commands from sockets have no request span. Attributes are only error codes, templates of
routes, ids of requests and hashes of table ids.
"""

from __future__ import annotations

import asyncio
import threading
import time
from asyncio import Future
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

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
from liarspoker.server.request_tracking import template_of
from liarspoker.server.service import Service
from liarspoker.server.storage.log import Entry
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import Answer, TableActor

EXPORT_SECONDS = 2
"""Timeout of an export, and how long a stopping server waits for the last one."""


@dataclass(slots=True, eq=False)
class _Append:
    """An entry that is being stored.

    Attributes:
        command: the span of its command.
        span: the span of the append.
        queued_at: when it was submitted, in nanoseconds.
        commit: when its commit began and ended, in nanoseconds; the writer's thread notes it.
    """

    command: Span
    span: Span
    queued_at: int
    commit: tuple[int, int] | None = None


class Traces:
    """The spans of one server.

    Args:
        collector: the URL of the collector, for OTLP over HTTP.
        node: the name of this node.
    """

    def __init__(self, collector: str, node: str) -> None:
        named = {"service.name": "liarspoker", "service.version": __version__, "service.instance.id": node}
        self._provider = TracerProvider(resource=Resource.create(named), shutdown_on_exit=False)
        exporter = OTLPSpanExporter(f"{collector.rstrip('/')}/v1/traces", timeout=EXPORT_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("liarspoker", __version__)
        self._commands: dict[str, Span] = {}
        self._appends: set[_Append] = set()
        self._decided = 0, 0
        self._begun: dict[str, int] = {}
        self._stored: Span | None = None

    def begin(self, name: str, kind: SpanKind = SpanKind.INTERNAL) -> Span:
        """Start a span inside the current one."""
        span = self._tracer.start_span(name, kind=kind)
        request = request_id()
        if request is not None:
            span.set_attribute("liarspoker.request", request)
        return span

    def command(self, key: str, actor: TableActor) -> Span:
        """Start the span of a command; `ended` has to end it.

        Args:
            key: the command's id in log entries.
            actor: the actor of its table.
        """
        self._commands[key] = span = self.begin("command")
        span.set_attribute("liarspoker.table", table_mark(actor.table.id))
        return span

    def ended(self, key: str, span: Span, code: str) -> None:
        """End the span of a command, whose outcome is `ok` or an error code."""
        span.set_attribute("liarspoker.outcome", code)
        span.end()
        self._commands.pop(key, None)

    def probe(self, inner: Callable[[str], None]) -> Callable[[str], None]:
        """Wrap a probe so that pairs of points such as "before-commit" and "after-commit" create spans.

        The points of deciding and publishing are reached in the event loop, those of the commit in the writer's thread;
        nothing else runs there between the two points of a pair.
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
            for append in self._appends.copy():
                if append.commit is None and append.queued_at <= begun:
                    append.commit = begun, ended
        elif what == "publish" and self._stored is not None:
            self._add("publish", self._stored, begun, ended)
            self._stored = None

    def _add(self, name: str, parent: Span, begun: int, ended: int) -> None:
        """Add a span that has already ended."""
        self._tracer.start_span(name, set_span_in_context(parent), start_time=begun).end(ended)

    def watch(self, storage: Storage) -> None:
        """Trace the entries appended to `storage`."""
        really = storage.append

        def append(entry: Entry) -> Future[None]:
            command = self._commands.get(entry.command_id or "")
            if command is None:  # a clock or a bot made this entry
                return really(entry)
            self._add("decide", command, *self._decided)
            span = self._tracer.start_span("append", set_span_in_context(command))
            appended = _Append(command, span, time.time_ns())
            self._appends.add(appended)  # before the writer can take the entry
            stored = really(entry)
            stored.add_done_callback(partial(self._is_stored, appended))  # runs before the table publishes
            return stored

        storage.append = append

    def _is_stored(self, appended: _Append, stored: Future[None]) -> None:
        self._appends.discard(appended)
        failed = stored.cancelled() or stored.exception() is not None
        if failed:
            appended.span.set_status(Status(StatusCode.ERROR))
        elif appended.commit is not None:
            self._add("commit", appended.span, *appended.commit)
        appended.span.end()
        self._stored = None if failed else appended.command

    async def close(self) -> None:
        """Send the remaining spans, unless the collector takes too long."""
        closing = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, EXPORT_SECONDS)


@dataclass(slots=True)
class TracedService(Service):
    """A service that traces its commands.

    Attributes:
        traces: where the spans go.
    """

    traces: Traces = field(kw_only=True)

    async def ask(
        self, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
    ) -> Answer:
        """Carry out a command inside a span; see `Service.ask`."""
        key, code = f"{user.user_id}/{command_id}", "internal"
        span = self.traces.command(key, actor)
        try:
            with use_span(span, record_exception=False, set_status_on_exception=False):  # its text may reveal a hand
                answer = await Service.ask(self, actor, user, address, command_id, given)
            code = "ok" if answer.ok else answer.code
            return answer
        except LiarsPokerError as error:
            code = error.code
            raise
        finally:
            self.traces.ended(key, span, code)


class Traced:
    """ASGI middleware that traces requests and the handshakes of sockets."""

    def __init__(self, app: ASGIApp, traces: Traces) -> None:
        self._app = app
        self._traces = traces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application inside a span."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        span = self._traces.begin("request", SpanKind.SERVER)

        async def send_and_note_status(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                span.set_attribute("http.response.status_code", message.get("status", 101))
            await send(message)

        try:
            with use_span(span, record_exception=False, set_status_on_exception=False):
                await self._app(scope, receive, send_and_note_status)
        finally:
            span.set_attribute("http.route", template_of(scope))
            span.end()

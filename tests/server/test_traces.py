"""Traces: the tree of spans of a command, as a collector gets it, without secrets."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from liarspoker.server.journal import table_mark
from liarspoker.server.tables import actor
from tests.server.inprocess import Person, Running, running
from tests.server.test_journal import fail_after_a_line
from tests.untyped import untyped


class Collector:
    """What a collector received.

    Attributes:
        url: its address.
        sent: the request bodies.
    """

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        sent = self.sent

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200 if self.path == "/v1/traces" else 404)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self) -> list[Any]:
        """All spans."""
        return [
            span
            for body in self.sent
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        collector.server.shutdown()
        collector.server.server_close()
        thread.join()


class Tree(NamedTuple):
    """A span and its children."""

    name: str
    within: tuple[Tree, ...] = ()


def tree_of(span: Any, spans: list[Any]) -> Tree:
    children = [one for one in spans if one.parent_span_id == span.span_id]
    assert all(one.trace_id == span.trace_id for one in children)
    assert all(span.start_time_unix_nano <= one.start_time_unix_nano for one in children)
    return Tree(span.name, tuple(sorted(tree_of(one, spans) for one in children)))


def attributes(span: Any) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


COMMAND = Tree("command", (Tree("append", (Tree("commit"),)), Tree("decide"), Tree("publish")))


def play(server: Running) -> tuple[Person, Person, str]:
    """Play a round with a few commands over HTTP and a socket; some are refused."""
    ann, bob, table = server.in_a_round()
    public = ann.view(table)["public"]
    acting = ann if public["to_act"] == ann.user else bob
    with acting.socket(table) as socket:
        assert socket.ask("bid", do="act", turn=public["turn"], action="2x7")["ok"]
        assert socket.ask("again", do="act", turn=public["turn"], action="2x7")["code"] == "stale"
    return ann, bob, table


def test_a_command_is_traced_as_a_tree_of_spans(tmp_path: Path) -> None:
    with collecting() as collector:
        with running(tmp_path, traces=collector.url) as server:
            _, _, table = play(server)
        spans = collector.spans()
    roots = [span for span in spans if not span.parent_span_id]
    trees = [tree_of(span, spans) for span in roots]
    assert trees.count(Tree("request", (COMMAND,))) == 3, "join, start, ready"
    assert trees.count(COMMAND) == 1, "over the socket"
    assert trees.count(Tree("command")) == 1, "the refused one"
    outcomes = sorted(str(attributes(span)["liarspoker.outcome"]) for span in spans if span.name == "command")
    assert outcomes == ["ok", "ok", "ok", "ok", "stale"]
    assert {attributes(span)["liarspoker.table"] for span in spans if span.name == "command"} == {table_mark(table)}
    routes = {attributes(span)["http.route"] for span in roots if span.name == "request"}
    assert routes >= {"/api/guest", "/api/tables/{table}/commands", "/api/tables/{table}/socket"}
    for span in spans:
        assert attributes(span).keys() <= {
            "liarspoker.outcome",
            "liarspoker.request",
            "liarspoker.table",
            "http.route",
            "http.response.status_code",
        }


def test_spans_contain_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        with running(tmp_path, traces=collector.url) as server:
            ann, bob, table = play(server)
            sitting = server.service.registry._actors[table].table.sitting
            assert sitting is not None
            numbers = untyped(sitting.session).round.numbers
            monkeypatch.setattr(actor, "decide", fail_after_a_line)
            assert bob.post(f"/api/tables/{table}/commands", {"id": "x", "command": {"do": "end"}}).status_code == 500
            cookies = [cookie.value or "" for person in (ann, bob) for cookie in person.http.cookies.jar]
        assert any(attributes(span).get("liarspoker.outcome") == "internal" for span in collector.spans())
        sent = b"".join(collector.sent).decode("latin-1")
    assert len(cookies) == 2
    secrets = [*numbers, *cookies, table, ann.user, bob.user, "Ann", "Bob", "2x7", "asked", "ValueError"]
    assert [secret for secret in secrets if secret in sent] == []


def test_an_unavailable_collector_does_not_delay_requests(tmp_path: Path) -> None:
    with running(tmp_path, traces="http://127.0.0.1:9") as server:
        play(server)


def test_tracing_is_not_imported_without_a_collector() -> None:
    unwanted = {"opentelemetry.sdk", "opentelemetry.exporter.otlp", "liarspoker.server.traces"}
    program = f"import sys, liarspoker.server.run, liarspoker.web.app; print({unwanted} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stdout == "set()\n"

"""No value of a path, query, form or JSON body makes a route fail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute

from liarspoker.server.config import MailConfig
from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, running, written_lines
from tests.server.permissions import ROUTES
from tests.server.postgres import Server
from tests.server.test_malformed_input import went_wrong

TEXTS = (
    "",
    "a\0b",
    "²",
    "\N{LATIN SMALL LETTER E WITH ACUTE}",
    "-1",
    "9" * 400,
    "1e999",
    "//a.example",
    "\r\nX: y",
    "%",
)
VALUES: tuple[Any, ...] = (*TEXTS, "\ud800", "x" * 5_000, None, True, -1, 10**30, 0.5, [], {}, [[]], {"": None})
"""Values for JSON bodies; forms and URLs get those of `TEXTS`."""

PAGES = (
    "/",
    "/new",
    "/bots",
    "/odds",
    "/replay",
    "/verify",
    "/you",
    "/you/games",
    "/you/bluffs",
    "/settings",
    "/correspondence",
)
"""Pages whose forms are sent."""
COMMAND = ("do", "user", "chair", "turn", "choice", "version", "on", "text", "reaction", "bot", "option.x", "action.1")
QUERIES = {
    "/t/{table}": ("ply", "hand", "claim"),
    "/t/{table}/replay/{number}": ("ply", "as"),
    "/t/{table}/replay/record.{form}": ("record",),
    "/t/{table}/verify": ("deal", "from"),
    "/verify": ("table",),
    "/replay": ("table",),
}
"""What routes read from the query without declaring it."""

FORM = re.compile(r'<form[^>]*?action="([^"]*)"[^>]*>(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<(?:input|select|textarea|button)[^>]*?name="([^"]*)"(?:[^>]*?value="([^"]*)")?')
PART = re.compile(r"{(\w+)}")
LOGS_OUT = ("/you/logout", "/api/logout")
ENDLESS = ("/api/stream", "/api/tables/{table}/stream")


@dataclass(frozen=True)
class Case:
    """A request with valid values."""

    method: str
    path: str
    parts: dict[str, str]
    query: dict[str, str]
    form: dict[str, str]
    body: Any = None

    def variants(self) -> Iterator[Case]:
        """Yield this request with one value replaced, for each value and replacement."""
        for name in ("parts", "query", "form"):
            values = getattr(self, name)
            for key in values:
                for text in TEXTS:
                    if text or name != "parts":
                        changed: dict[str, Any] = {name: {**values, key: text}}
                        yield replace(self, **changed)
        for body in replaced(self.body):
            yield replace(self, body=body)

    def send(self, person: Person, host: str) -> int:
        """Send the request, and return the status."""
        path = self.path.format_map({key: quote(text, safe="") for key, text in self.parts.items()})
        given: dict[str, Any] = {"data": self.form} if self.form else {}
        if self.body is not None:
            given = {"content": json.dumps(self.body), "headers": {"Content-Type": "application/json"}}
        headers = {"Host": host, **given.pop("headers", {})}
        response = person.http.request(self.method, path, params=self.query or None, headers=headers, **given)
        return response.status_code


def replaced(body: Any) -> Iterator[Any]:
    """Yield a JSON document with one value replaced."""
    if body is None:
        return
    yield from (one for one in VALUES if one is not None)
    if isinstance(body, dict):
        for key, inside in body.items():
            yield {**body, key: None}
            for one in replaced(inside):
                yield {**body, key: one}


def fields_of(person: Person, table: str) -> dict[str, dict[str, str]]:
    """Return the fields of the forms on the pages, by path."""
    found: dict[str, dict[str, str]] = {}
    for path in (*PAGES, f"/t/{table}"):
        for action, form in FORM.findall(person.http.get(path).text):
            fields = found.setdefault(action.partition("?")[0].replace(table, "{table}"), {})
            fields.update({name: value or "1" for name, value in FIELD.findall(form)})
    found.setdefault("/t/{table}", {}).update(dict.fromkeys(COMMAND, "1"))
    return found


def cases(server: Running, person: Person, other: Person) -> Iterator[Case]:
    table = server.table(person)
    fields = fields_of(person, table)
    parts = {"table": table, "user": other.user, "number": "1", "form": "json", "code": "slips,1-0d16778d5cea"}
    text = json.dumps([body for body, _ in ROUTES.values()])
    filled = json.loads(text.replace("{table}", table).replace("{former}", other.user).replace("{new}", "m1"))
    bodies = dict(zip(ROUTES, filled, strict=True)) | {
        "POST /push/subscribe": {"endpoint": "https://a.example/", "keys": {"p256dh": "x", "auth": "x"}},
        "POST /api/passkeys": {"credential": {"id": "x", "response": {"clientDataJSON": "e30"}}, "label": "key"},
        "POST /api/login/passkey": {"credential": {"id": "x", "response": {"clientDataJSON": "e30"}}},
        "POST /api/passkeys/options": {"login": "ann"},
    }
    included = [getattr(one, "original_router", None) for one in server.raw.application.routes]
    found = [one for router in included if router is not None for one in router.routes if isinstance(one, APIRoute)]
    assert {f"{method} {route.path}" for route in found for method in route.methods or ()} >= ROUTES.keys()
    for route in found:
        if route.path not in ENDLESS:
            method = next(iter(route.methods or ()))
            inputs = route.dependant  # codespell:ignore
            declared = {one.alias: "1" for one in inputs.query_params}
            names = {one.alias: "1" for one in inputs.body_params}
            body = bodies.get(f"{method} {route.path}")
            undeclared = fields.get(route.path, {})
            query = declared | dict.fromkeys(QUERIES.get(route.path, ()), "1")
            if method == "GET":
                query |= undeclared
            form = {} if method != "POST" or body is not None else names | undeclared
            named = {part: parts.get(part, "1") for part in PART.findall(route.path)}
            yield Case(method, route.path, named, query, form, body)


@contextmanager
def open_server(url: str, folder: Path) -> Iterator[Running]:
    mail = MailConfig("smtp+plain://127.0.0.1:1", "poker@example.org", "https://poker.example.org")
    with running(folder, mount_pages, database=url, mail=mail, push_contact="mailto:poker@example.org") as server:
        yield server


@pytest.mark.slow
def test_no_value_makes_a_route_fail(postgres: Server, tmp_path: Path) -> None:
    # PostgreSQL rejects texts that SQLite accepts.
    with open_server(postgres.new_database(), tmp_path) as server, written_lines() as lines:
        ann, bob = server.person("Ann"), server.person("Bob")
        host = f"localhost:{server.port}"
        failed = dict[str, Case]()
        for case in cases(server, ann, bob):
            for variant in case.variants():
                if case.path in LOGS_OUT:
                    ann = server.person("Ann")
                if variant.send(ann, host) >= 500:
                    failed[f"{case.method} {case.path}"] = variant
                    ann = server.person("Ann")  # the server has closed the connection
        assert failed == {}
        assert went_wrong(lines.getvalue()) == []

"""The OpenAPI document, the JSON Schema and the protocol reference match the server."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from msgspec import structs

from liarspoker.server import problems
from liarspoker.server.socket import CLOSE
from liarspoker.tables.export import audit_of, records_of
from liarspoker.tables.view import private, public
from tests.server.inprocess import Running
from tests.server.permissions import ROUTES
from tests.tables.golden import frames_kept, logs, states
from tests.tables.play import as_json
from tools import protocol

if TYPE_CHECKING:
    from schemathesis import Case

EXAMPLES = max(2, settings.default.max_examples // 4)  # type: ignore[union-attr]
ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "docs" / "reference" / name for name in ("live-protocol.md", "notation.md")]
STARTS = {
    "bad-bus",
    "bad-place",
    "bad-setting",
    "cannot-back-up",
    "cannot-listen",
    "cannot-start",
    "name-taken",
    "newer-database",
    "older-node",
}
NEVER_TOLD = STARTS | {"account", "bad-archive", "bots-busy"}
"""Codes that aren't sent over the network: a family of errors, startup failures, and internal ones."""


@pytest.fixture(scope="module")
def document(server: Running) -> Any:
    return server.person().http.get("/api/openapi.json").json()


@pytest.mark.slow
@pytest.mark.parametrize("route", [route for route in ROUTES if not route.endswith("stream")])
def test_responses_conform_to_the_openapi_document(server: Running, document: Any, route: str) -> None:
    import schemathesis  # the import takes seconds
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conformance = [
        not_a_server_error,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.status_code_conformance,
    ]
    if route == "GET /api/tables/{table}":  # schemathesis can't read a tuple below `additionalProperties`; see below
        conformance.remove(checks.response_schema_conformance)
    method, path = route.split(" ")
    operation = schemathesis.openapi.from_dict(document)[path][method]
    ann = server.person(None if path == "/api/logout" else "Ann")
    table = server.table(server.person("Bob"))

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy(), real=st.booleans())
    def ask(case: Case[Any], real: bool) -> None:
        if real and "{table}" in path:
            case.path_parameters["table"] = table
        response = case.call(base_url=server.url, headers=ann.headers)
        case.validate_response(response, checks=list(conformance))

    ask()


def test_every_route_has_a_description(document: Any) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"].endswith("."), (method, path)
            assert operation["tags"], (method, path)
            for parameter in operation.get("parameters", ()):
                assert parameter["schema"], (method, path)


def test_every_answer_with_content_has_a_schema(document: Any) -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                for media, one in answer.get("content", {}).items():
                    schema = one.get("schema", one.get("itemSchema"))
                    assert schema.keys() & {"properties", "additionalProperties", "items", "anyOf", "type", "$ref"}, (
                        f"{method} {path} {status} {media}"
                    )


def codes_in(path: Path) -> Iterator[str]:
    """Return the codes of refusals in a module's source."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in SAY_CODES:
            yield from (str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and any(getattr(target, "id", "") == "code" for target in node.targets)
        ):
            yield str(node.value.value)


SAY_CODES = {"Refused", "Problem", "told", "_illegal"}


def test_every_error_code_is_in_the_reference() -> None:
    documented = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", " ".join(map(Path.read_text, DOCUMENTS))))
    package = ROOT / "src" / "liarspoker"
    paths = [*package.glob("server/**/*.py"), *package.glob("tables/**/*.py"), *package.glob("games/**/table*.py")]
    told = {code for path in paths for code in codes_in(path)}
    told |= set(problems._STATUS) | set(CLOSE)
    assert len(told) > 50
    assert told - NEVER_TOLD <= documented


def test_every_refusal_of_a_table_is_in_the_list_of_the_commands() -> None:
    protocol_text, notation = map(Path.read_text, DOCUMENTS)
    listed = protocol_text.partition("Codes of refusals")[2].partition("\n## ")[0]
    errors = protocol_text.partition("\n## Errors")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", listed + errors + notation.partition("\n## Faults")[2]))
    refused = {code for path in (ROOT / "src" / "liarspoker" / "tables").rglob("*.py") for code in codes_in(path)}
    assert len(refused) > 30
    assert refused <= documented


def test_the_reference_lists_the_status_of_every_code() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (.*) \|$", DOCUMENTS[0].read_text(), re.MULTILINE)
    statuses = {code: int(status) for status, codes in rows for code in re.findall(r"`([a-z-]+)`", codes)}
    assert problems._STATUS.items() <= statuses.items()
    closes = dict(re.findall(r"^\| (\d{4}) \| `([a-z-]+)`", DOCUMENTS[0].read_text(), re.MULTILINE))
    assert set(closes) == {"4400", "4401", "4403", "4404", "4408", "4429", "4503"}


def test_every_route_is_in_the_reference() -> None:
    reference = DOCUMENTS[0].read_text()
    for route in ROUTES:
        assert f"{route.split(' ')[1]}`" in reference, route


def test_the_generated_files_are_up_to_date() -> None:
    assert protocol.SCHEMA.read_text("utf-8") == protocol.schema(), "run python -m tools.protocol"
    assert protocol.TYPES.read_text("utf-8") == protocol.types(), "run python -m tools.protocol"


@pytest.mark.parametrize("name", logs())
def test_recorded_server_messages_match_the_schema(name: str) -> None:
    document = json.loads(protocol.SCHEMA.read_text("utf-8"))
    told: dict[str, Any] = {}
    states = Draft202012Validator({"$ref": "#/$defs/State", "$defs": document["$defs"]})
    for frame in frames_kept(name):
        told |= frame
        you = told.get("user-1", told["user-0"])
        state = {"kind": "state", "version": 1, "now": 1.5, "public": told["public"], "you": you}
        states.validate(state)


def test_rows_of_the_lobby_and_the_catalogue_are_described(document: Any) -> None:
    reference = DOCUMENTS[0].read_text()
    for path in ("/api/tables", "/api/games", "/api/bots"):
        answer = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        assert len(answer["items"]["properties"]) >= 4, path
        if path == "/api/tables":
            assert all(f"`{key}`" in reference for key in answer["items"]["properties"])


def schema_at(document: Any, path: str, media: str = "application/json", key: str = "schema") -> Any:
    """Return the schema of the response to a GET request."""
    return document["paths"][path]["get"]["responses"]["200"]["content"][media][key]


def exact(schema: Any) -> Any:
    """Return a schema that also rejects keys that it doesn't describe."""
    if isinstance(schema, list):
        return [exact(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: exact(part) for key, part in schema.items()}
    return {**found, "additionalProperties": False} if "properties" in schema else found


@pytest.mark.parametrize("name", logs())
def test_tables_records_audits_and_streams_are_described_key_by_key(document: Any, name: str) -> None:
    *_, table = states(name)
    one = Draft202012Validator(exact(schema_at(document, "/api/tables/{table}")))
    line = exact(schema_at(document, "/api/tables/{table}/stream", "application/x-ndjson", "itemSchema"))
    for user in (*table.names, None):
        you = None if user is None else as_json(private(table, user))
        state = {"kind": "state", "version": 1, "now": 1.5, "public": as_json(public(table)), "you": you}
        one.validate(state)
        Draft202012Validator(line).validate(state)
        records = Draft202012Validator(exact(schema_at(document, "/api/tables/{table}/records")))
        records.validate(as_json(records_of(table, user)))
    if table.deals_revealed:
        audits = Draft202012Validator(exact(schema_at(document, "/api/tables/{table}/audit")))
        for audit in ("full", "leaves"):
            audits.validate(as_json(audit_of(table._replace(settings=structs.replace(table.settings, audit=audit)))))


def test_the_lines_of_the_event_stream_are_described(server: Running, document: Any) -> None:
    line = exact(schema_at(document, "/api/stream", "application/x-ndjson", "itemSchema"))
    ann = server.person("Ann")
    server.table(ann)
    with ann.http.stream("GET", "/api/stream") as response:
        assert response.headers["content-type"].startswith("application/x-ndjson")
        news = json.loads(next(filter(None, response.iter_lines())))
    Draft202012Validator(line).validate(news)
    assert not Draft202012Validator(line).is_valid({**news, "kind": "other"})

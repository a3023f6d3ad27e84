"""Metrics for Prometheus: they are valid, match what happened, and reveal nothing else."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from liarspoker.server.config import Limit, every_limit, no_limits, with_limits
from liarspoker.server.listening import listen
from liarspoker.server.metrics import is_local
from liarspoker.server.storage.log import SHARD_COUNT
from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Person, Running, eventually, running

DASHBOARD = Path(__file__).resolve().parents[2] / "deploy" / "grafana" / "liarspoker.json"
LABEL = re.compile(r"[a-zA-Z0-9_./{}:+-]*")
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def scraped(url: str) -> Samples:
    """Return all samples by name and labels."""
    response = httpx2.get(url, timeout=PATIENCE)
    assert response.status_code == 200, response.text
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(response.text)
        for one in family.samples
    }


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples.get((f"liarspoker_{name}", tuple(sorted(labels.items()))), 0.0)


def play_a_round(server: Running) -> tuple[Person, Person, str]:
    """Two people and a bot play a round, one of them over a socket; some commands are refused."""
    bob = server.person("Bob")
    ann, table = server.hosted(bob, bots=("uniform",))
    assert ann.ask(table, do="start")["ok"]
    assert bob.ask(table, do="ready")["ok"]
    assert not bob.ask(table, do="start")["ok"]
    with ann.socket(table) as socket:
        socket.until("state")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            public = ann.view(table)["public"]
            acting = {ann.user: ann, bob.user: bob}.get(public["to_act"] or "")
            if public["rounds_played"]:
                return ann, bob, table
            if acting is not None:
                legal = acting.view(table)["you"]["hand"]["legal"]
                action = legal["challenge"] or legal["count"] or legal["claims"][0]
                if acting is ann:
                    socket.ask(f"s{public['turn']}", do="act", turn=public["turn"], action=action)
                else:
                    bob.ask(table, do="act", turn=public["turn"], action=action)
    raise AssertionError("no round comes to an end")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, tuple[Person, Person, str]]]:
    """A server with web pages at which a round was played."""
    with running(tmp_path_factory.mktemp("played"), mount_pages) as server:
        yield server, play_a_round(server)


def test_games_are_counted(played: tuple[Running, tuple[Person, Person, str]]) -> None:
    server, (ann, _, table) = played
    before = scraped(f"{server.url}/metrics")
    assert ann.http.get(f"/t/{table}").status_code == 200
    assert ann.http.get("/nowhere").status_code == 404
    assert ann.http.head("/health").status_code == 200
    assert ann.ask(table, do="say", text="well played")["ok"]
    with ann.socket(table) as socket:
        socket.until("presence")
        samples = scraped(f"{server.url}/metrics")
        assert value(samples, "connections", kind="socket") == 1
    assert value(samples, "commands_total", code="ok") == value(before, "commands_total", code="ok") + 1
    assert value(samples, "commands_total", code="already-started") or value(
        samples, "commands_total", code="not-owner"
    )
    assert value(samples, "command_seconds_count") >= value(samples, "commands_total", code="ok")
    assert value(samples, "commit_seconds_count") > value(before, "commit_seconds_count") > 3
    assert value(samples, "write_queue_seconds_count") > value(before, "write_queue_seconds_count") > 3
    assert value(samples, "http_requests_total", method="GET", route="/t/{table}", status="200") == 1
    assert value(samples, "http_requests_total", method="GET", route="none", status="404") == 1
    assert value(samples, "http_requests_total", method="HEAD", route="/health", status="200") == 1
    assert value(samples, "http_requests_total", method="SOCKET", route="/api/tables/{table}/socket", status="101") == 2
    assert value(samples, "socket_frames_total", direction="out") > value(
        before, "socket_frames_total", direction="out"
    )
    assert value(samples, "socket_frames_total", direction="in") >= 1
    assert value(samples, "sent_bytes_total", over="socket") > 1000
    assert value(samples, "sent_bytes_total", over="http") > 1000
    assert value(samples, "tables") == 1
    assert value(samples, "shards") == SHARD_COUNT
    assert value(samples, "nodes") == 1
    assert value(samples, "database_away") == value(samples, "lapsed") == 0
    eventually(lambda: value(scraped(f"{server.url}/metrics"), "event_loop_lag_seconds_count") > 0)


def test_metric_labels_contain_no_names_of_people_or_tables(played: tuple[Running, tuple[Person, Person, str]]) -> None:
    server, (ann, bob, table) = played
    text = httpx2.get(f"{server.url}/metrics").text
    assert [secret for secret in (table, ann.user, bob.user, "Ann", "Bob") if secret in text] == []
    for name, labels in scraped(f"{server.url}/metrics"):
        assert all(LABEL.fullmatch(value) for _, value in labels), name


def test_servers_in_one_process_have_separate_metrics(
    played: tuple[Running, tuple[Person, Person, str]], tmp_path: Path
) -> None:
    with running(tmp_path) as other:
        assert value(scraped(f"{other.url}/metrics"), "commands_total", code="ok") == 0
    assert value(scraped(f"{played[0].url}/metrics"), "commands_total", code="ok") > 0


def expressions(part: Any) -> Iterator[str]:
    """Return every query of a dashboard."""
    if isinstance(part, dict):
        if isinstance(part.get("expr"), str):
            yield part["expr"]
        for one in part.values():
            yield from expressions(one)
    elif isinstance(part, list):
        for one in part:
            yield from expressions(one)


def test_the_dashboard_uses_existing_metrics(
    played: tuple[Running, tuple[Person, Person, str]],
) -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    asked = {
        name for text in expressions(dashboard) for name in re.findall(r"\b(?:liarspoker|process|python)_\w+", text)
    }
    assert len(asked) > 15
    exported = set(re.findall(r"^# TYPE (\w+)", httpx2.get(f"{played[0].url}/metrics").text, re.MULTILINE))
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in asked} <= exported


def test_the_dashboard_has_every_metric_of_the_server(played: tuple[Running, tuple[Person, Person, str]]) -> None:
    text = httpx2.get(f"{played[0].url}/metrics").text
    exported = set(re.findall(r"^# TYPE (liarspoker_\w+)", text, re.MULTILINE))
    queries = " ".join(expressions(json.loads(DASHBOARD.read_text())))
    asked = {re.sub("_(bucket|count|sum)$", "", name) for name in re.findall(r"\bliarspoker_\w+", queries)}
    assert asked == exported


def test_metrics_are_served_only_locally_and_never_through_a_proxy(tmp_path: Path) -> None:
    with running(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        assert httpx2.get(f"{server.url}/metrics").status_code == 200
        for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP"):
            refused = httpx2.get(f"{server.url}/metrics", headers={header: "127.0.0.1"})
            assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not-found")
    assert [is_local(host) for host in ("127.3.2.1", "::1", "192.0.2.1", "::ffff:192.0.2.1", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_metrics_can_be_disabled(tmp_path: Path) -> None:
    with running(tmp_path, metrics="off") as server:
        assert httpx2.get(f"{server.url}/metrics").status_code == 404


def test_the_metrics_address_is_open_while_the_server_runs(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as free:
        place = f"127.0.0.1:{free.getsockname()[1]}"
    with running(tmp_path / "one", metrics=place) as server:
        assert httpx2.get(f"{server.url}/metrics").status_code == 404
        assert value(scraped(f"http://{place}/metrics"), "tables") == 0
        server.person("Ann")
        samples = scraped(f"http://{place}/metrics")
        assert value(samples, "http_requests_total", method="POST", route="/api/guest", status="200") == 1
    with running(tmp_path / "one", metrics=place):
        assert scraped(f"http://{place}/metrics")


def test_refusals_are_counted_by_limit(tmp_path: Path) -> None:
    limits = with_limits(
        no_limits(), ["guests=1/0.001", "open_tables=1", "watchers=1", "frames=1/0.001", "lines=1/0.001"]
    )
    with running(tmp_path, limits=limits) as server:
        ann = server.person("Ann")
        assert server.person().post("/api/guest", {"name": "Bob"}).status_code == 429
        table = server.table(ann)
        assert ann.post("/api/tables", {"settings": {"game": "slips"}}).status_code == 429
        with server.person().socket(table) as socket:
            socket.until("state")
            for _ in range(2):
                socket.send({"kind": "ping"})
            socket.until("error")
            with server.person().socket(table) as other:
                assert other.end()[0] == 4429
        assert ann.ask(table, do="say", text="one")["ok"]
        assert (
            ann.post(f"/api/tables/{table}/commands", {"id": "x", "command": {"do": "say", "text": "two"}}).status_code
            == 429
        )
        samples = scraped(f"{server.url}/metrics")
    refused = {
        dict(labels)["limit"]: count for (name, labels), count in samples.items() if name == "liarspoker_refusals_total"
    }
    assert refused.keys() >= {one.name for one in every_limit() if isinstance(one.default, Limit)}
    assert {name for name, count in refused.items() if count} == {
        "guests",
        "open_tables",
        "watchers",
        "frames",
        "lines",
    }
    assert value(samples, "commands_total", code="too-many") == 1

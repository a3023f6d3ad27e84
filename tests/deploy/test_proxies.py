"""Everything works through nginx and Caddy as configured in `deploy/`."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from liarspoker.server import guard
from liarspoker.web.routes import replay
from tests.deploy.proxies import DEPLOY, GUESTS, PATIENCE, Site, any_certificate, site
from tests.server.postgres import Server as Postgres
from tests.server.postgres import start_server
from tests.tables.choices import some_action

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = start_server()
    yield server
    server.stop("immediate")
    shutil.rmtree(server.folder)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, postgres: Postgres) -> Iterator[Site]:
    with (
        tempfile.TemporaryDirectory() as folder,  # nginx's paths are short
        site(request.param, postgres, Path(folder)) as made,
    ):
        yield made


@dataclass
class Player:
    """A player who reaches the server only through the proxy."""

    site: Site
    http: httpx2.Client
    user: str
    sent: int = 0

    def socket(self, table: str) -> connect:
        cookies = "; ".join(f"{one.name}={one.value}" for one in self.http.cookies.jar)
        url = f"wss://{self.site.host}/api/tables/{table}/socket?protocol=1"
        headers = {"Cookie": cookies, "Origin": f"https://{self.site.host}"}
        return connect(url, ssl=any_certificate(), additional_headers=headers, open_timeout=PATIENCE)

    def ask(self, table: str, **command: object) -> dict[str, Any]:
        self.sent += 1
        return self.post(f"/api/tables/{table}/commands", {"id": f"h{self.sent}", "command": command})

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Send a request and return its result, repeating it while tables move between nodes."""
        until = time.monotonic() + PATIENCE
        while (answer := self.http.post(path, json=body)).status_code in (502, 503):
            assert time.monotonic() < until, answer.text
        assert answer.is_success, answer.text
        result: dict[str, Any] = answer.json()
        return result


@contextmanager
def players(behind: Site, *addresses: str) -> Iterator[list[Player]]:
    """Create guests, each with a different address."""
    there = []
    for address in addresses:
        client = behind.client(address)
        made = client.post("/api/guest", json={"name": f"P{address.rpartition('.')[2]}"})
        assert made.status_code == 200, made.text
        there.append(Player(behind, client, made.json()["user"]))
    yield there
    for player in there:
        player.http.close()


def opened(ann: Player, bob: Player) -> str:
    """Create a table where both players have been dealt a hand."""
    table: str = ann.post("/api/tables", {"settings": {"game": "dollar-bill"}})["table"]
    for player, do in ((bob, "join"), (ann, "start"), (bob, "ready")):
        assert player.ask(table, do=do)["ok"]
    return table


async def play(table: str, people: list[Player], actions: int) -> None:
    """Play until this many actions are acknowledged; players reconnect and repeat after a lost connection."""
    chance, acknowledged, unanswered = Random(table), set[str](), dict[str, str]()
    number = 0
    async with asyncio.timeout(PATIENCE):
        while len(acknowledged) < actions:
            player = people[number % len(people)]
            # After a lost connection it is still the player's turn, so they repeat the unanswered action.
            with suppress(ConnectionClosed, InvalidHandshake, OSError):
                async with player.socket(table) as socket:
                    for text in unanswered.values():
                        await socket.send(text)
                    while len(acknowledged) < actions:
                        message: dict[str, Any] = json.loads(await socket.recv())
                        if message["kind"] == "answer":
                            unanswered.pop(message["id"], None)
                            acknowledged.add(message["id"])
                        if message["kind"] != "state" or unanswered:
                            continue
                        command = _next(message, player, chance)
                        if command is None:
                            number += 1  # it is another player's turn
                            break
                        player.sent += 1
                        name = f"s{player.sent}"
                        unanswered[name] = json.dumps({"kind": "command", "id": name, "command": command})
                        await socket.send(unanswered[name])


def _next(message: dict[str, Any], player: Player, chance: Random) -> dict[str, Any] | None:
    public, you = message["public"], message["you"]
    if public["stage"] == "gathering" and you["gathering"]["wanted"]:
        return {"do": "ready"}
    if public["stage"] == "round" and public["to_act"] == player.user:
        return {"do": "act", "turn": public["turn"], "action": some_action(you["hand"], chance)}
    return None


def test_players_use_sockets_pages_and_streams_through_a_proxy(behind: Site) -> None:
    with players(behind, "127.0.1.1", "127.0.1.2") as people:
        ann, bob = people
        tables = [opened(ann, bob) for _ in range(4)]
        for table in tables:
            asyncio.run(play(table, people, 6))
            page = ann.http.get(f"/t/{table}")
            assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
            for path in (f"/api/tables/{table}/stream", "/api/stream"):
                # A stream ends if its table moves to the other node, as on a busy machine; clients then reconnect.
                assert any(_streams_at_once(ann, bob, table, path) for _ in range(3))


def _streams_at_once(reader: Player, writer: Player, table: str, path: str) -> bool:
    """Return whether a line is received while the stream goes on; false if the stream has ended."""
    with reader.http.stream("GET", path) as stream:
        lines = (json.loads(line) for line in stream.iter_lines() if line)
        before = next((line for line in lines if line.get("table", table) == table), None)
        if before is None:
            return False
        assert writer.ask(table, do="say", text="hello")["ok"]
        # The stream is endless, so this line was sent without waiting for others.
        mine = (line for line in lines if line.get("table", table) == table and "version" in line)
        after = next(mine, None)
        return after is not None and bool(after["version"] > before["version"])


def test_play_continues_when_a_node_stops_or_is_killed(behind: Site) -> None:
    with players(behind, "127.0.2.1", "127.0.2.2") as people:
        tables = [opened(*people) for _ in range(4)]
        for node, ends in zip(behind.nodes, ("stop", "kill"), strict=True):
            getattr(node, ends)()
            for table in tables:
                asyncio.run(play(table, people, 4))
                assert people[0].http.get(f"/t/{table}").status_code == 200
            node.start()


def test_limits_apply_to_the_clients_real_address_even_if_it_forges_headers(behind: Site) -> None:
    with behind.client("127.0.3.1") as client:
        responses = [
            client.post("/api/guest", json={"name": "X"}, headers={"X-Forwarded-For": f"198.51.100.{number}"})
            for number in range(4 * GUESTS)
        ]
        answers = [one.status_code for one in responses]
    assert GUESTS <= answers.count(200) <= GUESTS * len(behind.nodes)
    assert answers.count(200) + answers.count(429) == len(answers)
    with behind.client("127.0.3.2", **{"X-Forwarded-For": "127.0.3.1"}) as other:
        assert other.post("/api/guest", json={"name": "Y"}).status_code == 200


def test_private_paths_are_not_proxied(behind: Site) -> None:
    with behind.client("127.0.4.1") as client:
        assert client.get("/metrics").status_code == 404
        too_long = client.post("/api/guest", content=b" " * (guard.MAX_BYTES + 1))
        assert too_long.status_code in (413, 502), "Caddy may stop in the middle of the body, before the answer"
        assert client.post("/api/guest", json={"name": "Z"}, headers={"Origin": "https://x.example"}).status_code == 403
        slashed = client.get("/api/me/")
        assert slashed.headers["location"] == f"https://{behind.host}/api/me"
        assert "secure" in client.post("/api/guest", json={"name": "Z"}).headers["set-cookie"].lower()


def test_proxies_limit_bodies_like_the_server() -> None:
    nginx = (DEPLOY / "nginx/liarspoker.conf").read_text(encoding="utf-8")
    caddy = (DEPLOY / "caddy/Caddyfile").read_text(encoding="utf-8")
    units = {"k": 1024, "m": 1024**2, "KiB": 1024, "MiB": 1024**2}
    found = [
        re.findall(r"client_max_body_size (\d+)(\w+);", nginx),
        re.findall(r"max_size (\d+)(\w+)", caddy),
    ]
    for sizes in found:
        assert sorted(int(number) * units[unit] for number, unit in sizes) == [guard.MAX_BYTES, replay.MOST_BODY_BYTES]

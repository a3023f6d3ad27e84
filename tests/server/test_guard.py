"""Checks that every request passes first, and the headers and cookies of every response."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from websockets.asyncio.client import connect

from liarspoker.server import quotas
from liarspoker.server.config import Limit, Limits, no_limits
from liarspoker.server.guard import LARGE_AT_ONCE, MAX_BYTES
from liarspoker.server.run import MAX_FRAME_BYTES
from liarspoker.server.storage.errors import NotOwner
from tests.server.inprocess import PATIENCE, Running, eventually, running

FOREIGN = ("http://evil.example", "null", "http://127.0.0.1:1", "http://[", "", "file://", "https://")


@pytest.mark.parametrize("origin", FOREIGN)
def test_unsafe_methods_and_sockets_refuse_other_origins(server: Running, origin: str) -> None:
    ann, table = server.hosted()
    before = ann.view(table)["public"]
    for method, path in (
        ("POST", f"/api/tables/{table}/commands"),
        ("POST", "/api/logout"),
        ("POST", "/api/tokens"),
        ("DELETE", "/api/tokens/x"),
        ("PUT", "/api/me"),
    ):
        refused = ann.http.request(method, path, headers={"Origin": origin})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "foreign-origin"), path
    with ann.socket(table, Origin=origin) as socket:
        assert socket.end() == (4403, "foreign-origin")
    assert ann.view(table)["public"] == before


@pytest.mark.parametrize("origin", [None, "same", "shouted"])
def test_requests_without_origin_and_from_own_pages_are_served(server: Running, origin: str | None) -> None:
    ann, table = server.hosted()
    own = {"same": server.url, "shouted": server.url.upper()}
    headers = {} if origin is None else {"Origin": own[origin]}
    said = {"id": "c", "command": {"do": "say", "text": "hello"}}
    assert ann.post(f"/api/tables/{table}/commands", said, headers=headers).json()["ok"]
    with ann.socket(table, **headers) as socket:
        assert socket.until("welcome")["user"] == ann.user


def test_cross_site_requests_are_refused(server: Running) -> None:
    for site in ("cross-site", "same-site"):
        refused = server.person().post("/api/guest", {"name": "Ann"}, headers={"Sec-Fetch-Site": site})
        assert refused.status_code == 403


def test_cookies_are_http_only_and_same_site(server: Running) -> None:
    made = server.person().post("/api/guest", {"name": "Ann"})
    (cookie,) = SimpleCookie(made.headers["set-cookie"]).values()
    assert (cookie.key, cookie["path"], cookie["samesite"]) == ("liarspoker", "/", "lax")
    assert cookie["httponly"]
    assert not cookie["secure"]
    assert not cookie["domain"]


def test_with_tls_the_cookie_is_restricted_to_this_host_and_https(tmp_path: Path) -> None:
    with running(tmp_path, tls=True) as server:
        ann = server.person()
        made = ann.post("/api/guest", {"name": "Ann"})
        (cookie,) = SimpleCookie(made.headers["set-cookie"]).values()
        assert (cookie.key, cookie["path"], cookie["samesite"]) == ("__Host-liarspoker", "/", "lax")
        assert cookie["httponly"]
        assert cookie["secure"]
        assert not cookie["domain"]
        assert "max-age" in made.headers["strict-transport-security"]
        shown = {"Cookie": f"{cookie.key}={cookie.value}"}
        left = ann.post("/api/logout", headers={**shown, "Origin": server.url.replace("http:", "https:")})
        (gone,) = SimpleCookie(left.headers["set-cookie"]).values()
        assert (gone.key, gone["max-age"], gone["path"], gone["secure"]) == (cookie.key, "0", "/", True)
        assert ann.http.get("/api/me", headers=shown).status_code == 401
        assert ann.post("/api/logout", headers={"Origin": server.url}).status_code == 403


def test_every_response_has_the_security_headers(server: Running) -> None:
    ann, table = server.hosted()
    paths = (
        "/health",
        "/ready",
        "/api/me",
        "/api/none",
        "/api/tables/none",
        f"/api/tables/{table}",
        "/api/openapi.json",
    )
    for path in paths:
        headers = ann.http.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers
        assert "access-control-allow-origin" not in headers
        if path.startswith("/api/"):
            assert headers["cache-control"] == "no-store", path


def test_bodies_are_limited_with_and_without_content_length(server: Running) -> None:
    ann = server.person("Ann")
    large = b'{"name": "' + b"x" * MAX_BYTES + b'"}'
    told = ann.http.post("/api/guest", content=large, headers={"Content-Type": "application/json"})
    untold = ann.http.post(
        "/api/guest", content=iter([large[:100], large[100:]]), headers={"Content-Type": "application/json"}
    )
    for refused in (told, untold):
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too-large")


def with_a_large_page(go_on: threading.Event, arrived: threading.Semaphore) -> Callable[[FastAPI], None]:
    """Add `/large`, which accepts 100 KiB and responds when the test allows it."""

    def mount_pages(app: FastAPI) -> None:
        app.state.larger = {"/large": 100 * 1024}

        @app.post("/large")
        async def large(request: Request) -> int:
            length = len(await request.body())
            arrived.release()
            await asyncio.to_thread(go_on.wait, PATIENCE)
            return length

    return mount_pages


def test_larger_bodies_are_accepted_where_expected_a_few_at_a_time(tmp_path: Path) -> None:
    go_on, arrived = threading.Event(), threading.Semaphore(0)
    with running(tmp_path, with_a_large_page(go_on, arrived)) as server, ThreadPoolExecutor(LARGE_AT_ONCE) as pool:
        ann = server.person("Ann")
        large = b"x" * 100 * 1024
        asked = [pool.submit(server.person().http.post, "/large", content=large) for _ in range(LARGE_AT_ONCE)]
        for _ in asked:
            assert arrived.acquire(timeout=PATIENCE)
        refused = ann.http.post("/large", content=large)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
        go_on.set()
        assert [one.result().json() for one in asked] == [len(large)] * LARGE_AT_ONCE
        assert ann.http.post("/large", content=large).json() == len(large)
        for path, body in (("/large", large + b"x"), ("/large", iter([large])), ("/api/guest", large)):
            assert ann.http.post(path, content=body).status_code == 413


def test_a_frame_that_is_too_long_closes_only_its_socket(server: Running) -> None:
    ann, table = server.hosted()
    with ann.socket(table) as socket, ann.socket(table) as other:
        socket.send("x" * (MAX_FRAME_BYTES + 1))
        assert socket.end()[0] == 1009
        other.send({"kind": "ping"})
        other.until("pong")


def limited(**limits: Limit | int) -> Limits:
    return replace(no_limits(), **limits)  # type: ignore[arg-type]


FEW = Limit(3, 0.01)


def test_requests_and_sockets_are_limited_by_address(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(requests=FEW)) as server:
        ann, table = server.hosted()
        assert ann.http.get("/health").status_code == 200
        refused = ann.http.get("/health")
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too-many")
        assert 1 <= int(refused.headers["retry-after"]) <= 100
        with ann.socket(table) as socket:
            assert socket.end() == (4429, "too-many")
        server.clock.ahead += 100
        assert ann.http.get("/health").status_code == 200


@pytest.mark.parametrize(
    ("kind", "path", "body"),
    [
        ("guests", "/api/guest", {"name": "Bob"}),
        ("logins", "/api/login", {"login": "somebody", "passphrase": "something"}),
        ("passphrases", "/api/login", {"login": "somebody", "passphrase": "something"}),
        ("passphrases", "/api/account", {"login": "x", "passphrase": ""}),
        ("logins", "/api/passphrase", {"passphrase": "something", "new_passphrase": "something else"}),
        ("passphrases", "/api/sessions/end", {"passphrase": "something"}),
        ("tables", "/api/tables", {"settings": {"game": "slips"}}),
        ("commands", "/api/tables", {"settings": {"game": "slips"}}),
        ("commands", "/api/me/name", {"name": "Nan"}),
        ("commands", "/api/tokens", {"label": "bot"}),
    ],
)
def test_actions_are_rate_limited(tmp_path: Path, kind: str, path: str, body: object) -> None:
    with running(tmp_path, limits=limited(**{kind: FEW})) as server:
        ann = server.person("Ann")
        answers = [ann.post(path, body) for _ in range(4)]
        assert all(answer.status_code != 429 for answer in answers[:2])
        assert (answers[3].status_code, answers[3].json()["error"]["code"]) == (429, "too-many")
        assert int(answers[3].headers["retry-after"]) >= 1


def test_other_addresses_cannot_use_up_the_attempts_of_a_login(tmp_path: Path) -> None:
    known = {"login": "ann", "passphrase": "a cold and frosty morning"}
    with running(tmp_path, trusted_proxies=("127.0.0.1",), limits=limited(logins=FEW)) as server:
        ann = server.person("Ann")
        assert ann.post("/api/account", known).status_code == 200
        for number in range(5):
            stranger = server.person(**{"X-Forwarded-For": f"192.0.2.{number}"})
            assert stranger.post("/api/login", {**known, "passphrase": "something"}).status_code == 401
        statuses = [stranger.post("/api/login", {**known, "passphrase": "something"}).status_code for _ in range(3)]
        assert statuses == [401, 401, 429]
        assert server.person(**{"X-Forwarded-For": "192.0.2.99"}).post("/api/login", known).status_code == 200


def statuses_from(server: Running, addresses: Iterable[str]) -> list[int]:
    """Send requests with these forwarded addresses, and return the responses."""
    return [server.person(**{"X-Forwarded-For": one}).http.get("/health").status_code for one in addresses]


@pytest.mark.parametrize("how", [{}, {"tls": True}, {"trusted_proxies": ("192.0.2.1", "2001:db8::/32")}])
def test_forwarded_addresses_are_ignored_without_a_trusted_proxy(tmp_path: Path, how: dict[str, Any]) -> None:
    with running(tmp_path, limits=limited(requests=FEW), **how) as server:
        assert statuses_from(server, (f"192.0.2.{n}" for n in range(4))) == [200, 200, 200, 429]


@pytest.mark.parametrize("proxies", [("127.0.0.1",), ("192.0.2.1", "127.0.0.0/8")])
def test_a_trusted_proxy_sets_the_client_address(tmp_path: Path, proxies: tuple[str, ...]) -> None:
    with running(tmp_path, trusted_proxies=proxies, limits=limited(requests=FEW)) as server:
        assert statuses_from(server, (f"203.0.113.{n}" for n in range(4))) == [200] * 4
        assert statuses_from(server, ["203.0.113.9"] * 4) == [200, 200, 200, 429]


FORGED = (
    "203.0.113.{}, 198.51.100.7",
    "garbage{}, 198.51.100.7, 127.0.0.1",
    "{}, 198.51.100.7:5{}",
    "198.51.100.7, 127.0.0.{}",
    "2001:db8::{}",
    "[2001:db8::{}]:44{}",
    "::ffff:198.51.100.7",
    "garbage{}",
    "198.51.100.{}.7",
    "[198.51.100.7{}",
    "\xff{}",
)


def test_a_client_cannot_spoof_its_forwarded_address(tmp_path: Path) -> None:
    with running(tmp_path, trusted_proxies=("127.0.0.0/8",), limits=limited(requests=FEW)) as server:
        client = server.person().http
        for written in FORGED:
            headers = [{b"X-Forwarded-For": written.replace("{}", str(n)).encode("latin-1")} for n in range(1, 5)]
            assert [client.get("/health", headers=one).status_code for one in headers] == [200, 200, 200, 429], written
            server.clock.ahead += 1000


def test_sockets_are_counted_by_the_address_from_a_trusted_proxy(tmp_path: Path) -> None:
    with running(tmp_path, trusted_proxies=("127.0.0.1",), limits=limited(connections=1)) as server:
        table = server.table(server.person("Ann"))
        with server.person().socket(table, **{"X-Forwarded-For": "192.0.2.1"}) as one:
            one.until("welcome")
            with server.person().socket(table, **{"X-Forwarded-For": "192.0.2.1"}) as second:
                assert second.end() == (4429, "too-many")
            with server.person().socket(table, **{"X-Forwarded-For": "192.0.2.2"}) as other:
                other.until("welcome")


@pytest.mark.parametrize(
    ("how", "scheme"),
    [
        ({}, "http"),
        ({"tls": True}, "https"),
        ({"trusted_proxies": ("127.0.0.1",)}, "https"),
        ({"trusted_proxies": ("192.0.2.1",)}, "http"),
    ],
)
def test_redirects_use_the_external_scheme(tmp_path: Path, how: dict[str, Any], scheme: str) -> None:
    with running(tmp_path, **how) as server:
        forwarded = {"X-Forwarded-Proto": "http" if "tls" in how else "https"}
        location = server.person().http.get("/api/me/", headers=forwarded).headers["location"]
        assert location == f"{scheme}://127.0.0.1:{server.port}/api/me"


def test_commands_are_limited_per_user_across_sockets(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(commands=Limit(4, 0.01))) as server:
        ann, table = server.hosted()
        with ann.socket(table) as one, ann.socket(table) as two:
            answers = [one.ask("a", do="sit_out"), two.ask("b", do="sit_in"), one.ask("c", do="sit_out")]
            assert all(answer["ok"] for answer in answers)
            assert two.ask("d", do="sit_in")["code"] == "too-many"
        refused = ann.post(f"/api/tables/{table}/act", {"turn": 1, "action": "challenge"})
        assert (refused.status_code, "retry-after" in refused.headers) == (429, True)


def test_chat_messages_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(lines=FEW)) as server:
        ann, table = server.hosted()
        with ann.socket(table) as socket:
            told = [socket.ask(str(number), do="say", text="hello") for number in range(4)]
            assert [answer["ok"] for answer in told] == [True, True, True, False]
            assert told[3]["code"] == "too-many"
            assert socket.ask("x", do="sit_out")["ok"]


def test_messages_are_limited_per_socket(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(frames=FEW)) as server:
        ann, table = server.hosted()
        with ann.socket(table) as socket, ann.socket(table) as other:
            for _ in range(4):
                socket.send({"kind": "ping"})
            assert socket.until("error")["code"] == "too-many"
            other.send({"kind": "ping"})
            other.until("pong")


def test_sockets_and_streams_are_limited_per_address(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(connections=2)) as server:
        ann, table = server.hosted()
        with ann.http.stream("GET", "/api/stream") as stream, ann.socket(table) as socket:
            lines = stream.iter_lines()
            next(lines)
            socket.until("state")
            with ann.socket(table) as third:
                assert third.end() == (4429, "too-many")
            assert ann.http.get(f"/api/tables/{table}/stream").status_code == 429
            socket.raw.close()
        with ann.socket(table) as again:
            again.until("welcome")


def test_concurrently_opened_sockets_do_not_exceed_the_limit(tmp_path: Path) -> None:
    async def welcomed(url: str, number: int) -> int:
        sockets = await asyncio.gather(*(connect(url) for _ in range(number)))
        first = [json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["kind"] for socket in sockets]
        await asyncio.gather(*(socket.close() for socket in sockets))
        return first.count("welcome")

    with running(tmp_path, limits=limited(connections=2)) as server:
        table = server.table(server.person("Ann"))
        registry = server.service.registry  # if the table has to be opened first, all sockets wait for it together
        server.loop.call_soon_threadsafe(lambda: registry.lost(registry._actors[table], NotOwner(table, 1)))
        url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        assert asyncio.run(welcomed(url, 12)) == 2


def test_anonymous_sockets_are_limited_per_address(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(strangers=1)) as server:
        ann, table = server.hosted()
        with server.person().socket(table) as stranger:
            stranger.until("welcome")
            with server.person().socket(table) as second:
                assert second.until("error")["code"] == "too-many"
                assert second.end() == (4429, "too-many")
            assert server.person().http.get(f"/api/tables/{table}/stream").status_code == 429
            with ann.socket(table) as known:
                known.until("welcome")


def test_watchers_are_limited_per_table_but_players_can_always_connect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "PLAYERS_SOCKETS", 2)
    with running(tmp_path, limits=limited(watchers=1)) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        table = server.table(ann)
        with server.person().socket(table) as stranger:
            stranger.until("welcome")
            with bob.socket(table) as refused:
                assert refused.until("error")["code"] == "too-many"
                assert refused.end() == (4429, "too-many")
            with ann.socket(table) as one, ann.socket(table) as two, ann.socket(table) as three:
                one.until("welcome")
                two.until("welcome")
                assert three.end() == (4429, "too-many")
            assert bob.ask(table, do="join")["ok"]
            with bob.socket(table) as seated:
                seated.until("welcome")
            with bob.socket(server.table(bob)) as elsewhere:
                elsewhere.until("welcome")


def test_records_and_audits_are_rate_limited(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(records=FEW)) as server:
        ann, table = server.hosted()
        assert ann.ask(table, do="end")["ok"]
        answers = [server.person().http.get(f"/api/tables/{table}/{what}") for what in ("records", "audit") * 2]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[1].json()


def test_internal_errors_have_the_security_headers(tmp_path: Path) -> None:
    def broken(app: FastAPI) -> None:
        @app.get("/api/broken", include_in_schema=False)
        async def breaks() -> None:
            raise RuntimeError("a secret")

    with running(tmp_path, broken) as server:
        told, sound = (server.person().http.get(path) for path in ("/api/broken", "/health"))
        assert (told.status_code, told.json()["error"]["code"]) == (500, "internal")
        assert "a secret" not in told.text
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
            assert told.headers[name] == sound.headers[name]


def test_head_returns_the_headers_of_get_without_the_body(server: Running) -> None:
    ann = server.person("Ann")
    stream = f"/api/tables/{server.table(ann)}/stream"  # streams don't end
    eventually(lambda: ann.http.get("/ready").status_code == 200)  # a busy server can miss a heartbeat
    for path, status in (("/health", 200), ("/ready", 200), ("/api/me", 200), ("/nothing", 404), (stream, 200)):
        head = ann.http.head(path)
        assert (head.status_code, head.content) == (status, b""), path
        with ann.http.stream("GET", path) as got:
            one_by_one = {"date": "", "x-request-id": ""}
            assert {**head.headers, **one_by_one} == {**got.headers, **one_by_one}
    assert ann.http.head("/api/logout").status_code == 405

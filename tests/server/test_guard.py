"""What every request passes before anything else, and the headers and cookies of every answer."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from fastapi import FastAPI

from liarspoker.server.config import Limit, Limits
from liarspoker.server.guard import MOST_BYTES
from liarspoker.server.run import MOST_FRAME_BYTES
from tests.server.inprocess import Running, running

FOREIGN = ("http://evil.example", "null", "http://127.0.0.1:1", "http://[", "", "file://", "https://")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("guard")) as server:
        yield server


@pytest.mark.parametrize("origin", FOREIGN)
def test_unsafe_methods_and_sockets_refuse_pages_of_other_origins(server: Running, origin: str) -> None:
    ann = server.person("Ann")
    table = server.table(ann)
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
def test_programs_without_an_origin_and_the_servers_own_pages_are_served(server: Running, origin: str | None) -> None:
    ann = server.person("Ann")
    table = server.table(ann)
    own = {"same": server.url, "shouted": server.url.upper()}
    headers = {} if origin is None else {"Origin": own[origin]}
    said = {"id": "c", "command": {"do": "say", "text": "hello"}}
    assert ann.post(f"/api/tables/{table}/commands", said, headers=headers).json()["ok"]
    with ann.socket(table, **headers) as socket:
        assert socket.until("welcome")["user"] == ann.user


def test_a_browser_that_says_cross_site_is_believed(server: Running) -> None:
    for site in ("cross-site", "same-site"):
        refused = server.person().post("/api/guest", {"name": "Ann"}, headers={"Sec-Fetch-Site": site})
        assert refused.status_code == 403


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(server: Running) -> None:
    made = server.person().post("/api/guest", {"name": "Ann"})
    (cookie,) = SimpleCookie(made.headers["set-cookie"]).values()
    assert (cookie.key, cookie["path"], cookie["samesite"]) == ("liarspoker", "/", "lax")
    assert cookie["httponly"]
    assert not cookie["secure"]
    assert not cookie["domain"]


def test_over_tls_the_cookie_is_for_this_host_and_for_https_alone(tmp_path: Path) -> None:
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


def test_every_answer_has_the_headers_that_bind_browsers(server: Running) -> None:
    ann = server.person("Ann")
    table = server.table(ann)
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


def test_bodies_are_bounded_whether_or_not_their_length_is_told(server: Running) -> None:
    ann = server.person("Ann")
    large = b'{"name": "' + b"x" * MOST_BYTES + b'"}'
    told = ann.http.post("/api/guest", content=large, headers={"Content-Type": "application/json"})
    untold = ann.http.post(
        "/api/guest", content=iter([large[:100], large[100:]]), headers={"Content-Type": "application/json"}
    )
    for refused in (told, untold):
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "too-large")


def test_a_frame_that_is_too_long_closes_its_socket_alone(server: Running) -> None:
    ann = server.person("Ann")
    table = server.table(ann)
    with ann.socket(table) as socket, ann.socket(table) as other:
        socket.send("x" * (MOST_FRAME_BYTES + 1))
        assert socket.end()[0] == 1009
        other.send({"kind": "ping"})
        other.until("pong")


def limited(**limits: Limit | int) -> Limits:
    most = Limit(1e9, 1e9)
    everything: dict[str, Limit | int] = dict.fromkeys(
        ("requests", "guests", "logins", "commands", "tables", "lines", "records", "frames"), most
    )
    return Limits(**{**everything, "connections": 10**6, **limits})  # type: ignore[arg-type]


FEW = Limit(3, 0.01)


def test_an_address_may_send_so_many_requests_and_open_so_many_sockets(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(requests=FEW)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
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
        ("logins", "/api/account", {"login": "x", "passphrase": ""}),
        ("tables", "/api/tables", {"settings": {"game": "slips"}}),
        ("commands", "/api/tables", {"settings": {"game": "slips"}}),
        ("commands", "/api/me/name", {"name": "Nan"}),
        ("commands", "/api/tokens", {"label": "bot"}),
    ],
)
def test_nobody_does_too_much_of_it(tmp_path: Path, kind: str, path: str, body: object) -> None:
    with running(tmp_path, limits=limited(**{kind: FEW})) as server:
        ann = server.person("Ann")
        answers = [ann.post(path, body) for _ in range(4)]
        assert all(answer.status_code != 429 for answer in answers[:2])
        assert (answers[3].status_code, answers[3].json()["error"]["code"]) == (429, "too-many")
        assert int(answers[3].headers["retry-after"]) >= 1


def test_a_login_may_be_tried_so_often_however_it_is_written(tmp_path: Path) -> None:
    with running(tmp_path, tls=True, limits=limited(logins=FEW)) as server:
        statuses = []
        for number, written in enumerate(("ann", " ANN", "Ann ", "\uff21nn", "bob")):
            somewhere = server.person(**{"X-Forwarded-For": f"192.0.2.{number}"})
            statuses.append(somewhere.post("/api/login", {"login": written, "passphrase": "something"}).status_code)
        assert statuses == [401, 401, 401, 429, 401]


def test_without_a_proxy_nobody_can_say_that_he_is_elsewhere(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(requests=FEW)) as server:
        answers = [server.person(**{"X-Forwarded-For": f"192.0.2.{n}"}).http.get("/health") for n in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_a_user_may_send_so_many_commands_on_all_sockets_together(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(commands=Limit(4, 0.01))) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        with ann.socket(table) as one, ann.socket(table) as two:
            answers = [one.ask("a", do="sit_out"), two.ask("b", do="sit_in"), one.ask("c", do="sit_out")]
            assert all(answer["ok"] for answer in answers)
            assert two.ask("d", do="sit_in")["code"] == "too-many"
        refused = ann.post(f"/api/tables/{table}/act", {"turn": 1, "action": "challenge"})
        assert (refused.status_code, "retry-after" in refused.headers) == (429, True)


def test_nobody_floods_the_chat(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(lines=FEW)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        with ann.socket(table) as socket:
            told = [socket.ask(str(number), do="say", text="hello") for number in range(4)]
            assert [answer["ok"] for answer in told] == [True, True, True, False]
            assert told[3]["code"] == "too-many"
            assert socket.ask("x", do="sit_out")["ok"]


def test_a_socket_takes_so_many_messages(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(frames=FEW)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        with ann.socket(table) as socket, ann.socket(table) as other:
            for _ in range(4):
                socket.send({"kind": "ping"})
            assert socket.until("error")["code"] == "too-many"
            other.send({"kind": "ping"})
            other.until("pong")


def test_an_address_has_so_many_sockets_and_streams_at_once(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(connections=2)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
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


def test_records_and_audits_are_not_asked_for_too_often(tmp_path: Path) -> None:
    with running(tmp_path, limits=limited(records=FEW)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        assert ann.ask(table, do="end")["ok"]
        answers = [server.person().http.get(f"/api/tables/{table}/{what}") for what in ("records", "audit") * 2]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[1].json()


def test_what_goes_wrong_inside_is_told_under_the_same_headers(tmp_path: Path) -> None:
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

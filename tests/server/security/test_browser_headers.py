"""Instructions to browsers: headers of every kind of response, cookies, and methods."""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest

from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, running


@pytest.fixture(scope="module", params=[False, True], ids=["http", "https"])
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("browsers"), mount_pages, tls=request.param) as server:
        yield server


@pytest.fixture
def guest(server: Running) -> Person:
    """Create a guest; HTTPS-only cookies are sent explicitly, since the tests use HTTP."""
    made = server.person().post("/api/guest", {"name": "Ann"})
    [cookie] = SimpleCookie(made.headers["set-cookie"]).values()
    return server.person(Cookie=f"{cookie.key}={cookie.value}")


KINDS = [
    ("GET", "/", 200, "text/html; charset=utf-8"),
    ("GET", "/you", 200, "text/html; charset=utf-8"),
    ("GET", "/static/app.js", 200, "text/javascript; charset=utf-8"),
    ("GET", "/static/app.css", 200, "text/css; charset=utf-8"),
    ("GET", "/static/ornament.svg", 200, "image/svg+xml; charset=utf-8"),
    ("GET", "/nothing", 404, "text/html; charset=utf-8"),
    ("GET", "/.git/config", 404, "text/html; charset=utf-8"),
    ("GET", "/static/", 404, "text/html; charset=utf-8"),
    ("GET", "/docs", 404, "text/html; charset=utf-8"),
    ("POST", "/you/logout", 303, None),
    ("GET", "/api/me", 200, "application/json"),
    ("GET", "/api/me/", 307, None),
    ("GET", "/api/nothing", 404, "application/json"),
    ("GET", "/api/openapi.json", 200, "application/json"),
    ("POST", "/api/guest", 422, "application/json"),
    ("DELETE", "/api/me", 405, "application/json"),
    ("TRACE", "/api/me", 405, "application/json"),
    ("TRACE", "/", 405, "text/html; charset=utf-8"),
    ("OPTIONS", "/api/me", 405, "application/json"),
    ("GET", "/health", 200, "application/json"),
]


@pytest.mark.parametrize(("method", "path", "status", "content_type"), KINDS)
def test_every_kind_of_response_has_security_headers(
    server: Running, guest: Person, method: str, path: str, status: int, content_type: str | None
) -> None:
    response = guest.http.request(method, path)
    headers = response.headers
    assert (response.status_code, headers.get("content-type")) == (status, content_type)
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "object-src": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["permissions-policy"].split(", "))
    assert not [name for name in headers if name.startswith("access-control-")]
    assert not {"server", "x-powered-by"} & set(headers)
    https = "max-age=31536000; includeSubDomains" if server.config.tls else None
    assert headers.get("strict-transport-security") == https
    if not path.startswith("/static/app") and not path.endswith(".svg") and content_type and path != "/health":
        assert headers["cache-control"] == "no-store"


def test_every_cookie_is_host_only_and_httponly(server: Running) -> None:
    guest = server.person().post("/api/guest", {"name": "Ann"})
    origin = {"Origin": server.url.replace("http:", "https:")} if server.config.tls else {}
    looks = server.person().http.post("/settings", data={"theme": "dark"}, headers=origin)
    kept = [cookie for made in (guest, looks) for cookie in SimpleCookie(made.headers["set-cookie"]).values()]
    assert len(kept) == 2
    for cookie in kept:
        assert cookie["httponly"]
        assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("lax", "/", "")
        assert bool(cookie["secure"]) == cookie.key.startswith("__Host-") == server.config.tls
    shown = server.person(Cookie=f"{kept[1].key}={kept[1].value}").http.get("/settings").text
    assert 'data-theme="dark"' in shown

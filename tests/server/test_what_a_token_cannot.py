"""A token plays for its owner, and can do nothing by which its finder would become him."""

import pytest

from tests.server.inprocess import Running

FORBIDDEN = [
    ("GET", "/api/tokens", None),
    ("POST", "/api/tokens", {"label": "a child"}),
    ("DELETE", "/api/tokens/abc", None),
    ("POST", "/api/account", {"login": "taken-over", "passphrase": "a long enough passphrase"}),
    ("POST", "/api/me/name", {"name": "Somebody"}),
]


@pytest.mark.parametrize(("method", "path", "body"), FORBIDDEN)
def test_a_token_cannot(server: Running, method: str, path: str, body: object) -> None:
    owner = server.person("Ann")
    secret = owner.post("/api/tokens", {"label": "bot"}).json()["secret"]
    finder = server.person(Authorization=f"Bearer {secret}")
    answer = finder.http.request(method, path, json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "needs-login")
    assert finder.http.get("/api/me").status_code == 200

"""The whole server on each kind of database."""

import json
from pathlib import Path

from tests.server.inprocess import running

JSON = {"Content-Type": "application/json"}


def test_odd_ids_are_refused_and_an_evening_is_kept_on_every_database(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        ann, bob = server.person("Ann"), server.person("Bob")
        table = server.table(ann, bob)
        for path in ("tables/%00", "tables/x%00/records", "games/%00", "tables?game=%00", "tables?mine=true&game=%00"):
            assert 400 <= ann.http.get(f"/api/{path}").status_code < 500, path
        assert ann.http.delete("/api/tokens/%00").is_client_error
        with ann.socket("%00") as socket:
            assert socket.end() == (4404, "no-such-table")
        odd = {"login": "a\0b", "passphrase": "\0\ud800 and more", "name": "\0", "label": "\0"}
        for path in ("login", "account", "me/name", "tokens"):
            assert ann.http.post(f"/api/{path}", content=json.dumps(odd), headers=JSON).is_client_error
        assert ann.ask(table, do="say", text="half a sign: \\ud800, and a whole one: \U0001f0a1")["ok"]
        half = json.dumps({"id": "half", "command": {"do": "say", "text": "\ud800"}})
        assert not ann.http.post(f"/api/tables/{table}/commands", content=half, headers=JSON).json()["ok"]
        assert ann.ask(table, do="start")["ok"]
        assert bob.ask(table, do="ready")["ok"]
        before = {key: value for key, value in ann.view(table).items() if key != "now"}
    with running(tmp_path, database=url) as server:
        again = server.person()
        again.http.cookies.update(ann.http.cookies)
        assert {key: value for key, value in again.view(table).items() if key != "now"} == before

"""Protection of accounts: strong passphrases, and sessions that end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.server.accounts.accounts import DAY, GUEST_DAYS, SESSION_DAYS
from liarspoker.server.accounts.credentials import BadName
from liarspoker.server.accounts.words import (
    EXPECTED,
    LONGEST_PASSPHRASE,
    SHORTEST_PASSPHRASE,
    clean_new_passphrase,
    common_passphrases,
)
from liarspoker.server.journal import table_mark
from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, running, written_lines
from tests.server.test_journal import lines_of
from tests.web.pages.reading import Reader

LOGIN, PASSPHRASE, NEW = "annika", "a cold and frosty morning", "a warm and rainy evening"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, mount_pages) as server:
        yield server


def known(server: Running) -> Person:
    """Create a user with an account."""
    ann = server.person("Ann")
    assert ann.post("/api/account", {"login": LOGIN, "passphrase": PASSPHRASE}).status_code == 200
    return ann


def logged_in(server: Running, passphrase: str = PASSPHRASE) -> Person:
    """Log in as the same user from another browser."""
    ann = server.person()
    assert ann.post("/api/login", {"login": LOGIN, "passphrase": passphrase}).status_code == 200
    return ann


def is_known(person: Person) -> bool:
    return person.http.get("/api/me").status_code == 200


def test_common_passphrases_are_rejected_in_any_spelling() -> None:
    common = common_passphrases()
    assert len([one for one in common if len(one) >= SHORTEST_PASSPHRASE]) > 3_000
    assert max(map(len, common)) <= LONGEST_PASSPHRASE
    for passphrase in ("password1", "1234567890", "QWERTYUIOP", "iloveyou"):
        with pytest.raises(BadName, match="too common"):
            clean_new_passphrase(passphrase, LOGIN, "Ann")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=SHORTEST_PASSPHRASE, max_size=LONGEST_PASSPHRASE))
def test_a_passphrase_may_contain_any_characters(text: str) -> None:
    if text.casefold() not in common_passphrases() and not any(word in text.casefold() for word in EXPECTED):
        assert clean_new_passphrase(text, "no", "no")


@given(st.permutations(["annika", "Poker", "Annika Maria", "42!"]))
def test_a_passphrase_of_expected_words_is_rejected(words: list[str]) -> None:
    with pytest.raises(BadName, match="apart from your login"):
        clean_new_passphrase(" ".join(words), "annika@example.com", "Annika Maria")


def test_weak_passphrases_are_rejected_on_every_route(server: Running) -> None:
    guest, ann = server.person("Bob"), known(server)
    for easy in ("password1", "annika poker", "x" * (LONGEST_PASSPHRASE + 1)):
        refused = [
            guest.post("/api/account", {"login": "annika2", "passphrase": easy}),
            ann.post("/api/passphrase", {"passphrase": PASSPHRASE, "new_passphrase": easy}),
        ]
        assert [(one.status_code, one.json()["error"]["code"]) for one in refused] == [(422, "bad-name")] * 2, easy
    longest = "é!" * (LONGEST_PASSPHRASE // 2)
    assert ann.post("/api/passphrase", {"passphrase": PASSPHRASE, "new_passphrase": longest}).status_code == 200
    assert is_known(logged_in(server, longest))


def test_a_new_passphrase_needs_the_old_one_and_ends_all_other_sessions(server: Running) -> None:
    ann = known(server)
    elsewhere, thief = logged_in(server), server.person(Cookie=ann.headers["Cookie"])
    table = server.table(ann)
    fields = {"passphrase": "not mine at all", "new_passphrase": NEW}
    assert ann.post("/api/passphrase", fields).json()["error"]["code"] == "bad-login"
    with elsewhere.socket(table) as socket:
        socket.until("welcome")
        assert ann.post("/api/passphrase", {**fields, "passphrase": PASSPHRASE}).status_code == 200
        assert socket.end() == (4401, "revoked")
    assert [is_known(one) for one in (ann, elsewhere, thief)] == [True, False, False]
    refused = server.person().post("/api/login", {"login": LOGIN, "passphrase": PASSPHRASE})
    assert refused.status_code == 401
    assert is_known(logged_in(server, NEW))


def test_the_passphrase_can_end_all_other_sessions(server: Running) -> None:
    ann = known(server)
    others = [logged_in(server), logged_in(server)]
    listed = ann.http.get("/api/sessions").json()
    assert [one["current"] for one in listed].count(True) == 1
    assert len(listed) == 3
    assert not any("secret" in one or "credential" in one for one in listed)
    assert ann.post("/api/sessions/end", {"passphrase": "not mine at all"}).status_code == 401
    assert all(map(is_known, others))
    assert ann.post("/api/sessions/end", {"passphrase": PASSPHRASE}).status_code == 200
    assert [is_known(one) for one in (ann, *others)] == [True, False, False]
    assert len(ann.http.get("/api/sessions").json()) == 1


def test_logging_in_replaces_the_session(server: Running) -> None:
    known(server)
    guest = server.person("A guest")
    before = server.person(Cookie=guest.headers["Cookie"])
    assert is_known(before)
    assert guest.post("/api/login", {"login": LOGIN, "passphrase": PASSPHRASE}).status_code == 200
    assert guest.http.get("/api/me").json()["login"] == LOGIN
    assert not is_known(before)


def test_a_session_expires_and_requests_do_not_extend_it(server: Running) -> None:
    ann, guest = known(server), server.person("Bob")
    for day in range(SESSION_DAYS):
        assert is_known(ann), day
        server.clock.ahead += DAY
    assert not is_known(ann)
    server.clock.ahead += (GUEST_DAYS - SESSION_DAYS) * DAY
    assert not is_known(guest)


def test_viewing_pages_does_not_create_a_session(server: Running) -> None:
    visitor = server.person()
    table = server.table(known(server), visibility="open")
    for path in ("/", "/you", "/settings", "/new", f"/t/{table}", "/api/me", "/api/tables", "/nothing"):
        assert "set-cookie" not in visitor.http.get(path).headers, path


def test_pages_change_the_passphrase_and_end_sessions(server: Running) -> None:
    known(server)
    ann = Reader(logged_in(server))
    typed = ann.read("/you").page.all("input", type="password")
    assert len(typed) == 3
    assert {one.at["autocomplete"] for one in typed} == {"current-password", "new-password"}
    assert not any("maxlength" in one.at or "onpaste" in one.at for one in typed)
    assert "wrong" in ann.send("Change passphrase", passphrase="not mine at all", new=NEW).mistake("passphrase")
    assert "too common" in ann.send("Change passphrase", passphrase=PASSPHRASE, new="password1").mistake("new")
    ann.send("Change passphrase", passphrase=PASSPHRASE, new=NEW)
    other = logged_in(server, NEW)
    assert "wrong" in ann.read("/you").send("Log out everywhere else", passphrase=PASSPHRASE).mistake("passphrase")
    ann.send("Log out everywhere else", passphrase=NEW)
    assert [is_known(ann.person), is_known(other)] == [True, False]
    assert ann.page.one(cls="people").text.count("Since") == 1


def test_logging_out_clears_browser_storage(server: Running) -> None:
    assert known(server).post("/api/logout").headers["clear-site-data"] == '"storage"'


def test_authentication_is_logged_without_names_or_input(tmp_path: Path) -> None:
    with written_lines() as text, running(tmp_path) as server:
        ann = known(server)
        user: Any = ann.http.get("/api/me").json()["user"]
        for passphrase in ("not mine at all", PASSPHRASE):
            ann.post("/api/login", {"login": LOGIN, "passphrase": passphrase})
        server.person().post("/api/login", {"login": "nobody", "passphrase": PASSPHRASE})
        ann.post("/api/passphrase", {"passphrase": PASSPHRASE, "new_passphrase": NEW})
        ann.post("/api/sessions/end", {"passphrase": NEW})
        made = ann.post("/api/tokens", {"label": "bot"}).json()
        bot = server.person(Authorization=f"Bearer {made['secret']}")
        assert bot.http.get("/api/tokens").status_code == 403
        ann.http.delete(f"/api/tokens/{made['token']}")
        assert bot.http.get("/api/me").status_code == 401
        table = server.table(ann, spectators="none")
        assert server.person("Eve").http.get(f"/api/tables/{table}").status_code == 404
        assert ann.post("/api/logout", headers={"Origin": "http://evil.example"}).status_code == 403
        ann.post("/api/logout")
    lines = [line for line in lines_of(text) if "request" in line]
    logged = [(line["event"], line.get("user") == table_mark(user), line.get("code")) for line in lines]
    assert logged == [
        ("account made", True, None),
        ("login failed", True, None),
        ("logged in", True, None),
        ("login failed", False, None),
        ("passphrase changed", True, None),
        ("sessions ended", True, None),
        ("token made", True, None),
        ("request refused", True, "needs-login"),
        ("token revoked", True, None),
        ("token refused", False, None),
        ("request refused", False, "no-such-table"),
        ("request refused", False, "foreign-origin"),
        ("logged out", False, None),
    ]
    assert all(line["at"].endswith("Z") for line in lines)
    for secret in (LOGIN, PASSPHRASE, NEW, user, made["secret"], table, "nobody"):
        assert secret not in text.getvalue()

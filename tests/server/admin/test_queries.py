"""`liarspoker admin` shows tables, users and nodes, but no secrets."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.cli import main
from liarspoker.protocol.settings import Settings
from liarspoker.server.admin.queries import ID_PREFIX_LENGTH
from liarspoker.server.journal import table_mark
from liarspoker.server.storage.sealing import KEY_FILE, new_key
from liarspoker.tables.state import Table
from tests.effort import one_in
from tests.server.admin.conftest import Admin
from tests.server.inprocess import Running, running, with_empty_database
from tests.server.leaks.search import covered_nonces, leaks
from tests.server.leaks.server_walks import recognisable_settings, walk
from tests.server.leaks.server_world import World, running_world


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], tuple[World, Path]]]:
    made = tmp_path_factory.mktemp("world")
    with running_world(made, World) as there:
        yield lambda: (there, made)


def _printed(words: list[str]) -> str:
    """Return the output of a command, even if it fails."""
    with redirect_stdout(io.StringIO()) as out:
        main(words)
    return out.getvalue()


@pytest.mark.slow
@one_in(5)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(10, 40))
def test_admin_output_contains_no_hands_seeds_or_links(
    somewhere: Callable[[], tuple[World, Path]], settings: Settings, seed: int, steps: int
) -> None:
    there, folder = somewhere()
    found: list[str] = []

    def look(table: Table) -> bool:
        if table.version % 8 != 3:
            return False
        there.outputs.clear()
        users = (there.users[0], there.users[1])
        lines = [["tables"], ["table", "--", table.id[:ID_PREFIX_LENGTH]], ["users"], ["nodes"]]
        lines += [[what, "--", user] for what in ("user", "sessions") for user in users]
        for words in lines:
            for form in ([], ["--json"]):
                text = _printed(["admin", words[0], "--data", str(folder), *form, *words[1:]])
                assert text
                there.record_output(None, "admin", text)
                found.extend([table.id] if table.id in text else [])
        secrets = there.chance.seeds, covered_nonces(table, evening_nonces)
        found.extend(leak for output in there.outputs for leak in leaks(output, *secrets))
        return False

    evening_nonces: dict[str, bytes] = {}
    there.run(walk(there, settings, seed, steps, until=look))
    assert found == []


def test_a_table_is_found_by_the_beginning_of_its_id_or_its_hash(served: Running, beside: Admin) -> None:
    ann, bob, table = served.in_a_round(clock={"turn": 30, "bank": 5, "ready": 20}, title="Friday")
    shown = beside("table", table[:6])
    assert shown == beside("table", table_mark(table)) == beside("table", table)
    assert shown["table"] == table[:ID_PREFIX_LENGTH]
    assert (shown["stage"], shown["owner"], shown["rounds_played"]) == ("round", ann.user, 0)
    assert [seat["name"] for seat in shown["seats"] if seat] == ["Ann", "Bob"]
    assert shown["settings"]["title"] == "Friday"
    assert shown["owned_by"] == {"node": "main", "instance": served.service.registry.instance}
    assert shown["deadline"] > shown["asked_at"] > shown["created_at"]
    assert shown["to_act"] in (ann.user, bob.user)


def test_tables_are_filtered_and_paged(tmp_path: Path, admin: Callable[[str], Admin]) -> None:
    with running(tmp_path) as server:
        beside = admin(f"--data {tmp_path}")
        ann, bob, table = server.in_a_round()
        waiting = server.table(bob, game="thorin", title="Bob's")
        shown = beside("tables")
        assert [one["table"] for one in shown["tables"]] == [waiting[:ID_PREFIX_LENGTH], table[:ID_PREFIX_LENGTH]]
        for words, expected in {
            "--status playing": [table],
            "--game thorin": [waiting],
            f"--owner={ann.user[:8]}": [table],
            f"--member={bob.user}": [waiting, table],
            f"--member={bob.user} --status waiting": [waiting],
            "--limit 1": [waiting],
            "--limit 1 --page 2": [table],
        }.items():
            found = beside(f"tables {words}")
            assert [one["table"] for one in found["tables"]] == [one[:ID_PREFIX_LENGTH] for one in expected], words
            assert found["more"] == (words == "--limit 1")


def test_users_are_found_by_name_login_and_id(tmp_path: Path, admin: Callable[[str], Admin]) -> None:
    with running(tmp_path) as server:
        beside = admin(f"--data {tmp_path}")
        ann, percent = server.person("Ann"), server.person("50% Bob")
        ann.post("/api/account", {"login": "Ann@Example.com", "passphrase": "correct horse"})
        ann.post("/api/tokens", {"label": "my bot"})
        for text, expected in {
            "ANN": [ann],
            "example": [ann],
            "%": [percent],
            ann.user[:8]: [ann],
            "": [percent, ann],
        }.items():
            assert [one["user"] for one in beside("users", text)["users"]] == [one.user for one in expected], text
        shown = beside("user ann@example.com")
        assert (shown["user"], shown["name"], shown["sessions"], shown["tokens"]) == (ann.user, "Ann", 1, 1)
        listed = beside("sessions", ann.user)
        assert [token["label"] for token in listed["tokens"]] == ["my bot"]
        assert len(listed["sessions"]) == 1


def test_missing_objects_give_a_one_line_error(
    served: Running, beside: Admin, tmp_path: Path, admin: Callable[[str], Admin]
) -> None:
    assert beside("table nowhere", code=1) == "liarspoker: no table matches 'nowhere'\n"
    assert beside("user nobody", code=1) == "liarspoker: no user matches 'nobody'\n"
    for _ in range(65):  # two of their ids begin with the same character
        served.person("Bob")
    begins = Counter(one["user"][0] for one in beside("users --limit 200")["users"] if one["user"][0] != "-")
    refused = beside(f"user {begins.most_common(1)[0][0]}", code=1)
    assert re.fullmatch("liarspoker: more than one user begins with '.'; give more of the id\n", refused)
    assert "file not found" in admin(f"--data {tmp_path / 'empty'}")("tables", code=1)
    with_empty_database(tmp_path)
    (tmp_path / KEY_FILE).write_text(new_key())
    assert admin(f"--data {tmp_path}")("tables") == {"tables": [], "page": 1, "more": False}


def test_a_table_is_not_shown_with_another_key(served: Running, beside: Admin, monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = served.hosted()
    monkeypatch.setenv("LIARSPOKER_KEY", new_key())
    assert "encrypted with another key" in beside("table", table[:ID_PREFIX_LENGTH], code=1)

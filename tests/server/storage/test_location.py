"""URLs of databases: what must be percent-encoded is refused, and no error contains a password."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from liarspoker.cli import main
from liarspoker.server.storage.errors import BadDatabase
from liarspoker.server.storage.location import address, hide_password, predecessor
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.postgres import connect
from liarspoker.server.storage.storage import try_to_connect

UNENCODED = [
    "postgresql://u:hunter2%zzpw@h/db",
    "postgresql://u:hunter2%00pw@h/db",
    "postgresql://u:hunter2 pw@127.0.0.1/db",
    "postgres://u:hunter2@pw@127.0.0.1/db",
    "postgresql://u:hunter2/pw@127.0.0.1/db",
    "postgresql://u:hunter2@p/w@127.0.0.1/db",
    "postgresql://u:hunter2@p?w@127.0.0.1/db",
    "postgresql://u:p@hunter2?w=pw@127.0.0.1/db",
    "postgresql://u:p?hunter2/w@127.0.0.1/db",
    "postgresql://u:hunter2",
    "postgresql://hunter2:1234567",
    "postgresql://h/db?user=u&password=hunter2%",
]
ENCODED = [
    "postgresql://localhost/club",
    "postgresql://",
    "postgresql:///club?host=/var/run/postgresql&port=5433",
    "postgresql://%2Fvar%2Frun/club",
    "postgresql://ann:s%40cret%2F%3a@[fd00::3]:5432,other.example:5433/club?sslmode=require",
    "postgresql://ann:a:b?c#d@localhost/club",
    "postgresql://server.example/club?user=ann@server&password=p@ss&",
    "postgresql://nobody@/nothing?host=@abstract",
]


@pytest.mark.parametrize("url", UNENCODED)
@pytest.mark.parametrize("words", ["serve", "admin tables", "backup b.zip", "restore b.zip"])
def test_each_command_explains_what_must_be_percent_encoded_without_the_password(
    url: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), "--database", url])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "must be percent-encoded, as in %40 for @" in told
    assert "hunter2" not in told


@pytest.mark.parametrize("url", ENCODED)
def test_urls_that_postgresql_splits_as_intended_are_accepted(url: str) -> None:
    assert address(database=url) == url
    conninfo_to_dict(url)


@given(st.text(st.sampled_from("aZ9 @/%:?#[],&=.\n"), max_size=25))
def test_the_library_never_complains_about_a_part_of_an_accepted_url(rest: str) -> None:
    try:
        url = address(database=f"postgresql://u:{rest}@localhost/club")
    except BadDatabase:
        return
    parts = conninfo_to_dict(url)
    assert (parts["user"], parts["host"], parts["dbname"]) == ("u", "localhost", "club")


def test_errors_of_the_library_contain_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://ann:hunter%402@localhost/club"

    def fail(**options: object) -> None:
        raise psycopg.OperationalError(f"no such host: {options['password']}")

    monkeypatch.setattr(psycopg, "connect", fail)
    with pytest.raises(psycopg.OperationalError, match=r"^no such host: \*\*\*$"):
        connect(url)
    with pytest.raises(BadDatabase, match=r"no such host: \*\*\*; set its location"):
        migrate(url)


@pytest.mark.parametrize("check", [migrate, try_to_connect])
def test_an_unreachable_server_is_reported_in_one_line(check: Callable[[str], None]) -> None:
    with pytest.raises(BadDatabase, match=r"^the database can't be \w+: .*port 1 failed.*; set its location") as failed:
        check("postgresql://ann@127.0.0.1:1/club")
    assert "\n" not in str(failed.value)


def test_a_file_in_place_of_the_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "club").touch()
    with pytest.raises(
        BadDatabase, match=r"club/liarspoker.sqlite3 can't be prepared: .*/club isn't a folder; set its"
    ):
        migrate(address(tmp_path / "club"))


def test_the_note_of_the_last_process_is_for_its_owner_only(tmp_path: Path) -> None:
    note = tmp_path / "main.instance"
    note.write_text("older", encoding="utf-8")
    note.chmod(0o644)
    for name, instance, last in (("main", "first", "older"), ("main", "second", "first"), ("other", "third", "")):
        with predecessor(tmp_path, name, instance) as before:
            assert before == last
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*.instance")} == {0o600}


def test_passwords_are_hidden_in_either_form_and_place() -> None:
    url = "postgresql://ann:a%40b@localhost/club?password=c%2Fd"
    assert hide_password("a%40b a@b c%2Fd c/d ann", url) == "*** *** *** *** ann"
    for without in ("postgresql://ann@localhost/club", "postgresql://ann:@localhost/club", f"sqlite:///{Path('ann')}"):
        assert hide_password("ann can't be found", without) == "ann can't be found"

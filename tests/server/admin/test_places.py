"""`admin`, `backup` and `restore` find the database as `serve` does: from the options, else from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from liarspoker.cli import main
from tests.server.inprocess import running

DATA, DATABASE, IN_FILE = "LIARSPOKER_DATA", "LIARSPOKER_DATABASE", "LIARSPOKER_DATABASE_FILE"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a server with one user, Ann; no variable names it, and the user has no data folder."""
    for variable in (DATA, DATABASE, IN_FILE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with running(tmp_path / "club") as server:
        server.person("Ann")
    return tmp_path / "club"


@pytest.mark.parametrize("variable", [DATA, DATABASE, IN_FILE])
def test_commands_find_the_database_that_serve_would_use(
    club: Path, variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "users"]) == 1
    url = f"sqlite:///{club}/liarspoker.sqlite3"
    (club / "url").write_text(f"{url}\n", encoding="utf-8")
    monkeypatch.setenv(variable, {DATA: str(club), DATABASE: url, IN_FILE: str(club / "url")}[variable])
    assert main(["admin", "users"]) == 0
    assert "Ann" in capsys.readouterr().out
    assert main(["backup", str(club / "all.zip")]) == 0
    monkeypatch.delenv(variable)
    monkeypatch.setenv(DATA, str(club.with_name("copy")))
    assert main(["restore", str(club / "all.zip")]) == 0
    assert main(["admin", "users"]) == 0
    assert "Ann" in capsys.readouterr().out


def test_the_key_is_found_in_the_folder_of_the_environment(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{club}/liarspoker.sqlite3"
    assert main(["admin", "rotate-key", "--database", url]) == 1
    monkeypatch.setenv(DATA, str(club))
    assert main(["admin", "rotate-key", "--database", url]) == 0


def test_an_option_overrides_the_environment(
    club: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DATA, str(club.with_name("elsewhere")))
    monkeypatch.setenv(DATABASE, "postgresql://nobody@127.0.0.1:1/nothing")
    assert main(["admin", "users", "--data", str(club)]) == 0
    assert main(["admin", "users", "--database", f"sqlite:///{club}/liarspoker.sqlite3"]) == 0
    assert capsys.readouterr().out.count("Ann") == 2


def test_a_mistake_in_a_variable_is_reported_with_its_name(
    club: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIARSPOKER_PORT", "many")  # of no interest here
    monkeypatch.setenv(DATABASE, "mysql://u:hunter2@localhost/club")
    for command in (["admin", "users"], ["backup", str(club / "all.zip")], ["restore", str(club / "all.zip")]):
        assert main(command) == 1
        assert capsys.readouterr().err == (
            f"liarspoker: {DATABASE}: database: the database URL must begin with postgresql:// or be sqlite:///PATH\n"
        )

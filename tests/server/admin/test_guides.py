"""The commands of the guides for operators run as they are written, on a server with users and tables."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liarspoker.cli import main
from tests.server.inprocess import Running, running
from tests.server.postgres import Server

GUIDES = Path(__file__).parents[3] / "docs" / "how-to"
CLUB = "postgresql://localhost/club"
COMMAND = re.compile(r"^\$ liarspoker ((?:admin|backup|restore) .*)$", re.MULTILINE)

Follow = Callable[[str, dict[str, str]], int]


@pytest.fixture
def follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Follow:
    """Run all commands of a guide in order, with placeholders replaced; return their number."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def run(guide: str, real: dict[str, str]) -> int:
        lines = COMMAND.findall((GUIDES / guide).read_text(encoding="utf-8"))
        for line in lines:
            words = [real.get(word, word) for word in shlex.split(line.partition(" > ")[0])]
            dashed = [word for word in words if word.startswith("-") and word in real.values()]  # as the guide says
            words = [*(word for word in words if word not in dashed), *(["--", *dashed] if dashed else [])]
            if words[0] == "backup":
                Path(words[1]).unlink(missing_ok=True)
            try:
                code = main(words)
            except SystemExit as ended:
                code = int(ended.code or 0)
            assert code == 0, f"{line}: {capsys.readouterr().err}"
        return len(lines)

    return run


def club(server: Running) -> dict[str, str]:
    """Make users and a table; return what the guides call them by what they are."""
    for login in ("ann", "ann@example.com"):
        ann = server.person("Ann")
        assert ann.post("/api/account", {"login": login, "passphrase": "seven green bicycles"}).status_code < 300
    again = server.person()
    assert again.post("/api/login", {"login": "ann", "passphrase": "seven green bicycles"}).status_code == 200
    ann, _, table = server.in_a_round()
    settings = {"game": "dollar-bill", "seats": 2, "clock": {"turn": 600, "ready": 600}}
    made = ann.post("/api/events", {"name": "Cup", "settings": settings, "hands": 2, "bots": True})
    return {"3Vq0": table[:10], "8fJq": made.json()["event"]}


def a_session(user: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the beginning of the id of one of the user's sessions."""
    capsys.readouterr()
    assert main(["admin", "sessions", user, "--json"]) == 0
    session: str = json.loads(capsys.readouterr().out)["sessions"][0]["session"]
    return session[:6]


def test_the_guide_for_administering_a_server(
    follow: Follow, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path / "liarspoker") as server:
        real = club(server) | {"5f0c2a": a_session("ann", capsys)}
        assert follow("administer-a-server.md", real) > 10


def test_the_guide_for_backups(follow: Follow, tmp_path: Path, postgres: Server) -> None:
    with running(tmp_path / "liarspoker") as server:
        club(server)
    shutil.copytree(tmp_path / "liarspoker", tmp_path / "club")
    databases = {CLUB: postgres.new_database(), CLUB.replace("club", "new_club"): postgres.new_database(migrated=False)}
    assert follow("back-up.md", databases) > 4

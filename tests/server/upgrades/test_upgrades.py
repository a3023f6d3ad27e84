"""Tables stored by the previous release can be continued from any state."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from liarspoker.cli import main
from liarspoker.server.storage.archive import restore
from liarspoker.server.storage.sealing import VARIABLE
from tests.server.running import running_server
from tests.server.upgrades.evening import FOLDER, NAMES, Table, seen

RELEASES = sorted(path.stem for path in FOLDER.glob("*.zip"))


@pytest.mark.parametrize("release", RELEASES)
def test_an_evening_of_an_older_release_continues(
    release: str, empty_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = json.loads((FOLDER / f"{release}.json").read_text(encoding="utf-8"))
    restore(empty_url, FOLDER / f"{release}.zip")
    monkeypatch.setenv(VARIABLE, kept["key"])
    with running_server(tmp_path, "--database", empty_url) as server:
        for game, table_id in kept["tables"].items():
            table = Table(server, table_id, kept["tokens"], Random(5))
            for name in NAMES:
                found, stored = seen(table.view(name)), kept["views"][game][name]
                assert found.pop("version") >= stored.pop("version")
                assert found == stored, f"{game}: what {name} sees"
            while table.step() == "round":
                pass
            assert table.command("Ann", do="end")["ok"]
            audit = server.ask(f"/api/tables/{table_id}/audit")
            (tmp_path / f"{game}.json").write_text(json.dumps(audit), encoding="utf-8")
            assert main(["verify", str(tmp_path / f"{game}.json")]) == 0, capsys.readouterr().out


def test_an_evening_of_an_older_release_exists() -> None:
    assert RELEASES

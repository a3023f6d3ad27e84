"""Whole records with their replays, byte for byte: what `liarspoker replay` prints, and what `--json` prints.

The units, stakes and rows of every golden record were worked out from the documents by hand; the comments in the
records say how. After a change that is meant, write the replays again and read what `git diff` shows:

    cd tests/records/golden
    for name in *.toml; do
        liarspoker replay "$name" > "${name%.toml}.txt"; liarspoker replay --json "$name" > "${name%.toml}.json"
    done
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.records import document_of, read_json, read_toml, replay, report, to_json, to_toml

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.toml"))


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> bytes:
    """What the command prints; it fails on a record with a fault, and only there."""
    assert main(["replay", *words]) == (1 if "fault" in words[-1] else 0)
    out, err = capsys.readouterr()
    assert err == ""
    return out.encode()


@pytest.mark.parametrize(("options", "suffix"), [((), ".txt"), (("--json",), ".json")], ids=["person", "program"])
def test_a_person_and_a_program_are_told_the_same_to_the_byte(
    options: tuple[str, ...], suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {path.stem: printed(capsys, *options, str(path)) for path in GOLDEN}
    changed = [path.name for path in GOLDEN if told[path.stem] != path.with_suffix(suffix).read_bytes()]
    assert changed == []


def test_in_its_plain_form_a_record_replays_the_same() -> None:
    for path in GOLDEN:
        if "fault" in path.stem:
            continue
        played = read_toml(path.read_bytes())
        plain = played.document
        expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        assert report(read_toml(to_toml(plain))) == report(read_json(to_json(plain))) == expected
        assert read_toml(to_toml(plain)).document == read_json(to_json(plain)).document == plain
        assert played.game is not None
        assert played.session is not None
        assert report(replay(document_of(played.game, played.session, played.players))) == expected


def test_no_replay_is_left_without_its_record() -> None:
    files = (Path(__file__).parent / "golden").iterdir()
    assert {path.stem for path in files} == {path.stem for path in GOLDEN}
    assert len(GOLDEN) > 9

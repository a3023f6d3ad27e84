"""Golden records with their replays, byte for byte, as text and as JSON.

The units, stakes and rows of every golden record were computed by hand from the source documents; the comments in the
records explain how. After an intentional change, write the replays again and review them with `git diff`:

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
    """Return what the command prints; its exit code is 1 if the record has a fault."""
    assert main(["replay", *words]) == (1 if "fault" in words[-1] else 0)
    out, err = capsys.readouterr()
    assert err == ""
    return out.encode()


@pytest.mark.parametrize(("options", "suffix"), [((), ".txt"), (("--json",), ".json")], ids=["person", "program"])
def test_text_and_json_replays_match_the_golden_files(
    options: tuple[str, ...], suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = {path.stem: printed(capsys, *options, str(path)) for path in GOLDEN}
    changed = [path.name for path in GOLDEN if outputs[path.stem] != path.with_suffix(suffix).read_bytes()]
    assert changed == []


def test_a_normalized_record_replays_the_same() -> None:
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


def test_every_golden_replay_has_its_record() -> None:
    files = (Path(__file__).parent / "golden").iterdir()
    assert {path.stem for path in files} == {path.stem for path in GOLDEN}
    assert len(GOLDEN) > 9

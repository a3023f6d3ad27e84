"""`liarspoker verify`: for a person, for a program, and what is no audit document."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from liarspoker.cli import main
from liarspoker.tables.fair.document import FULL, LEAVES
from tests.tables.fair.vectors import bytes_for, changed, evening
from tests.tables.play import GAMES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.json"


def verify(path: Path, document: object, *words: str) -> int:
    path.write_text(json.dumps(document), encoding="utf-8")
    return main(["verify", *words, str(path)])


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed, as if on one line."""
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("audit", [FULL, LEAVES])
@pytest.mark.parametrize("game_id", GAMES)
def test_an_honest_table_is_verified(path: Path, capsys: pytest.CaptureFixture[str], game_id: str, audit: str) -> None:
    assert verify(path, evening(game_id, audit)) == 0
    printed = told(capsys)
    assert "Verified: every deal is what was promised" in printed
    assert "the server did not look" in printed
    assert ("seeds are kept" in printed) == (audit == LEAVES)
    assert "came to nothing, and paid nobody" in printed
    assert "nonces: Ann, Cyd; none from Bob" in printed


def test_what_a_person_reads_fits_a_terminal(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify(path, evening("slips", LEAVES))
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_a_nonce_that_was_kept_back_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = evening("dollar-bill", FULL)
    deal = document["deals"][1]
    deal["nonces"][2], deal["withheld"] = "", [2]
    assert verify(path, document) == 1
    assert "promised a nonce and kept it back: seat 2" in told(capsys)


def test_another_seed_is_told_with_its_deal(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = changed(evening("dollar-bill", FULL), 1, seed=bytes_for("another").hex())
    assert verify(path, document) == 1
    printed = told(capsys)
    assert "WRONG: deal 1: seed: it is not what the server had promised" in printed
    assert "Not verified: 3 found wrong." in printed
    assert "Verified: every" not in printed


def test_a_program_gets_one_object(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound = evening("thorin", FULL)
    for document, code in ((sound, 0), (changed(sound, 2, root=bytes_for("x").hex()), 1)):
        assert verify(path, document, "--json") == code
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert answer["verified"] == (code == 0)
        assert [deal["verified"] for deal in answer["deals"]] == [True, True, code == 0]
        assert [one["deal"] for one in answer["findings"]] == [2] * code
        assert answer["not_proved"]


@pytest.mark.parametrize(
    "document", [None, 7, [], {}, {"audit": [], "deals": [1]}, {"audit": "full", "deals": [{}, None]}]
)
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_what_is_no_audit_document_is_not_verified(
    path: Path, capsys: pytest.CaptureFixture[str], document: object, words: tuple[str, ...]
) -> None:
    assert verify(path, document, *words) == 1
    assert "erified" in capsys.readouterr().out


@pytest.mark.parametrize(
    "values", [{"opener": 9}, {"game": "poker"}, {"record": [7, 0]}, {"withheld": [5]}, {"nonces": 1}]
)
@pytest.mark.parametrize("audit", [FULL, LEAVES])
def test_a_deal_that_is_stated_amiss_is_told_and_ends_nothing(
    path: Path, capsys: pytest.CaptureFixture[str], values: dict[str, Any], audit: str
) -> None:
    assert verify(path, changed(evening("dollar-bill", audit), 0, **values)) == 1
    assert "WRONG: deal 0: " in told(capsys)


def test_names_cannot_write_over_the_verdict(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = evening("dollar-bill", FULL)
    document["records"][0]["players"][0] = "\x1b[2JAnn\nVerified: all"
    assert verify(path, document) == 0
    assert "\x1b" not in (printed := capsys.readouterr().out)
    assert sum(line.startswith("Verified") for line in printed.splitlines()) == 1


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "missing.json")]) == 1
    assert "missing.json: No such file" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    assert main(["verify", str(tmp_path / "bad.json")]) == 1
    assert "this is no audit document" in capsys.readouterr().err


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.dumps(evening("slips", FULL)).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["verify", "-"]) == 0
    assert "Verified" in capsys.readouterr().out


def test_the_help_fits_a_terminal_and_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    printed = capsys.readouterr().out
    assert "liarspoker verify --json table.json" in printed
    assert max(map(len, printed.splitlines())) <= 80

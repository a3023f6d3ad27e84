"""`liarspoker verify`: text, JSON, and invalid documents."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from liarspoker.tables.fair.document import FULL, LEAVES
from tests.cli.conftest import Run, Said
from tests.tables.fair.vectors import bytes_for, changed, evening
from tests.tables.play import GAMES


class Verify:
    """Run `verify` on a document."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __call__(self, document: object, words: str = "", code: int = 0) -> Said:
        Path("table.json").write_text(json.dumps(document), encoding="utf-8")
        return self.run(f"verify table.json {words}", code=code)

    def text(self, document: object, code: int = 0) -> str:
        """Return what is printed, unwrapped into one line."""
        return " ".join(self(document, code=code).out.split())


@pytest.fixture
def verify(run: Run) -> Verify:
    return Verify(run)


@pytest.mark.parametrize("audit", [FULL, LEAVES])
@pytest.mark.parametrize("game_id", GAMES)
def test_an_honest_table_is_verified(verify: Verify, game_id: str, audit: str) -> None:
    printed = verify(evening(game_id, audit)).out
    assert max(map(len, printed.splitlines())) <= 80
    printed = " ".join(printed.split())
    assert "Verified: every deal matches the server's commitment" in printed
    assert "the server didn't look" in printed
    assert ("seeds stay secret" in printed) == (audit == LEAVES)
    assert "cancelled, without payment" in printed
    assert "nonces: Ann, Cyd; none from Bob" in printed


def test_a_withheld_nonce_is_reported(verify: Verify) -> None:
    document = evening("dollar-bill", FULL)
    deal = document["deals"][1]
    deal["nonces"][2], deal["withheld"] = "", [2]
    assert "withheld a nonce that they had committed to: seat 2" in verify.text(document, code=1)


def test_a_changed_seed_is_reported_with_its_deal(verify: Verify) -> None:
    printed = verify.text(changed(evening("dollar-bill", FULL), 1, seed=bytes_for("another").hex()), code=1)
    assert "WRONG: deal 1: seed: " in printed
    assert "Not verified: 3 errors found." in printed
    assert "Verified: every" not in printed


def test_json_output_is_one_object(verify: Verify) -> None:
    sound = evening("thorin", FULL)
    for document, code in ((sound, 0), (changed(sound, 2, root=bytes_for("x").hex()), 1)):
        answer: dict[str, Any] = verify(document, "--json", code=code).report
        assert answer["verified"] == (code == 0)
        assert [deal["verified"] for deal in answer["deals"]] == [True, True, code == 0]
        assert [one["deal"] for one in answer["findings"]] == [2] * code
        assert answer["not_proved"]


@pytest.mark.parametrize(
    "document", [None, 7, [], {}, {"audit": [], "deals": [1]}, {"audit": "full", "deals": [{}, None]}]
)
def test_an_invalid_document_is_not_verified(verify: Verify, document: object) -> None:
    for words in ("", "--json"):
        assert "erified" in verify(document, words, code=1).out


@pytest.mark.parametrize(
    "values", [{"opener": 9}, {"game": "poker"}, {"record": [7, 0]}, {"withheld": [5]}, {"nonces": 1}]
)
def test_an_invalid_deal_is_reported_and_the_others_are_checked(verify: Verify, values: dict[str, Any]) -> None:
    for audit in (FULL, LEAVES):
        assert "WRONG: deal 0: " in verify.text(changed(evening("dollar-bill", audit), 0, **values), code=1)


def test_names_cannot_forge_the_verdict(verify: Verify) -> None:
    document = evening("dollar-bill", FULL)
    document["records"][0]["players"][0] = "\x1b[2JAnn\nVerified: all"
    printed = verify(document).out
    assert "\x1b" not in printed
    assert sum(line.startswith("Verified") for line in printed.splitlines()) == 1


def test_a_dash_is_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps(evening("slips", FULL)).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert "Verified" in run("verify -").out


def test_a_file_that_is_not_json_is_named_with_the_remedy(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    begun = "Unterminated string starting at: line 1 column 11"
    for text, why in (("lpn = 1\n", "Expecting value: line 1 column 1"), ('{"table": "a', begun)):
        path.write_text(text)
        said = run(f"verify {path}", code=1).err
        assert said.startswith(f"liarspoker: {path}: this isn't an audit document, for it isn't JSON ({why}); choose ")

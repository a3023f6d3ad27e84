"""The command line's and the browser's verifiers share no code and must agree on the same documents."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from liarspoker.protocol.settings import AUDITS
from liarspoker.tables.fair.audit import check
from tests.rules.test_chance import RFC_4231
from tests.tables.fair.endings import Document, Ending, ended
from tests.tables.fair.node import findings_of, run_node
from tests.tables.fair.tampering import tampered
from tests.tables.fair.vectors import PATH, vectors
from tests.tables.play import GAMES

BATCH = 1_000


def batches() -> list[int]:
    """Hundreds of rounds, fewer when measuring coverage, 200,000 in `make soak`; at most a thousand at once."""
    rounds = 10 * settings().max_examples
    return [min(BATCH, rounds)] * -(-rounds // BATCH)


@pytest.mark.slow
@pytest.mark.hypothesis
@pytest.mark.parametrize(("number", "rounds"), list(enumerate(batches())))
def test_both_verifiers_agree_on_random_rounds_and_tampering(number: int, rounds: int) -> None:
    chance = Random(number)
    documents: list[Document] = []
    altered: list[list[int]] = []
    dealt = 0
    while dealt < rounds:
        game = GAMES[len(documents) // 2 % len(GAMES)]
        for audit in AUDITS:
            document = ended(Ending(game, audit, chance.randrange(5), chance.randrange(50), len(documents))).document()
            dealt += len(document["deals"])
            some = document["deals"] and chance.random() < 0.5
            one, deal = tampered(chance, document) if some else (document, None)
            documents.append(one)
            altered.append([] if deal is None else [deal])
    found = [sorted({one.deal for one in check(document) if one.deal is not None}) for document in documents]
    theirs = [sorted({one["deal"] for one in told if one["deal"] is not None}) for told in findings_of(documents)]
    for mine, other, wanted, document in zip(found, theirs, altered, documents, strict=True):
        assert mine == other == wanted, json.dumps(document)


def test_the_browser_verifier_passes_the_vectors() -> None:
    count = sum(len(held) for held in vectors().values() if isinstance(held, list))
    assert run_node("tests/vectors.mjs", str(PATH)).splitlines() == [f"{count} hold"]


def test_the_browsers_hmac_passes_the_rfc_4231_vectors(tmp_path: Path) -> None:
    path = tmp_path / "hmac.json"
    told = [{"key": key.hex(), "data": data.hex(), "hmac": code} for key, data, code in RFC_4231]
    path.write_text(json.dumps({"hmac": told}))
    assert run_node("tests/vectors.mjs", str(path)) == f"{len(told)} hold\n"


SHAPE: Document = {"fair": 1, "table": "t", "audit": "full", "records": [], "deals": []}
NO_DEALS: list[object] = [[None], [{}], [[]], None]


@pytest.mark.parametrize(
    "document",
    [
        *[None, [], {}, {**SHAPE, "fair": 2}, {**SHAPE, "audit": "some"}, {**SHAPE, "records": None}],
        *[{**SHAPE, "deals": deals} for deals in NO_DEALS],
        *[{**SHAPE, "table": table} for table in ("", "a b", "a" * 101, "é", 7)],
    ],
)
def test_both_verifiers_reject_invalid_documents(document: object) -> None:
    assert check(document)
    assert findings_of([document])[0]

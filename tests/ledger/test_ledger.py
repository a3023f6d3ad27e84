"""The ledger: every sentence of the source documents, with the tests of the rule that it states.

Each file here describes one document. It lists the document's sentences in order: `number`; `opening`, the first words;
`digest`, the first sixteen hexadecimal digits of the SHA-256 of the sentence with white space normalized to one space;
and either `rule`, the rule in our own words, with the `tests` that check it, or `no_rule`, why it states no rule.

The documents themselves are not part of the project. If LIARSPOKER_SOURCES names the folder that contains them, they
are split into sentences again and compared, which detects missing and changed sentences.
"""

from __future__ import annotations

import ast
import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.sentences import digest, opening, split

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DOCUMENTS = ("000", "001", "002", "003", "004")

Entry = dict[str, Any]


@cache
def entries_of(document: str) -> list[Entry]:
    """Return the entries of a ledger, in order."""
    with (HERE / f"{document}.toml").open("rb") as file:
        ledger = tomllib.load(file)
    assert set(ledger) == {"sentence"}
    return list(ledger["sentence"])


@cache
def functions_in(path: Path) -> frozenset[str]:
    """Return the names of the functions in a file, `Class::method` for methods."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return frozenset(names)


def missing(test_id: str) -> str | None:
    """Return what is wrong with `path::test_name`; `None` if the test exists."""
    path, _, name = test_id.partition("::")
    if not re.fullmatch(r"tests/[\w/]+/test_\w+\.py", path) or not name.split("::")[-1].startswith("test_"):
        return f"{test_id!r} isn't the id of a test"
    if not (ROOT / path).is_file():
        return f"{test_id}: there is no such file"
    return None if name in functions_in(ROOT / path) else f"{test_id}: there is no such test in that file"


def faults_of(entry: Entry) -> list[str]:
    """Return everything that is wrong with an entry."""
    faults = [f"{key} is no field" for key in set(entry) - {"number", "opening", "digest", "rule", "tests", "no_rule"}]
    if not 1 <= len(str(entry.get("opening", "")).split()) <= 6:
        faults.append("opening should be the first words, six at most")
    if not re.fullmatch("[0-9a-f]{16}", str(entry.get("digest", ""))):
        faults.append("digest should be sixteen hexadecimal digits")
    if ("rule" in entry) == ("no_rule" in entry):
        faults.append("it should have either rule or no_rule")
    if ("rule" in entry) != ("tests" in entry):
        faults.append("rule and tests should stand together")
    faults += [f"{key} is empty" for key in ("rule", "no_rule", "tests") if not entry.get(key, "full")]
    faults += [f"{key} should be one line" for key in ("rule", "no_rule") if "\n" in entry.get(key, "")]
    return faults + [fault for test in entry.get("tests", ()) if (fault := missing(test))]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_sentences_are_numbered_from_one_without_a_gap(document: str) -> None:
    numbers = [entry["number"] for entry in entries_of(document)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_sentence_has_a_rule_with_existing_tests_or_a_reason_why_it_has_none(document: str) -> None:
    faults = {entry["number"]: faults_of(entry) for entry in entries_of(document)}
    assert {number: found for number, found in faults.items() if found} == {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_sentence_of_the_document_is_in_the_ledger(document: str) -> None:
    folder = os.environ.get("LIARSPOKER_SOURCES")
    if not folder:
        pytest.skip("LIARSPOKER_SOURCES does not name the folder of the source documents")
    (path,) = Path(folder).glob(f"{document}_*.txt")
    sentences = split(path.read_text(encoding="utf-8"))
    entries = entries_of(document)
    for sentence, entry in zip(sentences, entries, strict=False):
        assert (entry["opening"], entry["digest"]) == (opening(sentence), digest(sentence)), entry["number"]
    assert len(sentences) == len(entries)


# ----------------------------------------------------------------------------------------- the checks themselves

GOOD: Entry = {
    "number": 1,
    "opening": "A bid is stronger",
    "digest": "0123456789abcdef",
    "rule": "more is more",
    "tests": ["tests/ledger/test_ledger.py::test_a_good_entry_has_no_fault"],
}


def test_a_good_entry_has_no_fault() -> None:
    assert faults_of(GOOD) == []
    assert faults_of({key: GOOD[key] for key in ("number", "opening", "digest")} | {"no_rule": "a joke"}) == []


@pytest.mark.parametrize(
    "change",
    [
        {"tests": []},
        {"tests": [""]},
        {"tests": ["tests/ledger/test_ledger.py"]},
        {"tests": ["tests/ledger/test_ledger.py::test_that_nobody_wrote"]},
        {"tests": ["tests/ledger/test_ledger.py::faults_of"]},
        {"tests": ["tests/ledger/test_nowhere.py::test_a_good_entry_has_no_fault"]},
        {"rule": ""},
        {"no_rule": "and a joke besides"},
        {"digest": "0123"},
        {"opening": "one two three four five six seven"},
        {"opening": ""},
        {"note": "no such field"},
    ],
    ids=str,
)
def test_an_entry_with_a_fault_is_found(change: Entry) -> None:
    assert faults_of(GOOD | change) != []


@pytest.mark.parametrize("lost", ["rule", "tests", "opening", "digest"])
def test_an_incomplete_entry_is_found(lost: str) -> None:
    assert faults_of({key: value for key, value in GOOD.items() if key != lost}) != []

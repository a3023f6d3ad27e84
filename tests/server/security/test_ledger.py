"""The ledger of OWASP ASVS 5.0 covers every requirement once, and cites only existing tests and files."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

from docs.security_ledger import LEDGER, STATES, Requirement, chapters, levels, page

ROOT = Path(__file__).resolve().parents[3]


def requirements() -> list[Requirement]:
    return [requirement for chapter in chapters() for requirement in chapter.requirements]


@cache
def names_of_tests(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def test_every_requirement_of_levels_1_and_2_is_listed_once() -> None:
    counted = Counter(one for requirement in requirements() for one in requirement.ids)
    assert max(counted.values()) == 1
    assert set(counted) == set(levels())
    assert Counter(levels().values()) == {1: 70, 2: 183}
    for chapter in chapters():
        assert {one.partition(".")[0] for one in chapter.ids} == {str(chapter.number)}


def test_every_requirement_has_one_state_with_a_reason() -> None:
    for requirement in requirements():
        assert requirement.asks, requirement.ids
        assert sum(bool(getattr(requirement, state)) for state in STATES) == 1, requirement.ids


def test_met_requirements_cite_existing_tests_or_files() -> None:
    named = [(shown, requirement.ids) for requirement in requirements() for shown in requirement.met]
    for shown, ids in named:
        path, _, test = shown.partition("::")
        assert (ROOT / path).is_file(), (ids, shown)
        if test:
            assert path.startswith("tests/"), (ids, shown)
            assert test in names_of_tests(path), (ids, shown)
    assert len({shown for shown, _ in named if "::" in shown}) > 80


def test_the_page_lists_every_requirement_and_the_totals() -> None:
    text = page()
    for one in levels():
        assert f" {one} " in text.replace(",", " "), one
    assert f"| all | {len(levels())} |" in text
    assert LEDGER.is_relative_to(ROOT)

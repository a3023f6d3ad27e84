"""Compiled templates are kept between starts, and never used for another source."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from jinja2 import DictLoader

from liarspoker.cache import CACHE_VARIABLE
from liarspoker.web.templating import CodeCache, LeanEnvironment

HELLO = "Hello, {{ name }}!"


class Counting(LeanEnvironment):
    """Counts the templates that are compiled."""

    compiled = 0

    def _generate(self, *given: Any, **more: Any) -> str:
        Counting.compiled += 1
        return super()._generate(*given, **more)


def rendered(source: str, *sources: str) -> tuple[str, int]:
    """Return what a template says in an environment that has just started, and how many templates it has compiled."""
    before = Counting.compiled
    environment = Counting(loader=DictLoader({"hello": source}), autoescape=True, bytecode_cache=CodeCache(*sources))
    return environment.get_template("hello").render(name="<Ann>"), Counting.compiled - before


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path / "templates"


def test_a_template_is_compiled_once_and_again_when_it_changes() -> None:
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 1)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 0)
    assert rendered(f"{HELLO} Hi!") == ("Hello, &lt;Ann&gt;! Hi!", 1)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 0)


@pytest.mark.parametrize("damage", [b"", b"no code", b"\xe3", b"T"])
def test_a_damaged_file_is_made_again(folder: Path, damage: bytes) -> None:
    rendered(HELLO)
    (file,) = folder.glob("*/*")
    file.write_bytes(damage)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 1)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 0)


def test_templates_are_compiled_again_when_a_source_changes(tmp_path: Path) -> None:
    filters = tmp_path / "filters.py"
    for words in ("one", "another"):
        filters.write_text(words)
        assert [rendered(HELLO, str(filters))[1] for _ in range(2)] == [1, 0]


def test_code_that_others_could_have_written_is_not_run(folder: Path) -> None:
    rendered(HELLO)
    (place,) = folder.iterdir()
    assert place.stat().st_mode & 0o077 == 0
    place.chmod(0o777)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 1)


def test_code_that_can_no_longer_be_stored_is_still_run(folder: Path) -> None:
    cache = CodeCache()
    environment = Counting(loader=DictLoader({"hello": HELLO}), autoescape=True, bytecode_cache=cache)
    rmtree(folder)
    assert environment.get_template("hello").render(name="Bob") == "Hello, Bob!"


def test_without_a_folder_every_start_compiles(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 1)
    assert rendered(HELLO) == ("Hello, &lt;Ann&gt;!", 1)

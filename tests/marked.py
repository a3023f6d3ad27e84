"""A language for tests in which every message is in brackets, so that text outside of messages stands out."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from liarspoker import language
from liarspoker.web import pages, templating

CODE = "xx"
"""The code of the language."""

_ALOUD = {"alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title"}
_SILENT = {"code", "kbd", "pre", "script", "style", "textarea"}
_LINE = re.compile(r"^([-#*>|\s\d.]*)(.+)$", re.MULTILINE)
"""A line: its Markdown, and its text."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class _Marked(gettext.NullTranslations):
    """Puts every message into brackets."""

    def gettext(self, message: str) -> str:
        return _LINE.sub(r"\1⟦\2⟧", message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        return f"⟦{one if count == 1 else many}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return f"⟦{message}⟧" if _WORD.search(message) else message


def add_language(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Add the language to those of this process.

    Args:
        monkeypatch: removes it again.
        folder: an empty folder.
    """
    real, marked = language.translations, _Marked()

    def translations(code: str) -> gettext.NullTranslations:
        return marked if code == CODE else real(code)

    for module in (language, templating):
        monkeypatch.setattr(module, "translations", translations)
    monkeypatch.setattr(language, "LANGUAGES", {**language.LANGUAGES, CODE: "Marked"})
    place = folder / CODE / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / f"{language.DOMAIN}.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(pages, "FOLDER", folder)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = self._silent = 0

    def _read(self, text: str, depth: int) -> int:
        outside = ""
        for sign in text:
            depth += (sign == "⟦") - (sign == "⟧")
            outside += sign if depth == 0 and sign != "⟧" else " "
        if _WORD.search(outside):
            self.found.append(" ".join(outside.split()))
        return depth

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT
        for name, value in attributes:
            if name in _ALOUD and value:
                self._read(value, 0)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._depth = self._read(data, self._depth)


def outside(html: str, *allowed: str) -> list[str]:
    """Return the words of a page that are in no message, apart from names and other texts that match `allowed`."""
    page = _Page()
    page.feed(html)
    page.close()
    known = re.compile("|".join(allowed) or "(?!)")
    return [text for text in page.found if _WORD.search(known.sub("", text))]


def words_outside(text: str, *allowed: str) -> Iterator[str]:
    """Yield the lines of a plain text that have words in no message."""
    known = re.compile("|".join(allowed) or "(?!)")
    depth = 0
    for line in text.splitlines():
        rest = ""
        for sign in line:
            depth += (sign == "⟦") - (sign == "⟧")
            rest += sign if depth == 0 and sign != "⟧" else " "
        if _WORD.search(known.sub("", rest)):
            yield line

"""Texts that players see but that are in no catalogue: `python -m tools.untranslated [FOLDER ...]` lists them.

In templates that is every text between tags or in an attribute that is read aloud, and every string with a capital or a
space in an expression, unless it is an argument of `_`, `ngettext` or `pgettext`. In Python and TypeScript it is every
string of two or more words, unless it is such an argument, a docstring, or one of the texts that only operators and
programmers read: log lines, SQL, the errors of `_FOR_PROGRAMMERS`, and the modules of `_FOR_OPERATORS`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, nodes

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src/liarspoker"

FUNCTIONS = {"_", "N_", "ngettext", "pgettext"}
"""The functions that take messages."""

_FOR_OPERATORS = (
    "bots/network.py",
    "bots/network_bot.py",
    "bots/rating.py",
    "bots/workers.py",
    "cli/admin.py",
    "cli/arena.py",
    "cli/backup.py",
    "cli/compiled_contest.py",
    "cli/completion.py",
    "cli/exploit.py",
    "cli/progress.py",
    "cli/report.py",
    "cli/restore.py",
    "cli/serve.py",
    "cli/simulate.py",
    "cli/solve.py",
    "cli/train.py",
    "engine",
    "games/cards/spoken_claims.py",
    "games/cards/statistics_text.py",
    "games/digits/environment.py",
    "games/digits/kernel.py",
    "games/cards/network_bot.py",
    "games/digits/kernel_network.py",
    "games/digits/network_bot.py",
    "games/digits/statistics.py",
    "games/queen_annes/kernel_network.py",
    "games/queen_annes/environment.py",
    "games/queen_annes/kernel.py",
    "games/thorin/environment.py",
    "games/thorin/kernel.py",
    "language.py",
    "odds/answers.py",
    "protocol/codec.py",
    "protocol/http.py",
    "research",
    "server/admin",
    "server/backups.py",
    "server/bots",
    "server/cluster",
    "server/config.py",
    "server/journal.py",
    "server/listening.py",
    "server/metrics.py",
    "server/problems.py",
    "server/routes/catalogue.py",
    "server/run.py",
    "server/setting_sources.py",
    "server/settings.py",
    "server/storage",
    "server/traces.py",
    "web/assets.py",
    "solve",
    "train",
)
"""Folders and modules whose texts only operators and programmers read, or programs as JSON, or that parse English."""

_FOR_PROGRAMMERS = {
    "AssertionError",
    "AttributeError",
    "BadContest",
    "KeyError",
    "OSError",
    "RuntimeError",
    "TypeError",
    "ValueError",
}
"""Errors that no input of a player raises."""

_STORED = {"Ended", "NoSuchTable", "Path", "Query", "TableDamaged", "_close", "check"}
"""Calls whose texts are stored, or name something, or describe the API."""

_READ_ALOUD = {
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "content",
    "label",
    "placeholder",
    "title",
}
_TYPED = {
    "CSV",
    "JSON",
    "LPN",
    '"As Td 2c"',
    "two pair, sevens over threes",
    "full house A over 10",
    "keep all",
    "take it",
}
"""What players type, and names that are the same in every language."""

_NOTATION = re.compile(r"(claim|declare|discard) [a-z-]+( [2-9TJQKA_]+)?( [cdhs])?|discard \w+|([2-9TJQKA][cdhs] ?)+")
"""Actions and cards in the notation."""

_KEYS = {"Home", "End", "ArrowLeft", "ArrowRight"}
"""Names of keys in `aria-keyshortcuts`."""

_PROSE = re.compile(r"[A-Za-z’']{2,}[,;:]? \{?[A-Za-z’']")
_CODE = re.compile(
    r"\w=\w|-src |^[a-z-]+ ([a-z]+-)+[a-z]+ |^<|^\.svg|-note$|-(end|start|down)$"
    r"|^(attachment;|public, max|pip install|Accept-Encoding|const KEPT)"
    r"|^(pick, seat |--slips and|liarspoker (play --server|odds|slips)|sit (in|out)$|Exception in ASGI|at end of doc)"
    r"|^(card any|chart running|ornament band|Samsung Internet|Mac OS X|nobody's passphrase|[Ll]iar's [Pp]oker)$"
    r"|^\{\} (deals of|bots in) game"
)
_SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|PRAGMA|LOCK|ORDER BY|SAVEPOINT|ROLLBACK)\b")
_MARKUP = re.compile(r'[</="()…]')
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_TAG = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_CLASS = re.compile(r"\{% block body_class %\}.*?\{% endblock %\}")
_SHOWN = re.compile(r"\{\{.*?\}\}", re.DOTALL)


class Text(NamedTuple):
    """A text outside the catalogues, with its place."""

    file: str
    line: int
    text: str


def untranslated() -> list[Text]:
    """Return the texts of the sources that are in no catalogue."""
    python = (found for path in SOURCES.rglob("*.py") if not _is_for_operators(path) for found in in_python(path))
    pages = (found for path in SOURCES.rglob("*.html") for found in in_template(path))
    return sorted((*python, *pages))


def _is_for_operators(path: Path) -> bool:
    inside = path.relative_to(SOURCES).as_posix()
    return any(inside == one or inside.startswith(f"{one}/") for one in _FOR_OPERATORS)


def in_python(path: Path) -> Iterator[Text]:
    """Yield the texts of a module that aren't messages."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed: set[int] = set()
    for node in ast.walk(tree):
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or (
            isinstance(node, ast.Call)
            and (_name(node.func) in FUNCTIONS | _FOR_PROGRAMMERS | _STORED or _is_log(node.func))
        ):
            passed.update(id(inner) for inner in ast.walk(node))
        elif isinstance(node, ast.JoinedStr):
            passed.update(id(value) for value in node.values)
    for node in ast.walk(tree):
        if id(node) not in passed:
            text = _string(node)
            if text is None or text in _TYPED or _NOTATION.fullmatch(text):
                continue
            if _PROSE.search(text) and not _SQL.search(text) and not _CODE.search(text):
                yield Text(path.relative_to(ROOT).as_posix(), getattr(node, "lineno", 0), text)


def _string(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _name(function: ast.expr) -> str:
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _is_log(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and _name(function.value).lower() in ("log", "logging", "warnings")


def _is_typed(text: str) -> bool:
    return text in _TYPED or "\n" in text  # a record


class _Texts(HTMLParser):
    """Collects the texts of a page's source in which each expression is a space."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style", "code")
        for name, value in attributes:
            if name in _READ_ALOUD and value and _LETTERS.search(value) and tag != "meta" and not _is_typed(value):
                self.found.append((self.getpos()[0], value))

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "code")

    def handle_data(self, data: str) -> None:
        if not self._silent and _LETTERS.search(data) and '="' not in data and data.strip() not in _TYPED:
            self.found.append((self.getpos()[0], " ".join(data.split())))


def in_template(path: Path) -> Iterator[Text]:
    """Yield the texts of a template that aren't messages."""
    source, file = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
    page = _Texts()
    page.feed(_SHOWN.sub(_blank, _TAG.sub(_blank, _CLASS.sub("", source))))
    page.close()
    yield from (Text(file, line, text) for line, text in page.found)
    tree = Environment(autoescape=True).parse(source)
    passed: set[int] = set()
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in FUNCTIONS:
            passed.update(id(one) for one in call.args)
        passed.update(id(one.value) for one in call.kwargs if one.key in ("class", "classes"))
    for text in tree.find_all(nodes.Const):
        value = text.value
        if id(text) in passed or not isinstance(value, str) or value in _TYPED | _KEYS or _MARKUP.search(value):
            continue
        if re.match(r"[A-Z][a-z]", value) or len(value.split()) > 2:
            yield Text(file, text.lineno, value)


def _blank(tag: re.Match[str]) -> str:
    return "\n" * tag[0].count("\n") or " "


def main(folders: list[str]) -> int:
    """List the texts in files whose paths begin with one of `folders`, or all texts."""
    found = [one for one in untranslated() if not folders or one.file.startswith(tuple(folders))]
    for file, line, text in found:
        print(f"{file}:{line}: {text}")
    print(f"{len(found)} texts in no catalogue")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

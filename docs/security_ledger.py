"""The directive `security-ledger`: how a server compares with OWASP ASVS 5.0, from `tests/server/security/asvs.toml`.

````
```{security-ledger}
```
````
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx

LEDGER = Path(__file__).resolve().parent.parent / "tests" / "server" / "security" / "asvs.toml"
STATES = ("met", "not_applicable", "not_met")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement, or several that are answered together.

    Attributes:
        ids: in the standard.
        asks: what they ask of this server, in our words.
        met: tests and files that show it; empty for not met.
        not_applicable: why it does not apply here; empty where it does.
        not_met: what is missing, and why that is acceptable; empty where nothing is.
        note: what else there is to say.
    """

    ids: tuple[str, ...]
    asks: str
    met: tuple[str, ...] = ()
    not_applicable: str = ""
    not_met: str = ""
    note: str = ""

    @property
    def state(self) -> str:
        """One of `STATES`."""
        return next(state for state in STATES if getattr(self, state))


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the standard."""

    number: int
    name: str
    requirements: tuple[Requirement, ...]

    @property
    def ids(self) -> list[str]:
        """Of all its requirements."""
        return [one for requirement in self.requirements for one in requirement.ids]


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(LEDGER.read_text("utf-8"))


def levels() -> dict[str, int]:
    """The level, 1 or 2, of every requirement of the standard at these levels."""
    return {one: int(level) for level, ids in _read()["levels"].items() for one in ids.split()}


@cache
def chapters() -> tuple[Chapter, ...]:
    """The whole ledger."""
    return tuple(
        Chapter(one["number"], one["name"], tuple(Requirement(**_frozen(entry)) for entry in one["requirement"]))
        for one in _read()["chapter"]
    )


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(given) if isinstance(given, list) else given for name, given in entry.items()}


def page() -> str:
    """The totals by chapter, and a table for each chapter."""
    parts = ["| chapter | requirements | met | not applicable | not met |", "| --- | --- | --- | --- | --- |"]
    parts += [_total(f"{one.number}. {one.name}", one.requirements) for one in chapters()]
    parts += [_total("all", [requirement for one in chapters() for requirement in one.requirements]), ""]
    for chapter in chapters():
        parts += [f"## {chapter.number}. {chapter.name}", ""]
        parts += [
            "| requirement | level | what it asks | state | shown by, or why |",
            "| --- | --- | --- | --- | --- |",
        ]
        parts += [*map(_row, chapter.requirements), ""]
    return "\n".join(parts)


def _total(name: str, requirements: Iterable[Requirement]) -> str:
    counted = Counter(dict.fromkeys(STATES, 0))
    for one in requirements:
        counted[one.state] += len(one.ids)
    return f"| {name} | {counted.total()} | " + " | ".join(str(counted[state]) for state in STATES) + " |"


def _row(one: Requirement) -> str:
    why = ", ".join(f"`{shown.rpartition('/')[2]}`" for shown in one.met) or one.not_applicable or one.not_met
    level = ", ".join(str(level) for level in sorted({levels()[each] for each in one.ids}))
    state = one.state.replace("_", " ")
    return f"| {', '.join(one.ids)} | {level} | {one.asks} | {state} | {why}{f'. {one.note}' if one.note else ''} |"


class SecurityLedger(SphinxDirective):
    """The totals and the tables."""

    def run(self) -> list[Node]:
        """The ledger, as the document's own Markdown would give it."""
        return self.parse_text_to_nodes(page(), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("security-ledger", SecurityLedger)
    return {"parallel_read_safe": True}

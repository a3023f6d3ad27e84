"""The directive `limit-table`: every limit of a server with its default, taken from the program.

````
```{limit-table}
```
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from liarspoker.server.config import every_limit, format_limit

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx


class LimitTable(SphinxDirective):
    """A table of all limits."""

    def run(self) -> list[Node]:
        """The table, as the document's own Markdown would give it."""
        return self.parse_text_to_nodes(table())


def table() -> str:
    """Each limit: its name, its default, its unit, and what it limits."""
    lines = ["| limit | default | unit | what it limits |", "| --- | --- | --- | --- |"]
    for one in every_limit():
        meaning = f"{one.meaning[:1].upper()}{one.meaning[1:]}."
        lines.append(f"| `{one.name}` | `{format_limit(one.default)}` | {one.unit} | {meaning} |")
    return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("limit-table", LimitTable)
    return {"parallel_read_safe": True}

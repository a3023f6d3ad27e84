"""The directive `setting-table`: every setting of a server but its limits, taken from the program.

````
```{setting-table}
```
````
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from liarspoker.server.settings import settings_table

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx


class SettingTable(SphinxDirective):
    """A table of all settings but limits."""

    def run(self) -> list[Node]:
        """The table, as the document's own Markdown would give it."""
        return self.parse_text_to_nodes(table())


def table() -> str:
    """Each setting: its key, its default, its values and what it does."""
    lines = ["| key | default | value | what it does |", "| --- | --- | --- | --- |"]
    for info, default in settings_table():
        meaning = f"{info.meaning[:1].upper()}{info.meaning[1:]}."
        unit = f" ({info.unit})" if info.unit else ""
        lines.append(f"| `{info.name}` | `{default}` | {info.form}{unit} | {meaning} |")
    return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("setting-table", SettingTable)
    return {"parallel_read_safe": True}

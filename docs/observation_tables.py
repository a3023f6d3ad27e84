"""The directive `observation-table`: what an observation of one game consists of, for three players.

````
```{observation-table} thorin
```
````

The option `:session:` shows the observation of a whole session, dealt by the game's defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils.parsers.rst import directives  # type: ignore[import-untyped]  # it brings no types
from sphinx.util.docutils import SphinxDirective

from liarspoker.research.spec import EnvironmentSpec

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx


class ObservationTable(SphinxDirective):
    """A table of the blocks of an observation; its argument is an id of the catalogue."""

    required_arguments: ClassVar[int] = 1
    option_spec: ClassVar[dict[str, Any]] = {"session": directives.flag}

    def run(self) -> list[Node]:
        """The table, as the document's own Markdown would give it."""
        spec = EnvironmentSpec.of(self.arguments[0], 3, rounds=None if "session" in self.options else 1)
        return self.parse_text_to_nodes(table(spec))


def table(spec: EnvironmentSpec) -> str:
    """The blocks in their order, with shapes and bounds."""
    lines = ["| block | shape | from | to | what it contains |", "| --- | --- | --- | --- | --- |"]
    for block in spec.layout:
        shape = ", ".join(map(str, block.shape))
        meaning = f"{block.meaning[:1].upper()}{block.meaning[1:]}."
        lines.append(f"| `{block.name}` | `[{shape}]` | {block.low:g} | {block.high:g} | {meaning} |")
    return "\n".join(lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("observation-table", ObservationTable)
    return {"parallel_read_safe": True}

"""The directive `option-table`: every option of one game, or of several of one family side by side.

````
```{option-table} slips
```
````

With one game the table lists its values, their meaning and their source. With several it compares their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from sphinx.util.docutils import SphinxDirective

from liarspoker.cli.games import as_written, game_options

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx


class OptionTable(SphinxDirective):
    """A table of options; its arguments are ids of the catalogue."""

    required_arguments: ClassVar[int] = 1
    optional_arguments: ClassVar[int] = 100

    def run(self) -> list[Node]:
        """The table, as the document's own Markdown would give it."""
        ids: list[str] = self.arguments
        return self.parse_text_to_nodes(one_game(ids[0]) if len(ids) == 1 else several_games(ids))


def one_game(game_id: str) -> str:
    """Every option of a game: its value, what else it takes, what it decides, its source."""
    rows: list[tuple[str, ...]] = [
        (
            f"`{option.name}`",
            f"`{as_written(option.value)}`",
            _code(option.others()),
            _sentence(option.meaning),
            option.source,
        )
        for option in game_options(game_id)
    ]
    return _table(("option", "here", "also", "what it decides", "source"), rows)


def several_games(ids: list[str]) -> str:
    """Every option of games of one family: its meaning, and each game's value."""
    columns = [game_options(game_id) for game_id in ids]
    rows = []
    for options in zip(*columns, strict=True):
        first = options[0]
        here = [f"`{as_written(option.value)}`" for option in options]
        takes = _code([first.span] if first.span else [as_written(value) for value in first.values])
        rows.append((f"`{first.name}`", _sentence(first.meaning), *here, takes))
    return _table(("option", "what it decides", *(f"`{game_id}`" for game_id in ids), "it takes"), rows)


def _code(values: list[str]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("option-table", OptionTable)
    return {"parallel_read_safe": True}

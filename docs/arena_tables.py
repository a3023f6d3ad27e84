"""The directive `arena-table`: the results of the arena that come with the package.

````
```{arena-table} ratings
```
````

Its argument is `ratings`, `pairs`, `gains` or `spread`; `cards` after it chooses the results in the card games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

from liarspoker.bots.arena import ArenaResults, Interval, shipped_results

if TYPE_CHECKING:
    from docutils.nodes import Node  # type: ignore[import-untyped]  # it brings no types
    from sphinx.application import Sphinx


class ArenaTable(SphinxDirective):
    """A table of the results."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[Node]:
        """The table, as the document's own Markdown would give it."""
        digits, cards = shipped_results()
        table, *chosen = self.arguments
        return self.parse_text_to_nodes("\n".join(TABLES[table](cards if chosen == ["cards"] else digits)))


def ratings(results: ArenaResults) -> Iterator[str]:
    """The ratings of each table, a column for each bot."""
    order = [rated.bot for rated in results.ratings[0].ratings]
    yield from head("game", "players", *(f"`{bot}`" for bot in order))
    for table in results.tables:
        found = {rated.bot: rated.rating for rated in table.ratings}
        yield row(table.game, str(table.players), *(figure(found[bot]) for bot in order))
    for overall in results.ratings:
        found = {rated.bot: rated.rating for rated in overall.ratings}
        yield row("**all**", "", *(figure(found[bot]) for bot in order))


def pairs(results: ArenaResults) -> Iterator[str]:
    """What one bot of a line wins among copies of the bot of a column, for each table."""
    for table in results.tables:
        order = [rated.bot for rated in table.ratings]
        won = {(pair.bot, pair.others): pair.won for pair in table.pairs}
        if table.players == 2:
            won |= {(pair.others, pair.bot): Interval(-pair.won.mean, pair.won.half_width) for pair in table.pairs}
        yield from head(f"{table.game}, {table.players} players", *(f"among `{bot}`" for bot in order))
        for bot in order:
            yield row(f"`{bot}`", *("" if bot == other else figure(won[bot, other]) for other in order))
        yield ""


def gains(results: ArenaResults) -> Iterator[str]:
    """The gains for the two best bots of each table."""
    yield from head("game", "players", "one", "among", "duplicate deals alone", "with control variates")
    for table in results.tables:
        best = {rated.bot for rated in table.ratings[:2]}
        for pair in table.pairs:
            if {pair.bot, pair.others} == best:
                figures = ("" if gain is None else f"{gain:.2f}" for gain in (pair.duplicate_gain, pair.gain))
                yield row(table.game, str(table.players), f"`{pair.bot}`", f"`{pair.others}`", *figures)


def spread(results: ArenaResults) -> Iterator[str]:
    """The lowest, median and highest gain of all pairs, by number of players."""
    yield from head("players", "duplicate deals alone", "with control variates")
    for players in dict.fromkeys(table.players for table in results.tables):
        pairs = [pair for table in results.tables if table.players == players for pair in table.pairs]
        alone = [pair.duplicate_gain for pair in pairs if pair.duplicate_gain is not None]
        gained = [pair.gain for pair in pairs if pair.gain is not None]
        spreads = (f"{min(each):.2f}, {median(each):.2f}, {max(each):.2f}" for each in (alone, gained))
        yield row(str(players), *spreads)


def figure(one: Interval) -> str:
    """A mean with its confidence interval."""
    return f"{one.mean:+.3f}" + ("" if one.half_width is None else f" ± {one.half_width:.3f}")


def head(*cells: str) -> Iterator[str]:
    """The first two lines of a table."""
    yield row(*cells)
    yield row(*("---" for _ in cells))


def row(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


TABLES: dict[str, Callable[[ArenaResults], Iterator[str]]] = {
    "ratings": ratings,
    "pairs": pairs,
    "gains": gains,
    "spread": spread,
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("arena-table", ArenaTable)
    return {"parallel_read_safe": True}

"""The rules of every game on one page each, for people: Markdown that reads as well in a terminal of 80 columns."""

from __future__ import annotations

from liarspoker.core import catalogue


def rules_page(game_id: str) -> str:
    """The page of `game_id` as Markdown, its title first, no line longer than 80 columns.

    The page of a game for which nobody has written one is its title and its summary.

    Raises:
        UnknownGame: when the catalogue has no such id.

    >>> print(rules_page("slips").splitlines()[0])
    # Super Liars Poker SLIPS
    """
    import textwrap
    from importlib import resources

    row = catalogue.row(game_id)
    page = resources.files(__name__) / f"{row.id}.md"
    if not page.is_file():
        return f"# {row.title}\n\n{textwrap.fill(row.summary, 80)}\n"
    return page.read_text(encoding="utf-8")

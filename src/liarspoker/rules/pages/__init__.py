"""The rules of every game on one page each, for people: Markdown that reads as well in a terminal of 80 columns."""

from __future__ import annotations

from liarspoker.rules import catalogue


def rules_page(game_id: str) -> str:
    """The page of `game_id` as Markdown, its title first, no line longer than 80 columns.

    Raises:
        UnknownGame: when the catalogue has no such id.

    >>> print(rules_page("slips").splitlines()[0])
    # Super Liars Poker SLIPS
    """
    from importlib import resources

    row = catalogue.row(game_id)
    return (resources.files(__name__) / f"{row.id}.md").read_text(encoding="utf-8")

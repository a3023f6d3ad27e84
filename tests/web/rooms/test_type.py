"""One apostrophe on all pages, the typographic one, wherever a text comes from."""

from __future__ import annotations

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.rooms.reading import Node, Reader
from tests.web.study.evenings import played

GAMES = [row.id for row in catalogue.games()]
PAGES = ("/", "/bots", "/rules", "/odds", "/odds/pooled", "/odds/thorin", "/odds/tables", "/replay", "/verify", "/you")


def typed(page: Node) -> list[str]:
    """The words on a page that have a typewriter's apostrophe; what is written as code keeps it."""
    code = {id(one) for tag in ("code", "pre", "textarea", "script", "style") for one in page.all(tag)}

    def words(node: Node) -> list[str]:
        told = [value for name, value in node.at.items() if name in ("title", "aria-label", "placeholder", "alt")]
        for one in node.inside:
            told += (
                words(one) if isinstance(one, Node) and id(one) not in code else [one] if isinstance(one, str) else []
            )
        return told

    return [text.strip() for text in words(page) if "'" in text]


@pytest.mark.parametrize("path", [*PAGES, "/settings", "/new", "/no-such-page", *(f"/rules/{game}" for game in GAMES)])
def test_a_page_has_no_typewriter_s_apostrophe(ann: Reader, path: str) -> None:
    assert typed(ann.read(path).page) == []


@pytest.mark.parametrize("game", GAMES)
def test_nor_has_what_belongs_to_a_table(house: Running, ann: Reader, game: str) -> None:
    assert typed(ann.read(f"/new?game={game}").page) == []
    ann.send("Make it and start", {"name": "Ann", "bot.beginner": "2", "title": ""})
    assert typed(ann.page) == []
    owner, table = played(house, game)
    reader = Reader(owner)
    for path in ("", "/sheet", "/replay", "/replay/1?ply=1", "/verify", "/records", "/like"):
        if "html" in owner.http.get(f"/t/{table}{path}").headers["content-type"]:
            assert typed(reader.read(f"/t/{table}{path}").page) == [], path

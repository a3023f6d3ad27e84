"""Tips work without JavaScript, and link to rules that exist."""

from __future__ import annotations

from functools import cache

from liarspoker.core import catalogue
from liarspoker.tables.settings import read_settings
from liarspoker.web.view_models.tips import lobby_tips, table_tips
from tests.server.inprocess import Running
from tests.web.pages.reading import Node, Reader


def test_every_tip_links_to_an_existing_rule(ann: Reader) -> None:
    @cache
    def ids(path: str) -> set[str]:
        page = ann.read(path).page
        assert ann.status == 200, path
        return {one.at["id"] for one in page.all("") if "id" in one.at}

    for tip in {
        *lobby_tips(),
        *(tip for row in catalogue.games() for tip in table_tips(read_settings({"game": row.id}))),
    }:
        path, _, anchor = tip.href.partition("#")
        assert not anchor or anchor in ids(path), tip


def test_the_page_of_a_table_and_the_lobby_hold_the_tips_of_their_signs(site: Running, ann: Reader) -> None:
    site.table(site.person("Bob"), game="salomon-1986", visibility="open", clock={"turn": 30})
    ann.read("/")
    check_signs(ann.page, "game-salomon-1986", "clock", "seats")
    ann.send("Play your first hand")
    check_signs(ann.page, "game-dollar-bill", "seat", "stake")


def check_signs(page: Node, *expected: str) -> None:
    """Check that every sign opens one popover with a link, and that the expected ones are there."""
    buttons = page.all("button", cls="tip")
    signs = [one.at["popovertarget"] for one in buttons]
    assert all(page.one(id=one.at["aria-describedby"]).text for one in buttons)
    assert {f"tip-{name}" for name in expected} <= set(signs)
    for sign in signs:
        box = page.one("div", id=sign)
        assert "popover" in box.at
        assert box.all("a")

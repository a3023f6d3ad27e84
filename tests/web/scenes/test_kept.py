"""A page that keeps parts of the one before is the page that would be drawn anew."""

from __future__ import annotations

import re
from typing import Any

import pytest
from markupsafe import Markup

from liarspoker.web.pages import once
from liarspoker.web.templating import written
from liarspoker.web.view_models.table import Kept, Seen, scene_of
from tests.tables.play import GAMES, Played, new_table, state_of
from tests.web.scenes.seen import drawn, everybody

FRESH = re.compile(r'name="id" value="[0-9a-f]{32}"')

DOINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pause", {}),
    ("resume", {}),
    ("say", {"text": '<b>"&'}),
    ("chat", {"on": False}),
    ("chat", {"on": True}),
    ("sit_out", {}),
    ("sit_in", {}),
    ("mute", {"user": "user-1", "on": True}),
    ("mute", {"user": "user-1", "on": False}),
)
"""What changes a part that is kept, and nobody's turn."""


@pytest.mark.parametrize("game", GAMES)
def test_parts_that_are_kept_make_no_difference(game: str) -> None:
    played, pages = new_table(game, 3, 2), dict[str | None, Kept]()
    reused = 0

    def look(played: Played) -> None:
        nonlocal reused
        for user in everybody(played):
            kept = pages.setdefault(user, {})
            before = {name: shown for name, (shown, _, _) in kept.items()}
            anew, again = (
                drawn(scene_of(Seen(state_of(played, user), kept=parts, link="https://table/t/1", name="Ann")))
                for parts in ({}, kept)
            )
            assert FRESH.sub("", again) == FRESH.sub("", anew)
            reused += sum(before.get(name) == shown for name, (shown, _, _) in kept.items())

    for _ in range(2):
        played.make_ready()
        look(played)
        for do, fields in DOINGS:
            played.do("user-0", do, **fields)
            look(played)
        while played.table.stage == "round":
            played.act()
            look(played)
    assert reused


def test_what_is_written_into_a_page_is_escaped_unless_it_is_html() -> None:
    class Figure(int):
        def __str__(self) -> str:
            return "<7>"

    assert [written(value) for value in ('<a href="&">', Figure(), [1, "<"], None, 7, True)] == [
        "&lt;a href=&#34;&amp;&#34;&gt;",
        "&lt;7&gt;",
        "[1, &#39;&lt;&#39;]",
        "None",
        "7",
        "True",
    ]
    assert written(Markup("<b>")) == "<b>"


def test_a_macro_is_asked_once_for_the_same() -> None:
    asked = []

    def macro(name: str) -> Markup:
        asked.append(name)
        return Markup(f"<b>{name}</b>")

    assert [once(macro, name) for name in ("a", "b", "a")] == ["<b>a</b>", "<b>b</b>", "<b>a</b>"]
    assert asked == ["a", "b"]

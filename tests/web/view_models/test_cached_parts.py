"""A page with cached parts equals a freshly rendered one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from markupsafe import Markup

from liarspoker.web.pages import cached_macro
from liarspoker.web.templating import html_of
from liarspoker.web.view_models.table import CachedParts, TableSnapshot, table_view_model
from tests.tables.play import GAMES, Played, new_table, state_of
from tests.web.view_models.snapshots import drawn, everybody

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
"""Commands that change a cached part but not the turn."""


@pytest.mark.parametrize("game", GAMES)
def test_cached_parts_equal_freshly_rendered_ones(game: str) -> None:
    played, pages = new_table(game, 3, 2), dict[str | None, CachedParts]()
    reused = 0

    def look(played: Played) -> None:
        nonlocal reused
        for user in everybody(played):
            kept = pages.setdefault(user, {})
            before = {name: shown for name, (shown, _, _) in kept.items()}
            anew, again = (
                drawn(
                    table_view_model(
                        TableSnapshot(state_of(played, user), cached=parts, link="https://table/t/1", name="Ann")
                    )
                )
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


def test_output_is_escaped_unless_it_is_markup() -> None:
    class Figure(int):
        def __str__(self) -> str:
            return "<7>"

    assert [html_of(value) for value in ('<a href="&">', Figure(), [1, "<"], None, 7, True)] == [
        "&lt;a href=&#34;&amp;&#34;&gt;",
        "&lt;7&gt;",
        "[1, &#39;&lt;&#39;]",
        "None",
        "7",
        "True",
    ]
    assert html_of(Markup("<b>")) == "<b>"


def test_a_cached_macro_is_called_once_per_arguments() -> None:
    asked = []

    def macro(name: str) -> Markup:
        asked.append(name)
        return Markup(f"<b>{name}</b>")

    assert [cached_macro(macro, name) for name in ("a", "b", "a")] == ["<b>a</b>", "<b>b</b>", "<b>a</b>"]
    assert asked == ["a", "b"]

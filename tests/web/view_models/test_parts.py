"""Parts of a page that are sent separately, and macros that are cached."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest
from markupsafe import Markup

from liarspoker.web.draw import banknote
from liarspoker.web.pages import cached_macro, each
from liarspoker.web.templating import html_of
from liarspoker.web.view_models.table import SentParts, TableSnapshot, table_view_model
from tests.tables.play import GAMES, Played, new_table, state_of
from tests.web.view_models.snapshots import dealt, drawn, everybody, seen

FORM_ID = re.compile(r'name="id" value="[0-9a-f]+"')
PLACEHOLDER = re.compile(r'<\w+ id="([^"]+)" data-same="([^"]+)" data-part></\w+>')

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
"""Commands that change a separate part but not the turn."""


@pytest.mark.parametrize("game", GAMES)
def test_pages_completed_with_the_parts_sent_so_far_equal_whole_ones(game: str) -> None:
    played, sent = new_table(game, 3, 2), defaultdict[str | None, SentParts](SentParts)
    had, spared = defaultdict[str | None, dict[str, str]](dict), 0

    def look(played: Played) -> None:
        nonlocal spared
        for user in everybody(played):
            whole, page = (
                drawn(
                    table_view_model(
                        TableSnapshot(state_of(played, user), parts=parts, link="https://table/t/1", name="Ann")
                    )
                )
                for parts in (None, sent[user])
            )
            new = sent[user].take()
            spared += len(PLACEHOLDER.findall(page)) - len(new)
            had[user] |= new
            completed = complete(page, had[user])
            assert without_ids(completed) == without_ids(whole)
            assert all(f'id="{found[1]}"' in whole for found in PLACEHOLDER.finditer(page))

    for _ in range(2):
        played.make_ready()
        look(played)
        for do, fields in DOINGS:
            played.do("user-0", do, **fields)
            look(played)
        while played.table.stage == "round":
            played.act()
            look(played)
    assert spared


@pytest.mark.parametrize("game", GAMES)
def test_a_part_and_its_placeholder_have_the_same_key(game: str) -> None:
    played, sent = dealt(game), SentParts()
    page = drawn(table_view_model(TableSnapshot(state_of(played, "user-0"), parts=sent)))
    parts = sent.take()
    keys = dict(PLACEHOLDER.findall(page))
    assert keys.keys() == parts.keys() >= {"about", "acts", "chat", "score"}
    for name, html in parts.items():
        assert re.match(rf'<\w+ id="{name}"[^>]* data-same="{keys[name]}"', html)


def complete(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with parts for its placeholders."""
    return PLACEHOLDER.sub(lambda found: parts[found[1]], page)


def without_ids(html: str) -> str:
    """Return HTML without the ids of its forms, which the browser replaces."""
    return FORM_ID.sub("", html)


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


def test_each_calls_a_macro_once_per_item() -> None:
    asked = []

    def macro(name: str) -> Markup:
        asked.append(name)
        return Markup(f"<b>{name}</b>")

    assert each(macro, "aba") == Markup("<b>a</b><b>b</b><b>a</b>")
    assert asked == ["a", "b"]


def test_caches_distinguish_markup_from_an_equal_text() -> None:
    def macro(name: str) -> Markup:
        return Markup("<b>{}</b>").format(name)

    plain, html = "&lt;", Markup("&lt;")
    assert [cached_macro(macro, name) for name in (plain, html)] == ["<b>&amp;lt;</b>", "<b>&lt;</b>"]
    notes = [banknote(serial="7", label="", foot=foot) for foot in (plain, html)]
    assert ["&amp;lt;" in note for note in notes] == [True, False]


@pytest.mark.parametrize("game", GAMES)
def test_rounds_are_numbered_over_the_life_of_the_table(game: str) -> None:
    played = new_table(game, 3, seats=5)
    for number in (1, 2, 3):
        played.make_ready()
        assert seen(played, "user-0").heading.partition(",")[0].endswith(f" {number}")
        played.play_out()
        assert seen(played, "user-0").heading.partition(",")[0].endswith(f" {number}")
        if number == 1:
            played.do("user-0", "remove", user="user-1")
            played.do("user-3", "join")

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from liarspoker.core import catalogue
from liarspoker.tables.settings import read_settings
from liarspoker.web.view_models.new_table import NewTable, filled_of, new_table
from liarspoker.web.view_models.terms import option_label, option_words
from liarspoker.web.words import typeset
from tests.web.pages.reading import Reader

GAMES = [row.id for row in catalogue.games()]


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_explained_and_an_unchanged_form_makes_a_standard_table(ann: Reader, game: str) -> None:
    ann.read(f"/new?game={game}")
    loaded = catalogue.load(game)
    badge = typeset(catalogue.preset(game).badge)
    assert f"standard rules of {badge}" in ann.page.text
    assert f"Rules of {badge}" in [heading.text for heading in ann.page.all("h3")], "a game has one name on a page"
    for info in loaded.option_infos:
        shown = ann.page.one("fieldset", id=f"field-option.{info.name}")
        usual = getattr(loaded.options(), info.name)
        for words in (
            option_label(info.name),
            typeset(info.source),
            typeset(info.meaning[1:]),
            f"Default: {option_words(usual)}",
        ):
            assert words in shown.text
        if not isinstance(info.choices, range) and not getattr(info, "pattern", ""):
            assert len(shown.all("input", type="radio")) == len(info.choices)
    public = ann.send("Create table", name="Ann").view()["public"]
    assert (public["settings"], public["stage"]) == (to_builtins(read_settings({"game": game})), "waiting")


def test_a_table_has_the_settings_of_the_form(ann: Reader) -> None:
    settings = {
        "game": "salomon-1986",
        "title": "Friday Close",
        "unit": "10 cents",
        "seats": 4,
        "rounds": 20,
        "visibility": "open",
        "spectators": "behind",
        "audit": "leaves",
        "choose": True,
        "chat": False,
        "help": False,
        "clock": {"turn": 20, "bank": 100, "ready": 45},
        "from_slips": False,
        "options": {"rebid": False, "reveal": "full"},
    }
    filled = {**filled_of(settings, ("bluffer", "bluffer")), "name": "Ann"}
    ann.read("/new?game=salomon-1986").send("Create and start", filled)
    public = ann.view()["public"]
    assert public["settings"] == settings
    assert [chair and chair["bot"] for chair in public["chairs"]] == [None, "bluffer", "bluffer", None]
    assert public["stage"] != "waiting"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("seats", "17", "2 to 16"),
        ("seats", "many", "2 to 16"),
        ("title", "x" * 61, "60 visible characters"),
        ("unit", "x" * 41, "40 visible characters"),
        ("rounds", "0", "hands"),
        ("clock.turn", "0", "1 or more"),
        ("clock.ready", "soon", "5 or more"),
        ("option.hand_size", "16", "1 to 15"),
        ("bot.beginner", "6", "At most 5 bots"),
        ("name", "x" * 30, "1 to 24"),
    ],
)
def test_an_invalid_value_is_reported_beside_its_field_and_nothing_is_lost(
    ann: Reader, field: str, value: str, words: str
) -> None:
    others = {"title": "Friday Close", "unit": "a bean", "option.rebid": "false", "clock": "own", "name": "Ann"}
    ann.read("/new").send("Create table", {**others, field: value})
    assert ann.status == 422
    assert words in ann.mistake(field)
    kept = ann.page.all("", name=field)[0]
    assert value in (kept.at.get("value"), *(one.text for one in kept.all("option") if "selected" in one.at))
    for name, given_before in others.items():
        if name != field and not name.startswith(("option", "clock")):
            assert ann.page.all("input", name=name)[0].at["value"] == given_before
    assert "checked" in ann.page.one("input", name="option.rebid", value="false").at
    assert "1 marked field" in ann.page.one(role="alert", cls="mistake").text


def test_conflicting_values_are_reported_above_the_form(ann: Reader) -> None:
    ann.read("/new?game=slips").send("Create table", {"from_slips": "true", "option.hand_size": "7"})
    assert ann.status == 422
    assert "hand_size = 8" in ann.page.one(role="alert", cls="mistake").text


def test_switching_the_game_keeps_common_settings_and_shows_its_options(ann: Reader) -> None:
    ann.read("/new").send("Thorin style", {"option.next_opener": "rotate"}, title="Friday Close")
    assert ann.page.one("input", name="title").at["value"] == "Friday Close"
    assert ann.page.one("input", name="game", type="hidden").at["value"] == "thorin"
    ann.send("Dollar bill", {"option.jokers": "2"})
    assert not ann.page.all(cls="differs")
    settings = ann.send("Create table", name="Ann").view()["public"]["settings"]
    assert (settings["game"], settings["title"], settings["options"]) == ("dollar-bill", "Friday Close", {})


@pytest.mark.parametrize(("before", "after"), list(pairwise([*GAMES, *GAMES[-2::-1]])))
def test_switching_the_game_changes_only_the_options(before: str, after: str) -> None:
    kept = {
        "title": "Friday Close",
        "unit": "a bean",
        "seats": "4",
        "rounds": "20",
        "visibility": "open",
        "spectators": "none",
        "clock": "own",
        "clock.turn": "20",
        "help": "false",
        "bot.bluffer": "2",
    }
    rules = {"from_slips": "true", "option.rebid": "true", "option.jokers": "2", "option.wheel": "false"}
    sent = _sent(new_table({"game": before, **kept, **rules}))
    assert new_table({**sent, "switch": after}) == new_table({"game": after, **kept})


def test_enter_creates_the_table_and_an_unknown_game_is_replaced_by_the_default(ann: Reader) -> None:
    games = []
    for address in ("/new", "/new?game=whist&seats=x&clock=sand"):
        assert ann.read(address).status == 200
        first = ann.page.one("form", action="/new").all("button")[0]
        assert (first.text, first.at.get("formaction")) == ("Create table", None)
        games.append(ann.page.one("input", name="game", type="hidden").at["value"])
    assert games[0] == games[1]


def test_reselecting_the_game_keeps_its_options_and_another_game_has_its_default_seats() -> None:
    sent = _sent(new_table({"game": "slips", "option.rebid": "false"}))
    assert new_table({**sent, "switch": "slips"}).settings["options"] == {"rebid": False}
    sent = _sent(new_table({"game": "slips", "seats": "16", "bot.bluffer": "15"}))
    assert new_table({**sent, "switch": "thorin"}) == new_table({"game": "thorin"})


def _sent(shown: NewTable) -> dict[str, str]:
    """The fields that a browser sends for a form."""
    fields = (*shown.fields.values(), *shown.options, *shown.bots)
    return {"game": shown.game.id, **{field.name: field.value for field in fields}}


@st.composite
def made(draw: Any) -> dict[str, Any]:
    """Random valid settings of a table."""
    game = catalogue.load(draw(st.sampled_from(GAMES)))
    options = {
        info.name: value
        for info in game.option_infos
        if draw(st.booleans())
        and (value := draw(st.sampled_from(list(info.choices)))) != getattr(game.options(), info.name)
    }
    clock = st.fixed_dictionaries(
        {"turn": st.integers(1, 900), "bank": st.integers(0, 900), "ready": st.integers(5, 900)}
    )
    return {
        "game": game.preset.id,
        "options": options,
        "seats": draw(st.integers(*game.preset.seats)),
        "title": draw(st.sampled_from(["", "Friday Close"])),
        "rounds": draw(st.none() | st.integers(1, 10_000)),
        "clock": draw(st.none() | clock),
        "visibility": draw(st.sampled_from(["private", "open"])),
        "spectators": draw(st.sampled_from(["live", "behind", "none"])),
        "audit": draw(st.sampled_from(["full", "leaves"])),
        **{name: draw(st.booleans()) for name in ("choose", "chat", "help")},
    }


@given(made())
def test_a_form_filled_in_from_a_table_makes_the_same_table(settings: dict[str, Any]) -> None:
    made = to_builtins(read_settings(settings))
    asked = new_table(filled_of(made, ("beginner",)))
    assert (asked.wrong, asked.error) == (0, "")
    assert to_builtins(read_settings(asked.settings)) == made
    assert asked.seated == ("beginner",)


_SOME = ["seats", "rounds", "clock", "visibility", "option.sixes", "option.order", "option.hand_size", "bot.bluffer"]


@given(st.dictionaries(st.sampled_from(_SOME), st.text()))
def test_any_input_gives_a_form(filled: dict[str, str]) -> None:
    asked = new_table(filled)
    shown = {field.name: field.value for field in (*asked.fields.values(), *asked.options, *asked.bots)}
    for name, text in filled.items():
        assert shown[name].strip() == text.strip() or not text.strip()

"""`liarspoker games`: the catalogue, and one game's rules and options."""

import json

import pytest

from liarspoker.cli.games import game_options
from liarspoker.core import catalogue
from liarspoker.core.catalogue import rules_page
from tests.another_preset import FAMILIES, add_preset
from tests.cli.conftest import Run

EVERY_GAME = pytest.mark.parametrize("game", [row.id for row in catalogue.games()])


def test_the_catalogue_lists_every_game(run: Run) -> None:
    printed = run("games").out
    flowing = " ".join(printed.split())
    for row in catalogue.games():
        assert f"\n{row.id}\n" in f"\n{printed}"
        for fact in (row.title, row.summary, row.source, f"{row.seats[0]} to {row.seats[1]} players"):
            assert fact in flowing
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_the_catalogue_as_json_has_every_row(run: Run) -> None:
    listed = run("games --json").report["games"]
    assert [row["id"] for row in listed] == [row.id for row in catalogue.games()]
    assert set(listed[0]) == {"id", "title", "family", "seats", "source", "summary", "has_winner", "rules_version"}
    assert [row["family"] for row in listed] == ["digits"] * 3 + ["cards.passed"] + ["cards.pooled"] * 3


@EVERY_GAME
def test_a_game_prints_its_rules_and_all_its_options(game: str, run: Run) -> None:
    printed = run(f"games {game}").out
    assert printed.startswith(rules_page(game))
    assert [line for line in printed.splitlines() if len(line) > 80] == []
    options = printed.split("## Options")[1]
    flowing = " ".join(options.split())
    for option in game_options(game):
        assert f"\n{option.name} = {json.dumps(option.value)}\n" in options
        assert option.meaning[1:] in flowing
        assert f"Source: {option.source}." in flowing
    told = run(f"games {game} --json").report
    assert (told["title"], told["rules"]) == (catalogue.preset(game).title, rules_page(game))
    assert [option["name"] for option in told["options"]] == [option.name for option in game_options(game)]
    assert set(told["options"][0]) == {"name", "value", "values", "meaning", "source"}


@EVERY_GAME
def test_option_values_are_those_of_the_game_and_those_that_it_accepts(game: str) -> None:
    loaded = catalogue.load(game)
    for option in game_options(game):
        assert getattr(loaded.options(), option.name) == option.value
        assert option.value in option.values
        assert option.others()
        for value in option.values:
            assert getattr(loaded.options({option.name: value}), option.name) == value


@pytest.mark.parametrize("family", FAMILIES)
def test_a_preset_without_a_page_prints_its_title_summary_and_options(
    family: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = add_preset(monkeypatch, family)
    printed = run(f"games {row.id}").out
    assert printed.startswith(f"# {row.title}\n\n{row.summary}\n")
    assert all(f"\n{option.name} = " in printed for option in game_options(row.id))
    assert row.summary in run(f"games {row.id} --json").report["rules"]

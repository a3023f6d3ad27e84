import json
import subprocess
import sys

import pytest

from liarspoker import cli
from liarspoker.cli.games import game_options
from liarspoker.core import catalogue
from liarspoker.core.catalogue import rules_page
from tests.another_preset import FAMILIES, add_preset

EVERY_GAME = pytest.mark.parametrize("game", [row.id for row in catalogue.games()])


def games(*words: str) -> int:
    return cli.main(["games", *words])


def test_the_catalogue_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert games() == 0
    printed = capsys.readouterr().out
    flowing = " ".join(printed.split())
    for row in catalogue.games():
        assert f"\n{row.id}\n" in f"\n{printed}"
        for fact in (row.title, row.summary, row.source, f"{row.seats[0]} to {row.seats[1]} players"):
            assert fact in flowing
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_the_catalogue_as_json_has_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert games("--json") == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [row["id"] for row in listed] == [row.id for row in catalogue.games()]
    assert set(listed[0]) == {"id", "title", "family", "seats", "source", "summary", "has_winner", "rules_version"}
    assert [row["family"] for row in listed] == ["digits"] * 3 + ["cards.passed"] + ["cards.pooled"] * 3


@EVERY_GAME
def test_a_game_prints_its_page_and_all_its_options(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert games(game) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(rules_page(game))
    options = printed.split("## Options")[1]
    for option in game_options(game):
        assert f"\n{option.name} = {json.dumps(option.value)}\n" in options
        flowing = " ".join(options.split())
        assert option.meaning[1:] in flowing
        assert f"Source: {option.source}." in flowing


@EVERY_GAME
def test_a_game_fits_in_eighty_columns(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    games(game)
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []


@EVERY_GAME
def test_the_values_told_are_those_in_force(game: str) -> None:
    options = catalogue.load(game).options()
    for option in game_options(game):
        assert getattr(options, option.name) == option.value
        assert option.value in option.values
        assert option.others()


@EVERY_GAME
def test_every_value_told_is_one_that_the_game_takes(game: str) -> None:
    for option in game_options(game):
        for value in option.values:
            assert getattr(catalogue.load(game).options({option.name: value}), option.name) == value


@EVERY_GAME
def test_a_game_as_json_has_its_row_its_page_and_its_options(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert games(game, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == catalogue.row(game).title
    assert told["rules"] == rules_page(game)
    assert [option["name"] for option in told["options"]] == [option.name for option in game_options(game)]
    assert set(told["options"][0]) == {"name", "value", "values", "meaning", "source"}


@pytest.mark.parametrize(
    ("wrong", "meant"), [("salomon", "salomon-1986"), ("dollarbill", "dollar-bill"), ("SLIP", "slips")]
)
def test_a_misspelt_game_is_told_what_it_may_have_meant(
    wrong: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert games(wrong) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f'liarspoker: there is no game "{wrong}"; the catalogue has dollar-bill, ')
    assert captured.err.endswith(f"; did you mean {meant}?\n")


def test_a_game_like_no_other_is_refused_without_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    assert games("xyzzy") == 1
    assert "did you mean" not in capsys.readouterr().err


def test_listing_the_games_loads_the_rules_of_none() -> None:
    program = (
        "import sys; from liarspoker.cli import main; main(['games']); "
        "rules = ('.digits.session', '.thorin.session', '.queen_annes.session', 'liarspoker.paper'); "
        "print([name for name in sys.modules if name.endswith(rules)])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_preset_without_a_page_prints_its_title_summary_and_options(
    family: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = add_preset(monkeypatch, family)
    assert games(row.id) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"# {row.title}\n\n{row.summary}\n")
    assert all(f"\n{option.name} = " in printed for option in game_options(row.id))
    assert games(row.id, "--json") == 0
    assert row.summary in json.loads(capsys.readouterr().out)["rules"]

"""The pages of the rules: every game has one, and every example is what the engine makes of it."""

from __future__ import annotations

import json

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_cards
from liarspoker.core.cards.hand_values import CATEGORIES, STARTS, hand_value
from liarspoker.games.digits.page.rules import tables as levels
from liarspoker.games.digits.settlement import level_multiplier, none_multiplier
from liarspoker.games.thorin.page.rules import tables as categories_of
from liarspoker.records import replay
from liarspoker.records.writer import report
from liarspoker.web.view_models.rules import examples_of, samples_of, scene
from liarspoker.web.view_models.terms import option_words
from tests.server.inprocess import Running

GAMES = tuple(row.id for row in catalogue.games())
DIGIT_GAMES = tuple(row.id for row in catalogue.games() if row.family == "digits")
SAMPLES = tuple((game, name) for game in GAMES for name, _, _ in samples_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page(house: Running, game: str) -> None:
    response = house.person().http.get(f"/rules/{game}")
    assert response.status_code == 200
    assert f'href="/new?game={game}"' in response.text
    for info in catalogue.load(game).option_infos:
        assert f"<code>{info.name}</code>" in response.text


@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_what_levels_pay_can_be_asked_for_every_number_of_players(house: Running, game: str) -> None:
    page = house.person().http.get(f"/rules/{game}").text
    fewest, most = catalogue.row(game).seats
    assert [count for count in range(100) if f'href="?players={count}#levels"' in page] == [*range(fewest, most + 1)]


def test_the_shelf_has_every_game_and_a_game_that_is_none_is_told(house: Running) -> None:
    person = house.person()
    shelf = person.http.get("/rules").text
    assert all(f'href="/rules/{game}"' in shelf for game in GAMES)
    assert person.http.get("/rules/chess").status_code == 404


@pytest.mark.parametrize(("game", "name"), SAMPLES)
def test_every_example_is_what_the_engine_makes_of_its_record(game: str, name: str) -> None:
    found = next(one for one in examples_of(game) if one.name == name)
    example, played = found.played, replay(json.loads(found.record))
    assert played.fault is None
    assert not played.rounds[-1].in_play
    [told] = report(played)["rounds"]
    if game in DIGIT_GAMES:
        assert [holder.fingers for holder in example.holders] == told["counts"]
        assert [holder.units for holder in example.holders] == told["payoffs"]
    elif game == "thorin":
        assert sorted(text for text, _ in example.holders[0].cards) == sorted(told["hand"])
        assert all(lit == told["truthful"] for _, lit in example.holders[0].cards)
    else:
        lit = [text for holder in example.holders for text, is_lit in holder.cards if is_lit]
        assert bool(lit) or not told["exists"]
    assert example.moves
    assert example.end


@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_the_examples_show_a_hero_and_a_skunk(game: str) -> None:
    outcomes = {
        name: report(replay(json.loads(one.record)))["rounds"][0]["outcome"]
        for name, one in ((one.name, one) for one in examples_of(game))
    }
    assert outcomes == {"sample": "made", "rebid": "failed", "hero": "hero", "skunk": "none"}


@pytest.mark.parametrize("players", [2, 3, 5, 8, 16])
def test_the_bonus_table_is_the_rule_of_the_levels(players: int) -> None:
    page = levels("salomon-1986", players)
    for row in page.bonuses:
        first, _, last = row.levels.partition(" to ")
        for level in range(int(first), int(last or first) + 1):
            assert row.plain == level_multiplier(level, players)
            assert row.sixes == 2 * row.plain
    assert page.skunk == none_multiplier(players)


def test_dollar_bills_have_no_bonus_table() -> None:
    assert levels("dollar-bill", 5).bonuses == ()


def test_the_weakest_hands_are_drawn_with_cards_that_are_worth_them() -> None:
    categories = categories_of("thorin", 2)
    assert len(categories) == len(CATEGORIES)
    assert [hand_value(read_cards(one.cards)) for one in categories] == list(STARTS[:-1])


@pytest.mark.parametrize("game", GAMES)
def test_what_differs_is_what_the_presets_say(game: str) -> None:
    page = scene(game)
    here = page.relatives.index(page.game) if page.relatives else 0
    options = {option.title: option for option in page.options}
    for one in page.differences:
        assert len(one.values) == len(page.relatives)
        if one.title in options:
            assert one.values[here] == options[one.title].default


@pytest.mark.parametrize("game", GAMES)
def test_every_option_tells_its_default_and_what_else_it_takes(game: str) -> None:
    loaded = catalogue.load(game)
    preset = loaded.options()
    for option, info in zip(scene(game).options, loaded.option_infos, strict=True):
        assert option.default == option_words(getattr(preset, info.name))
        assert option.others
        assert option.source == info.source

"""The rules pages: every game has one, and its examples match the engine."""

from __future__ import annotations

import json
import re

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_cards
from liarspoker.core.cards.hand_values import CATEGORIES, STARTS, hand_value
from liarspoker.games.digits.page.rules import tables as levels
from liarspoker.games.digits.settlement import level_multiplier, none_multiplier
from liarspoker.games.thorin.page.rules import tables as categories_of
from liarspoker.records import replay
from liarspoker.records.writer import report
from liarspoker.web.view_models.rules import examples_of, samples_of, view_model
from liarspoker.web.view_models.terms import badge, option_words
from tests.server.inprocess import Running

GAMES = tuple(row.id for row in catalogue.games())
DIGIT_GAMES = tuple(row.id for row in catalogue.games() if row.family == "digits")
SAMPLES = tuple((game, name) for game in GAMES for name, _, _ in samples_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_with_its_options(site: Running, game: str) -> None:
    person, loaded = site.person(), catalogue.load(game)
    assert f'href="/rules/{game}"' in person.http.get("/rules").text
    page = person.http.get(f"/rules/{game}").text
    assert f'href="/new?game={game}"' in page
    assert page.count(badge(game)) >= 2  # in the list of games, and under the heading
    assert not re.findall(r">[^<]*\b[2-9TJQKA][cdhs]\b[^<]*</li>", page)  # in the moves of an example
    fewest, most = loaded.preset.seats if game in ("salomon-1986", "slips") else (0, -1)
    assert [n for n in range(100) if f'href="?players={n}#levels"' in page] == [*range(fewest, most + 1)]
    shown, preset = view_model(game), loaded.options()
    for option, info in zip(shown.options, loaded.option_infos, strict=True):
        assert f"<code>{info.name}</code>" in page
        assert (option.default, option.source) == (option_words(getattr(preset, info.name)), info.source)
        assert option.others
    here = shown.relatives.index(shown.game) if shown.relatives else 0
    defaults = {option.title: option.default for option in shown.options}
    for one in shown.differences:
        assert len(one.values) == len(shown.relatives)
        assert one.values[here] == defaults.get(one.title, one.values[here])


@pytest.mark.parametrize(("game", "name"), SAMPLES)
def test_every_example_matches_the_replay_of_its_record(game: str, name: str) -> None:
    found = next(one for one in examples_of(game) if one.name == name)
    example, played = found.played, replay(json.loads(found.record))
    assert played.fault is None
    assert not played.rounds[-1].in_play
    [recorded] = report(played)["rounds"]
    if game in DIGIT_GAMES:
        assert [holder.fingers for holder in example.holders] == recorded["counts"]
        assert [holder.units for holder in example.holders] == recorded["payoffs"]
    elif game == "thorin":
        assert sorted(text for text, _ in example.holders[0].cards) == sorted(recorded["hand"])
        assert all(lit == recorded["truthful"] for _, lit in example.holders[0].cards)
    else:
        lit = [text for holder in example.holders for text, is_lit in holder.cards if is_lit]
        assert bool(lit) or not recorded["exists"]
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
def test_the_payoff_table_follows_the_rules(players: int) -> None:
    page = levels("salomon-1986", players)
    for row in page.bonuses:
        first, _, last = row.levels.partition(" to ")
        for level in range(int(first), int(last or first) + 1):
            assert row.plain == level_multiplier(level, players)
            assert row.sixes == 2 * row.plain
    assert page.skunk == none_multiplier(players)
    assert levels("dollar-bill", players).bonuses == ()


def test_the_weakest_hands_are_drawn_with_matching_cards() -> None:
    categories = categories_of("thorin", 2)
    assert len(categories) == len(CATEGORIES)
    assert [hand_value(read_cards(one.cards)) for one in categories] == list(STARTS[:-1])

"""Codes of house rules: one for the same rules, none for damaged ones, and a meaning that never changes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from liarspoker.core import catalogue
from liarspoker.protocol.settings import DAYS, Settings
from liarspoker.tables import house_rules
from liarspoker.tables.house_rules import BASELINES, RULES, TABLE_BASELINE, NoSuchRules, code_of, read_code
from liarspoker.tables.settings import load_game, read_settings
from tests.another_preset import FAMILIES, add_preset

GAMES = [row.id for row in catalogue.games()]
NOT_RULES = {"game", "options", "title", "seats", "unit", "visibility", "rated"}
"""The settings of a table that are in no code, or in it in another way."""

OMITTED = {"days"}
"""The rules that the settings of most tables leave out."""

GOLDEN: dict[str, dict[str, Any]] = {
    "dollar-bill,1-82f60f6c62a9": {"game": "dollar-bill"},
    "salomon-1986,1-13b76b6ad3c1": {"game": "salomon-1986"},
    "slips,1-0d16778d5cea": {"game": "slips"},
    "thorin,1-5cf121c0e261": {"game": "thorin"},
    "queen-annes,1-91ecd30a08b1": {"game": "queen-annes"},
    "queen-annes-indian,1-6aa049e1a9d9": {"game": "queen-annes-indian"},
    "queen-annes-stud,1-48bd79ee53bf": {"game": "queen-annes-stud"},
    "salomon-1986,hand_size=7,rebid=false,1-d760e668e41b": {
        "game": "salomon-1986",
        "options": {"hand_size": 7, "rebid": False},
    },
    "thorin,table.days=3,1-f9aba9ca28d9": {"game": "thorin", "days": 3},
    "slips,row_letters=A_to_P,table.bank=7.5,table.choose=true,table.from_slips=false,table.turn=20,1-b161e3988117": {
        "game": "slips",
        "options": {"row_letters": "A_to_P"},
        "clock": {"turn": 20.0, "bank": 7.5, "ready": 60.0},
        "choose": True,
        "from_slips": False,
    },
    "queen-annes,table.audit=leaves,table.chat=false,table.help=false,table.rounds=9,table.spectators=behind,"
    "wild_ranks=29,1-13652fd1b290": {
        "game": "queen-annes",
        "options": {"wild_ranks": "29"},
        "rounds": 9,
        "spectators": "behind",
        "audit": "leaves",
        "chat": False,
        "help": False,
    },
}
"""Codes that people may have shared, and their rules. Add to them, but never change them."""


@st.composite
def tables(draw: st.DrawFn) -> Settings:
    """Settings of a table of any game, with any valid options."""
    game = load_game(draw(st.sampled_from(GAMES)))
    some = draw(st.lists(st.sampled_from(game.option_infos), unique_by=lambda info: info.name))
    options = {
        info.name: draw(st.from_regex(info.pattern, fullmatch=True) if info.pattern else st.sampled_from(info.choices))
        for info in some
    }
    seconds = st.integers(5, 86_400) | st.integers(5_000, 86_400_000).map(lambda thousandths: thousandths / 1000)
    clock = st.fixed_dictionaries({"turn": seconds}, optional={"bank": seconds, "ready": seconds})
    return read_settings(
        {
            "game": game.preset.id,
            "options": options,
            "title": draw(st.sampled_from(["", "Friday Close"])),
            "seats": draw(st.integers(*game.preset.seats)),
            "rounds": draw(st.none() | st.integers(1, 10_000)),
            **draw(
                st.fixed_dictionaries({"clock": st.none() | clock})
                | st.fixed_dictionaries({"days": st.sampled_from(DAYS)})
            ),
            "spectators": draw(st.sampled_from(["live", "behind", "none"])),
            "audit": draw(st.sampled_from(["full", "leaves"])),
            **{name: draw(st.booleans()) for name in ("choose", "chat", "help")},
        }
    )


def rules(settings: Settings) -> dict[str, Any]:
    """The rules of a table: its game, the value of every option, and the settings that are rules."""
    options = load_game(settings.game).options(dict(settings.options))
    table = {name: getattr(settings, name) for name in RULES}
    return {"game": settings.game, **{one.name: getattr(options, one.name) for one in fields(options)}, **table}


# ------------------------------------------------------------------------------------------------- laws


@given(tables())
def test_a_code_has_the_rules_of_its_table(settings: Settings) -> None:
    assert rules(read_code(code_of(settings))) == rules(settings)


@given(tables(), tables())
def test_codes_are_equal_exactly_if_the_rules_are(one: Settings, other: Settings) -> None:
    assert (code_of(one) == code_of(other)) == (rules(one) == rules(other))


@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_options_does_not_matter(settings: Settings, chance: Any) -> None:
    options = list(settings.options.items())
    chance.shuffle(options)
    code = code_of(settings)
    assert code_of(structs.replace(settings, options=dict(options))) == code
    game, *parts, mark = code.split(",")
    chance.shuffle(parts)
    assert code_of(read_code(",".join([game, *parts, mark]))) == code


@given(tables(), st.data())
def test_a_damaged_code_is_rejected(settings: Settings, data: st.DataObject) -> None:
    code = code_of(settings)
    at = data.draw(st.integers(0, len(code) - 1))
    damaged = data.draw(
        st.sampled_from([code[:at], code[at + 1 :], code[:at] + code[at + 1 :], code[:at] + "x" + code[at + 1 :]])
    )
    assume(damaged != code)
    with pytest.raises(NoSuchRules):
        read_code(damaged)


@given(st.sampled_from([*GAMES, "whist"]), st.lists(st.text(st.characters(exclude_characters=",", codec="utf-8"))))
def test_no_content_with_a_valid_checksum_breaks_the_reader(game: str, parts: list[str]) -> None:
    known = [
        "hand_size=",
        "rebid=true",
        "hand_size=99",
        "table.turn=1e9",
        "table.turn=-1",
        "table.title=x",
        "table.game=slips",
    ]
    for given_parts in (sorted(parts), *([one] for one in known)):
        try:
            settings = read_code(",".join([game, *given_parts, house_rules._mark(game, given_parts)]))
        except NoSuchRules:
            continue
        assert (settings.game, settings.title) == (game, "")


# -------------------------------------------------------------------------------------- codes for ever


@pytest.mark.parametrize(("code", "given_settings"), GOLDEN.items())
def test_a_golden_code_keeps_its_meaning(code: str, given_settings: dict[str, Any]) -> None:
    settings = read_settings(given_settings)
    assert read_code(code) == settings
    assert code_of(settings) == code


@pytest.mark.parametrize("game", GAMES)
def test_a_code_keeps_its_meaning_when_defaults_change(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings({"game": game})
    code, before = code_of(settings), rules(settings)
    preset = catalogue.preset(game)
    infos = {
        info.name: info for info in preset.option_infos if info.name not in ("hand_size", "symbols", "stud_deal_to")
    }
    others = {name: next(one for one in info.choices if one != before[name]) for name, info in infos.items()}
    changed = replace(preset, options=replace(preset.options, **others))
    load = catalogue.family(preset.family).game
    monkeypatch.setattr(house_rules, "load_game", lambda _: load(changed))
    monkeypatch.setattr("liarspoker.tables.settings.catalogue.load", lambda _: load(changed))
    found = read_code(code)
    now = load(changed).options(dict(found.options))
    assert {name: getattr(now, name) for name in infos} == {name: before[name] for name in infos}
    assert found.options.keys() == infos.keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_baseline(game: str) -> None:
    named = [part.split("=")[0] for part in BASELINES[game].split()]
    assert sorted(named) == sorted(info.name for info in catalogue.preset(game).option_infos)


def test_every_setting_is_a_rule_or_not_and_rules_have_a_baseline() -> None:
    assert set(structs.asdict(read_settings({"game": "slips"}))) == {*RULES, *NOT_RULES}
    parts = {"turn", "bank", "ready"}
    assert {part.split("=")[0] for part in TABLE_BASELINE.split()} == {
        f"table.{name}" for name in ({*RULES} - {"clock", *OMITTED} | parts)
    }


@pytest.mark.parametrize("family", FAMILIES)
def test_a_game_of_another_package_names_every_option(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = add_preset(monkeypatch, family)
    settings = read_settings({"game": row.id, "help": False})
    code = code_of(settings)
    assert code.count("=") == len(row.option_infos) + 1
    assert read_code(code) == settings


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "damaged"),
        ("salomon-1986", "damaged"),
        ("salomon-1986,hand_size=7,rebid=false,1-d760e668e41", "damaged"),
        ("salomon-1986,hand_size=6,rebid=false,1-d760e668e41b", "damaged"),
        ("salomon-1986,2-13b76b6ad3c1", "newer version"),
        (f"whist,{house_rules._mark('whist', [])}", "there is no game"),
        (f"thorin,rebid=true,{house_rules._mark('thorin', ['rebid=true'])}", "no such option"),
    ],
)
def test_the_message_says_what_is_wrong(code: str, words: str) -> None:
    with pytest.raises(NoSuchRules, match=words):
        read_code(code)

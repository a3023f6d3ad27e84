"""Every option has an effect, every value of it, and nothing but its values is taken."""

from __future__ import annotations

import re
from typing import Any

import pytest

from liarspoker.core.errors import BadOption
from liarspoker.games.digits.options import BY_NAME, OPTIONS, DigitOptions, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.session import DigitSession
from liarspoker.records import replay, report
from tests.rules.digits.option_records import EFFECTS, REFUSED, Pair, Record, pairs_to_show, without


def seen(record: Record) -> Any:
    """All that a record comes to: its replay, and beside it what a count shows and whether one may ask for more."""
    replayed = replay(record)
    shown = [view_of(session) for session in replayed.rounds if isinstance(session, DigitSession)]
    return report(replayed), shown


def view_of(session: DigitSession) -> tuple[object, ...]:
    return tuple(session.view(seat).shown for seat in (None, *range(session.seats)))


def name_of(pair: Pair) -> str:
    return f"{pair[0]}={pair[1]}"


@pytest.mark.parametrize("pair", pairs_to_show(), ids=name_of)
def test_every_value_of_an_option_makes_a_difference_to_some_record(pair: Pair) -> None:
    option, value = pair
    assert pair in EFFECTS, f"option_records.EFFECTS lacks a record that shows what {option} = {value} does"
    record = EFFECTS[pair]
    default = getattr(presets()[record["game"]].options, option)
    assert record["options"][option] == value != default
    told, shown = seen(record)
    assert told.get("error", {}).get("code") == REFUSED.get(pair)
    assert (told, shown) != seen(without(pair))


def test_no_record_shows_an_option_or_a_value_that_does_not_exist() -> None:
    assert set(EFFECTS) == set(pairs_to_show())


def test_there_is_a_pair_for_every_option() -> None:
    assert {option for option, _ in pairs_to_show()} == set(BY_NAME)


def test_on_request_shows_what_was_not_shown_before_somebody_asked() -> None:
    pair = ("reveal", "on_request")
    session, shown_at_once = (replay(record).session for record in (EFFECTS[pair], without(pair)))
    assert isinstance(session, DigitSession)
    assert isinstance(shown_at_once, DigitSession)
    assert session.view(1).shown == ()
    assert session.show_numbers().view(1).shown == shown_at_once.view(1).shown != ()


# ------------------------------------------------------------------------------------------------ values


def test_the_options_are_the_fields_and_the_presets_hold_allowed_values_only() -> None:
    assert [info.name for info in OPTIONS] == list(DigitOptions.__dataclass_fields__)
    for preset in presets().values():
        for info in OPTIONS:
            assert info.takes(getattr(preset.options, info.name))
        assert preset.options.with_values(preset.options.changes_from(DigitOptions())) == preset.options


PRESET_DEFAULTS = {
    "order": ("zero_low", "zero_high", "zero_high"),
    **dict.fromkeys(["rebid", "level_bonus", "sixes", "hero"], (False, True, True)),
    **dict.fromkeys(["none_wins", "progressive", "tenth_double"], (False, True, True)),
    **dict.fromkeys(["cap_level", "carry_across_slips"], (True, True, True)),
    **dict.fromkeys(["loose_order", "compound_carry"], (False, False, False)),
    "two_player_none": ("loses", "loses", "push"),
    "none_carry": ("double",) * 3,
    "next_opener": ("final_bidder",) * 3,
    "row_letters": ("skip_IO",) * 3,
    "first_opener_tie": ("lowest_seat",) * 3,
    "reveal": ("full", "counts", "full"),
    "hand_size": (8, 8, 8),
    "symbols": (10, 10, 10),
}


@pytest.mark.parametrize("option", PRESET_DEFAULTS)
def test_the_presets_are_those_of_the_documents(option: str) -> None:
    """For 003, 000 and 001, in this order."""
    games = ("dollar-bill", "salomon-1986", "slips")
    assert tuple(getattr(presets()[game].options, option) for game in games) == PRESET_DEFAULTS[option]


def test_every_option_is_a_preset_default_that_is_checked() -> None:
    assert set(PRESET_DEFAULTS) == set(BY_NAME)


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: info.name)
def test_an_option_takes_its_values_and_no_others(info: Any) -> None:
    for value in info.choices:
        assert getattr(DigitOptions().with_values({info.name: value}), info.name) == value
    strange: list[object] = ["", "no such value", None, -1, 0, 16, 1.0, [], {}, *("true", 1, 8.0, "8")]
    for value in strange:
        if type(value) is type(info.choices[0]) and value in info.choices:
            continue
        with pytest.raises(BadOption, match=re.escape(f"{info.name} = ")):
            DigitOptions().with_values({info.name: value})


def test_true_is_no_number_and_one_is_no_switch() -> None:
    with pytest.raises(BadOption, match="1 to 15"):
        DigitOptions().with_values({"hand_size": True})
    with pytest.raises(BadOption, match="true or false"):
        DigitOptions().with_values({"rebid": 1})


def test_an_option_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(BadOption, match=r"no such option.*two_player_none"):
        DigitOptions().with_values({"wild_sixes": True})


@pytest.mark.parametrize("info", OPTIONS, ids=lambda info: info.name)
def test_an_option_says_what_it_means_and_where_the_rule_stands(info: Any) -> None:
    assert info.meaning
    assert info.source
    assert info.values_text()


def test_only_what_differs_from_the_preset_is_a_change() -> None:
    slips = presets()["slips"].options
    assert slips.changes_from(presets()["salomon-1986"].options) == {"two_player_none": "push", "reveal": "full"}
    assert slips.changes_from(slips) == {}


def test_a_new_slip_resets_the_stake_only_where_ten_hands_are_a_slip() -> None:
    options = DigitOptions().with_values({"carry_across_slips": False, "tenth_double": False})
    assert packed(options, seats=3).slip_resets_stake == 0
    assert packed(options, seats=3, from_slips=True).slip_resets_stake == 1

"""Every option has an effect, every value of it, and nothing but its values is taken."""

from __future__ import annotations

import pytest

from liarspoker.core.errors import BadOption
from liarspoker.games.digits.options import BY_NAME, OPTIONS, DigitOptions, packed
from liarspoker.games.digits.presets import presets

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


def test_true_is_no_number_and_one_is_no_switch() -> None:
    with pytest.raises(BadOption, match="1 to 15"):
        DigitOptions().with_values({"hand_size": True})
    with pytest.raises(BadOption, match="true or false"):
        DigitOptions().with_values({"rebid": 1})


def test_only_what_differs_from_the_preset_is_a_change() -> None:
    slips = presets()["slips"].options
    assert slips.changes_from(presets()["salomon-1986"].options) == {"two_player_none": "push", "reveal": "full"}
    assert slips.changes_from(slips) == {}


def test_a_new_slip_resets_the_stake_only_where_ten_hands_are_a_slip() -> None:
    options = DigitOptions().with_values({"carry_across_slips": False, "tenth_double": False})
    assert packed(options, seats=3).slip_resets_stake == 0
    assert packed(options, seats=3, from_slips=True).slip_resets_stake == 1

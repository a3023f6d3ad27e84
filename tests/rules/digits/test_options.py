"""The presets match the documents, and options take only their values."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from liarspoker.core.errors import BadOption
from liarspoker.games.digits.options import OPTIONS, DigitOptions, packed
from liarspoker.games.digits.presets import presets
from tests.rules.digits.plays import GAME_IDS

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
"""For 003, 000 and 001, in this order."""


def test_the_presets_match_the_documents_and_have_valid_values() -> None:
    assert [info.name for info in OPTIONS] == [field.name for field in fields(DigitOptions)]
    options = [presets()[game].options for game in GAME_IDS]
    assert {info.name: tuple(getattr(each, info.name) for each in options) for info in OPTIONS} == PRESET_DEFAULTS
    for preset in presets().values():
        assert all(info.takes(getattr(preset.options, info.name)) for info in OPTIONS)
        assert preset.options.with_values(preset.options.changes_from(DigitOptions())) == preset.options


def test_booleans_and_ints_are_not_interchangeable() -> None:
    with pytest.raises(BadOption, match="1 to 15"):
        DigitOptions().with_values({"hand_size": True})
    with pytest.raises(BadOption, match="true or false"):
        DigitOptions().with_values({"rebid": 1})


def test_values_of_numpy_are_values() -> None:
    changed = DigitOptions().with_values({"hand_size": np.int64(3), "rebid": np.bool_(True)})
    assert changed == DigitOptions().with_values({"hand_size": 3, "rebid": True})
    assert (type(changed.hand_size), type(changed.rebid)) == (int, bool)
    for change in ({"hand_size": np.float64(3)}, {"rebid": np.int64(1)}, {"hand_size": np.array([3])}):
        with pytest.raises(BadOption):
            DigitOptions().with_values(change)


def test_only_differences_from_the_preset_are_changes() -> None:
    slips = presets()["slips"].options
    assert slips.changes_from(presets()["salomon-1986"].options) == {"two_player_none": "push", "reveal": "full"}
    assert slips.changes_from(slips) == {}


def test_a_new_slip_resets_the_stake_only_if_hands_are_grouped_into_slips() -> None:
    options = DigitOptions().with_values({"carry_across_slips": False, "tenth_double": False})
    assert [packed(options, 3, from_slips=slips).slip_resets_stake for slips in (False, True)] == [0, 1]

"""Other people's hands change nothing that I am told: two evenings, alike but for them, are alike to the last byte."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from liarspoker.protocol.settings import Settings, Spectators
from liarspoker.tables import view
from liarspoker.tables.state import Table
from tests.inside import inside
from tests.server.leaks.doubles import agree, before_the_count, other_hands, other_order, watched
from tests.server.leaks.walks import recognisable_settings
from tests.server.leaks.world import World
from tests.tables.play import GAMES, with_more


@pytest.mark.slow
@given(recognisable_settings().map(watched), st.integers(0, 2**32), st.integers(10, 60))
def test_what_others_hold_changes_no_byte_of_mine_before_it_is_shown(
    somewhere: World, settings: Settings, seed: int, steps: int
) -> None:
    before = before_the_count(settings)
    assume(
        agree(
            somewhere,
            before,
            other_hands,
            settings=settings,
            seed=seed,
            steps=steps,
            until=lambda table: not before(table),
        )
    )


@pytest.mark.slow
@given(st.sampled_from(GAMES[:3]), st.booleans(), st.integers(0, 2**32))
def test_where_counts_alone_are_shown_the_order_of_digits_changes_no_byte_ever(
    somewhere: World, game: str, behind: bool, seed: int
) -> None:
    watching: Spectators = "behind" if behind else "live"
    settings = Settings(game, 4, options={"reveal": "counts"}, spectators=watching, audit="leaves")
    if game == "salomon-1986":
        settings = replace(settings, options={})
    assume(agree(somewhere, lambda table: True, other_order, settings=settings, seed=seed, steps=60))


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_too_small_to_be_searched_for_is_noticed(
    somewhere: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = view.public

    def hinting(table: Table, behind: bool = False) -> Any:
        round_ = None if table.sitting is None else inside(table.sitting.session).round
        secret = repr(getattr(round_, "numbers", None) or getattr(round_, "hands", None) or getattr(round_, "hand", ""))
        return with_more(really(table, behind), hint=crc32(secret.encode()) % 7)

    monkeypatch.setattr(view, "public", hinting)
    monkeypatch.setattr(view, "lasts", lambda before, after: False)
    settings = Settings(game, 4)
    with pytest.raises(AssertionError):
        _all_agree(somewhere, settings)


def _all_agree(somewhere: World, settings: Settings) -> None:
    for seed in range(8):
        agree(somewhere, before_the_count(settings), other_hands, settings=settings, seed=seed, steps=40)

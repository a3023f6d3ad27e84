"""No page shows anybody what he may not know; and a leak planted in a page is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from liarspoker.protocol.settings import Settings
from liarspoker.tables.settings import read_settings
from liarspoker.web import live
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.effort import effort, one_in
from tests.inside import inside
from tests.server.leaks.doubles import agree, before_the_count, other_hands
from tests.server.leaks.plants import a_secret
from tests.server.leaks.walks import found_in, recognisable_settings, walk
from tests.tables.play import GAMES
from tests.web.leaks.pages import PAGE, PagedWorld

SEEDS = effort(range(2, 3), quick=range(2, 3), soak=range(1, 30))


@pytest.mark.slow
@one_in(2)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 30))
def test_no_page_shows_anybody_what_he_may_not_know(
    somewhere: PagedWorld, settings: Settings, seed: int, steps: int
) -> None:
    evening = somewhere.run(walk(somewhere, settings, seed, steps))
    assert somewhere.run(found_in(evening)) == []


def _found(somewhere: PagedWorld, game: str, steps: int = 30) -> Iterator[str]:
    settings = read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})
    for seed in SEEDS:
        yield from somewhere.run(found_in(somewhere.run(walk(somewhere, settings, seed, steps))))


@pytest.mark.parametrize("game", GAMES)
def test_the_same_evenings_have_no_leak_of_their_own(somewhere: PagedWorld, game: str) -> None:
    assert list(_found(somewhere, game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_a_template_draws_for_everybody_is_found(
    somewhere: PagedWorld, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    really: Callable[[Seen], TableScene] = scene_of

    def peeking(seen: Seen) -> TableScene:
        secret: Any = a_secret(somewhere.table)
        told = secret if isinstance(secret, str) else " ".join(secret or ())
        return replace(really(seen), said=str(escape(told)))

    monkeypatch.setattr(live, "scene_of", peeking)
    assert any(one.startswith(f"{PAGE} to") for one in _found(somewhere, game, steps=24))


@pytest.mark.parametrize("game", GAMES)
def test_what_others_hold_changes_no_byte_of_my_page_before_it_is_shown(somewhere: PagedWorld, game: str) -> None:
    settings = Settings(game, 4)
    before = before_the_count(settings)
    compared = [
        agree(
            somewhere,
            before,
            other_hands,
            settings=settings,
            seed=seed,
            steps=24,
            until=lambda table: not before(table),
        )
        for seed in SEEDS
    ]
    assert any(compared)


def test_a_hint_too_small_to_be_searched_for_is_noticed(somewhere: PagedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    really: Callable[[Seen], TableScene] = scene_of

    def hinting(seen: Seen) -> TableScene:
        sitting = somewhere.table.sitting
        numbers = (
            None if sitting is None or inside(sitting.session).round is None else inside(sitting.session).round.numbers
        )
        return replace(really(seen), said=f"hint {crc32(repr(numbers).encode()) % 7}")

    monkeypatch.setattr(live, "scene_of", hinting)
    settings = Settings("salomon-1986", 4)
    with pytest.raises(AssertionError):
        _all_agree(somewhere, settings)


def _all_agree(somewhere: PagedWorld, settings: Settings) -> None:
    for seed in range(8):
        agree(somewhere, before_the_count(settings), other_hands, settings=settings, seed=seed, steps=40)

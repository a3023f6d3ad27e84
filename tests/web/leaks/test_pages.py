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
from liarspoker.tables.state import Table
from liarspoker.web import live
from liarspoker.web.app import mount_pages
from liarspoker.web.view_models.table import Seen, TableScene, scene_of
from tests.effort import effort, one_in
from tests.inside import inside
from tests.server.leaks.doubles import agree, before_the_count, other_hands
from tests.server.leaks.plants import a_secret
from tests.server.leaks.walks import found_in, recognisable_settings, walk
from tests.server.leaks.world import world
from tests.tables.play import GAMES
from tests.web.leaks.pages import PAGE, PagedWorld

SEEDS = effort(range(2, 3), quick=range(2, 3), soak=range(1, 30))
SOME = ("slips", "queen-annes-stud", "queen-annes-indian", "thorin")
"""Games with numbers, open cards, a hand that its owner alone does not see, and a hand that moves on."""


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagedWorld]:
    """A server without a network; every test makes a table of its own."""
    with world(tmp_path_factory.mktemp("world"), PagedWorld, mount_pages) as made:
        yield made


@pytest.mark.slow
@one_in(2)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 30))
def test_no_page_shows_anybody_what_he_may_not_know(
    somewhere: PagedWorld, settings: Settings, seed: int, steps: int
) -> None:
    evening = somewhere.run(walk(somewhere, settings, seed, steps))
    assert somewhere.run(found_in(evening)) == []


@pytest.mark.parametrize("game", SOME)
def test_a_hand_that_a_template_draws_for_everybody_is_found_where_there_was_no_leak(
    somewhere: PagedWorld, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})
    really: Callable[[Seen], TableScene] = scene_of

    def peeking(seen: Seen) -> TableScene:
        secret: Any = a_secret(somewhere.table)
        told = secret if isinstance(secret, str) else " ".join(secret or ())
        return replace(really(seen), said=str(escape(told)))

    def found() -> list[str]:
        return somewhere.run(found_in(somewhere.run(walk(somewhere, settings, 2, steps=24))))

    assert found() == []
    monkeypatch.setattr(live, "scene_of", peeking)
    assert any(one.startswith(f"{PAGE} to") for one in found())


@pytest.mark.parametrize("game", effort(SOME, quick=SOME, soak=GAMES))
def test_what_others_hold_changes_no_byte_of_my_page_before_it_is_shown(somewhere: PagedWorld, game: str) -> None:
    settings, before = Settings(game, 4), before_the_count(Settings(game, 4))

    def over(table: Table) -> bool:
        return not before(table)

    compared = [
        agree(somewhere, before, other_hands, settings=settings, seed=seed, steps=24, until=over) for seed in SEEDS
    ]
    assert any(compared)


def test_a_hint_too_small_to_be_searched_for_is_noticed(somewhere: PagedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    really: Callable[[Seen], TableScene] = scene_of

    def hinting(seen: Seen) -> TableScene:
        sitting = somewhere.table.sitting
        shown = None if sitting is None else inside(sitting.session).round
        numbers = None if shown is None else shown.numbers
        return replace(really(seen), said=f"hint {crc32(repr(numbers).encode()) % 7}")

    monkeypatch.setattr(live, "scene_of", hinting)
    settings = Settings("salomon-1986", 4)

    def all_agree() -> None:
        for seed in range(8):
            agree(somewhere, before_the_count(settings), other_hands, settings=settings, seed=seed, steps=24)

    with pytest.raises(AssertionError):
        all_agree()

"""No page shows hidden information, and a leak planted in a page is found."""

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
from liarspoker.web.view_models.table import TableSnapshot, TableViewModel, table_view_model
from tests.effort import effort, one_in
from tests.server.leaks.paired_runs import agree, before_the_count, other_hands
from tests.server.leaks.planted_leaks import a_secret
from tests.server.leaks.server_walks import found_in, recognisable_settings, walk
from tests.server.leaks.server_world import running_world
from tests.tables.play import GAMES
from tests.untyped import untyped
from tests.web.leaks.pages import PAGE, PagedWorld

SEEDS = effort(range(2, 3), quick=range(2, 3), soak=range(1, 30))
SOME = ("slips", "queen-annes-stud", "queen-annes-indian", "thorin")
"""Games with numbers, open cards, a hand hidden only from its owner, and a hand that is passed on."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagedWorld]:
    """A server without a network; every test makes its own table."""
    with running_world(tmp_path_factory.mktemp("world"), PagedWorld, mount_pages) as made:
        yield made


@pytest.mark.slow
@one_in(2)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 30))
def test_no_page_shows_hidden_information(world: PagedWorld, settings: Settings, seed: int, steps: int) -> None:
    evening = world.run(walk(world, settings, seed, steps))
    assert world.run(found_in(evening)) == []


@pytest.mark.parametrize("game", SOME)
def test_a_leak_planted_in_a_page_is_found(world: PagedWorld, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})
    really: Callable[[TableSnapshot], TableViewModel] = table_view_model

    def peeking(seen: TableSnapshot) -> TableViewModel:
        secret: Any = a_secret(world.table)
        text = secret if isinstance(secret, str) else " ".join(secret or ())
        return replace(really(seen), said=str(escape(text)))

    def found() -> list[str]:
        return world.run(found_in(world.run(walk(world, settings, 2, steps=24))))

    assert found() == []
    monkeypatch.setattr(live, "table_view_model", peeking)
    assert any(one.startswith(f"{PAGE} to") for one in found())


@pytest.mark.parametrize("game", effort(SOME, quick=SOME, soak=GAMES))
def test_hidden_hands_of_other_players_change_no_byte_of_a_page(world: PagedWorld, game: str) -> None:
    settings, before = Settings(game, 4), before_the_count(Settings(game, 4))

    def over(table: Table) -> bool:
        return not before(table)

    compared = [agree(world, before, other_hands, settings=settings, seed=seed, steps=24, until=over) for seed in SEEDS]
    assert any(compared)


def test_a_planted_hint_too_small_to_search_for_is_found(world: PagedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    really: Callable[[TableSnapshot], TableViewModel] = table_view_model

    def hinting(seen: TableSnapshot) -> TableViewModel:
        sitting = world.table.sitting
        shown = None if sitting is None else untyped(sitting.session).round
        numbers = None if shown is None else shown.numbers
        return replace(really(seen), said=f"hint {crc32(repr(numbers).encode()) % 7}")

    monkeypatch.setattr(live, "table_view_model", hinting)
    settings = Settings("salomon-1986", 4)

    def all_agree() -> None:
        for seed in range(8):
            agree(world, before_the_count(settings), other_hands, settings=settings, seed=seed, steps=24)

    with pytest.raises(AssertionError):
        all_agree()

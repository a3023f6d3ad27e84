"""Every badge and symbol on a table's page has an explanation."""

from __future__ import annotations

import re

import pytest

from liarspoker.web.view_models.tips import SEAT, SYMBOLS, table_tips
from tests.tables.play import GAMES, new_table
from tests.web.view_models.snapshots import page, states

SIGN = re.compile(r'(?:popovertarget|data-tip)="tip-([^"]*)"')


@pytest.mark.parametrize("game", GAMES)
def test_every_sign_of_a_table_has_a_tip(game: str) -> None:
    tips, used = table_tips(new_table(game, 4).table.settings), set[str]()
    names = [tip.name for tip in tips if tip.name not in SEAT or tip.name in ("units", "challenge")]
    assert len(set(names)) == len(names)
    for played in states(game, 4, 7, 3):
        used |= set(SIGN.findall(page(played, "user-0")))
    assert "seat" in used
    assert used <= {"seat", *names}
    assert all(re.fullmatch(r"[A-Z].*[.]", tip.text) for tip in tips)


def test_the_tip_of_a_seat_explains_symbols() -> None:
    assert set(SEAT) <= {symbol.name for symbol in SYMBOLS}

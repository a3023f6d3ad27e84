"""Replays and checked deals at both sizes: nothing too wide, too small, or out of reach for who hears the page."""

from __future__ import annotations

import pytest

from tests.server.inprocess import Running
from tests.web.journeys.visitors import Visitors
from tests.web.study.evenings import played


@pytest.mark.slow
@pytest.mark.parametrize("game", ["salomon-1986", "thorin", "queen-annes-stud"])
def test_replays_and_checked_deals_are_in_order(visitors: Visitors, house: Running, game: str) -> None:
    _, table = played(house, game)
    ann = visitors.come()
    for path in (f"/t/{table}/replay/1?ply=1&as=0", f"/t/{table}/replay/1", f"/t/{table}/verify"):
        ann.page.goto(path)
        ann.found += ann.survey.look(ann.page, f"{game} {path.replace(table, '')}")

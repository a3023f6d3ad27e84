"""Checking the deals: the server's check, and that of the browser, which finds what has been planted."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.tables.fair.audit import check
from liarspoker.web.view_models.verify import ended_scene
from tests.server.inprocess import Person, Running
from tests.tables.fair import tampering
from tests.web.conftest import Evening
from tests.web.study.evenings import played

GAMES = tuple(row.id for row in catalogue.games())


def audit_of(owner: Person, table: str) -> dict[str, Any]:
    response = owner.http.get(f"/t/{table}/verify/audit.json")
    assert response.status_code == 200
    told: dict[str, Any] = response.json()
    return told


@pytest.mark.parametrize("game", GAMES)
def test_the_deals_of_a_table_are_shown_with_all_that_was_promised_opened_derived_and_dealt(
    evening: Evening, game: str
) -> None:
    owner, table = evening(game)
    page, document = owner.http.get(f"/t/{table}/verify").text, audit_of(owner, table)
    assert "All deals hold" in page
    assert "liarspoker verify FILE" in page  # stands there without a script
    names = document["records"][0]["players"]
    words = {"letters": "letters", "deck": "the deck", "extras": "the rest"}
    for shown, deal in zip(ended_scene(document, [], "Friday").deals, document["deals"], strict=True):
        assert all(deal[part] in page for part in ("commitment", "seed", "root"))
        lines = {words[key]: tuple(held) for key, held in deal["dealt"].items() if key in words and held}
        shortened = {word: (*held[:15], f"and {len(held) - 15} more") for word, held in lines.items() if len(held) > 15}
        assert {word: held for word, held in shown.dealt if word not in names} == {**lines, **shortened}


def test_while_a_table_runs_its_promises_stand_there_and_no_seed(house: Running) -> None:
    owner, table = played(house, "dollar-bill", end=False)
    deal = owner.view(table)["public"]["deal"]
    page = owner.http.get(f"/t/{table}/verify").text
    assert deal["commitment"] in page
    assert "The seed is opened when the table has ended" in page
    assert owner.http.get(f"/t/{table}/verify/audit.json").status_code == 404
    assert "data-audit" not in page


def test_where_seeds_stay_secret_only_what_was_shown_is_proved(house: Running) -> None:
    owner, table = played(house, "queen-annes", audit="leaves")
    page = owner.http.get(f"/t/{table}/verify").text
    assert "The seed stays secret" in page
    assert "How deals came about" in page


@pytest.mark.parametrize("change", [tampering.change_seed, tampering.change_root, tampering.change_commitment])
def test_what_the_servers_check_finds_stands_at_its_deal(
    house: Running, change: Callable[[Random, dict[str, Any]], bool]
) -> None:
    owner, table = played(house, "dollar-bill", rounds=2)
    document = audit_of(owner, table)
    assert change(Random(1), document["deals"][1])
    scene = ended_scene(document, check(document), "Friday")
    assert not scene.holds
    assert [bool(deal.faults) for deal in scene.deals[:2]] == [False, True]

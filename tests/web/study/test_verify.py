"""The page that verifies deals: commitments, revealed values and the server's findings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.tables.fair.audit import check
from liarspoker.web.view_models.verify import ended_view_model
from tests.server.inprocess import Person, Running
from tests.tables.fair import tampering
from tests.web.conftest import Evening
from tests.web.study.played_tables import played

GAMES = tuple(row.id for row in catalogue.games())


def audit_of(owner: Person, table: str) -> dict[str, Any]:
    response = owner.http.get(f"/t/{table}/verify/audit.json")
    assert response.status_code == 200
    document: dict[str, Any] = response.json()
    return document


@pytest.mark.parametrize("game", GAMES)
def test_deals_are_shown_with_commitments_revealed_values_and_hands(evening: Evening, game: str) -> None:
    owner, table = evening(game)
    page, document = owner.http.get(f"/t/{table}/verify").text, audit_of(owner, table)
    assert "All deals verified" in page
    assert "liarspoker verify FILE" in page  # shown without JavaScript
    names = document["records"][0]["players"]
    words = {"letters": "letters", "deck": "the deck", "extras": "the rest"}
    for shown, deal in zip(ended_view_model(document, [], "Friday").deals, document["deals"], strict=True):
        assert all(deal[part] in page for part in ("commitment", "seed", "root"))
        lines = {words[key]: tuple(held) for key, held in deal["dealt"].items() if key in words and held}
        shortened = {word: (*held[:15], f"and {len(held) - 15} more") for word, held in lines.items() if len(held) > 15}
        assert {word: held for word, held in shown.dealt if word not in names} == {**lines, **shortened}


def test_a_running_table_shows_commitments_but_no_seed(site: Running) -> None:
    owner, table = played(site, "dollar-bill", end=False)
    deal = owner.view(table)["public"]["deal"]
    page = owner.http.get(f"/t/{table}/verify").text
    assert deal["commitment"] in page
    assert "The seed is revealed when the table closes" in page
    assert owner.http.get(f"/t/{table}/verify/audit.json").status_code == 404
    assert "data-audit" not in page


def test_with_secret_seeds_only_shown_hands_are_proved(site: Running) -> None:
    owner, table = played(site, "queen-annes", audit="leaves")
    page = owner.http.get(f"/t/{table}/verify").text
    assert "The seed stays secret" in page
    assert "How the deals were derived" in page


@pytest.mark.parametrize("change", [tampering.change_seed, tampering.change_root, tampering.change_commitment])
def test_findings_of_the_servers_check_are_shown_with_their_deal(
    site: Running, change: Callable[[Random, dict[str, Any]], bool]
) -> None:
    owner, table = played(site, "dollar-bill", rounds=2)
    document = audit_of(owner, table)
    assert change(Random(1), document["deals"][1])
    model = ended_view_model(document, check(document), "Friday")
    assert not model.holds
    assert [bool(deal.faults) for deal in model.deals[:2]] == [False, True]

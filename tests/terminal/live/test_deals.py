"""One's own share in deals, and what an audit must agree with: what was seen here while it was played."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from liarspoker.tables.fair import nonce_commitment
from liarspoker.terminal.deals import Deals, show_audit
from liarspoker.terminal.identity import new_secret
from tests.server.inprocess import Running
from tests.terminal.live.states import send, state_of


@pytest.fixture(scope="module")
def played(house: Running) -> tuple[Deals, Any]:
    """Three hands as somebody has seen them, and the audit of their table."""
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob, seats=3)
    deals = Deals(table, new_secret())
    ann.ask(table, do="start")
    while (state := state_of(bob.view(table))).public.rounds_played < 3:
        deals.see(state)
        if state.needs.wanted:
            assert send(bob, table, deals.ready(state))
        elif state.needs.open_nonce:
            assert send(bob, table, deals.open(state))
        elif state.gathering:
            assert ann.ask(table, do="ready")["ok"]
        else:
            mover = bob if state.my_turn else ann
            action = "challenge" if state.dealt.moves else "1x1"
            assert mover.ask(table, do="act", turn=state.turn, action=action)["ok"]
    ann.ask(table, do="end")
    return deals, ann.http.get(f"/api/tables/{table}/audit").json()


def heard(deals: Deals, document: Any) -> tuple[bool, str]:
    lines: list[str] = []
    return show_audit(deals, document, lines.append), "\n".join(lines)


def test_an_honest_audit_holds_and_tells_of_your_shares(played: tuple[Deals, Any]) -> None:
    holds, told = heard(*played)
    assert holds
    assert "All 3 deals are what the server promised" in told
    assert "a share of your own to 3 of 3" in told


def test_a_promise_is_of_the_nonce_that_is_opened(house: Running) -> None:
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob)
    ann.ask(table, do="start")
    state = state_of(bob.view(table))
    deals = Deals(table, new_secret())
    promised, opened = deals.ready(state).nonce_commitment, deals.open(state).nonce
    assert promised == nonce_commitment(bytes.fromhex(opened), table, 0, state.you.chair or 0).hex()


@pytest.mark.parametrize("key", ["commitment", "root"])
def test_a_deal_that_was_seen_otherwise_is_found(key: str, played: tuple[Deals, Any]) -> None:
    deals, document = played
    forged = copy.deepcopy(document)
    forged["deals"][1][key] = "00" * 32
    found = list(deals.findings(forged))
    assert len(found) == 1
    assert found[0].startswith("deal 1: ")
    assert not heard(deals, forged)[0]


def test_a_share_that_is_left_out_and_a_deal_that_is_missing_are_found(played: tuple[Deals, Any]) -> None:
    deals, document = played
    forged = copy.deepcopy(document)
    forged["deals"][0]["nonces"] = [""] * len(forged["deals"][0]["nonces"])
    del forged["deals"][2]
    assert [found.partition(":")[0] for found in deals.findings(forged)] == ["deal 0", "deal 2"]

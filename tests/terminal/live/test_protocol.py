"""What the client sends: what people type beside their moves, their shares in deals, and a socket that is refused."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from msgspec.structs import replace as changed

from liarspoker.protocol import commands as c
from liarspoker.protocol.frames import Error
from liarspoker.server.config import no_limits
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.terminal.entries import NotSo, command_of
from liarspoker.terminal.identity import Deals, new_secret, show_audit
from liarspoker.terminal.link import FIRST_WAIT, Link, LinkNews, Lost, Opened, Received
from liarspoker.terminal.state import State
from tests.server.inprocess import PATIENCE, Running, running
from tests.terminal.live.chairs import send, state_of


@pytest.fixture(scope="module")
def state(house: Running) -> State:
    """A table of Ann, who looks at it, Bob and a bot; Bob proposes a stake."""
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob, bots=("beginner",))
    bob.ask(table, do="propose", kind="stake", value=2)
    return state_of(ann.view(table))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/hello there", c.Say(text="hello there")),
        ("say hello", c.Say(text="hello")),
        ("Sit  Out", c.SitOut()),
        ("stake 12", c.Propose(kind="stake", value=12)),
        ("undo", c.Propose(kind="undo")),
        ("yes", c.AnswerProposal(proposal=0, yes=True)),
        ("no", c.AnswerProposal(proposal=0, yes=False)),
        ("bot bluffer", c.SeatBot(bot="bluffer")),
        ("unseat bea", c.Unseat(chair=1)),
        ("chat off", c.SetChat(on=False)),
        ("pick 3", c.Pick(choice=3)),
        ("numbers", c.AskNumbers()),
        (
            "name passes=1 jokers=2, take_top=true",
            c.NameOptions(options={"passes": 1, "jokers": 2, "take_top": True}),
        ),
        ("5x7", None),
        ("pass", None),
        ("two pair", None),
    ],
)
def test_an_entry_is_a_command_or_a_move(typed: str, command: c.Command | None, state: State) -> None:
    assert command_of(typed, state) == command


def test_people_are_named_as_they_are_shown(state: State) -> None:
    bob = next(user for user, chair in state.chairs.items() if chair.name == "Bob")
    assert command_of("remove BOB", state) == c.Propose(kind="remove", value=bob)
    assert command_of("mute Bob", state) == c.Mute(user=bob, on=True)
    assert command_of("unmute Bob", state) == c.Mute(user=bob, on=False)


@pytest.mark.parametrize(
    "typed",
    ["say", "stake", "stake two", "remove", "remove Zoe", "bot", "unseat", "chat", "chat maybe", "pick", "name x"],
)
def test_what_is_not_whole_is_told_with_its_remedy(typed: str, state: State) -> None:
    with pytest.raises(NotSo, match=typed.split()[0]) if typed != "remove Zoe" else pytest.raises(NotSo, match="Zoe"):
        command_of(typed, state)


def test_nobody_votes_on_nothing(state: State) -> None:
    alone = replace(state, you=changed(state.you, votes=()))
    with pytest.raises(NotSo, match="nothing is proposed"):
        command_of("yes", alone)


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


def test_a_socket_that_is_refused_for_now_is_tried_again_more_and_more_slowly(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(no_limits(), watchers=1)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        news: Queue[LinkNews] = Queue()
        link = Link(url, server.person("Bob").headers, news.put)
        with server.person().socket(table) as stranger:
            stranger.until("welcome")
            link.start()
            refused = news.get(timeout=PATIENCE)
            assert isinstance(refused, Received)
            assert isinstance(refused.frame, Error)
            assert refused.frame.code == "too-many"
            assert news.get(timeout=PATIENCE) == Lost()
            assert news.get(timeout=PATIENCE) == refused
            assert link._wait > FIRST_WAIT
        while (next_news := news.get(timeout=PATIENCE)) == refused:
            pass
        assert next_news == Opened(False)
        assert link._wait == FIRST_WAIT
        link.stop()

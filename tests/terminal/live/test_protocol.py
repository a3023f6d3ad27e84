"""What the client sends: commands, nonces, and attempts to reconnect."""

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
from liarspoker.terminal.identity import Deals, new_secret, show_audit
from liarspoker.terminal.link import FIRST_WAIT, Link, LinkNews, Lost, Opened, Received
from liarspoker.terminal.state import State
from liarspoker.terminal.table_commands import BadCommand, command_of
from tests.server.inprocess import PATIENCE, Running, running
from tests.terminal.live.clients import send, state_of


@pytest.fixture(scope="module")
def state(house: Running) -> State:
    """A table of Ann, whose view it is, Bob and a bot; Bob proposes a stake."""
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob, bots=("beginner",))
    bob.ask(table, do="propose", kind="stake", value=2)
    return state_of(ann.view(table))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("say hello", c.Say(text="hello")),
        ("Sit  Out", c.SitOut()),
        ("stake 12", c.Propose(kind="stake", value=12)),
        ("undo", c.Propose(kind="undo")),
        ("yes", c.AnswerProposal(proposal=0, yes=True)),
        ("no", c.AnswerProposal(proposal=0, yes=False)),
        ("bot bluffer", c.SeatBot(bot="bluffer")),
        ("unseat bea", c.Unseat(chair=1)),
        ("chat off", c.SetChat(on=False)),
        ("lock", c.Lock(on=True)),
        ("unlock", c.Lock(on=False)),
        ("pick 3", c.Pick(choice=3)),
        ("numbers", c.AskNumbers()),
        ("show", c.Show()),
        ("react Liar", c.React(reaction="liar")),
        (
            "name passes=1 jokers=2, take_top=true",
            c.NameOptions(options={"passes": 1, "jokers": 2, "take_top": True}),
        ),
        ("5x7", None),
        ("pass", None),
        ("two pair", None),
    ],
)
def test_input_is_a_command_or_an_action(typed: str, command: c.Command | None, state: State) -> None:
    assert command_of(typed, state) == command


def test_the_owner_manages_players_by_name(state: State) -> None:
    bob = next(user for user in state.chairs if state.name_of(user) == "Bob")
    assert command_of("kick Bob", state) == c.Remove(user=bob)
    assert command_of("owner Bob", state) == c.Transfer(user=bob)
    assert command_of("standin bluffer", state) == c.StandIn(user=state.you.user, bot="bluffer")
    removed = replace(state, you=changed(state.you, removed=(bob,)))
    assert command_of("admit Bob", removed) == c.Admit(user=bob)
    for typed in ("kick", "admit Bob", "owner Zoe", "standin"):
        with pytest.raises(BadCommand):
            command_of(typed, state)


def test_players_are_addressed_by_their_shown_names(state: State) -> None:
    bob = next(user for user, chair in state.chairs.items() if chair.name == "Bob")
    assert command_of("remove BOB", state) == c.Propose(kind="remove", value=bob)
    assert command_of("mute Bob", state) == c.Mute(user=bob, on=True)
    assert command_of("unmute Bob", state) == c.Mute(user=bob, on=False)


@pytest.mark.parametrize(
    "typed",
    [
        "say",
        "react",
        "react meh",
        "stake",
        "stake two",
        "remove",
        "remove Zoe",
        "bot",
        "unseat",
        "chat",
        "chat maybe",
        "pick",
        "name x",
    ],
)
def test_incomplete_commands_say_what_is_missing(typed: str, state: State) -> None:
    with (
        pytest.raises(BadCommand, match=typed.split()[0])
        if typed != "remove Zoe"
        else pytest.raises(BadCommand, match="Zoe")
    ):
        command_of(typed, state)


def test_a_vote_needs_a_proposal(state: State) -> None:
    alone = replace(state, you=changed(state.you, votes=()))
    with pytest.raises(BadCommand, match="no proposal"):
        command_of("yes", alone)


@pytest.fixture(scope="module")
def played(house: Running) -> tuple[Deals, Any]:
    """Three hands as a client has seen them, and the audit of their table."""
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


def test_a_correct_audit_passes_and_counts_your_nonces(played: tuple[Deals, Any]) -> None:
    holds, told = heard(*played)
    assert holds
    assert "All 3 deals match what the server committed to" in told
    assert "Your own nonce went into 3 of 3" in told


def test_a_commitment_matches_the_revealed_nonce(house: Running) -> None:
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob)
    ann.ask(table, do="start")
    state = state_of(bob.view(table))
    deals = Deals(table, new_secret())
    promised, opened = deals.ready(state).nonce_commitment, deals.open(state).nonce
    assert promised == nonce_commitment(bytes.fromhex(opened), table, 0, state.you.chair or 0).hex()


@pytest.mark.parametrize("key", ["commitment", "root"])
def test_a_deal_that_differs_from_the_one_seen_is_reported(key: str, played: tuple[Deals, Any]) -> None:
    deals, document = played
    forged = copy.deepcopy(document)
    forged["deals"][1][key] = "00" * 32
    found = list(deals.findings(forged))
    assert len(found) == 1
    assert found[0].startswith("deal 1: ")
    assert not heard(deals, forged)[0]


def test_missing_nonces_and_deals_are_reported(played: tuple[Deals, Any]) -> None:
    deals, document = played
    forged = copy.deepcopy(document)
    forged["deals"][0]["nonces"] = [""] * len(forged["deals"][0]["nonces"])
    del forged["deals"][2]
    assert [found.partition(":")[0] for found in deals.findings(forged)] == ["deal 0", "deal 2"]


def test_reconnecting_waits_longer_after_each_attempt(tmp_path: Path) -> None:
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

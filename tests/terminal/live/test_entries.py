"""What people type beside their moves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from liarspoker.protocol import commands as c
from liarspoker.terminal.entries import NotSo, command_of
from liarspoker.terminal.state import State
from tests.server.inprocess import Running
from tests.terminal.live.states import state_of


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

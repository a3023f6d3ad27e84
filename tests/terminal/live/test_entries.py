"""What people type beside their moves."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.terminal.live.entries import NotSo, command_of
from liarspoker.terminal.live.state import State
from tests.server.inprocess import Running


@pytest.fixture(scope="module")
def state(house: Running) -> State:
    """A table of Ann, who looks at it, Bob and a bot; Bob proposes a stake."""
    ann, bob = house.person("Ann"), house.person("Bob")
    table = house.table(ann, bob, bots=("beginner",))
    bob.ask(table, do="propose", kind="stake", value=2)
    return State.told(ann.view(table))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("/hello there", {"do": "say", "text": "hello there"}),
        ("say hello", {"do": "say", "text": "hello"}),
        ("Sit  Out", {"do": "sit_out"}),
        ("stake 12", {"do": "propose", "kind": "stake", "value": 12}),
        ("undo", {"do": "propose", "kind": "undo"}),
        ("yes", {"do": "answer", "proposal": 0, "yes": True}),
        ("no", {"do": "answer", "proposal": 0, "yes": False}),
        ("bot bluffer", {"do": "seat_bot", "bot": "bluffer"}),
        ("unseat bea", {"do": "unseat", "chair": 1}),
        ("chat off", {"do": "chat", "on": False}),
        ("pick 3", {"do": "pick", "choice": 3}),
        ("numbers", {"do": "ask_numbers"}),
        (
            "name passes=1 jokers=2, take_top=true",
            {"do": "name", "options": {"passes": 1, "jokers": 2, "take_top": True}},
        ),
        ("5x7", None),
        ("pass", None),
        ("two pair", None),
    ],
)
def test_an_entry_is_a_command_or_a_move(typed: str, command: dict[str, Any] | None, state: State) -> None:
    assert command_of(typed, state) == command


def test_people_are_named_as_they_are_shown(state: State) -> None:
    bob = next(user for user, chair in state.chairs.items() if chair["name"] == "Bob")
    assert command_of("remove BOB", state) == {"do": "propose", "kind": "remove", "value": bob}
    assert command_of("mute Bob", state) == {"do": "mute", "user": bob, "on": True}
    assert command_of("unmute Bob", state) == {"do": "mute", "user": bob, "on": False}


@pytest.mark.parametrize(
    "typed",
    ["say", "stake", "stake two", "remove", "remove Zoe", "bot", "unseat", "chat", "chat maybe", "pick", "name x"],
)
def test_what_is_not_whole_is_told_with_its_remedy(typed: str, state: State) -> None:
    with pytest.raises(NotSo, match=typed.split()[0]) if typed != "remove Zoe" else pytest.raises(NotSo, match="Zoe"):
        command_of(typed, state)


def test_nobody_votes_on_nothing(state: State) -> None:
    alone = State(state.public, {**state.you, "votes": []}, state.now)
    with pytest.raises(NotSo, match="nothing is proposed"):
        command_of("yes", alone)

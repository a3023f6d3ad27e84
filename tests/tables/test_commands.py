"""What a stranger's command and settings are refused for: every refusal names the place, and what would have done."""

from typing import Any

import pytest

from liarspoker.tables.commands import read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"do": "act", "turn": 1.0, "action": "1x1"},
            'act: "turn" cannot be 1.0; it takes a whole number from 0 to 9007199254740992',
        ),
        (
            {"do": "say", "text": ""},
            'say: "text" cannot be ""; it takes a text of 1 to 300 characters, all of them visible',
        ),
        (
            {"do": "ready", "nonce_commitment": "zz"},
            'ready: "nonce_commitment" cannot be "zz"; '
            "it takes 32 bytes as hexadecimal digits in small letters, or null",
        ),
        (
            {"do": "propose", "kind": "stake", "value": 0},
            'propose: "value" cannot be 0; it takes a whole number from 1 to 1000000 as a stake, '
            "the id of a user who is to be removed, or null",
        ),
        (
            {"do": "propose", "kind": "war"},
            'propose: "kind" cannot be "war"; it takes one of "stake", "undo", "remove"',
        ),
        ({"do": "sit_in", "user": "x"}, 'sit_in: there is no "user"; leave it out'),
        ({"do": "join", "seat": 1}, 'join: there is no "seat"; there are chair'),
        ({"do": "sit_in", "version": "1"}, 'version: "1" is none; it takes the number in a state'),
    ],
)
def test_a_command_that_is_refused_says_what_it_takes(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_command(given)
    assert (refused.value.code, str(refused.value)) == ("bad-command", told)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seats": 1}, 'settings: "seats" cannot be 1; it takes a whole number from 2 to 16'),
        ({"title": "x" * 61}, f'settings: "title" cannot be "{"x" * 60}..."; it takes a text of 0 to 60 characters'),
        ({"spectators": "all"}, 'settings: "spectators" cannot be "all"; it takes one of "live", "behind", "none"'),
        ({"choose": None}, 'settings: "choose" cannot be null; it takes true or false'),
        ({"clock": {"turn": 0.5}}, 'clock: "turn" cannot be 0.5; it takes a number from 1 to 86400'),
        ({"clock": 7}, 'settings: "clock" cannot be 7; it takes an object of at most 40 keys, or null'),
    ],
)
def test_settings_that_are_refused_say_what_they_take(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_settings({"game": "slips", **given})
    assert refused.value.code == "bad-command"
    assert str(refused.value).startswith(told)

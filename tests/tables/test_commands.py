"""Refusals of malformed commands and settings: every message names the location and what is expected."""

import json
from typing import Any

import pytest
from msgspec import Raw

from liarspoker.protocol.commands import KINDS
from liarspoker.tables.decide import read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"do": "act", "turn": 1.0, "action": "1x1"}, "turn: expected an integer, got a number"),
        ({"do": "act", "turn": -1, "action": "1x1"}, "turn: expected an integer >= 0"),
        ({"do": "act", "turn": 1, "action": "1x1\n"}, "action: use visible characters only"),
        ({"do": "act", "turn": 1}, "object missing required field `action`"),
        ({"do": "say", "text": ""}, "text: expected a string of length >= 1"),
        ({"do": "ready", "nonce_commitment": "zz"}, "nonce_commitment: expected a string matching regex"),
        ({"do": "open_nonce", "nonce": "abc"}, "nonce: expected a string matching regex"),
        ({"do": "propose", "kind": "stake", "value": 0}, "value: expected an integer >= 1"),
        ({"do": "propose", "kind": "war"}, "kind: invalid enum value 'war'; expected one of remove, stake, undo"),
        ({"do": "sit_in", "user": "x"}, "object contains unknown field `user`"),
        ({"do": "join", "seat": 1}, "object contains unknown field `seat`"),
        ({"do": "sit_in", "version": "1"}, "version: expected an integer or null, got a string"),
        ({"do": "fly"}, f"do: invalid value 'fly'; expected one of {', '.join(KINDS)}"),
        ({"do": "expire", "turn": 1}, "do: invalid value 'expire'"),
        ({"do": "play", "turn": 1, "action": 0}, "do: invalid value 'play'"),
        ({}, "object missing required field `do`"),
        (
            {"do": "name", "options": {str(name): 1 for name in range(41)}},
            "options: expected an object of length <= 40",
        ),
    ],
)
def test_an_invalid_command_gets_a_helpful_message(given: dict[str, Any], told: str) -> None:
    for one in (given, Raw(json.dumps(given))):
        with pytest.raises(Refused) as refused:
            read_command(one)
        assert refused.value.code == "bad-command"
        assert str(refused.value).startswith(f"command: {told}")


def test_lone_surrogates_are_rejected() -> None:
    for given in ({"do": "say", "text": "\ud800"}, Raw(b'{"do":"say","text":"\\ud800"}')):
        with pytest.raises(Refused):
            read_command(given)


def test_an_option_value_of_the_wrong_type_is_a_bad_option() -> None:
    for given in ({"do": "name", "options": {"jokers": None}}, {"do": "name", "options": {"jokers": 0.5}}):
        with pytest.raises(Refused) as refused:
            read_command(given)
        assert refused.value.code == "bad-option"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seats": 1}, "seats: expected an integer >= 2"),
        ({"title": "x" * 61}, "title: expected a string of length <= 60"),
        ({"title": "a\nb"}, "title: use visible characters only"),
        ({"spectators": "all"}, "spectators: invalid enum value 'all'; expected one of behind, live, none"),
        ({"choose": None}, "choose: expected true or false, got null"),
        ({"clock": {"turn": 0.5}}, "clock.turn: expected a number >= 1.0"),
        ({"clock": {"turn": 30, "rest": 5}}, "clock: object contains unknown field `rest`"),
        ({"clock": 7}, "clock: expected an object or null, got an integer"),
        ({"colour": 7}, "object contains unknown field `colour`"),
    ],
)
def test_invalid_settings_get_a_helpful_message(given: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_settings({"game": "slips", **given})
    assert refused.value.code == "bad-command"
    assert str(refused.value).startswith(f"settings: {told}")


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ({"game": "thorin", "seats": 11}, "bad-record", "seats: 11; thorin needs 2 to 10"),
        (
            {"game": "dollar-bill", "from_slips": True},
            "bad-option",
            "from_slips: dollar-bill is played with bills only",
        ),
        ({"game": "slips", "from_slips": True, "options": {"hand_size": 5}}, "bad-option", "from_slips: they need"),
    ],
)
def test_settings_that_a_game_refuses_are_named_by_their_keys(given: dict[str, Any], code: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_settings(given)
    assert refused.value.code == code
    assert str(refused.value).startswith(f"settings: {told}")

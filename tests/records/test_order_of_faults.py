"""Of several faults the first is told, in the order that the notation gives; and every code is reached."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from liarspoker.core.errors import REFUSALS
from tests.records.bad_records import ALL, DONE, GOOD, LOOSE, fault_of
from tests.records.samples import hand, record

# The codes of card games; no digit game has a match to win, cards to hold, takes or passes.
CARD_CODES = {"match-over", "cannot-take", "no-pass-left", "cards-not-held"}
MANUAL = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.md"


def test_every_code_of_the_digit_games_is_reached_and_no_other() -> None:
    reached = {bad.code for bad in ALL} | {"not-json"}
    table = MANUAL.read_text(encoding="utf-8").partition("## Faults")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert reached == set(re.findall(r"`([a-z-]+)`", " ".join(rows))) - CARD_CODES
    assert set(REFUSALS) - {"legal"} - CARD_CODES <= reached
    assert not reached & CARD_CODES


BROKEN: dict[str, Any] = {
    "version": {"lpn": 2},
    "game": {"game": "dudo"},
    "key": {"surplus": 0},
    "players": {"players": []},
    "option": {"options": {"wild": True}},
    "letters": {"letters": ["?"]},
    "round": {"rounds": [0]},
}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        (["version", "game", "key", "players", "option", "letters", "round"], "unknown-version"),
        (["game", "key", "players", "option", "letters", "round"], "unknown-game"),
        (["key", "option", "letters", "round"], "bad-record"),
        (["players", "option", "letters", "round"], "bad-record"),
        (["option", "letters", "round"], "bad-option"),
        (["letters", "round"], "bad-deal"),
    ],
)
def test_what_stands_above_the_rounds_is_looked_at_first(parts: list[str], code: str) -> None:
    fault = fault_of({key: value for table in (GOOD, *map(BROKEN.get, parts)) for key, value in (table or {}).items()})
    assert (fault.code, fault.round) == (code, None)


@pytest.mark.parametrize(
    ("rounds", "code", "place"),
    [
        ([hand("2x5, 2x4"), 0], "not-stronger", (0, 1)),
        ([hand("2x5, 2x4, hello"), DONE], "not-stronger", (0, 1)),
        ([hand("hello, 2x4"), {**DONE, "opener": 9}], "unreadable-action", (0, 0)),
        ([{**hand("hello"), "stake": 0}], "bad-round", (0, None)),
        ([hand("hello", deal=[])], "bad-deal", (0, None)),
        ([{**hand("hello"), "surplus": 1}], "bad-record", (0, None)),
        ([{**DONE, "counts": [0, 1, 2], "actions": [*DONE["actions"], "hello"]}], "bad-deal", (0, None)),
        ([hand("2x5"), {**DONE, "surplus": 1}], "bad-record", (1, None)),
        ([DONE, hand("count"), hand("count")], "wrong-phase", (1, 0)),
    ],
)
def test_the_first_fault_in_the_order_of_the_record_is_told(rounds: list[Any], code: str, place: object) -> None:
    fault = fault_of(record(*rounds))
    assert (fault.code, (fault.round, fault.action)) == (code, place)


@pytest.mark.parametrize(
    ("before", "text", "code"),
    [
        # The round is over, whatever is said then ...
        ("2x5, around, count", "hello", "round-over"),
        ("2x5, around, count", "0x7", "round-over"),
        ("2x5, around, count", "1x1", "round-over"),
        ("2x5, around, count", "count", "round-over"),
        # ... unreadable before of the wrong phase, ...
        ("", "hello", "unreadable-action"),
        ("2x5, around", "hello", "unreadable-action"),
        # ... no claim before a repeated or a weak one, ...
        ("2x5", "0x1", "no-such-claim"),
        ("24x0", "25x1", "no-such-claim"),
        ("", "25x1", "no-such-claim"),
        # ... and repeated before not stronger.
        ("2x5", "2x5", "repeated-claim"),
        ("2x5, 1x9, 2x0", "1x9", "repeated-claim"),
        ("2x5, 1x9, 2x0", "1x8", "not-stronger"),
    ],
)
def test_of_two_codes_for_one_action_the_upper_is_told(before: str, text: str, code: str) -> None:
    actions = [*filter(None, [before]), text]
    assert fault_of(record(hand(", ".join(actions)), options=LOOSE)).code == code


def test_an_action_that_is_no_text_is_a_bad_record_even_after_the_end() -> None:
    fault = fault_of(record({**DONE, "actions": [*DONE["actions"], 7]}))
    assert (fault.code, fault.round, fault.action) == ("bad-record", 0, 4)

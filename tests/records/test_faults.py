"""What a bad record is told: the code, the place, and the rounds before it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from liarspoker.records import Fault, read_json, read_toml, replay, report
from liarspoker.records.tell import tell
from liarspoker.rules.errors import REFUSALS
from tests.records.samples import BILLS, NAMES, Record, bid_by_bid, hand, record, slips

# The codes of card games; no digit game has a match to win, cards to hold, takes or passes.
CARD_CODES = {"match-over", "cannot-take", "no-pass-left", "cards-not-held"}

MANUAL = Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.md"

DONE = hand("2x5, around, count")
ELEVEN = [{"opener": 0, "actions": ["1x5", "challenge", "challenge", "count"]}] * 11
TIED = ["CA", "BA", "BA"]


@dataclass(frozen=True)
class Bad:
    """A record and the fault that it should be told."""

    name: str
    code: str
    document: Any
    round: int | None = None
    action: int | None = None

    @property
    def place(self) -> tuple[int | None, int | None]:
        """Round and action."""
        return self.round, self.action


def without(key: str, table: Record) -> Record:
    """A table that lacks a key."""
    return {name: value for name, value in table.items() if name != key}


GOOD = record(DONE)

RECORDS = [
    Bad("a list", "bad-record", []),
    Bad("a number", "bad-record", 1),
    Bad("null", "bad-record", None),
    Bad("an empty table", "bad-record", {}),
    *[Bad(f"no {key}", "bad-record", without(key, GOOD)) for key in ("lpn", "game", "players", "rounds")],
    Bad("a key that nobody knows", "bad-record", {**GOOD, "note": "x"}),
    Bad("a private key in capitals", "bad-record", {**GOOD, "X-note": "x"}),
    Bad("a card game's key", "bad-record", {**GOOD, "losses": [0, 0, 0]}),
    Bad("lpn as text", "bad-record", {**GOOD, "lpn": "1"}),
    Bad("lpn as a float", "bad-record", {**GOOD, "lpn": 1.0}),
    Bad("lpn as true", "bad-record", {**GOOD, "lpn": True}),
    Bad("game as a number", "bad-record", {**GOOD, "game": 1986}),
    Bad("players as text", "bad-record", {**GOOD, "players": "Ann"}),
    Bad("players as numbers", "bad-record", {**GOOD, "players": [1, 2]}),
    Bad("options as a list", "bad-record", {**GOOD, "options": []}),
    Bad("rounds as a table", "bad-record", {**GOOD, "rounds": {}}),
    Bad("letters as text", "bad-record", {**GOOD, "letters": "LA"}),
    Bad("slips in one list", "bad-record", {**slips(), "slips": BILLS}),
    Bad("slips for bills", "bad-record", {**GOOD, "game": "dollar-bill", "slips": []}),
    Bad("letters for dollar bills", "bad-record", {**GOOD, "game": "dollar-bill", "letters": TIED}),
    Bad("letters in a game of slips", "bad-record", {**GOOD, "game": "slips", "letters": TIED}),
    Bad("letters on slips", "bad-record", {**slips(), "game": "salomon-1986", "letters": TIED}),
    Bad("nobody", "bad-record", record(players=[])),
    Bad("one player", "bad-record", record(players=NAMES[:1])),
    Bad("seventeen players", "bad-record", record(players=NAMES[:17])),
    Bad("version 2", "unknown-version", {**GOOD, "lpn": 2}),
    Bad("version 0", "unknown-version", {**GOOD, "lpn": 0}),
    Bad("no such game", "unknown-game", {**GOOD, "game": "dudo"}),
    Bad("a game in capitals", "unknown-game", {**GOOD, "game": "SLIPS"}),
    Bad("no such option", "bad-option", {**GOOD, "options": {"wild": True}}),
    Bad("a card game's option", "bad-option", {**GOOD, "options": {"jokers": 2}}),
    Bad("no such value", "bad-option", {**GOOD, "options": {"order": "high"}}),
    Bad("one for true", "bad-option", {**GOOD, "options": {"rebid": 1}}),
    Bad("true for one", "bad-option", {**GOOD, "options": {"hand_size": True}}),
    Bad("8.0 for 8", "bad-option", {**GOOD, "options": {"hand_size": 8.0}}),
    Bad("a list for a value", "bad-option", {**GOOD, "options": {"order": ["zero_low"]}}),
    Bad("hands of sixteen", "bad-option", {**GOOD, "options": {"hand_size": 16}}),
    Bad("one digit in play", "bad-option", {**GOOD, "options": {"symbols": 1}}),
    Bad("slips of seven digits", "bad-option", slips(options={"hand_size": 7})),
    Bad("slips of nine digits in play", "bad-option", slips(options={"symbols": 9})),
    Bad("a slip too few", "bad-deal", {**slips(), "players": NAMES[:3]}),
    Bad("no rows", "bad-deal", slips(rows=[])),
    Bad("a slip of fourteen", "bad-deal", slips(rows=["06742088"] * 14)),
    Bad("a slip and two of another", "bad-deal", {**slips(), "slips": [["06742088"] * 15, ["06742088"] * 30]}),
    Bad("a slip with a letter", "bad-deal", slips(rows=[*["06742088"] * 14, "0674208B"])),
    Bad("letters for two of three", "bad-deal", {**GOOD, "letters": TIED[:2]}),
    *[
        Bad(f"letters {pair!r}", "bad-deal", {**GOOD, "letters": ["CA", pair, "BA"]})
        for pair in ("", "B", "ba", "*A", "BAA", "B1", "BÄ")
    ],
]

ROUNDS = [
    Bad("a text for a round", "bad-record", record(DONE, "2x5"), 1),
    Bad("null for a round", "bad-record", record(None), 0),
    Bad("no deal", "bad-record", record(DONE, without("deal", DONE)), 1),
    Bad("no actions", "bad-record", record(without("actions", DONE)), 0),
    Bad("actions as text", "bad-record", record({**DONE, "actions": "2x5"}), 0),
    Bad("a key that nobody knows", "bad-record", record(DONE, {**DONE, "winner": 1}), 1),
    Bad("a card game's key", "bad-record", record({**DONE, "deck": []}), 0),
    Bad("a deal as text", "bad-record", record({**DONE, "deal": "06742088"}), 0),
    Bad("a deal of numbers", "bad-record", record({**DONE, "deal": [6742088, 92859819, 7202503]}), 0),
    Bad("a deal on slips", "bad-record", slips(hand(deal=BILLS[:2])), 0),
    *[Bad(f"opener {value!r}", "bad-record", record({**DONE, "opener": value}), 0) for value in ("0", True, 0.0, None)],
    *[Bad(f"stake {value!r}", "bad-record", record({**DONE, "stake": value}), 0) for value in ("2", True, 2.0, None)],
    *[Bad(f"counts {value!r}", "bad-record", record({**DONE, "counts": value}), 0) for value in (1, [1.0, 0, 1], None)],
    Bad("numbers never shown, nothing counted", "bad-record", record(hand("1x5, around, count", ["????????"] * 3)), 0),
    Bad("one digit never shown", "bad-record", record(DONE, hand("1x5, around, count", [*BILLS[:2], "0720250?"])), 1),
    Bad("letters that tie", "bad-record", record(hand(), letters=TIED, options={"first_opener_tie": "redraw"}), 0),
    Bad("lots unsaid", "bad-record", record(hand(), game="slips", options={"first_opener_tie": "redraw"}), 0),
    *[Bad(f"opener {seat}", "bad-round", record(DONE, {**DONE, "opener": seat}), 1) for seat in (-1, 3, 10**30)],
    *[Bad(f"stake {units}", "bad-round", record({**DONE, "stake": units}), 0) for units in (0, -1, 10**1001)],
    Bad("two numbers for three", "bad-deal", record(DONE, hand(deal=BILLS[:2])), 1),
    Bad("no number", "bad-deal", record(hand(deal=[])), 0),
    *[
        Bad(f"the number {number!r}", "bad-deal", record(hand(deal=[*BILLS[:2], number])), 0)
        for number in ("", "0720250", "072025033", "0720250O", "07202 50", "-7202503", "\u0660" * 8, "0720250\n")
    ],
    Bad("a digit not in play", "bad-deal", record(hand(deal=["12345678"] * 3), options={"symbols": 7}), 0),
    Bad("a number too long for the hand", "bad-deal", record(hand(), options={"hand_size": 7}), 0),
    Bad("two counts for three", "bad-deal", record(hand(counts=[1, 0])), 0),
    Bad("a count below none", "bad-deal", record(hand(counts=[1, 0, -1])), 0),
    Bad("nine of eight digits", "bad-deal", record(hand(counts=[1, 0, 9])), 0),
    Bad("counts that the numbers contradict", "bad-deal", record(DONE, {**DONE, "counts": [0, 1, 2]}), 1),
    Bad(
        "fewer than the digits shown",
        "bad-deal",
        record(hand("1x5, around, count", ["5???????"] * 3, counts=[1, 1, 0])),
        0,
    ),
    Bad("more than are hidden", "bad-deal", record(hand("1x5, around, count", ["5?1111??"] * 3, counts=[5, 1, 1])), 0),
    Bad(
        "the last digit of a slip's number never shown",
        "bad-deal",
        slips({"actions": ["1x5", "challenge", "count"], "counts": [0, 0]}, rows=["0674208?"] * 15),
        0,
    ),
    Bad("an eleventh hand from one slip", "bad-deal", slips(*ELEVEN, seats=3), 10),
    Bad("a round after one in play", "round-unfinished", record(hand("2x5"), DONE), 1),
    Bad("a round after one not begun", "round-unfinished", record(hand(), DONE), 1),
    Bad("a round after one to be decided", "round-unfinished", record(DONE, hand("2x5, around"), DONE), 2),
]

LOOSE = {"loose_order": True}
OPEN_END = {"cap_level": False}

ACTIONS = [
    Bad("a number for an action", "bad-record", record({**DONE, "actions": ["2x5", 7]}), 0, 1),
    Bad("null for an action", "bad-record", record({**DONE, "actions": [None]}), 0, 0),
    Bad("a list for an action", "bad-record", record({**DONE, "actions": [["2x5"]]}), 0, 0),
    Bad("a challenge after the count", "round-over", record(hand("2x5, around, count, challenge")), 0, 4),
    Bad("a bid after a forced count", "round-over", record(hand("2x5, around, 3x5, around, 4x5")), 0, 6),
    Bad("a bid after the last challenge", "round-over", record(hand("2x5, around, 3x5"), game="dollar-bill"), 0, 3),
    *[
        Bad(f"the action {text!r}", "unreadable-action", record(DONE, hand(f"2x5, {text}")), 1, 1)
        for text in ("pass", "5", "x7", "5x", "5x10", "5xA", "5 x 7", "five", "5x7!", "+5x7", "5×7", "\0", "take")
    ],
    Bad("an empty action", "unreadable-action", record({**DONE, "actions": [""]}), 0, 0),
    Bad("a challenge before the first bid", "wrong-phase", record(hand("challenge")), 0, 0),
    Bad("a count before the first bid", "wrong-phase", record(hand("count")), 0, 0),
    Bad("a count before all have challenged", "wrong-phase", record(hand("2x5, challenge, count")), 0, 2),
    Bad("a count of a rebid", "wrong-phase", record(hand("2x5, around, 3x5, count")), 0, 4),
    Bad("a challenge of one's own bid", "wrong-phase", record(hand("2x5, around, challenge")), 0, 3),
    *[
        Bad(f"a bid of {bid}", "no-such-claim", record(hand(f"2x5, {bid}")), 0, 1)
        for bid in ("0x7", "-1x7", "00x7", "25x1", f"{10**30}x1", "9" * 101 + "x1", "zero sevens", "25 ones", "-0x1")
    ],
    Bad("a digit not in play", "no-such-claim", record(hand("1x8", ["12345671"] * 3), options={"symbols": 7}), 0, 0),
    Bad("a level beyond reading", "no-such-claim", record(hand(f"{'9' * 101}x1"), options=OPEN_END), 0, 0),
    Bad("the same bid", "repeated-claim", record(hand("2x5, 2x5"), options=LOOSE), 0, 1),
    Bad("a bid of two rounds ago", "repeated-claim", record(hand("2x5, 1x9, 2x0, 3x1, 1x9"), options=LOOSE), 0, 4),
    *[
        Bad(f"{bid} over 2x5", "not-stronger", record(DONE, hand(f"2x5, {bid}")), 1, 1)
        for bid in ("2x5", "2x4", "1x0", "1x9", "two fives", "an ace", "02x5")
    ],
    Bad("a rebid that is no raise", "not-stronger", record(hand("2x5, around, 2x5")), 0, 3),
    Bad("lower in both, loosely", "not-stronger", record(hand("2x5, 2x4"), options=LOOSE), 0, 1),
    Bad("2x0 over 2x5 where zeros are low", "not-stronger", record(hand("2x5, 2x0"), game="dollar-bill"), 0, 1),
]
ALL = [*RECORDS, *ROUNDS, *ACTIONS]


def label(bad: Bad) -> str:
    """What a test is called."""
    return re.sub(r"[^ -~]", "?", f"{bad.code}: {bad.name}")[:60]


def fault_of(document: Any) -> Fault:
    """The fault of a record that has one."""
    fault = replay(document).fault
    assert fault is not None
    return fault


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_a_bad_record_is_told_its_code_and_its_place(bad: Bad) -> None:
    fault = fault_of(bad.document)
    assert (fault.code, (fault.round, fault.action)) == (bad.code, bad.place), fault.message


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_the_rounds_before_the_fault_are_told_and_the_round_as_it_stood(bad: Bad) -> None:
    told = report(replay(bad.document))
    if bad.round is None:
        assert told["rounds"] == []
        return
    sound = deepcopy(bad.document)
    sound["rounds"] = sound["rounds"][: bad.round + (bad.action is not None)]
    if bad.action is not None:
        sound["rounds"][-1]["actions"] = sound["rounds"][-1]["actions"][: bad.action]
    before = replay(sound)
    assert before.fault is None
    assert told["rounds"] == report(before)["rounds"]
    assert len(told["rounds"]) == len(sound["rounds"])


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_the_answer_always_has_error_game_and_rounds(bad: Bad) -> None:
    told = report(replay(bad.document))
    assert list(told) == ["error", "game", "rounds"]
    assert list(told["error"]) == ["code", "round", "action", "message"]
    assert "\n" not in told["error"]["message"]
    assert told["error"]["message"].strip() != ""
    given = bad.document.get("game") if isinstance(bad.document, dict) else None
    assert told["game"] == (given if isinstance(given, str) else None)
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("bad", [bad for bad in ALL if isinstance(bad.document, dict)], ids=label)
def test_a_person_is_told_where_the_fault_is_counting_from_one(bad: Bad) -> None:
    places = {
        (False, False): "the record",
        (True, False): f"round {(bad.round or 0) + 1}",
        (True, True): f"round {(bad.round or 0) + 1}, action {(bad.action or 0) + 1}",
    }
    last = tell(replay(bad.document)).splitlines()[-1]
    place = places[bad.round is not None, bad.action is not None]
    assert last.startswith(f"Fault in {place} ({bad.code}): ")


@pytest.mark.parametrize("bad", ALL, ids=label)
def test_json_is_told_the_same_fault(bad: Bad) -> None:
    assert report(read_json(json.dumps(bad.document))) == report(replay(bad.document))


# ------------------------------------------------------------------------------------------- what is no record

NO_JSON = ["", " ", "{", "nul", "{'lpn': 1}", '{"lpn": 1,}', "[1] 2", "NaN", '{"x-a": NaN}', "-Infinity", "\ufeff{}"]
NO_TOML = ["lpn", "lpn = ", "lpn = 1 2", "= 1", "lpn = 1\nlpn = 1", "[rounds]\n[rounds]", "\ufefflpn = 1", "x-a = null"]


@pytest.mark.parametrize("text", [*NO_JSON, b"\xff\xfe{\0}\0", b'{"game": "\xe9"}', "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_json_is_told_so(text: str | bytes) -> None:
    told = report(read_json(text))
    assert told["error"]["code"] == "not-json"
    assert (told["error"]["round"], told["error"]["action"]) == (None, None)
    assert (told["game"], told["rounds"]) == (None, [])


@pytest.mark.parametrize("text", [*NO_TOML, b"\xff\xfel\0p\0", b'game = "\xe9"', "x-a = " + "[" * 5000, "a = '\0'"])
def test_what_is_no_toml_is_told_so(text: str | bytes) -> None:
    told = report(read_toml(text))
    assert told["error"]["code"] == "not-json"
    assert (told["game"], told["rounds"]) == (None, [])


def test_a_key_of_very_many_parts_is_refused_before_it_is_parsed() -> None:
    fault = read_toml("lpn = 1\n" + "a." * 20_000 + "b = 1").fault
    assert fault is not None
    assert (fault.code, fault.message) == ("bad-record", "record: line 2 has more than 1000 dots")
    assert "lpn is missing" in str(read_toml("# " + "." * 200).fault)


def test_an_empty_file_is_toml_and_lacks_everything() -> None:
    told = report(read_toml(""))
    assert told["error"]["code"] == "bad-record"
    assert "lpn is missing" in told["error"]["message"]


@pytest.mark.parametrize("text", ['{"lpn": 1, "lpn": 1}', '{"x-a": {"b": 1, "b": 2}}', '[{"a": 0, "a": 0}]'])
def test_a_key_that_stands_twice_is_a_bad_record(text: str) -> None:
    told = report(read_json(text))
    assert told["error"]["code"] == "bad-record"
    assert "stands twice" in told["error"]["message"]


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_is_no_fault(mark: bytes) -> None:
    assert read_json(mark + json.dumps(GOOD).encode()).fault is None
    assert read_toml(mark + b'lpn = 1\ngame = "slips"\nplayers = ["a", "b"]\nrounds = []').fault is None


# ---------------------------------------------------------------------------------------------------- the order


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


# -------------------------------------------------------------------------------------- what is only nearly bad


@pytest.mark.parametrize(
    "document",
    [
        record(),
        record(options={}),
        record(options={"x-wild": None}),
        record(hand()),
        {**GOOD, "x-losses": [0]},
        record({**DONE, "x-winner": None}),
        record({**DONE, "counts": [0, 1, 1]}, hand()),
        record({**DONE, "opener": 0, "stake": 10**1000}),
        record(hand("2x5", counts=[8, 8, 8])),
        record(hand("2x5", ["????????"] * 3)),
        record(hand("1x5, around, count", ["5?1111??"] * 3, counts=[4, 1, 1])),
        record(players=[""] * 16),
        record(letters=["AA", "A*", "Z*"]),
        record(hand(opener=2), letters=TIED, options={"first_opener_tie": "redraw"}),
        record(hand(), letters=TIED),
        record(hand("25x1"), options=OPEN_END),
        record(hand(f"{'9' * 100}x1"), options=OPEN_END),
        record(hand("2x5, 1x9"), options=LOOSE),
        slips(),
        slips(rows=["06742088"] * 30),
        slips(rows=[*["06742081"] * 14, "????????"]),
        slips(options={"hand_size": 8, "symbols": 10}),
        {**slips(), "game": "salomon-1986"},
        record(hand(), game="slips"),
    ],
)
def test_what_is_not_forbidden_is_accepted(document: Record) -> None:
    fault = replay(document).fault
    assert fault is None, fault.message


def test_the_least_and_the_most_that_can_be_bid_are_accepted() -> None:
    played = bid_by_bid("1x1, 24x0")
    assert report(played)["rounds"][0]["legal"] == {
        "min_claim": None,
        "challenge": True,
        "count": False,
        "actions": ["challenge"],
    }


def test_where_levels_have_no_cap_none_is_named() -> None:
    assert "24" not in fault_of(record(hand("0x7"), options=OPEN_END)).message


def test_a_hand_that_has_been_counted_is_in_the_score_although_something_follows_it() -> None:
    played = replay(record(hand("2x5, around, count, challenge")))
    assert "Player 1 +4  Player 2 -2  Player 3 -2" in tell(played)
    assert "Score: Player 1 0," not in tell(played)


# ------------------------------------------------------------------------------------------ nothing ever raises

LONG = 1 << 20_000


def deep() -> Any:
    """Lists in lists, deeper than Python calls."""
    value: Any = []
    for _ in range(5000):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (record(lpn=LONG), "unknown-version"),
        (record({**DONE, "opener": LONG}), "bad-round"),
        (record(hand(counts=[LONG, 0, 0])), "bad-deal"),
        (record(options={"hand_size": LONG}), "bad-option"),
        (record(options={"order": deep()}), "bad-option"),
    ],
    ids=["version", "opener", "count", "option", "deep option"],
)
def test_a_value_of_any_size_is_told_its_own_code(document: Record, code: str) -> None:
    assert fault_of(document).code == code


@pytest.mark.parametrize("line", [f"opener = 0x{'f' * 5000}", "options.order" + ".a" * 3000 + " = 1"])
def test_toml_is_not_blamed_for_the_value(line: str) -> None:
    where = ("", line) if line.startswith("opener") else (line, "")
    text = f'lpn = 1\ngame = "slips"\nplayers = ["a", "b"]\n{where[0]}\n[[rounds]]\ndeal = ["11111111", "22222222"]\n'
    assert report(read_toml(f"{text}actions = []\n{where[1]}"))["error"]["code"] != "not-json"


def test_a_loose_ladder_without_a_top_is_not_climbed_rung_by_rung() -> None:
    options = {"loose_order": True, "cap_level": False}
    line = json.dumps(record(hand(f"{10**30}x5"), options=options)).encode()
    # In a process of its own, for the climb would never end.
    command = [sys.executable, "-m", "liarspoker", "replay", "--jsonl"]
    done = subprocess.run(command, input=line, capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["rounds"][0]["legal"]["min_claim"] == "1x6"

"""Bad records of digit games, and the expected fault of each."""

from __future__ import annotations

from typing import Any

from liarspoker.records import Fault, replay
from tests.records.samples import BILLS, NAMES, Bad, Record, hand, record, slips

DONE = hand("2x5, around, count")
ELEVEN = [{"opener": 0, "actions": ["1x5", "challenge", "challenge", "count"]}] * 11
TIED = ["CA", "BA", "BA"]


def without(key: str, table: Record) -> Record:
    """Return a table without a key."""
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


def at_last(code: str, *texts: str, **top: Any) -> list[Bad]:
    """Return a record for each text, with a valid hand followed by one whose last action has the fault."""
    hands = [(text, hand(text)) for text in texts]
    return [Bad(text, code, record(DONE, last, **top), 1, len(last["actions"]) - 1) for text, last in hands]


ACTIONS = [
    *[Bad(repr(odd), "bad-record", record({**DONE, "actions": ["2x5", odd]}), 0, 1) for odd in (7, None, ["2x5"])],
    *at_last("round-over", "2x5, around, count, challenge", "2x5, around, 3x5, around, 4x5"),
    Bad("a bid after the last challenge", "round-over", record(hand("2x5, around, 3x5"), game="dollar-bill"), 0, 3),
    *at_last(
        "unreadable-action",
        *(f"2x5, {text}" for text in ("pass", "5", "x7", "5x", "5x10", "5xA", "5 x 7", "five", "5x7!", "+5x7", "5×7")),
        *("2x5, \0", "2x5, take"),
    ),
    Bad("an empty action", "unreadable-action", record({**DONE, "actions": [""]}), 0, 0),
    # A challenge or a count before the first bid, of one's own bid, or before everybody has challenged.
    *at_last("wrong-phase", "challenge", "count", "2x5, challenge, count", "2x5, around, 3x5, count"),
    *at_last("wrong-phase", "2x5, around, challenge"),
    *at_last(
        "no-such-claim",
        *(f"2x5, {bid}" for bid in ("0x7", "-1x7", "00x7", "25x1", f"{10**30}x1", "9" * 101 + "x1", "zero sevens")),
        *("2x5, 25 ones", "2x5, -0x1"),
    ),
    Bad("a digit not in play", "no-such-claim", record(hand("1x8", ["12345671"] * 3), options={"symbols": 7}), 0, 0),
    *at_last("no-such-claim", f"{'9' * 101}x1", options=OPEN_END),
    *at_last("repeated-claim", "2x5, 2x5", "2x5, 1x9, 2x0, 3x1, 1x9", options=LOOSE),
    *at_last(
        "not-stronger",
        *(f"2x5, {bid}" for bid in ("2x5", "2x4", "1x0", "1x9", "two fives", "an ace", "02x5")),
        "2x5, around, 2x5",
    ),
    *at_last("not-stronger", "2x5, 2x4", options=LOOSE),
    # Games in which zeros are low.
    Bad("2x0 over 2x5", "not-stronger", record(hand("2x5, 2x0"), game="dollar-bill"), 0, 1),
]
ALL = [*RECORDS, *ROUNDS, *ACTIONS]


def fault_of(document: Any) -> Fault:
    """Return the fault of a record that has one."""
    fault = replay(document).fault
    assert fault is not None
    return fault

"""For every option, and every value that it need not have by itself, a record in which the value makes a difference.

Each record stands on a preset that has the option otherwise, so that the same record with the option left out
(`without`) comes out differently. They are records of Liar's Poker Notation, whole and without a fault; only what
`REFUSED` names is a record that the option itself forbids.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from liarspoker.games.digits.options import LOWEST_DIGIT, OPTIONS
from liarspoker.games.digits.presets import presets
from tests.rules.digits.plays import holding

Record = dict[str, Any]
Pair = tuple[str, object]

NAMES = ["Ann", "Bob", "Cyd", "Dot", "Eve"]
BILLS = ["06742088", "92859819", "07202503"]


def hand(deal: list[str] | tuple[str, ...], actions: str, **more: object) -> Record:
    """One hand; `around` is a challenge from everybody else."""
    words: list[str] = []
    for word in actions.split():
        words += ["challenge"] * (len(deal) - 1) if word == "around" else [word]
    return {**more, "deal": list(deal), "actions": words}


def record(game: str, seats: int, options: Record, *rounds: Record, **top: object) -> Record:
    """One session."""
    return {"lpn": 1, "game": game, "players": NAMES[:seats], **top, "options": options, "rounds": list(rounds)}


def one_hand(game: str, option: str, value: object, counts: tuple[int, ...], bid: str) -> Record:
    """A hand in which seat 0 opens with `bid`, all challenge, and it is counted."""
    counting = " count" if presets()[game].options.rebid else ""
    played = hand(holding(int(bid[-1]), *counts), f"{bid} around{counting}")
    return record(game, len(counts), {option: value}, played)


def many_hands(game: str, options: Record, bids: list[str]) -> Record:
    """One hand for each bid, made by seat 0 who holds eight of the digit as everybody does; another is begun."""
    counting = " count" if presets()[game].options.rebid else ""
    hands = [hand(holding(int(bid[-1]), 8, 8), f"{bid} around{counting}", opener=0) for bid in bids]
    return record(game, 2, options, *hands, hand(holding(5, 8, 8), "", opener=0))


def letters_of_rows(value: str) -> Record:
    """Two slips of odd numbers: rows 0, 3, 6 and 9."""
    slips = [["11111111"] * 15, ["33333333"] * 15]
    rounds = [{"actions": ["1x9", "challenge", "count"]} for _ in range(3)]
    return record("slips", 2, {"row_letters": value}, *rounds, {"actions": ["1x9"]}, slips=slips)


def size_of_hand(size: int) -> Record:
    """Two players bid all the digits that there are on the table, and more there is not to bid."""
    return record("dollar-bill", 2, {"hand_size": size}, hand(["9" * size] * 2, f"{2 * size}x9"))


def digits_in_play(symbols: int) -> Record:
    """The highest digit in play has been bid: the next bid is of a higher level."""
    highest = LOWEST_DIGIT["zero_low"] + symbols - 1
    return record("dollar-bill", 2, {"symbols": symbols}, hand(["00000000"] * 2, f"1x{highest}"))


EFFECTS: dict[Pair, Record] = {
    # Over two fives "2x0" is legal or not, and the weakest bid is another.
    ("order", "zero_low"): record("salomon-1986", 3, {"order": "zero_low"}, hand(BILLS, "2x0 2x5")),
    ("order", "zero_high"): record("dollar-bill", 3, {"order": "zero_high"}, hand(BILLS, "2x5 2x0")),
    ("order", "ace_high"): record("dollar-bill", 3, {"order": "ace_high"}, hand(BILLS, "2x0 2x1")),
    ("rebid", True): record("dollar-bill", 3, {"rebid": True}, hand(BILLS, "2x5 around 6x0 around")),
    ("rebid", False): record("salomon-1986", 3, {"rebid": False}, hand(BILLS, "2x5 around")),
    ("level_bonus", True): one_hand("dollar-bill", "level_bonus", True, (8, 8, 8), "8x5"),
    ("level_bonus", False): one_hand("salomon-1986", "level_bonus", False, (8, 8, 8), "8x5"),
    ("sixes", True): one_hand("dollar-bill", "sixes", True, (2, 2, 2), "5x6"),
    ("sixes", False): one_hand("slips", "sixes", False, (2, 2, 2), "5x6"),
    ("hero", True): one_hand("dollar-bill", "hero", True, (0, 2, 2), "3x5"),
    ("hero", False): one_hand("salomon-1986", "hero", False, (0, 2, 2), "3x5"),
    ("none_wins", True): one_hand("dollar-bill", "none_wins", True, (0, 0, 0, 0), "3x5"),
    ("none_wins", False): one_hand("slips", "none_wins", False, (0, 0, 0, 0), "3x5"),
    # Alone it carries ones only, for without the bonuses every bid is worth one.
    ("progressive", True): many_hands("dollar-bill", {"progressive": True, "level_bonus": True}, ["7x5"]),
    ("progressive", False): many_hands("salomon-1986", {"progressive": False}, ["7x5"]),
    ("tenth_double", True): many_hands("dollar-bill", {"tenth_double": True}, ["1x5"] * 10),
    ("tenth_double", False): many_hands("slips", {"tenth_double": False}, ["1x5"] * 10),
    ("cap_level", False): record("salomon-1986", 3, {"cap_level": False}, hand(BILLS, "24x0 25x1 around 900x1")),
    ("carry_across_slips", False): many_hands("salomon-1986", {"carry_across_slips": False}, [*["1x5"] * 9, "7x5"]),
    ("loose_order", True): record("dollar-bill", 3, {"loose_order": True}, hand(BILLS, "2x5 1x9 3x2 2x8 around")),
    ("compound_carry", True): many_hands("salomon-1986", {"compound_carry": True}, ["7x5", "5x5"]),
    ("two_player_none", "loses"): one_hand("slips", "two_player_none", "loses", (0, 0), "2x5"),
    ("two_player_none", "push"): one_hand("salomon-1986", "two_player_none", "push", (0, 0), "2x5"),
    ("none_carry", "bid"): one_hand("salomon-1986", "none_carry", "bid", (0, 2, 2), "3x5"),
    ("next_opener", "winner"): one_hand("dollar-bill", "next_opener", "winner", (1, 0, 0), "2x5"),
    ("next_opener", "rotate"): one_hand("dollar-bill", "next_opener", "rotate", (2, 0, 0), "2x5"),
    ("row_letters", "A_to_P"): letters_of_rows("A_to_P"),
    ("first_opener_tie", "redraw"): record(
        "salomon-1986", 3, {"first_opener_tie": "redraw"}, hand(BILLS, "1x5"), letters=["CA", "BA", "BA"]
    ),
    # A replay tells the counts alone; the difference is in what a seat is shown.
    ("reveal", "full"): one_hand("salomon-1986", "reveal", "full", (1, 2, 0), "2x5"),
    ("reveal", "counts"): one_hand("slips", "reveal", "counts", (1, 2, 0), "2x5"),
    ("reveal", "on_request"): one_hand("slips", "reveal", "on_request", (1, 2, 0), "2x5"),
    **{("hand_size", size): size_of_hand(size) for size in range(1, 16) if size != 8},
    **{("symbols", symbols): digits_in_play(symbols) for symbols in range(2, 10)},
}

REFUSED: dict[Pair, str] = {("first_opener_tie", "redraw"): "bad-record"}
"""Records that the option forbids as they stand, with the code: letters that tie do not say who opens."""


def pairs_to_show() -> list[Pair]:
    """Every option with every value that some preset does not have."""
    defaults = {info.name: [getattr(preset.options, info.name) for preset in presets().values()] for info in OPTIONS}
    return [(info.name, value) for info in OPTIONS for value in info.choices if set(defaults[info.name]) - {value}]


def without(pair: Pair) -> Record:
    """The record of `pair` with its option as the preset has it."""
    plain = deepcopy(EFFECTS[pair])
    del plain["options"][pair[0]]
    return plain

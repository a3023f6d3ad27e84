"""The options of the digit games: what each is called, which values it takes, and their packed form.

`DigitOptions` is for people and records. `Rules` holds the same facts as plain ints, together with the number of
seats, for the rule functions: those work on ints alone, so that the engine can compile them as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from liarspoker.core.option_info import GameOptions, OptionInfo

LOWEST_DIGIT = {"zero_low": 0, "zero_high": 1, "ace_high": 2}
NEXT_OPENERS = ("final_bidder", "winner", "rotate")
ROW_LETTERS = {"skip_IO": "ABCDEFGHJKLMNPQ", "A_to_P": "ABCDEFGHIJKLMNP"}


_ON_OFF = (True, False)

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "order",
        ("zero_low", "zero_high", "ace_high"),
        "which digit ranks lowest and which highest: 0 to 9; 1 to 9 and the ten; 2 to 9, the ten and the ace",
        "003 (zeros low, or aces and tens high); 000 and 001 (zero the highest)",
    ),
    OptionInfo("rebid", _ON_OFF, "a bidder challenged all around may make one stronger bid", "000, 001"),
    OptionInfo("level_bonus", _ON_OFF, "high bids win more: the n+3 rule", "000, 001"),
    OptionInfo("sixes", _ON_OFF, "a bid of sixes wins twice as much", "000, 001"),
    OptionInfo("hero", _ON_OFF, "a bid made with none of the digit wins one multiple more", "000, 001"),
    OptionInfo("none_wins", _ON_OFF, "the bidder wins when nobody has the digit: the skunk, or none", "000, 001"),
    OptionInfo("progressive", _ON_OFF, "the last bid's multiplier is the next hand's stake", "000, 001"),
    OptionInfo("tenth_double", _ON_OFF, "every tenth hand is played for twice its stake", "000, 001"),
    OptionInfo(
        "cap_level",
        _ON_OFF,
        "no bid may ask for more digits than there are on the table",
        "no document names a cap; more can never be made",
    ),
    OptionInfo("carry_across_slips", _ON_OFF, "a new slip starts at the carried stake, not at one", "000, 001"),
    OptionInfo("loose_order", _ON_OFF, "any amount of a higher digit beats the bid", "003, step 8 read literally"),
    OptionInfo("compound_carry", _ON_OFF, "the carried stake is multiplied by the old one", "001, rule 3 read broadly"),
    OptionInfo(
        "two_player_none",
        ("loses", "push"),
        "two players and nobody has the digit: the bidder loses, or nobody pays",
        "000 (loses); 001 (push)",
    ),
    OptionInfo(
        "none_carry",
        ("double", "bid"),
        "the stake after a bidder who held none: two, or what the bid was worth",
        "000, 001",
    ),
    OptionInfo(
        "next_opener",
        NEXT_OPENERS,
        "who opens the next hand: the final bidder; he if he won, else the player after him; the next player",
        "000, 001 (the final bidder); 003",
    ),
    OptionInfo("row_letters", tuple(ROW_LETTERS), "how the fifteen rows of a slip are lettered", "001"),
    OptionInfo(
        "first_opener_tie",
        ("lowest_seat", "redraw"),
        "two bills with the same lowest letters: the lower seat opens, or the letters are drawn again",
        "000 leaves it open",
    ),
    OptionInfo(
        "reveal",
        ("full", "counts", "on_request"),
        "what a count makes public: the numbers, the counts alone, or the numbers once somebody asks",
        "003 and 001 (full); 000 (counts); 003 (on request)",
    ),
    OptionInfo("hand_size", range(1, 16), "digits in a hand", "000, 001, 003: eight; others for study"),
    OptionInfo(
        "symbols",
        range(2, 11),
        "how many digits are in play, the lowest of the order",
        "000, 001, 003: ten; fewer for study",
    ),
)


@dataclass(frozen=True, slots=True)
class DigitOptions(GameOptions):
    """How a digit game is played. The defaults are those of the 1986 rules (source 000).

    >>> DigitOptions().with_values({"hand_size": 3, "symbols": 3}).hand_size
    3
    >>> DigitOptions().with_values({"hand_size": 16})
    Traceback (most recent call last):
    liarspoker.core.errors.BadOption: hand_size = 16: it takes 1 to 15
    """

    whose: ClassVar[str] = "the digit games have"
    infos: ClassVar[tuple[OptionInfo, ...]] = OPTIONS

    order: str = "zero_high"
    rebid: bool = True
    level_bonus: bool = True
    sixes: bool = True
    hero: bool = True
    none_wins: bool = True
    progressive: bool = True
    tenth_double: bool = True
    cap_level: bool = True
    carry_across_slips: bool = True
    loose_order: bool = False
    compound_carry: bool = False
    two_player_none: str = "loses"
    none_carry: str = "double"
    next_opener: str = "final_bidder"
    row_letters: str = "skip_IO"
    first_opener_tie: str = "lowest_seat"
    reveal: str = "counts"
    hand_size: int = 8
    symbols: int = 10


class Rules(NamedTuple):
    """The options and the number of seats as ints, 1 for on and 0 for off, for the rule functions.

    `lowest_digit` is the digit of rank 0; the digit of rank r is `(lowest_digit + r) % 10`.
    """

    seats: int
    hand_size: int
    symbols: int
    lowest_digit: int
    capped: int
    loose: int
    rebid: int
    level_bonus: int
    sixes: int
    hero: int
    none_wins: int
    two_player_push: int
    progressive: int
    compound: int
    none_carries_double: int
    tenth_double: int
    slip_resets_stake: int
    next_opener: int


def packed(options: DigitOptions, seats: int, from_slips: bool = False) -> Rules:
    """`options` for a table of `seats` players, as ints.

    Every ten hands are a slip where the tenth is doubled, and where the numbers come from slips; only there can a new
    slip reset the stake.

    >>> packed(DigitOptions(), seats=4).symbols
    10
    """
    return Rules(
        seats=seats,
        hand_size=options.hand_size,
        symbols=options.symbols,
        lowest_digit=LOWEST_DIGIT[options.order],
        capped=int(options.cap_level),
        loose=int(options.loose_order),
        rebid=int(options.rebid),
        level_bonus=int(options.level_bonus),
        sixes=int(options.sixes),
        hero=int(options.hero),
        none_wins=int(options.none_wins),
        two_player_push=int(options.two_player_none == "push"),
        progressive=int(options.progressive),
        compound=int(options.compound_carry),
        none_carries_double=int(options.none_carry == "double"),
        tenth_double=int(options.tenth_double),
        slip_resets_stake=int(not options.carry_across_slips and (options.tenth_double or from_slips)),
        next_opener=NEXT_OPENERS.index(options.next_opener),
    )

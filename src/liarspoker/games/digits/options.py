"""The options of the digit games, and their packed form.

Records and users work with `DigitOptions`. The rule functions take `Rules`: the same options and the number of seats as
plain ints, so that the engine can compile these functions unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from liarspoker.core.option_info import GameOptions, OptionInfo
from liarspoker.language import N_

LOWEST_DIGIT = {"zero_low": 0, "zero_high": 1, "ace_high": 2}
"""The digit of rank 0 for each value of the option `order`."""
NEXT_OPENERS = ("final_bidder", "winner", "rotate")
"""The values of the option `next_opener`."""
ROW_LETTERS = {"skip_IO": "ABCDEFGHJKLMNPQ", "A_to_P": "ABCDEFGHIJKLMNP"}
"""The letters of a slip's rows for each value of the option `row_letters`."""


_ON_OFF = (True, False)

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "order",
        ("zero_low", "zero_high", "ace_high"),
        N_("which digit ranks lowest and which highest: 0 to 9; 1 to 9 and zero; 2 to 9, zero and the ace"),
        N_("003 (zeros low, or aces and tens high); 000 and 001 (zero the highest)"),
    ),
    OptionInfo("rebid", _ON_OFF, N_("a bidder challenged all around may make one stronger bid"), "000, 001"),
    OptionInfo("level_bonus", _ON_OFF, N_("high bids win more (the n+3 rule)"), "000, 001"),
    OptionInfo("sixes", _ON_OFF, N_("a bid of sixes wins twice as much"), "000, 001"),
    OptionInfo(
        "hero", _ON_OFF, N_("a made bid whose bidder holds none of the digit wins one multiple more"), "000, 001"
    ),
    OptionInfo("none_wins", _ON_OFF, N_("the bidder wins if nobody has the digit (the skunk, or none)"), "000, 001"),
    OptionInfo("progressive", _ON_OFF, N_("the last bid's multiplier is the next hand's stake"), "000, 001"),
    OptionInfo("tenth_double", _ON_OFF, N_("every tenth hand is played for double its stake"), "000, 001"),
    OptionInfo(
        "cap_level",
        _ON_OFF,
        N_("the level can't exceed the number of digits on the table"),
        N_("no source states a cap; a higher bid can never be made"),
    ),
    OptionInfo(
        "carry_across_slips", _ON_OFF, N_("a new slip starts at the carried stake rather than at one"), "000, 001"
    ),
    OptionInfo(
        "loose_order", _ON_OFF, N_("any level of a higher digit beats the bid"), N_("003, step 8 read literally")
    ),
    OptionInfo(
        "compound_carry", _ON_OFF, N_("the carried stake is multiplied by the old one"), N_("001, rule 3 read broadly")
    ),
    OptionInfo(
        "two_player_none",
        ("loses", "push"),
        N_("two players and nobody has the digit: the bidder loses, or nobody pays"),
        N_("000 (loses); 001 (push)"),
    ),
    OptionInfo(
        "none_carry",
        ("double", "bid"),
        N_("the stake after a bidder who held none: two, or the bid's multiplier"),
        "000, 001",
    ),
    OptionInfo(
        "next_opener",
        NEXT_OPENERS,
        N_(
            "who opens the next hand: the final bidder; the final bidder if they won, else the player after them; or "
            "the player after the last opener"
        ),
        N_("000, 001 (the final bidder); 003"),
    ),
    OptionInfo("row_letters", tuple(ROW_LETTERS), N_("the letters of the fifteen rows of a slip"), "001"),
    OptionInfo(
        "first_opener_tie",
        ("lowest_seat", "redraw"),
        N_("if two bills share the lowest letters: the lower seat opens, or the letters are drawn again"),
        N_("000 leaves it open"),
    ),
    OptionInfo(
        "reveal",
        ("full", "counts", "on_request"),
        N_("what a count makes public: the numbers, only the counts, or the numbers on request"),
        N_("003 and 001 (full); 000 (counts); 003 (on request)"),
    ),
    OptionInfo("hand_size", range(1, 16), N_("digits in a hand"), N_("000, 001, 003: eight; other sizes for research")),
    OptionInfo(
        "symbols",
        range(2, 11),
        N_("how many digits are in play, from the lowest of the order"),
        N_("000, 001, 003: ten; fewer for research"),
    ),
)
"""The options of the digit games."""


@dataclass(frozen=True, slots=True)
class DigitOptions(GameOptions):
    """The options of a digit game; `OPTIONS` describes each. The defaults are the 1986 rules (source 000).

    >>> DigitOptions().with_values({"hand_size": 3, "symbols": 3}).hand_size
    3
    >>> DigitOptions().with_values({"hand_size": 16})
    Traceback (most recent call last):
    liarspoker.core.errors.BadOption: hand_size = 16: it must be 1 to 15
    """

    unknown: ClassVar[str] = N_("{name}: the digit games have no such option; the options are {options}")
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
    """The options and the number of seats as ints (1 for on, 0 for off), for the rule functions.

    Attributes:
        seats: the number of players, 2 or more.
        hand_size: digits in a hand.
        symbols: digits in play.
        lowest_digit: the digit of rank 0; the digit of rank r is `(lowest_digit + r) % 10`.
        capped: `cap_level`.
        loose: `loose_order`.
        rebid: `rebid`.
        level_bonus: `level_bonus`.
        sixes: `sixes`.
        hero: `hero`.
        none_wins: `none_wins`.
        two_player_push: 1 if `two_player_none` is `push`.
        progressive: `progressive`.
        compound: `compound_carry`.
        none_carries_double: 1 if `none_carry` is `double`.
        tenth_double: `tenth_double`.
        slip_resets_stake: 1 if a new slip starts at stake 1.
        next_opener: index of `next_opener` in `NEXT_OPENERS`.
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
    """Return `options` as ints for a table of `seats` players.

    A new slip can reset the stake only if hands are grouped into slips of ten: with `tenth_double` on, or when dealing
    from slips.

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

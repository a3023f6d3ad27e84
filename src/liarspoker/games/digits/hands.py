"""Hands and slips of digits.

A hand is a string of digits to people, and to the rules a pack of counts: four bits a digit. A digit that nobody
outside has seen is written `?`; it counts as none until somebody says how the whole hand counts.

A slip is fifteen numbers in a column, ten of them played. Sources 000 ("SLIPS") and 001 ("Game Mechanics"). Rows are 0
to 14 from the top; the rows already played are a mask of fifteen bits.
"""

from __future__ import annotations

HIDDEN = "?"
_BITS = 4
_MASK = 15


def packed_counts(number: str) -> int:
    """How often each digit stands in `number`, packed four bits a digit (digit 0 lowest); hidden digits are left out.

    >>> [count_of(packed_counts("06742088"), digit) for digit in (0, 8, 9)]
    [2, 2, 0]
    """
    return sum(1 << _BITS * int(digit) for digit in number if digit != HIDDEN)


def count_of(counts: int, digit: int) -> int:
    """How many of `digit` a pack of counts holds, 0 to 15."""
    return counts >> _BITS * digit & _MASK


def ends_odd(number: str) -> bool:
    """Whether the number's last digit, which must be known, is odd; 0 is even."""
    return int(number[-1]) % 2 == 1


ROWS = 15
HANDS_PER_SLIP = 10


def next_row(row: int, played: int, odd_endings: int) -> int:
    """The row that is played after `row`.

    One unplayed row is skipped for each number that ended in an odd digit; the walk goes down, wraps from the bottom
    to the top, and passes over rows already played.

    Args:
        row: the row just played, 0 to 14.
        played: mask of the rows played on this slip, `row` included; at most fourteen of them.
        odd_endings: how many of the numbers just played end in an odd digit, 0 or more.

    >>> next_row(0, 0b1, odd_endings=2)
    3
    >>> next_row(13, 0b10000000000001, odd_endings=1)
    1
    """
    unplayed = 0
    for candidate in range(ROWS):
        if not played >> candidate & 1:
            unplayed += 1
    skips = odd_endings % unplayed
    candidate = row
    while True:
        candidate = candidate + 1 if candidate + 1 < ROWS else 0
        if not played >> candidate & 1:
            if skips == 0:
                return candidate
            skips -= 1


def begins_slip(hand: int) -> bool:
    """Whether hand number `hand` (from 0) is the first of a slip."""
    return hand % HANDS_PER_SLIP == 0


def rows_needed(hands: int) -> int:
    """How many rows the slips have from which the first `hands` hands of a session are played; a slip counts whole.

    >>> [rows_needed(hands) for hands in (0, 1, 10, 11)]
    [0, 15, 15, 30]
    """
    return -(-hands // HANDS_PER_SLIP) * ROWS


def row_of_hand(hand: int, row: int, played: int, odd_endings: int) -> int:
    """The row that hand number `hand` (from 0) plays: the top one of a new slip, else the one that `next_row` finds.

    Args:
        hand: the hand's number in the session.
        row: the row of the hand before.
        played: mask of the rows played on the slip of the hand before.
        odd_endings: how many of the numbers of the hand before end in an odd digit.

    >>> row_of_hand(10, 13, 0b111111111, odd_endings=1), row_of_hand(1, 0, 0b1, odd_endings=1)
    (0, 2)
    """
    return 0 if begins_slip(hand) else next_row(row, played, odd_endings)


def played_after(hand: int, row: int, played: int) -> int:
    """The mask of the rows played on the slip in play, once hand number `hand` (from 0) has played `row`.

    Args:
        hand: the hand's number in the session.
        row: the row that it played.
        played: the mask after the hand before; that of a slip which is used up does not count.

    >>> played_after(9, 4, 0b1111), played_after(10, 0, 0b11111)
    (31, 1)
    """
    return 1 << row if begins_slip(hand) else played | 1 << row

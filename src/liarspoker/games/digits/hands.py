"""Hands and slips of digits.

Users and records write a hand as a string of digits; the rule functions use its counts, packed into one int with four
bits per digit. A digit that was never shown is written `?` and isn't counted.

A slip has fifteen rows, each a number, of which ten are played (sources 000, "SLIPS", and 001, "Game Mechanics"). Rows
are numbered 0 to 14 from the top. The set of rows already played is a bit mask.
"""

from __future__ import annotations

HIDDEN = "?"
"""Takes the place of a digit that was never shown."""
_BITS = 4
_MASK = 15


def packed_counts(number: str) -> int:
    """Return the counts of the digits in `number`, packed four bits per digit (digit 0 lowest), without hidden digits.

    >>> [count_of(packed_counts("06742088"), digit) for digit in (0, 8, 9)]
    [2, 2, 0]
    """
    return sum(1 << _BITS * int(digit) for digit in number if digit != HIDDEN)


def count_of(counts: int, digit: int) -> int:
    """Return the count of `digit` in packed counts, 0 to 15."""
    return counts >> _BITS * digit & _MASK


def ends_odd(number: str) -> bool:
    """Return whether the number's last digit, which must be known, is odd."""
    return int(number[-1]) % 2 == 1


ROWS = 15
"""The number of rows on a slip."""
HANDS_PER_SLIP = 10
"""The number of hands played from a slip."""


def next_row(row: int, played: int, odd_endings: int) -> int:
    """Return the row that is played after `row`.

    Going down and wrapping from the bottom to the top, skip one unplayed row for each number that ended in an odd
    digit, and play the next unplayed row.

    Args:
        row: the row just played, 0 to 14.
        played: mask of the rows played on this slip, including `row`; at most fourteen rows.
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
    """Return whether hand number `hand` (from 0) is the first of a slip."""
    return hand % HANDS_PER_SLIP == 0


def rows_needed(hands: int) -> int:
    """Return the number of rows on the slips needed for the first `hands` hands of a session.

    >>> [rows_needed(hands) for hands in (0, 1, 10, 11)]
    [0, 15, 15, 30]
    """
    return -(-hands // HANDS_PER_SLIP) * ROWS


def row_of_hand(hand: int, row: int, played: int, odd_endings: int) -> int:
    """Return the row that hand number `hand` (from 0) plays: the top row of a new slip, else that of `next_row`.

    Args:
        hand: the hand's number in the session.
        row: the row of the previous hand.
        played: mask of the rows played on the slip of the previous hand.
        odd_endings: how many of the numbers of the previous hand end in an odd digit.

    >>> row_of_hand(10, 13, 0b111111111, odd_endings=1), row_of_hand(1, 0, 0b1, odd_endings=1)
    (0, 2)
    """
    return 0 if begins_slip(hand) else next_row(row, played, odd_endings)


def played_after(hand: int, row: int, played: int) -> int:
    """Return the mask of the rows played on the current slip after hand number `hand` (from 0) has played `row`.

    Args:
        hand: the hand's number in the session.
        row: the row that it played.
        played: the mask after the hand before; ignored if `hand` begins a new slip.

    >>> played_after(9, 4, 0b1111), played_after(10, 0, 0b11111)
    (31, 1)
    """
    return 1 << row if begins_slip(hand) else played | 1 << row

"""What who looks holds: his number as a banknote with its digits grouped, or his slip of fifteen rows."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, next_row
from liarspoker.games.digits.ladder import digit_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.records.words import digit_name
from liarspoker.web.draw import SlipRow


@dataclass(frozen=True, slots=True)
class Group:
    """Equal digits of a number: the digits, whether the standing bid names them, and how many in words."""

    sign: str
    bid: bool
    words: str


@dataclass(frozen=True, slots=True)
class Paper:
    """A number as it is printed.

    Attributes:
        marked: the places of those that the standing bid names.
        grouped: the digits in the order of the game.
        grouped_marked: the same places in that order.
        before: the letter before the digits; empty for none.
        bid_words: how much it has of the standing bid; empty before the first.
    """

    serial: str
    marked: tuple[int, ...]
    grouped: str
    grouped_marked: tuple[int, ...]
    before: str
    after: str
    words: str
    groups: tuple[Group, ...]
    bid_words: str


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip: its rows, the letter of the row in play, and which hand, from 1, of how many this is."""

    rows: tuple[SlipRow, ...]
    letter: str
    hand: int
    of: int


def paper_of(seen: SeenHand) -> Paper | None:
    """The number of who looks; `None` for who has none."""
    serial = seen.hand.number
    if not serial:
        return None
    rules, claim = seen.rules, seen.claim
    named = None if claim is None else str(digit_of(claim, rules))
    grouped = "".join(sorted(serial, key=lambda sign: rank_of(int(sign), rules)))
    letters = seen.view.letters
    flank = "" if not letters or seen.seat is None else letters[seen.seat]
    held = 0 if named is None else serial.count(named)
    bid_words = "" if named is None else f"{held or 'none'} of the bid"
    spoken = " ".join(filter(None, (flank[:1], " ".join(serial), flank[1:])))
    return Paper(
        serial=serial,
        marked=_places(serial, named),
        grouped=grouped,
        grouped_marked=_places(grouped, named),
        before=flank[:1],
        after=flank[1:],
        words=f"Your number: {spoken}" + (f"; {bid_words}" if bid_words else ""),
        groups=_groups(grouped, named, rules),
        bid_words=bid_words,
    )


def _places(serial: str, named: str | None) -> tuple[int, ...]:
    return tuple(place for place, sign in enumerate(serial) if sign == named)


def _groups(grouped: str, named: str | None, rules: Rules) -> tuple[Group, ...]:
    return tuple(
        Group(sign * count, sign == named, f"{count} {digit_name(int(sign), count, rules)}")
        for sign, count in ((sign, grouped.count(sign)) for sign in dict.fromkeys(grouped))
    )


def slip_of(seen: SeenHand) -> Slip | None:
    """The slip of who looks; `None` where bills are dealt, or for who has none."""
    numbers = seen.hand.slip
    row = seen.view.row
    if not numbers or row is None:
        return None
    played = set(seen.hand.rows_played or ())
    nexts = _rows_that_may_follow(row, played, seen)
    rows = tuple(
        SlipRow(
            letter=seen.row_letters[place],
            serial=number,
            note=_note(place, row, played, nexts, seen),
            played=place in played and place != row,
            current=place == row,
        )
        for place, number in enumerate(numbers)
    )
    return Slip(rows, seen.view.letter or "", seen.view.round % HANDS_PER_SLIP + 1, HANDS_PER_SLIP)


def _rows_that_may_follow(row: int, played: set[int], seen: SeenHand) -> dict[int, list[int]]:
    """By row, after how many odd endings it is the next one; empty at the last hand of a slip."""
    if seen.view.round % HANDS_PER_SLIP == HANDS_PER_SLIP - 1:
        return {}
    mask = sum(1 << place for place in {*played, row} if place < ROWS)
    nexts: dict[int, list[int]] = {}
    for odd in range(seen.seats + 1):
        nexts.setdefault(next_row(row, mask, odd), []).append(odd)
    return nexts


def _note(place: int, row: int, played: set[int], nexts: dict[int, list[int]], seen: SeenHand) -> str:
    result = seen.result
    if place == row:
        return "in play" if result is None else "counted"
    if place in played:
        return "played"
    odd = nexts.get(place, [])
    if result is not None:
        return "next" if sum(result.odd_endings) in odd else ""
    return f"next if {' or '.join(map(str, odd))} odd" if odd else ""

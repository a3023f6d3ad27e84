"""The viewer's own number, drawn as a banknote with its digits grouped, or their slip of fifteen rows."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, next_row
from liarspoker.games.digits.ladder import digit_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.context import HandContext
from liarspoker.language import _, per_language, pgettext
from liarspoker.records.words import any_of, count_in_words
from liarspoker.web.draw import SlipRow


@dataclass(frozen=True, slots=True, eq=False)  # equal groups are the same object, so caches need not compare them
class Group:
    """The equal digits of a number.

    Attributes:
        sign: the digits, such as `888`.
        words: how many there are, in words.
        bid_words: the same if the standing bid is of this digit, such as `2 of the bid`; else empty.
    """

    sign: str
    words: str
    bid_words: str


@dataclass(frozen=True, slots=True, eq=False)  # equal papers are the same object, so caches need not compare them
class Paper:
    """A number as it is printed.

    Attributes:
        serial: the number.
        marked: the indices of the standing bid's digit.
        grouped: the digits, sorted by rank.
        grouped_marked: the indices of the standing bid's digit in `grouped`.
        before: the letter before the number; empty for none.
        after: the letter after the number; empty for none.
        words: the number in words, for screen readers.
        groups: the digits, grouped.
        bid_words: how many of the standing bid's digit it has; empty before the first bid.
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
    """The viewer's slip.

    Attributes:
        rows: the fifteen rows.
        letter: the letter of the row in play.
        hand: the number of the hand on this slip, from 1.
        of: the number of hands on a slip.
    """

    rows: tuple[SlipRow, ...]
    letter: str
    hand: int
    of: int


def paper_of(context: HandContext) -> Paper | None:
    """Return the viewer's number; `None` for a viewer without one."""
    serial = context.hand.number
    if not serial:
        return None
    claim, letters = context.claim, context.view.letters
    named = None if claim is None else str(digit_of(claim, context.rules))
    return _paper(serial, named, "" if not letters or context.seat is None else letters[context.seat], context.rules)


@per_language(2048)
def _paper(serial: str, named: str | None, flank: str, rules: Rules) -> Paper:
    grouped = "".join(sorted(serial, key=lambda sign: rank_of(int(sign), rules)))
    counts = {sign: grouped.count(sign) for sign in grouped}
    bid_words = _of_the_bid(counts.get(named, 0)) if named is not None else ""
    digits = " ".join(filter(None, (flank[:1], " ".join(serial), flank[1:])))
    return Paper(
        serial=serial,
        marked=_places(serial, named),
        grouped=grouped,
        grouped_marked=_places(grouped, named),
        before=flank[:1],
        after=flank[1:],
        words=_("Your number: {digits}; {of_the_bid}", digits=digits, of_the_bid=bid_words)
        if bid_words
        else _("Your number: {digits}", digits=digits),
        groups=tuple([_group(sign, count, sign == named, rules) for sign, count in counts.items()]),
        bid_words=bid_words,
    )


def _of_the_bid(held: int) -> str:
    # Translators: how many of the bid's digit the player holds
    return _("{count} of the bid", count=held) if held else _("none of the bid")


def _places(serial: str, named: str | None) -> tuple[int, ...]:
    return tuple(place for place, sign in enumerate(serial) if sign == named)


@per_language(1024)
def _group(sign: str, count: int, is_bid: bool, rules: Rules) -> Group:
    return Group(sign * count, count_in_words(count, int(sign), rules), _of_the_bid(count) if is_bid else "")


def slip_of(context: HandContext) -> Slip | None:
    """Return the viewer's slip; `None` where bills are dealt and for a viewer without a slip."""
    numbers = context.hand.slip
    row = context.view.row
    if not numbers or row is None:
        return None
    played = set(context.hand.rows_played or ())
    nexts = _rows_that_may_follow(row, played, context)
    rows = tuple(
        SlipRow(
            letter=context.row_letters[place],
            serial=number,
            note=_note(place, row, played, nexts, context),
            played=place in played and place != row,
            current=place == row,
        )
        for place, number in enumerate(numbers)
    )
    return Slip(rows, context.view.letter or "", context.view.round % HANDS_PER_SLIP + 1, HANDS_PER_SLIP)


def _rows_that_may_follow(row: int, played: set[int], context: HandContext) -> dict[int, list[int]]:
    """Return the possible next rows with the numbers of odd endings that lead to them; empty on a slip's last hand."""
    if context.view.round % HANDS_PER_SLIP == HANDS_PER_SLIP - 1:
        return {}
    mask = sum(1 << place for place in {*played, row} if place < ROWS)
    nexts: dict[int, list[int]] = {}
    for odd in range(context.seats + 1):
        nexts.setdefault(next_row(row, mask, odd), []).append(odd)
    return nexts


def _note(place: int, row: int, played: set[int], nexts: dict[int, list[int]], context: HandContext) -> str:
    result = context.result
    if place == row:
        # Translators: a row of a slip
        return pgettext("row", "in play") if result is None else pgettext("row", "counted")
    if place in played:
        return pgettext("row", "played")
    odd = nexts.get(place, [])
    if result is not None:
        return pgettext("row", "next") if sum(result.odd_endings) in odd else ""
    # Translators: the row is played next if this many numbers end in an odd digit, as in "next if 1 or 2 odd"
    return _("next if {number} odd", number=any_of(list(map(str, odd)))) if odd else ""

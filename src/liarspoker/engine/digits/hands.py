"""One hand within a session, in compiled code: what it begins with, its actions, its count and what it leaves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance, below
from liarspoker.engine.digits.dealing import counts_in, dealt_number, last_is_odd
from liarspoker.games.digits.auction import Auction
from liarspoker.games.digits.carry import base_stake, next_opener, next_stake, stake_of_hand
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import Settlement, payoff, settle
from liarspoker.games.digits.slips import ROWS, begins_slip, played_after, row_of_hand

Ints = NDArray[np.int64]


class Source(NamedTuple):
    """Where numbers come from.

    Attributes:
        alphabet: the digits in play, from `alphabet_of`.
        from_slips: 1 where they come from slips.
        letter_pairs: how many pairs of letters a bill may have, where letters choose the first opener; else 0.
        redraw: 1 where letters are drawn again if two bills have the same lowest ones.
    """

    alphabet: int
    from_slips: int
    letter_pairs: int
    redraw: int


class Ledger(NamedTuple):
    """What the hands before leave to the next one; ints alone.

    Attributes:
        hand: its number in the session, from 0.
        opener: who bids first.
        carried: the stake that the hand before left.
        row: the row of the slip that the hand before played, -1 for none.
        played: mask of the rows played on that slip.
        odd: how many of the numbers of the hand before end in an odd digit.
    """

    hand: int
    opener: int
    carried: int
    row: int
    played: int
    odd: int


class Terms(NamedTuple):
    """What a hand is played on: its row (-1 without slips), and its stake before and after a tenth hand's doubling."""

    row: int
    base: int
    stake: int


class Count(NamedTuple):
    """How a hand came out: the bidder's and everybody's number of the digit, and what follows from them."""

    own: int
    total: int
    settlement: Settlement


def beginning(opener: int) -> Ledger:
    """The ledger before a session's first hand."""
    return Ledger(0, opener, 1, -1, 0, 0)


def lowest_pair(chance: Chance, seats: int, source: Source) -> int:
    """The seat whose letters are lowest: among equal ones the first, or they are drawn again."""
    while True:
        lowest, seat, tied = source.letter_pairs, 0, False
        for other in range(seats):
            pair = below(chance, source.letter_pairs)
            if pair < lowest:
                lowest, seat, tied = pair, other, False
            elif pair == lowest:
                tied = True
        if not (tied and source.redraw):
            return seat


def terms_of(ledger: Ledger, from_slips: int, rules: Rules) -> Terms:
    """What the next hand is played on."""
    row = row_of_hand(ledger.hand, ledger.row, ledger.played, ledger.odd) if from_slips else -1
    base = base_stake(ledger.hand, ledger.carried, rules)
    return Terms(row, base, stake_of_hand(ledger.hand, base, rules))


def deal(
    chance: Chance, ledger: Ledger, row: int, source: Source, rules: Rules, slips: Ints, numbers: Ints, counts: Ints
) -> None:
    """Deal a hand into `numbers` and `counts`, `[seats]` each; a new slip first into `slips`, `[15, seats]`."""
    if source.from_slips and begins_slip(ledger.hand):
        for seat in range(rules.seats):
            for line in range(ROWS):
                slips[line, seat] = dealt_number(chance, source.alphabet, rules)
    for seat in range(rules.seats):
        numbers[seat] = slips[row, seat] if source.from_slips else dealt_number(chance, source.alphabet, rules)
        counts[seat] = counts_in(numbers[seat], rules)


def counted(auction: Auction, counts: Ints, rules: Rules) -> Count:
    """Hold the final bid against all numbers."""
    digit = digit_of(auction.claim, rules)
    total = 0
    for seat in range(rules.seats):
        total += count_of(counts[seat], digit)
    own = count_of(counts[auction.bidder], digit)
    return Count(own, total, settle(auction.claim, own, total, rules))


def pay(auction: Auction, count: Count, stake: int, rules: Rules, payoffs: Ints) -> None:
    """Write what each seat wins into `payoffs`, `[seats]`."""
    for seat in range(rules.seats):
        payoffs[seat] = payoff(seat, auction.bidder, count.settlement, stake, rules)


def closed(
    ledger: Ledger, terms: Terms, auction: Auction, count: Count, numbers: Ints, from_slips: int, rules: Rules
) -> Ledger:
    """The ledger after a hand."""
    odd, played = 0, 0
    if from_slips:
        played = played_after(ledger.hand, terms.row, ledger.played)
        for seat in range(rules.seats):
            odd += last_is_odd(numbers[seat], rules)
    opener = next_opener(ledger.opener, auction.bidder, count.settlement.outcome, rules)
    carried = next_stake(count.settlement.bid_multiplier, count.own, terms.base, rules)
    return Ledger(ledger.hand + 1, opener, carried, terms.row, played, odd)

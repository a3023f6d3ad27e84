"""What a neural network sees of a digit game, and which actions it chooses from.

A network compares the digits in play with each other. For each digit it gets a row of features, such as how many of it
the hand holds and what every bid of it would be worth; further features describe the table as a whole. It chooses
between the weakest legal bids of each digit and the answer.

Payoffs and probabilities come from the rules, so that options which change them need no features of their own. All
functions can be compiled.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from liarspoker.bots.network import Sizes
from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.appraisal import Floats, at_least, paid_to_bidder, paid_to_other, tail
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, RESPOND, Auction, refusal
from liarspoker.games.digits.beliefs import MutableFloats
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import bid_multiplier, sixes_factor

Moves = Any
"""Seat and action of each move: pairs in Python, rows of an array in compiled code."""

BIDS = 4
"""The number of bids of each digit, from the weakest legal one, between which a network chooses."""

ANSWERS = 1
"""The number of answers: a challenge or a count."""

_OF_DIGIT = 17
_BY_OTHER = 5
_OF_TABLE = 31
_OF_OTHER = 2
_TEMPERAMENT = 1
_MOST_JUMP = 4.0


class Tails(NamedTuple):
    """The probabilities of at least 0, 1, ... of a digit among unseen digits that nobody has said anything about.

    Attributes:
        unseen: among the digits of all other players.
        held: among those of one of them.
        rest: among those of all but one of them.
    """

    unseen: Floats
    held: Floats
    rest: Floats


def tails_of(rules: Rules) -> Tails:
    """Return the tails for a table's rules. It isn't compiled."""
    players, blind = rules.seats - 1, 1 / rules.symbols
    return Tails(*(tail(rules.hand_size * many, blind) for many in (players, 1, players - 1)))


def digit_features(rules: Rules) -> int:
    """Return the number of features of each digit."""
    return _OF_DIGIT + _BY_OTHER * (rules.seats - 1)


def table_features(rules: Rules) -> int:
    """Return the number of features of the table; the last one is the temperament, which the network's user sets."""
    return _OF_TABLE + _OF_OTHER * (rules.seats - 1) + _TEMPERAMENT


def sizes_of(rules: Rules) -> Sizes:
    """Return the sizes of a network for a table."""
    return Sizes(rules.symbols, digit_features(rules), table_features(rules), BIDS, ANSWERS)


def write_features(
    auction: Auction, counts: int, moves: Moves, made: int, tails: Tails, rules: Rules, out: MutableFloats
) -> None:
    """Write the features of the seat to act: first those of every digit, the lowest rank first, then the table's.

    Args:
        auction: the state of the auction.
        counts: the packed counts of the digits in the seat's hand.
        moves: seat and action of each move in this hand.
        made: how many of them there are.
        tails: from `tails_of`.
        rules: the table's rules.
        out: `symbols * digit_features + table_features` numbers, all of which are written.
    """
    write_moves(auction, moves, made, rules, out)
    for rank in range(rules.symbols):
        write_digit(rank, count_of(counts, digit_of(rank, rules)), auction, tails, rules, out)
    write_table(auction, counts, made, tails, rules, out)


def write_digit(rank: int, own: int, auction: Auction, tails: Tails, rules: Rules, out: MutableFloats) -> None:
    """Write those features of a digit that don't depend on who bid it.

    If nobody bid it, these are all its features, and they depend on its weakest bid and on `own` alone.

    Args:
        rank: the digit's rank.
        own: how many of it the hand holds.
        auction: the state of the auction.
        tails: from `tails_of`.
        rules: the table's rules.
        out: as for `write_features`.
    """
    width, expected = digit_features(rules), rules.hand_size * (rules.seats - 1) / rules.symbols
    start, weakest = rank * width, weakest_bid(rank, auction, rules)
    out[start] = own / 4
    out[start + 1] = 1.0 if own == 0 else 0.0
    out[start + 2] = 1.0 if auction.claim != NO_CLAIM and auction.claim % rules.symbols == rank else 0.0
    out[start + 3] = (level_of(weakest, rules) - own - expected) / 4
    for step in range(BIDS):
        claim = weakest + step * rules.symbols
        if refusal(auction, claim, rules) == LEGAL:
            out[start + 4 + step] = at_least(level_of(claim, rules) - own, tails.unseen)
            out[start + 8 + step] = paid_to_bidder(claim, own, tails.unseen, rules) / 2
    out[start + 12] = sixes_factor(weakest, rules) - 1.0
    out[start + 13] = rank / rules.symbols


def write_table(auction: Auction, counts: int, made: int, tails: Tails, rules: Rules, out: MutableFloats) -> None:
    """Write those features of the table that don't depend on who bid what; arguments as for `write_features`."""
    table = rules.symbols * digit_features(rules)
    _own, most, second, lacking = held(auction, counts, rules)
    out[table + auction.phase] = 1.0
    if auction.claim != NO_CLAIM:
        _write_standing(auction, counts, tails, rules, table, out)
    out[table + 12] = made / 8
    out[table + 13] = most / 4
    out[table + 14] = second / 4
    out[table + 15] = lacking / 8
    out[table + 16] = rules.rebid
    out[table + 17] = rules.level_bonus
    out[table + 18] = rules.sixes
    out[table + 19] = rules.hero
    out[table + 20] = rules.none_wins
    out[table + 21] = rules.two_player_push
    out[table + 22] = rules.lowest_digit / 2


def held(auction: Auction, counts: int, rules: Rules) -> tuple[int, int, int, int]:
    """Return all that the features of the table depend on in a hand; those of a digit depend on its count alone.

    Returns:
        How many of the standing bid's digit it holds, how many of its most and its second most frequent digit, and how
        many digits it lacks.
    """
    own, most, second, lacking = 0, 0, 0, 0
    for rank in range(rules.symbols):
        count = count_of(counts, digit_of(rank, rules))
        if count > most:
            most, second = count, most
        elif count > second:
            second = count
        lacking += count == 0
        if auction.claim != NO_CLAIM and auction.claim % rules.symbols == rank:
            own = count
    return own, most, second, lacking


def _write_standing(auction: Auction, counts: int, tails: Tails, rules: Rules, table: int, out: MutableFloats) -> None:
    """Write the features of the standing bid, for the table."""
    expected = rules.hand_size * (rules.seats - 1) / rules.symbols
    level, own = level_of(auction.claim, rules), count_of(counts, digit_of(auction.claim, rules))
    out[table + 3] = level / 8
    out[table + 4] = own / 4
    out[table + 5] = (level - own - expected) / 4
    out[table + 6] = at_least(level - own, tails.unseen)
    if auction.phase == DECIDE:
        out[table + 7] = paid_to_bidder(auction.claim, own, tails.unseen, rules) / 2
    else:
        out[table + 7] = paid_to_other(auction.claim, own, tails.held, tails.rest, rules) / 2
    out[table + 8] = bid_multiplier(auction.claim, rules) / 4
    out[table + 9] = auction.is_rebid
    out[table + 10] = auction.challenges / 2
    out[table + 11] = sixes_factor(auction.claim, rules) - 1.0


def write_moves(auction: Auction, moves: Moves, made: int, rules: Rules, out: MutableFloats) -> None:
    """Clear all features, and write what each seat has bid of each digit, and how the standing bid came about.

    Seats are counted from the seat to act. A jump is the distance of a bid from the bid before it, in levels. The
    arguments are as for `write_features`.
    """
    for place in range(len(out)):
        out[place] = 0.0
    width, table = digit_features(rules), rules.symbols * digit_features(rules)
    standing, before, jump = NO_CLAIM, NO_CLAIM, 0.0
    for place in range(made):
        other, action = (moves[place][0] - auction.to_act) % rules.seats, moves[place][1]
        by = table + _OF_TABLE + _OF_OTHER * (other - 1)
        if action < 0:
            out[by + 1 if other > 0 else table + 23] += 0.25
            continue
        rank, level = action % rules.symbols, level_of(action, rules) / 8
        jump = min(_MOST_JUMP, (action - standing - 1) / rules.symbols) / 4
        start = rank * width
        if other == 0:
            out[start + 14] = level
            out[start + 15] += 0.25
            out[table + 24] += 0.25
        else:
            out[start + 16] = level
            seen = start + _OF_DIGIT + _BY_OTHER * (other - 1)
            if out[seen] == 0.0:
                out[seen + 2] = level
            out[seen] = level
            out[seen + 1] += 0.25
            out[seen + 3] = jump
            out[seen + 4] = 1.0 if standing != NO_CLAIM and standing % rules.symbols == rank else 0.0
        standing, before = action, standing
    if standing == NO_CLAIM:
        return
    start = (standing % rules.symbols) * width
    out[table + 25] = jump
    out[table + 26] = 1.0 if before == NO_CLAIM else 0.0
    out[table + 27] = 1.0 if before != NO_CLAIM and before % rules.symbols == standing % rules.symbols else 0.0
    out[table + 28] = out[start + 14]
    out[table + 29] = out[start + 16]
    bidder = (auction.bidder - auction.to_act) % rules.seats
    if bidder > 0:
        out[table + 30] = out[start + _OF_DIGIT + _BY_OTHER * (bidder - 1) + 2]
        out[table + _OF_TABLE + _OF_OTHER * (bidder - 1)] = 1.0


def was_bid(rank: int, rules: Rules, out: MutableFloats) -> bool:
    """Return whether anybody bid a digit, after `write_moves`."""
    start = rank * digit_features(rules)
    return bool(out[start + 14] > 0.0 or out[start + 16] > 0.0)


def weakest_bid(rank: int, auction: Auction, rules: Rules) -> int:
    """Return the first of the bids of a digit between which a network chooses.

    Over a standing bid it is the weakest legal one. At the opening its level is the number of the other players.
    """
    if auction.phase == OPEN:
        return (rules.seats - 2) * rules.symbols + rank
    return auction.claim + 1 + (rank - auction.claim - 1) % rules.symbols


def action_of(column: int, auction: Auction, rules: Rules) -> int:
    """Return the action of a column: `BIDS` bids of each digit, the lowest rank first, then the answer."""
    if column < rules.symbols * BIDS:
        return weakest_bid(column // BIDS, auction, rules) + column % BIDS * rules.symbols
    return CHALLENGE if auction.phase == RESPOND else COUNT


def is_choice(column: int, auction: Auction, rules: Rules) -> bool:
    """Return whether the action of a column is legal."""
    return refusal(auction, action_of(column, auction, rules), rules) == LEGAL

"""Many sessions in a row, in compiled code; a single hand is a session of one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, Chance, begin
from liarspoker.engine.digits.hands import (
    Ints,
    Source,
    beginning,
    closed,
    counted,
    deal,
    lowest_pair,
    pay,
    terms_of,
)
from liarspoker.engine.digits.policies import chosen
from liarspoker.engine.digits.seen import Seen, refusal_of
from liarspoker.engine.lineup import player_in
from liarspoker.engine.running import FINE, ILLEGAL, Ending
from liarspoker.games.digits.auction import OVER, Auction, after, opening
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.slips import ROWS

MOST_STAKE = 1 << 40
"""The greatest stake that is counted."""

ENDLESS, OUTGROWN = range(ILLEGAL + 1, ILLEGAL + 3)
"""What else may end a run early: see `liarspoker.engine.running.Trouble`."""

Small = NDArray[np.int32]


class Run(NamedTuple):
    """Which sessions are played, and how.

    Attributes:
        first: the number of the first session.
        hands: hands in each of them.
        rotate: 1 where player i sits in seat (i + the session's number) mod players, 0 where in seat i.
        opener: who opens the first hand where letters do not choose.
    """

    first: int
    hands: int
    rotate: int
    opener: int


class Kept(NamedTuple):
    """What is written down: `[sessions, hands]` each, and of `payoffs` and `numbers` `[sessions, hands, seats]`.

    `moves` is `[sessions, hands, some, 2]`, seats and actions; it and `numbers` may be empty, and are then not kept.
    """

    payoffs: Ints
    stakes: Ints
    openers: Small
    rows: Small
    claims: Small
    bidders: Small
    owns: Small
    totals: Small
    outcomes: Small
    multipliers: Small
    decisions: Small
    numbers: Ints
    moves: Small


class Desk(NamedTuple):
    """Room for one hand at a time: what it is dealt, and what has been done."""

    deals: Chance
    choices: Chance
    slips: Ints
    numbers: Ints
    counts: Ints
    moves: Small
    bids: NDArray[np.bool_]


class Played(NamedTuple):
    """An auction after its end, how many actions it had, and what was wrong with the last one."""

    auction: Auction
    made: int
    trouble: int
    action: int
    refusal: int


def new_desk(most_moves: int, rules: Rules) -> Desk:
    """Room for hands of up to so many actions; not for compiled code."""
    return Desk(
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros((ROWS, rules.seats), np.int64),
        np.zeros(rules.seats, np.int64),
        np.zeros(rules.seats, np.int64),
        np.zeros((most_moves, 2), np.int32),
        np.zeros(ladder_length(rules) if rules.loose else 0, np.bool_),
    )


def play_hand(
    opener: int, hand: int, stake: int, turn: int, lineup: Ints, data: Any, desk: Desk, rules: Rules
) -> Played:
    """The auction of a hand that has been dealt onto the desk."""
    auction = opening(opener)
    for claim in range(desk.bids.size):
        desk.bids[claim] = False
    made = 0
    while auction.phase != OVER:
        seat = auction.to_act
        seen = Seen(rules, auction, desk.numbers[seat], desk.counts[seat], hand, stake, made, desk.moves, desk.bids)
        action = chosen(lineup[player_in(seat, turn, rules.seats)], seen, desk.choices, data)
        code = refusal_of(auction, action, desk.bids, rules)
        if code != LEGAL:
            return Played(auction, made, ILLEGAL, action, code)
        if made == desk.moves.shape[0]:
            return Played(auction, made, ENDLESS, action, LEGAL)
        desk.moves[made, 0] = seat
        desk.moves[made, 1] = action
        made += 1
        if 0 <= action < desk.bids.size:
            desk.bids[action] = True
        auction = after(auction, action, rules)
    return Played(auction, made, FINE, 0, LEGAL)


def play_sessions(
    seed: Any, run: Run, source: Source, rules: Rules, lineup: Ints, data: Any, desk: Desk, kept: Kept
) -> Ending:
    """Play as many sessions as `kept` has room for, from number `run.first` on.

    Args:
        seed: from `liarspoker.engine.chance.seed_of`.
        run: which sessions, and how they are seated.
        source: how they are dealt.
        rules: the table's.
        lineup: `[players]`, the number of each player's policy.
        data: the policies' data, a tuple of tuples.
        desk: from `new_desk`.
        kept: where everything is written.
    """
    seats = rules.seats
    for place in range(kept.claims.shape[0]):
        session = run.first + place
        begin(desk.deals, seed, session, DEALS)
        begin(desk.choices, seed, session, CHOICES)
        turn = session % seats if run.rotate else 0
        ledger = beginning(lowest_pair(desk.deals, seats, source) if source.letter_pairs else run.opener)
        for hand in range(run.hands):
            terms = terms_of(ledger, source.from_slips, rules)
            if terms.stake > MOST_STAKE:
                return OUTGROWN, session, 0, LEGAL
            deal(desk.deals, ledger, terms.row, source, rules, desk.slips, desk.numbers, desk.counts)
            played = play_hand(ledger.opener, hand, terms.stake, turn, lineup, data, desk, rules)
            if played.trouble != FINE:
                return played.trouble, session, played.action, played.refusal
            auction = played.auction
            count = counted(auction, desk.counts, rules)
            pay(auction, count, terms.stake, rules, kept.payoffs[place, hand])
            kept.stakes[place, hand] = terms.stake
            kept.openers[place, hand] = ledger.opener
            kept.rows[place, hand] = terms.row
            kept.claims[place, hand] = auction.claim
            kept.bidders[place, hand] = auction.bidder
            kept.owns[place, hand] = count.own
            kept.totals[place, hand] = count.total
            kept.outcomes[place, hand] = count.settlement.outcome
            kept.multipliers[place, hand] = count.settlement.multiplier
            kept.decisions[place, hand] = played.made
            if kept.numbers.size:
                for seat in range(seats):
                    kept.numbers[place, hand, seat] = desk.numbers[seat]
            if kept.moves.size:
                for made in range(min(played.made, kept.moves.shape[2])):
                    kept.moves[place, hand, made, 0] = desk.moves[made, 0]
                    kept.moves[place, hand, made, 1] = desk.moves[made, 1]
            ledger = closed(ledger, terms, auction, count, desk.numbers, source.from_slips, rules)
    return FINE, 0, 0, LEGAL

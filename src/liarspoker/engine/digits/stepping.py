"""A batch of hands action by action, in compiled code: every function goes once over all rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import DEALS, begin
from liarspoker.engine.digits.hands import (
    Count,
    Ints,
    Ledger,
    Source,
    Terms,
    beginning,
    closed,
    counted,
    deal,
    lowest_pair,
    pay,
    terms_of,
)
from liarspoker.engine.digits.seen import refusal_of
from liarspoker.engine.running import NO_ROW
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction, after, opening
from liarspoker.games.digits.ladder import digit_of, level_of, rank_of
from liarspoker.games.digits.options import Rules


class State(NamedTuple):
    """All hands of a batch, a row each.

    Attributes:
        streams: uint64 `[n, 1]`, from which each session is dealt.
        ledgers: int64 `[n, 6]`, the fields of `Ledger`.
        terms: int64 `[n, 3]`, the fields of `Terms`.
        auctions: int64 `[n, 6]`, the fields of `Auction`.
        slips: int64 `[n, 15, seats]`, or `[n, 0, 0]` where bills are dealt.
        numbers: int64 `[n, seats]`, secret.
        counts: int64 `[n, seats]`, secret.
        bids: bool `[n, ladder_length]` under the loose order, else `[n, 0]`: the bids made in this hand.
        levels: int32 `[n, seats, symbols]`, the highest level of each digit that each seat has bid in this hand.
        payoffs: int64 `[n, seats]`, of the last hand.
        scores: int64 `[n, seats]`, of the session so far.
        counted: int32 `[n, 4]`, of the last hand: the bidder's count, the total, the outcome, the multiplier.
        decisions: int32 `[n]`, actions of this hand so far.
    """

    streams: NDArray[np.uint64]
    ledgers: Ints
    terms: Ints
    auctions: Ints
    slips: Ints
    numbers: Ints
    counts: Ints
    bids: NDArray[np.bool_]
    levels: NDArray[np.int32]
    payoffs: Ints
    scores: Ints
    counted: NDArray[np.int32]
    decisions: NDArray[np.int32]


def auction_in(auctions: Ints, row: int) -> Auction:
    """The auction of a row."""
    line = auctions[row]
    return Auction(line[0], line[1], line[2], line[3], line[4], line[5])


def put_auction(auctions: Ints, row: int, auction: Auction) -> None:
    """Write the auction of a row."""
    auctions[row, 0] = auction.claim
    auctions[row, 1] = auction.bidder
    auctions[row, 2] = auction.is_rebid
    auctions[row, 3] = auction.challenges
    auctions[row, 4] = auction.to_act
    auctions[row, 5] = auction.phase


def _ledger_in(ledgers: Ints, row: int) -> Ledger:
    line = ledgers[row]
    return Ledger(line[0], line[1], line[2], line[3], line[4], line[5])


def _put_ledger(ledgers: Ints, row: int, ledger: Ledger) -> None:
    ledgers[row, 0] = ledger.hand
    ledgers[row, 1] = ledger.opener
    ledgers[row, 2] = ledger.carried
    ledgers[row, 3] = ledger.row
    ledgers[row, 4] = ledger.played
    ledgers[row, 5] = ledger.odd


def begin_all(state: State, seed: Any, first: int, opener: int, source: Source, rules: Rules) -> None:
    """Begin every session; no hand is dealt yet."""
    for row in range(state.decisions.size):
        begin(state.streams[row], seed, first + row, DEALS)
        opens = lowest_pair(state.streams[row], rules.seats, source) if source.letter_pairs else opener
        _put_ledger(state.ledgers, row, beginning(opens))
        put_auction(state.auctions, row, Auction(-1, -1, 0, 0, -1, OVER))


def deal_all(state: State, most_stake: int, source: Source, rules: Rules) -> int:
    """Deal the next hand of every session; the first row whose stake is beyond `most_stake`, `NO_ROW` if none is."""
    for row in range(state.decisions.size):
        if terms_of(_ledger_in(state.ledgers, row), source.from_slips, rules).stake > most_stake:
            return row
    for row in range(state.decisions.size):
        ledger = _ledger_in(state.ledgers, row)
        terms = terms_of(ledger, source.from_slips, rules)
        state.terms[row, 0] = terms.row
        state.terms[row, 1] = terms.base
        state.terms[row, 2] = terms.stake
        numbers, counts = state.numbers[row], state.counts[row]
        deal(state.streams[row], ledger, terms.row, source, rules, state.slips[row], numbers, counts)
        put_auction(state.auctions, row, opening(ledger.opener))
        state.decisions[row] = 0
        for claim in range(state.bids.shape[1]):
            state.bids[row, claim] = False
        for seat in range(rules.seats):
            for rank in range(rules.symbols):
                state.levels[row, seat, rank] = 0
    return NO_ROW


def judge_all(state: State, actions: Ints, rules: Rules, refusals: NDArray[np.int32]) -> int:
    """Why each row's action is refused, 0 where it is not or the hand is over; the first row with a refusal."""
    found = NO_ROW
    for row in range(actions.size):
        auction = auction_in(state.auctions, row)
        refusals[row] = LEGAL
        if auction.phase != OVER:
            refusals[row] = refusal_of(auction, actions[row], state.bids[row], rules)
        if refusals[row] != LEGAL and found == NO_ROW:
            found = row
    return found


def step_all(state: State, actions: Ints, source: Source, rules: Rules) -> None:
    """Play each row's action, which must be legal; rows whose hand is over stay as they are."""
    for row in range(actions.size):
        auction = auction_in(state.auctions, row)
        if auction.phase == OVER:
            continue
        action = actions[row]
        state.decisions[row] += 1
        if action >= 0:
            rank = rank_of(digit_of(action, rules), rules)
            levels = state.levels[row, auction.to_act]
            levels[rank] = max(level_of(action, rules), levels[rank])
        if 0 <= action < state.bids.shape[1]:
            state.bids[row, action] = True
        auction = after(auction, action, rules)
        put_auction(state.auctions, row, auction)
        if auction.phase == OVER:
            _close(state, row, auction, source, rules)


def _close(state: State, row: int, auction: Auction, source: Source, rules: Rules) -> None:
    """Count and pay a row's hand."""
    ledger = _ledger_in(state.ledgers, row)
    terms = Terms(state.terms[row, 0], state.terms[row, 1], state.terms[row, 2])
    count: Count = counted(auction, state.counts[row], rules)
    pay(auction, count, terms.stake, rules, state.payoffs[row])
    for seat in range(rules.seats):
        state.scores[row, seat] += state.payoffs[row, seat]
    state.counted[row, 0] = count.own
    state.counted[row, 1] = count.total
    state.counted[row, 2] = count.settlement.outcome
    state.counted[row, 3] = count.settlement.multiplier
    later = closed(ledger, terms, auction, count, state.numbers[row], source.from_slips, rules)
    _put_ledger(state.ledgers, row, later)


def mask_all(state: State, rules: Rules, mask: NDArray[np.bool_]) -> None:
    """Which actions are legal in each row, `[n, actions]`: bids, then challenge, then count; none where it is over."""
    bids = mask.shape[1] - 2
    for row in range(mask.shape[0]):
        auction = auction_in(state.auctions, row)
        made = state.bids[row]
        for column in range(bids):
            mask[row, column] = refusal_of(auction, column, made, rules) == LEGAL
        mask[row, bids] = refusal_of(auction, CHALLENGE, made, rules) == LEGAL
        mask[row, bids + 1] = refusal_of(auction, COUNT, made, rules) == LEGAL

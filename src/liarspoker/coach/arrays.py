"""Reviews as NumPy arrays, with one row for each action of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from liarspoker.coach.cards.arrays import categories_in
from liarspoker.coach.cards.review import CardReview
from liarspoker.coach.decisions import UNKNOWN, Decision
from liarspoker.coach.verdicts import VERDICTS
from liarspoker.engine.kernel import Ints
from liarspoker.games.digits.ladder import NO_CLAIM, ladder_length, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.solve.beliefs.positions import column_of
from liarspoker.solve.hands import Floats

if TYPE_CHECKING:
    from liarspoker.coach.review import Review


class ReviewArrays(NamedTuple):
    """A review as arrays: a row for each action of every reviewed hand, in order.

    What a review doesn't know is -1 in arrays of integers and `nan` in arrays of floats: all values of a decision that
    isn't reviewed or whose seat's number is hidden, and whatever doesn't exist, such as the level of a challenge.
    Values, losses and half widths are in units per hand at stake 1. A column of `values` and `policy` is an action, as
    :func:`~liarspoker.solve.beliefs.positions.column_of` numbers them: the bids of the ladder from the weakest, then
    challenge, then count.

    Attributes:
        hand: int64 `[actions]`, the hand's number in the record, from 1.
        seat: int64 `[actions]`, who acted.
        position: int64 `[actions]`, their distance from the opener, clockwise; 0 is the opener.
        action: int64 `[actions]`, what they did: the number of a bid, -1 for a challenge, -2 for a count.
        standing: int64 `[actions]`, the number of the standing bid before it; -1 for none.
        level: int64 `[actions]`, the level of the bid that was made; -1 if it isn't a bid.
        held: int64 `[actions]`, how many of the bid's digit the bidder holds; -1 if hidden, or if it isn't a bid.
        expected: float64 `[actions]`, how many of it the others may believe them to hold, on average.
        value: float64 `[actions]`, the value of the action by the first model.
        best: float64 `[actions]`, the value of the best action.
        loss: float64 `[actions]`, the loss; with playouts, it comes from the same hands for both actions.
        half_width: float64 `[actions]`, half the width of the 95% confidence interval of the loss; 0 if exact.
        verdict: int64 `[actions]`, an index of :data:`~liarspoker.coach.verdicts.VERDICTS`.
        odds: float64 `[actions]`, the probability that the standing bid wins a count, given only the seat's own hand.
        truth: float64 `[actions]`, the same, given everything heard as well.
        before: float64 `[actions, symbols, hand_size + 1]`, the probability of each count of each digit in the hand of
            the seat before the action, the lowest digit first.
        after: float64 `[actions, symbols, hand_size + 1]`, the same after it.
        values: float64 `[actions, width]`, the value of each action that was considered; `nan` for the others.
        policy: float64 `[actions, width]`, the probability with which the first model takes each action with this
            hand, as in the beliefs: of a bot, with a random action in one of twenty decisions.
    """

    hand: Ints
    seat: Ints
    position: Ints
    action: Ints
    standing: Ints
    level: Ints
    held: Ints
    expected: Floats
    value: Floats
    best: Floats
    loss: Floats
    half_width: Floats
    verdict: Ints
    odds: Floats
    truth: Floats
    before: Floats
    after: Floats
    values: Floats
    policy: Floats


def arrays_of(review: Review) -> ReviewArrays:
    """Return a review as arrays."""
    rules = review.rules
    rows, width = sum(len(hand.heard) for hand in review.hands), ladder_length(rules) + 2

    def ints() -> Ints:
        return np.full(rows, UNKNOWN, np.int64)

    def floats(*shape: int) -> Floats:
        return np.full((rows, *shape), np.nan)

    found = ReviewArrays(
        hand=ints(),
        seat=ints(),
        position=ints(),
        action=ints(),
        standing=ints(),
        level=ints(),
        held=ints(),
        expected=floats(),
        value=floats(),
        best=floats(),
        loss=floats(),
        half_width=floats(),
        verdict=ints(),
        odds=floats(),
        truth=floats(),
        before=floats(rules.symbols, rules.hand_size + 1),
        after=floats(rules.symbols, rules.hand_size + 1),
        values=floats(width),
        policy=floats(width),
    )
    row = 0
    for hand in review.hands:
        standing = NO_CLAIM
        for heard, decision in zip(hand.heard, hand.decisions, strict=True):
            found.hand[row], found.seat[row], found.action[row] = hand.number, heard.seat, heard.action
            found.position[row] = (heard.seat - hand.hand.terms.opener) % rules.seats
            found.standing[row] = standing
            found.before[row], found.after[row] = heard.before, heard.after
            if heard.action >= 0:
                standing = heard.action
                found.level[row], found.expected[row] = level_of(heard.action, rules), heard.expected
                found.held[row] = UNKNOWN if heard.held is None else heard.held
            if decision is not None:
                _write(decision, rules, found, row)
            row += 1
    return found


def _write(decision: Decision, rules: Rules, found: ReviewArrays, row: int) -> None:
    """Write a decision into a row."""
    if decision.odds is not None:
        found.odds[row], found.truth[row] = decision.odds, decision.truth
    if decision.plays is not None:
        found.policy[row] = decision.plays
    appraisal = decision.appraisal
    if appraisal is None:
        return
    for value in appraisal.values:
        found.values[row, column_of(value.action, rules)] = value.mean
    found.value[row] = found.values[row, column_of(decision.action, rules)]
    found.best[row] = found.values[row, column_of(appraisal.best, rules)]
    found.loss[row], found.half_width[row] = appraisal.loss, appraisal.half_width
    found.verdict[row] = VERDICTS.index(appraisal.verdict)


def save(review: Review | CardReview, file: BinaryIO) -> None:
    """Write the arrays of a review as a compressed `.npz` file, which :func:`numpy.load` reads.

    It also has the texts `game`, `model`, `players`, `verdicts` and `digits`, or in a card game `categories`, so that
    the file explains itself.
    """
    texts = {"game": review.game, "model": review.model, "players": review.players, "verdicts": VERDICTS}
    own = {"categories": categories_in(review)} if isinstance(review, CardReview) else {"digits": review.digits}
    found: dict[str, Any] = {**review.arrays()._asdict(), **texts, **own}
    np.savez_compressed(file, **found)

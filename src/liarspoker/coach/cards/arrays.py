"""Reviews of card games as NumPy arrays, with one row for each action of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from liarspoker.coach.decisions import UNKNOWN
from liarspoker.coach.verdicts import VERDICTS
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.engine.kernel import Ints
from liarspoker.solve.hands import Floats

if TYPE_CHECKING:
    from liarspoker.coach.cards.review import CardReview


class CardArrays(NamedTuple):
    """A review of a card game as arrays: a row for each action of every reviewed round, in order.

    What a review doesn't know is -1 in arrays of integers and `nan` in arrays of floats: all values of a decision that
    isn't reviewed, and whatever doesn't exist, such as the chance of a challenge. Values, losses and half widths are in
    units per round, of which the loser pays one.

    Attributes:
        hand: int64 `[actions]`, the round's number in the record, from 1.
        seat: int64 `[actions]`, who acted.
        position: int64 `[actions]`, their distance from the opener, clockwise among the players still in; 0 is the
            opener.
        action: int64 `[actions]`, what they did, as an action of the game.
        standing: int64 `[actions]`, the last claim before it; -1 for none.
        value: float64 `[actions]`, the value of the action.
        best: float64 `[actions]`, the value of the best action.
        loss: float64 `[actions]`, the loss; it comes from the same deals for both actions.
        half_width: float64 `[actions]`, half the width of the 95% confidence interval of the loss.
        verdict: int64 `[actions]`, an index of :data:`~liarspoker.coach.verdicts.VERDICTS`.
        odds: float64 `[actions]`, the probability that the last claim is true, given only the cards that the seat sees.
        truth: float64 `[actions]`, the same, given everything heard as well.
        chance: float64 `[actions]`, the probability that the seat's own claim is true, given all that.
        hands: float64 `[actions, categories]`, the probability of each category of `categories`, as in
            :class:`~liarspoker.coach.cards.review.Claimed`.
    """

    hand: Ints
    seat: Ints
    position: Ints
    action: Ints
    standing: Ints
    value: Floats
    best: Floats
    loss: Floats
    half_width: Floats
    verdict: Ints
    odds: Floats
    truth: Floats
    chance: Floats
    hands: Floats


def categories_in(review: CardReview) -> tuple[str, ...]:
    """Return the columns of `CardArrays.hands`: the categories that occur in a review, in order of first appearance."""
    heard = (claimed for hand in review.hands for claimed in hand.heard)
    return tuple(dict.fromkeys(word for claimed in heard for word, _share in claimed.hands or ()))


def arrays_of(review: CardReview) -> CardArrays:
    """Return a review as arrays."""
    categories = categories_in(review)
    rows = sum(len(hand.heard) for hand in review.hands)

    def ints() -> Ints:
        return np.full(rows, UNKNOWN, np.int64)

    def floats(*shape: int) -> Floats:
        return np.full((rows, *shape), np.nan)

    found = CardArrays(
        hand=ints(),
        seat=ints(),
        position=ints(),
        action=ints(),
        standing=ints(),
        value=floats(),
        best=floats(),
        loss=floats(),
        half_width=floats(),
        verdict=ints(),
        odds=floats(),
        truth=floats(),
        chance=floats(),
        hands=floats(len(categories)),
    )
    row = 0
    for hand in review.hands:
        standing, alive = NO_CLAIM, hand.sessions[0].alive
        opener = alive.index(hand.heard[0].seat) if hand.heard else 0
        for claimed, decision in zip(hand.heard, hand.decisions, strict=True):
            found.hand[row], found.seat[row], found.action[row] = hand.number, claimed.seat, claimed.action
            found.position[row] = (alive.index(claimed.seat) - opener) % len(alive)
            found.standing[row] = standing
            standing = claimed.action if claimed.action >= 0 else standing
            if claimed.chance is not None:
                found.chance[row] = claimed.chance
            if claimed.hands is not None:
                shares = dict(claimed.hands)
                found.hands[row] = [shares.get(word, 0.0) for word in categories]
            if decision is not None and decision.appraisal is not None:
                worth = {value.action: value.mean for value in decision.appraisal.values}
                found.value[row], found.best[row] = worth[decision.action], worth[decision.appraisal.best]
                found.loss[row], found.half_width[row] = decision.appraisal.loss, decision.appraisal.half_width
                found.verdict[row] = VERDICTS.index(decision.appraisal.verdict)
                if decision.odds is not None:
                    found.odds[row], found.truth[row] = decision.odds, decision.truth
            row += 1
    return found

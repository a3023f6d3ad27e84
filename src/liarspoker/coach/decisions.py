"""The value of each sensible action of a decision, and a verdict on the one that was chosen.

With the strategy of a small game the values are exact. Otherwise they are averages over playouts: the others' hands are
drawn from what they may be believed to hold, and everybody plays on by the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from liarspoker.coach.models import Model
from liarspoker.coach.verdicts import INACCURACY, THRESHOLDS, verdict_of
from liarspoker.engine.table import Table
from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import HERO, MADE, NONE, none_multiplier
from liarspoker.odds.counts import at_least
from liarspoker.solve.beliefs.playouts import dealt, play_out
from liarspoker.solve.beliefs.positions import Position, action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.best_response import choices_after
from liarspoker.solve.hands import Floats, all_hands
from liarspoker.solve.tree import ranks_of_bids

PLAYOUTS = 1000
"""The default number of playouts of each of the best actions."""

UNKNOWN = -1
"""Takes the place of an integer that is unknown in arrays; `nan` takes that of a float."""

_SHARES = ((0.15, 6), (0.25, 3), (0.6, 0))
"""The shares of the playouts, and how many other actions than the chosen one get the next share: those that did best so
far, without those that can't be the best one or hardly better than the chosen one."""

_LIKELIEST = 6
"""The number of actions, among those that the model plays most often, that are considered."""

_LONGEST = 3
"""The number of digits, among those that the hand holds most of, whose weakest bid is considered."""

_EVER = 0.01
"""The probability below which the model's actions aren't considered."""

_CONFIDENT = 1.96
"""The number of standard errors in half a 95% confidence interval."""


Payoffs = NDArray[Any]
"""What an action wins in each of some playouts: int64 or float64 `[playouts]`."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an action wins on average, in units per hand at stake 1.

    Attributes:
        action: the action.
        mean: the mean.
        half_width: half the width of its 95% confidence interval; 0 if the value is exact.
    """

    action: int
    mean: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Appraisal:
    """The values of a decision by one model.

    Attributes:
        model: the model's name.
        values: the actions that were considered, the best one first.
        loss: how much the chosen action is worth less than the best one.
        half_width: half the width of the loss's 95% confidence interval; 0 if it is exact.
    """

    model: str
    values: tuple[Value, ...]
    loss: float
    half_width: float

    @property
    def best(self) -> int:
        """The action with the highest value."""
        return self.values[0].action

    @property
    def verdict(self) -> str:
        """The verdict on the chosen action; see :mod:`liarspoker.coach.verdicts`."""
        return verdict_of(self.loss, self.half_width)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with its values.

    Attributes:
        seat: who decided.
        action: what was chosen.
        appraisal: the values by the first model; `None` where an exact strategy never comes.
        other: the values by the second model, if there is one.
        odds: the probability that a count finds the standing bid, given only the seat's own hand; `None` at the
            opening.
        truth: the same, given everything heard as well.
        chances: for each bid that was considered, the probability that it wins if it is counted at once, given
            everything heard.
        plays: float64 `[actions]`, the probability with which the first model takes each action with the seat's hand,
            in the columns of :func:`~liarspoker.solve.beliefs.positions.column_of`; `None` if it wasn't asked for.
        skunk: the probability that a count of the standing bid finds nothing and the rule for that applies, given
            everything heard.
    """

    seat: int
    action: int
    appraisal: Appraisal | None
    other: Appraisal | None
    odds: float | None
    truth: float | None
    chances: dict[int, float]
    plays: Floats | None = field(default=None, compare=False)
    skunk: float = 0.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is computed.

    Attributes:
        playouts: the number of playouts of each of the best actions.
        seed: of all random numbers.
        threads: the number of threads; the results don't depend on it.
    """

    playouts: int = PLAYOUTS
    seed: int = 1
    threads: int = 1


def appraise(model: Model, table: Table, beliefs: Beliefs, hand: int, chosen: int, effort: Effort) -> Appraisal | None:
    """Return the values of the sensible actions of the seat to act.

    Args:
        model: how everybody plays.
        table: the table.
        beliefs: the beliefs before the decision, by this model.
        hand: the index of the seat's hand.
        chosen: the action that it chose.
        effort: how much is computed.

    Returns:
        The values; `None` if the strategy of an exact model never comes here.
    """
    if model.strategy is not None:
        return _exact(model, beliefs.position, hand, chosen)
    return _estimated(model, table, beliefs, hand, chosen, effort)


def _exact(model: Model, position: Position, hand: int, chosen: int) -> Appraisal | None:
    """Return the value of every legal action to a best responder."""
    assert model.strategy is not None
    found = choices_after(model.strategy, [action for _, action in position.moves])
    if not found.reached:
        return None
    exact = zip(found.position.actions, found.values[:, hand].tolist(), strict=True)
    values = [Value(action, mean, 0.0) for action, mean in exact]
    ranked = tuple(sorted(values, key=lambda one: -one.mean))
    mine = next(value.mean for value in values if value.action == chosen)
    return Appraisal(model.name, ranked, ranked[0].mean - mine, 0.0)


def _estimated(model: Model, table: Table, beliefs: Beliefs, hand: int, chosen: int, effort: Effort) -> Appraisal:
    """Return the values of the sensible actions from playouts."""
    chance = np.random.default_rng((effort.seed % (1 << 64), len(beliefs.position.moves), beliefs.position.to_act))

    def won_by(actions: list[int], playouts: int) -> dict[int, Payoffs]:
        numbers, seed = dealt(beliefs, hand, playouts, chance), int(chance.integers(1 << 62))
        position, policies = beliefs.position, [model.name]
        return dict(
            zip(actions, play_out(table, position, actions, numbers, policies, seed, effort.threads), strict=True)
        )

    return raced(model.name, sensible(model, beliefs.position, hand, chosen), chosen, won_by, effort.playouts)


def raced(
    model: str,
    actions: Sequence[int],
    chosen: int,
    won_by: Callable[[list[int], int], Mapping[int, Payoffs]],
    playouts: int,
) -> Appraisal:
    """Return the values of some actions from playouts: a few of each, then more of those that may be best.

    The best one of several equal actions is better than it looks by the luck of its playouts. So the loss of the chosen
    action errs on the high side, by less than its interval.

    Args:
        model: the model's name.
        actions: the actions, among them the chosen one.
        chosen: the chosen action.
        won_by: returns what each of some actions wins in a number of further playouts, the same ones for all.
        playouts: how many playouts the best actions get.
    """
    payoffs: dict[int, Payoffs] = {}
    kept, best = list(actions), chosen
    for share, finalists in _SHARES:
        if kept == [chosen] and not finalists:
            break
        for action, won in won_by(kept, max(2, int(share * playouts))).items():
            payoffs[action] = np.concatenate((payoffs[action], won)) if action in payoffs else won
        # From here on, only the actions that are kept have all playouts, so that they can be compared.
        ranked = sorted(kept, key=lambda action: -payoffs[action].mean())
        best, others = ranked[0], [action for action in ranked if action != chosen][:finalists]
        kept = [chosen, *(one for one in others if one == best or _may_matter(one, best, chosen, payoffs))]
    values = [value_of(action, payoffs[action], payoffs[best]) for action in payoffs]
    best_first = tuple(sorted(values, key=lambda one: (one.action != best, -one.mean)))
    return Appraisal(model, best_first, *_mean(payoffs[best] - payoffs[chosen]))


def value_of(action: int, won: Payoffs, best: Payoffs) -> Value:
    """Return the value of an action: that of the best one, less what it won less in the playouts that both have.

    An action that was dropped before another one became the best one may have won more than that; it isn't worth more,
    and nothing is worth less than the largest loss.
    """
    if won.size == best.size:
        return Value(action, *_mean(won))
    behind, behind_by = _mean(best[: won.size] - won)
    mean, half_width = _mean(best)
    least = float(min(won.min(), best.min()))
    return Value(action, max(least, mean - max(behind, 0.0)), float(np.hypot(half_width, behind_by)))


def _may_matter(action: int, best: int, chosen: int, payoffs: Mapping[int, Payoffs]) -> bool:
    """Return whether an action may still be the best one, and so much better than the chosen one that it is judged."""
    behind, behind_by = _mean(payoffs[best] - payoffs[action])
    ahead, ahead_by = _mean(payoffs[action] - payoffs[chosen])
    return behind <= behind_by and ahead + ahead_by >= THRESHOLDS[INACCURACY]


def _mean(values: Payoffs) -> tuple[float, float]:
    """Return the mean and half the width of its 95% confidence interval.

    Equal values aren't certain: the variance is at least that of one value in `size` that differs by a unit.
    """
    return float(values.mean()), float(_CONFIDENT * np.sqrt(max(values.var(), 1 / values.size) / values.size))


def sensible(model: Model, position: Position, hand: int, chosen: int) -> list[int]:
    """Return the actions that are considered.

    They are the chosen one, the answer, those that the model often plays with this hand, and the weakest bids of the
    digits that the hand holds most of.
    """
    rules, legal = position.rules, position.legal
    plays = model.policy.row(position, hand)
    likeliest = [column for column in np.argsort(-plays).tolist()[:_LIKELIEST] if plays[column] >= _EVER]
    found = dict.fromkeys((chosen, *legal.answers, *(action_at(column, rules) for column in likeliest)))
    counts, ranks = all_hands(rules).counts[hand], ranks_of_bids(rules)
    for rank in np.argsort(-counts.astype(int), kind="stable").tolist()[:_LONGEST]:
        weakest = next((claim for claim in legal.claims if ranks[claim] == rank), None)
        if weakest is not None:
            found[weakest] = None
    return list(found)


def chance_of(beliefs: Beliefs, seat: int, hand: int) -> float:
    """Return the probability that a count finds the standing bid, given a seat's hand and the beliefs.

    A skunk may win for the bidder, but nothing is found.
    """
    return _chance_of_outcomes(beliefs, seat, hand, (MADE, HERO))


def skunk_of(beliefs: Beliefs, seat: int, hand: int) -> float:
    """Return the probability that a count of the standing bid is a skunk, given a seat's hand and the beliefs."""
    return _chance_of_outcomes(beliefs, seat, hand, (NONE,))


def _chance_of_outcomes(beliefs: Beliefs, seat: int, hand: int, outcomes: Sequence[int]) -> float:
    """Return the probability that a count of the standing bid has one of some outcomes."""
    rank = ranks_of_bids(beliefs.position.rules)[beliefs.position.auction.claim]
    chances = beliefs.count(seat).outcomes[beliefs.hands.counts[hand, rank], list(outcomes)]
    return min(1.0, float(chances.sum()))  # a sum of rounded numbers may be larger


def odds_of(claim: int, hand: int, rules: Rules) -> float:
    """Return the probability that a count finds a bid, given one hand and nothing heard."""
    own = int(all_hands(rules).counts[hand, ranks_of_bids(rules)[claim]])
    return float(at_least(rules.hand_size * (rules.seats - 1), level_of(claim, rules) - own, rules.symbols))


def chances_of(beliefs: Beliefs, hand: int, claims: Sequence[int]) -> dict[int, float]:
    """Return the probability that each bid of the seat to act would win if it were counted at once.

    A push wins nothing.
    """
    position = beliefs.position
    winning = (MADE, HERO, NONE) if none_multiplier(position.rules.seats) else (MADE, HERO)
    return {
        claim: _chance_of_outcomes(replace(beliefs, position=position.after(claim)), position.to_act, hand, winning)
        for claim in claims
    }

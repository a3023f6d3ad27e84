"""The values by which the built-in bots choose in a public position, for every hand at once.

These bots use only public information about the other seats, and look at their own hand one digit at a time. Their
choice with any hand therefore follows from one value per digit and count. An observer who knows the bot can infer from
its action which hands it may hold. The values come from the functions that the bots themselves call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf, nextafter
from typing import NamedTuple

from liarspoker.games.digits.appraisal import answer_value, appraiser, weakest_bids
from liarspoker.games.digits.auction import COUNT
from liarspoker.games.digits.bots import Bluffer, bluffer, margin, opening_bid
from liarspoker.games.digits.result import DigitView

Offer = tuple[float, int]
"""The value of a bid, and the bid."""

_NOTHING: Offer = (-inf, -1)
_BELOW_ZERO = nextafter(0.0, -1.0)


class ActionValues(NamedTuple):
    """The values by which a bot chooses: it makes the best bid, unless the answer is worth at least as much.

    Attributes:
        offers: `[symbols][hand_size + 2]`, for each digit (lowest first) and each count of it in hand, the value of
            the best bid and the bid. The last count is one more than a hand holds, for a bot that bluffs.
        prefers_strongest: whether the bot makes the strongest of several bids of equal value, rather than the weakest.
        answer: `CHALLENGE` or `COUNT`; `None` at the opening.
        answer_values: `[hand_size + 1]`, the value of the answer for each count of the standing bid's digit in hand;
            empty at the opening.
        bluff_probability: the probability, 0 to 1, that the bot bids as if it held one more of a digit drawn uniformly.
    """

    offers: tuple[tuple[Offer, ...], ...]
    prefers_strongest: bool
    answer: int | None
    answer_values: tuple[float, ...]
    bluff_probability: float


ValueFunction = Callable[[DigitView], ActionValues]
"""Returns a bot's values from a view of the seat to act, of which it reads only what is public."""


def beginner_values(view: DigitView) -> ActionValues:
    """Return the Beginner's values."""
    rules, legal = view.rules, view.legal
    held = range(rules.hand_size + 2)
    if not legal.answers:
        offers = [tuple((float(own), opening_bid(own, rank, rules)) for own in held) for rank in range(rules.symbols)]
        return ActionValues(tuple(offers), True, None, (), 0.0)
    found = [[_NOTHING] * len(held) for _ in range(rules.symbols)]
    for claim in legal.claims[: rules.symbols]:
        best = found[claim % rules.symbols]
        for own in held:
            best[own] = max(best[own], (margin(claim, own, rules), claim), key=lambda offer: (offer[0], -offer[1]))
    standing = view.auction.claim if view.auction is not None else -1
    counts = legal.answers[0] == COUNT
    answers = (inf if counts or margin(standing, own, rules) < 0 else _BELOW_ZERO for own in held[:-1])
    return ActionValues(tuple(map(tuple, found)), False, legal.answers[0], tuple(answers), 0.0)


def binomial_values(view: DigitView) -> ActionValues:
    """Return the Calculator's values."""
    uniform = 1 / view.rules.symbols
    return _expected_values(view, (uniform,) * view.rules.symbols, uniform, uniform, 0.0)


def bluffer_values(view: DigitView, bot: Bluffer = bluffer) -> ActionValues:
    """Return a Bluffer's values."""
    believed = bot.history_key(view)
    return _expected_values(view, believed.probabilities, believed.bidder, believed.rest, bot.bluff_probability(view))


def _expected_values(
    view: DigitView, probabilities: Sequence[float], bidder: float, rest: float, bluff_probability: float
) -> ActionValues:
    """Return the values of a bot that uses the appraiser, given its probabilities of unseen digits."""
    rules = view.rules
    best = appraiser(rules).best
    weakest, levels = weakest_bids(view)
    found: list[list[Sequence[Offer]]] = [[] for _ in range(rules.symbols)]
    for claim in weakest:
        rank = claim % rules.symbols
        found[rank].append([best(claim, levels, own, probabilities[rank]) for own in range(rules.hand_size + 2)])
    offers = tuple(_best_by_count(lists, rules.hand_size + 2) for lists in found)
    if not view.legal.answers or view.auction is None:
        return ActionValues(offers, True, None, (), bluff_probability)
    others = probabilities[view.auction.claim % rules.symbols]
    answers = tuple(answer_value(view, own, others, bidder, rest) for own in range(rules.hand_size + 1))
    return ActionValues(offers, True, view.legal.answers[0], answers, bluff_probability)


def _best_by_count(offers: Sequence[Sequence[Offer]], length: int) -> tuple[Offer, ...]:
    """Return the best offer of a digit for each count, from its offers at several levels."""
    if not offers:
        return (_NOTHING,) * length
    return tuple(offers[0]) if len(offers) == 1 else tuple(map(max, *offers))


VALUE_FUNCTIONS: Mapping[str, ValueFunction] = {
    "beginner": beginner_values,
    "binomial": binomial_values,
    "bluffer": bluffer_values,
}
"""The value functions of the catalogue's bots, by name; `uniform` has none."""


def value_function(bot: str | Bluffer) -> ValueFunction:
    """Return the value function of a bot.

    Args:
        bot: a key of `VALUE_FUNCTIONS`, or any `liarspoker.games.digits.bots.Bluffer`.

    Raises:
        KeyError: no bot of this name has a value function.
    """
    return VALUE_FUNCTIONS[bot] if isinstance(bot, str) else partial(bluffer_values, bot=bot)

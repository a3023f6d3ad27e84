"""What a bot weighs in a public position, whatever it holds: for every hand at once what it would do.

What these bots know of the others is public, and of their own hand they look at one digit's count at a time. So a few
numbers for each digit and count tell their choice with every hand, and whoever knows the bot can tell from its choice
which hands it may hold. The numbers come from the functions by which the bots decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf, nextafter
from typing import NamedTuple

from liarspoker.games.digits.appraisal import answer_value, appraiser, weakest_bids
from liarspoker.games.digits.auction import COUNT
from liarspoker.games.digits.bots import Bluffer, bluffer, opened, spare
from liarspoker.games.digits.result import DigitView

Offer = tuple[float, int]
"""What a bid is worth, and the bid."""

_NOTHING: Offer = (-inf, -1)
_BELOW_ZERO = nextafter(0.0, -1.0)


class Weighing(NamedTuple):
    """How a bot chooses in a position: the best of what its digits offer, or the answer if that is worth as much.

    Attributes:
        offers: `[symbols][hand_size + 2]`, the best bid of each digit, the lowest first, for each count of it in hand;
            one beyond a hand, for a bot that pretends to hold one more.
        strongest: whether among bids of equal value it makes the strongest; else the weakest.
        answer: `CHALLENGE` or `COUNT`; `None` at the opening.
        worth: `[hand_size + 1]`, what the answer is worth for each count of the standing bid's digit in hand.
        pretends: the chance that it chooses a bid as if it held one more of some digit, any alike.
    """

    offers: tuple[tuple[Offer, ...], ...]
    strongest: bool
    answer: int | None
    worth: tuple[float, ...]
    pretends: float


Weigh = Callable[[DigitView], Weighing]
"""Tells what a bot weighs, from a view of the seat to act, of which it reads nothing that is not public."""


def by_beginner(view: DigitView) -> Weighing:
    """What the Beginner weighs."""
    rules, legal = view.rules, view.legal
    held = range(rules.hand_size + 2)
    if not legal.answers:
        offers = [tuple((float(own), opened(own, rank, rules)) for own in held) for rank in range(rules.symbols)]
        return Weighing(tuple(offers), True, None, (), 0.0)
    found = [[_NOTHING] * len(held) for _ in range(rules.symbols)]
    for claim in legal.claims[: rules.symbols]:
        row = found[claim % rules.symbols]
        for own in held:
            row[own] = max(row[own], (spare(claim, own, rules), claim), key=lambda offer: (offer[0], -offer[1]))
    standing = view.auction.claim if view.auction is not None else -1
    counts = legal.answers[0] == COUNT
    worth = (inf if counts or spare(standing, own, rules) < 0 else _BELOW_ZERO for own in held[:-1])
    return Weighing(tuple(map(tuple, found)), False, legal.answers[0], tuple(worth), 0.0)


def by_binomial(view: DigitView) -> Weighing:
    """What the Calculator weighs."""
    blind = 1 / view.rules.symbols
    return _priced(view, (blind,) * view.rules.symbols, blind, blind, 0.0)


def by_bluffer(view: DigitView, bot: Bluffer = bluffer) -> Weighing:
    """What a Bluffer weighs."""
    known = bot.heard(view)
    return _priced(view, known.chances, known.bidders, known.rest, bot.pretends(view))


def _priced(view: DigitView, chances: Sequence[float], bidders: float, rest: float, pretends: float) -> Weighing:
    """What a bot weighs that asks the appraiser, given its chances of unseen digits."""
    rules = view.rules
    best = appraiser(rules).best
    weakest, levels = weakest_bids(view)
    found: list[list[Sequence[Offer]]] = [[] for _ in range(rules.symbols)]
    for claim in weakest:
        rank = claim % rules.symbols
        found[rank].append([best(claim, levels, own, chances[rank]) for own in range(rules.hand_size + 2)])
    offers = tuple(_best_of(rows, rules.hand_size + 2) for rows in found)
    if not view.legal.answers or view.auction is None:
        return Weighing(offers, True, None, (), pretends)
    others = chances[view.auction.claim % rules.symbols]
    worth = tuple(answer_value(view, own, others, bidders, rest) for own in range(rules.hand_size + 1))
    return Weighing(offers, True, view.legal.answers[0], worth, pretends)


def _best_of(rows: Sequence[Sequence[Offer]], length: int) -> tuple[Offer, ...]:
    """The best offer of a digit for each count, of those at several levels."""
    if not rows:
        return (_NOTHING,) * length
    return tuple(rows[0]) if len(rows) == 1 else tuple(map(max, *rows))


WEIGHINGS: Mapping[str, Weigh] = {"beginner": by_beginner, "binomial": by_binomial, "bluffer": by_bluffer}
"""What the bots of the catalogue weigh, by name; `uniform` weighs nothing."""


def weighing(bot: str | Bluffer) -> Weigh:
    """What tells what a bot weighs.

    Args:
        bot: the name of one of `WEIGHINGS`, or a Bluffer of any temper.
    """
    return WEIGHINGS[bot] if isinstance(bot, str) else partial(by_bluffer, bot=bot)

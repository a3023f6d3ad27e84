"""The probability of making a bid, its expected value, and the break-even points of raises.

The payoffs come from the game's rules in `liarspoker.games.digits.settlement`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import bid_multiplier, payoff, settle
from liarspoker.odds.counts import at_least, exactly, ways


class Prospect(NamedTuple):
    """A possible outcome of a counted bid.

    Attributes:
        outcome: `FAILED`, `MADE`, `HERO` or `NONE` of `liarspoker.games.digits.settlement`.
        multiplier: stakes paid to or by each opponent.
        units: the bidder's payoff in units, negative for a loss.
        probability: its probability; those of a bid's outcomes sum to 1.
    """

    outcome: int
    multiplier: int
    units: int
    probability: Fraction


def unseen_digits(rules: Rules) -> int:
    """Return the number of digits that the other players hold: `hand_size * (seats - 1)`."""
    return rules.hand_size * (rules.seats - 1)


def probability_made(rules: Rules, own: int, level: int) -> Fraction:
    """Return the probability that all hands together contain `level` of a digit, given that you hold `own` of it.

    Args:
        rules: the table's rules.
        own: how many of the digit you hold, 0 to `hand_size`.
        level: the level of the bid; at or below `own`, the probability is 1.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two, five = (packed(DigitOptions(), seats) for seats in (2, 5))
    >>> f"{float(probability_made(two, 1, 3)):.5f} {float(probability_made(five, 1, 5)):.5f}"  # on Wikipedia
    '0.18690 0.39969'
    """
    return at_least(unseen_digits(rules), level - own, rules.symbols)


@lru_cache(maxsize=8192)
def bid_value(rules: Rules, claim: int, own: int, stake: int = 1) -> Fraction:
    """Return the bidder's expected value in units when `claim` is counted.

    Args:
        rules: the table's rules.
        claim: the bid, an int of `liarspoker.games.digits.ladder`.
        own: how many of its digit the bidder holds, 0 to `hand_size`.
        stake: the stake in units.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> flat = packed(DigitOptions(level_bonus=False, sixes=False), seats=3)
    >>> bid_value(flat, claim_of(4, 5, flat), own=3) == 2 * (2 * probability_made(flat, 3, 4) - 1)
    True
    """
    weighed = sum(units * weight for (_, _, units), weight in _outcome_weights(rules, claim, own, stake).items())
    return Fraction(weighed, rules.symbols ** unseen_digits(rules))


def prospects(rules: Rules, claim: int, own: int, stake: int = 1) -> tuple[Prospect, ...]:
    """Return the possible outcomes of a counted bid, the best for the bidder first.

    Args:
        rules: the table's rules.
        claim: the bid.
        own: how many of its digit the bidder holds, 0 to `hand_size`.
        stake: the stake in units.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> [prospect[:3] for prospect in prospects(five, claim_of(6, 6, five), own=0)]  # none, hero, failed
    [(3, 4, 16), (2, 3, 12), (0, 1, -4)]
    """
    all_ways = rules.symbols ** unseen_digits(rules)
    found = _outcome_weights(rules, claim, own, stake)
    best_first = sorted(found, key=lambda key: (-key[2], -key[0]))
    return tuple(Prospect(*key, Fraction(found[key], all_ways)) for key in best_first)


def _outcome_weights(rules: Rules, claim: int, own: int, stake: int) -> dict[tuple[int, int, int], int]:
    """Return in how many ways the others' digits lead to each (outcome, multiplier, bidder's units)."""
    found: dict[tuple[int, int, int], int] = {}
    for others, weight in enumerate(ways(unseen_digits(rules), rules.symbols)):
        settlement = settle(claim, own, own + others, rules)
        key = (settlement.outcome, settlement.multiplier, payoff(0, 0, settlement, stake, rules))
        found[key] = found.get(key, 0) + weight
    return found


def raise_threshold(players: int) -> Fraction:
    """Return the break-even probability of a raise that everyone will challenge, with flat stakes.

    The standing bid is assumed to be good, so that a challenge loses one stake. Source 003 (Shackleford): "always raise
    in a 2-player game, raise if your probability is 25% or greater in a 3-player game, 33.33% in a 4-player game, and
    (n-2)/(2n-2) for n players".

    >>> [str(raise_threshold(players)) for players in (2, 3, 4, 5)]
    ['0', '1/4', '1/3', '3/8']
    """
    return Fraction(players - 2, 2 * players - 2)


def raise_threshold_general(players: int, multiplier_raise: int, multiplier_current: int) -> Fraction:
    """Return the break-even probability of a raise that everyone will challenge, for given multipliers.

    The EV of raising is p(n-1)M - (1-p)(n-1), that of a lost challenge is -C. The break-even probability is therefore
    (n-1-C) / ((M+1)(n-1)), or 0 if this is negative.

    Args:
        players: the number of players n, 2 or more.
        multiplier_raise: the multiplier M of the raise, 0 or more.
        multiplier_current: the multiplier C of the standing bid, 0 or more.

    >>> raise_threshold_general(5, 2, 1), raise_threshold_general(3, 1, 4)
    (Fraction(1, 4), Fraction(0, 1))
    """
    others = players - 1
    return max(Fraction(0), Fraction(others - multiplier_current, (multiplier_raise + 1) * others))


def break_even_probability(rules: Rules, claim: int, own: int, standing: int | None = None) -> Fraction:
    """Return the break-even probability of a raise that everyone will challenge, if the standing bid is good.

    Args:
        rules: the table's rules, which determine the multipliers.
        claim: the raise.
        own: how many of its digit you hold; with none, a made bid may pay the hero's extra multiple.
        standing: the standing bid, whose bidder is assumed to hold some of its digit; by default a bid with
            multiplier 1.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> [str(break_even_probability(five, claim_of(level, 5, five), own=2)) for level in (7, 8)]
    ['3/8', '1/4']
    """
    made = settle(claim, own, max(own, level_of(claim, rules)), rules)
    current = 1 if standing is None else bid_multiplier(standing, rules)
    return raise_threshold_general(rules.seats, made.multiplier, current)


def none_probability(players: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """Return the probability that no other player holds a digit that you lack (the skunk, or none).

    Args:
        players: the number of players, 2 or more.
        hand_size: digits in a hand.
        symbols: digits in play.

    >>> f"{float(none_probability(4)):.6f}"
    '0.079766'
    """
    return exactly(hand_size * (players - 1), 0, symbols)

"""What a bid is worth: the chance to make it, what it pays by the game's own rules, and when a raise is worth it.

Nothing here knows a multiplier: `liarspoker.games.digits.settlement` says what a count pays.
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
    """One way in which a counted bid may come out.

    Attributes:
        outcome: `FAILED`, `MADE`, `HERO` or `NONE` of `liarspoker.games.digits.settlement`.
        multiplier: stakes paid by or to each opponent.
        units: what the bidder wins, or loses below 0.
        chance: how likely it is; the prospects of a bid sum to 1.
    """

    outcome: int
    multiplier: int
    units: int
    chance: Fraction


def unseen_digits(rules: Rules) -> int:
    """How many digits the other players hold: `hand_size * (seats - 1)`."""
    return rules.hand_size * (rules.seats - 1)


def chance_to_make(rules: Rules, own: int, level: int) -> Fraction:
    """The chance that the table holds `level` of a digit of which you hold `own`, the others' digits being random.

    Args:
        rules: the table's rules.
        own: how many you hold, 0 to `hand_size`.
        level: how many the bid asks for; at or below `own` it is certain.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two, five = (packed(DigitOptions(), seats) for seats in (2, 5))
    >>> f"{float(chance_to_make(two, 1, 3)):.5f} {float(chance_to_make(five, 1, 5)):.5f}"  # Wikipedia's two examples
    '0.18690 0.39969'
    """
    return at_least(unseen_digits(rules), level - own, rules.symbols)


@lru_cache(maxsize=8192)
def bid_value(rules: Rules, claim: int, own: int, stake: int = 1) -> Fraction:
    """The units that a bidder holding `own` of the digit expects to win when `claim` is counted.

    Args:
        rules: the table's rules.
        claim: the bid, of the ladder of `rules`.
        own: how many of its digit the bidder holds, 0 to `hand_size`.
        stake: what the hand is played for, in units.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> flat = packed(DigitOptions(level_bonus=False, sixes=False), seats=3)
    >>> bid_value(flat, claim_of(4, 5, flat), own=3) == 2 * (2 * chance_to_make(flat, 3, 4) - 1)
    True
    """
    weighed = sum(units * weight for (_, _, units), weight in _outcome_weights(rules, claim, own, stake).items())
    return Fraction(weighed, rules.symbols ** unseen_digits(rules))


def prospects(rules: Rules, claim: int, own: int, stake: int = 1) -> tuple[Prospect, ...]:
    """Every way in which the bid may come out, the best for the bidder first; their chances sum to 1.

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
    """In how many ways the others' digits lead to each (outcome, multiplier, units of the bidder)."""
    found: dict[tuple[int, int, int], int] = {}
    for others, weight in enumerate(ways(unseen_digits(rules), rules.symbols)):
        settlement = settle(claim, own, own + others, rules)
        key = (settlement.outcome, settlement.multiplier, payoff(0, 0, settlement, stake, rules))
        found[key] = found.get(key, 0) + weight
    return found


def raise_threshold(players: int) -> Fraction:
    """The chance of making a raise from which it is better than a lost challenge, where every bid pays one stake.

    You are stuck: the standing bid is good, so a challenge costs one stake, and all will challenge your raise.
    Source 003: "always raise in a 2-player game, raise if your probability is 25% or greater in a 3-player game,
    33.33% in a 4-player game, and (n-2)/(2n-2) for n players".

    >>> [str(raise_threshold(players)) for players in (2, 3, 4, 5)]
    ['0', '1/4', '1/3', '3/8']
    """
    return Fraction(players - 2, 2 * players - 2)


def raise_threshold_general(players: int, multiplier_raise: int, multiplier_current: int) -> Fraction:
    """The same where the raise would win `multiplier_raise` stakes from each and the standing bid wins its own.

    Raising wins p(n-1)M - (1-p)(n-1), challenging -C; so p >= (n-1-C) / ((M+1)(n-1)), and never below 0.

    Args:
        players: n, 2 or more.
        multiplier_raise: M, 0 or more.
        multiplier_current: C, 0 or more.

    >>> raise_threshold_general(5, 2, 1), raise_threshold_general(3, 1, 4)
    (Fraction(1, 4), Fraction(0, 1))
    """
    others = players - 1
    return max(Fraction(0), Fraction(others - multiplier_current, (multiplier_raise + 1) * others))


def needed_to_raise(rules: Rules, claim: int, own: int, standing: int | None = None) -> Fraction:
    """The break-even chance of making `claim` when the standing bid is surely good and all challenge the raise.

    Args:
        rules: the table's rules; what each bid pays follows from them.
        claim: the raise.
        own: how many of its digit you hold: with none of it a made bid may pay the hero's bump.
        standing: the bid you would otherwise challenge; by default one that pays a single stake. Its bidder is taken
            to hold some of its digit.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> five = packed(DigitOptions(), seats=5)
    >>> str(needed_to_raise(five, claim_of(7, 5, five), own=2)), str(needed_to_raise(five, claim_of(8, 5, five), 2))
    ('3/8', '1/4')
    """
    made = settle(claim, own, max(own, level_of(claim, rules)), rules)
    current = 1 if standing is None else bid_multiplier(standing, rules)
    return raise_threshold_general(rules.seats, made.multiplier, current)


def chance_nobody_has(players: int, hand_size: int = 8, symbols: int = 10) -> Fraction:
    """The chance that no other player has a digit that you lack: the skunk, or none, of sources 000 and 001.

    >>> f"{float(chance_nobody_has(4)):.6f}"
    '0.079766'
    """
    return exactly(hand_size * (players - 1), 0, symbols)

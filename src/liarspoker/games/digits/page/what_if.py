"""Playing on in a digit game: numbers that the record hides are drawn."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession


def completed(session: DigitSession, ended: DigitSession, chance: Random) -> DigitSession:
    """Return a session in which hidden digits are drawn at random, with as many of the counted digit as were counted.

    Args:
        session: the session at some ply.
        ended: the session after the last ply; if the hand wasn't counted, all digits are equally likely.
        chance: the random numbers.
    """
    hand = session.round
    assert hand is not None
    digits, result = digits_in_play(hand.rules), ended.round_result
    numbers = tuple(
        _drawn(number, seat, digits, result, hand.rules, chance) for seat, number in enumerate(hand.numbers)
    )
    return replace(session, round=replace(hand, numbers=numbers, counts=None))


def _drawn(number: str, seat: int, digits: str, result: DigitResult | None, rules: Rules, chance: Random) -> str:
    hidden = number.count(HIDDEN)
    if result is None:
        drawn = [chance.choice(digits) for _place in range(hidden)]
    else:
        counted = str(digit_of(result.final_claim, rules))
        same = result.counts[seat] - number.count(counted)
        others = digits.replace(counted, "")
        drawn = [counted] * same + [chance.choice(others) for _place in range(hidden - same)]
        chance.shuffle(drawn)
    left = iter(drawn)
    return "".join(next(left) if digit == HIDDEN else digit for digit in number)

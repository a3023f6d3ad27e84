"""Actions of the digit games in Liar's Poker Notation: `5x7`, `challenge`, `count`."""

from __future__ import annotations

import re

from liarspoker.core.errors import NO_SUCH_CLAIM, UNREADABLE_ACTION, IllegalAction
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.ladder import claim_of, digit_of, level_of, rank_of
from liarspoker.games.digits.options import Rules

_BID = re.compile(r"(-?[0-9]+)x([0-9])")
_ANSWERS = {"challenge": CHALLENGE, "count": COUNT}
_WORDS = {action: word for word, action in _ANSWERS.items()}

MAX_LEVEL_DIGITS = 100
"""The most decimal digits of a level that `read` accepts."""


def read(text: str, rules: Rules) -> int:
    """Return the action that `text` denotes.

    Raises:
        IllegalAction: `unreadable-action`, or `no-such-claim` for a level below 1 or a digit that isn't in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(), seats=4)
    >>> write(read("5x7", rules), rules), read("challenge", rules)
    ('5x7', -1)
    """
    plain = text.strip()
    if plain in _ANSWERS:
        return _ANSWERS[plain]
    match = _BID.fullmatch(plain)
    if match is None:
        raise IllegalAction(text, UNREADABLE_ACTION)
    return read_bid(match[1], int(match[2]), text, rules)


def read_bid(level: str, digit: int, text: str, rules: Rules) -> int:
    """Return the bid of a level and a digit.

    Args:
        level: the level in decimal digits.
        digit: the digit, 0 to 9.
        text: the whole action, for the error.
        rules: the table's rules.

    Raises:
        IllegalAction: `no-such-claim` for a level below 1 or a digit that isn't in play.
    """
    if len(level) > MAX_LEVEL_DIGITS or int(level) < 1 or rank_of(digit, rules) >= rules.symbols:
        raise IllegalAction(text, NO_SUCH_CLAIM)
    return claim_of(int(level), digit, rules)


def write(action: int, rules: Rules) -> str:
    """Return `action` in the notation, as `read` accepts it."""
    if action < 0:
        return _WORDS[action]
    return f"{level_of(action, rules)}x{digit_of(action, rules)}"

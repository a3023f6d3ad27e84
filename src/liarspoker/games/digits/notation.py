"""The digit games' actions as text: `5x7` (0 is the ten), `challenge`, `count`."""

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
"""No level of more decimal digits than this is read, even where the ladder has no top."""


def read(text: str, rules: Rules) -> int:
    """The action that `text` writes.

    Raises:
        IllegalAction: `unreadable-action`, or `no-such-claim` for a level of 0 or a digit that is not in play.

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
    """The bid of `level` (decimal digits) of `digit`, as `text` wrote it.

    Raises:
        IllegalAction: `no-such-claim` for a level of 0 or a digit that is not in play.
    """
    if len(level) > MAX_LEVEL_DIGITS or int(level) < 1 or rank_of(digit, rules) >= rules.symbols:
        raise IllegalAction(text, NO_SUCH_CLAIM)
    return claim_of(int(level), digit, rules)


def write(action: int, rules: Rules) -> str:
    """`action` as `read` reads it."""
    if action < 0:
        return _WORDS[action]
    return f"{level_of(action, rules)}x{digit_of(action, rules)}"

"""Bids and rules in the words that people use at the table, read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Reason
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.notation import read_bid
from liarspoker.games.digits.options import LOWEST_DIGIT, Rules

_SINGULAR = ("ten", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_PLURAL = ("tens", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines")
_DIGIT_WORDS = {
    **{word: digit for names in (_SINGULAR, _PLURAL) for digit, word in enumerate(names)},
    **dict.fromkeys(("zero", "zeros", "zeroes", "nought", "noughts"), 0),
    **dict.fromkeys(("ace", "aces"), 1),
}
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_UNDER_100 = {
    "zero": 0,
    "no": 0,
    "a": 1,
    "an": 1,
    **{word: value for value, word in enumerate(_UNITS, 1)},
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **{word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)},
    **{f"{ten} {unit}": 10 * t + u for t, ten in enumerate(_TENS, 2) for u, unit in enumerate(_UNITS, 1)},
}
_IRREGULAR = {"has": "have", "is": "are", "passes": "pass"}
LONGEST_NAME = 16

UNBROKEN = "\N{NO-BREAK SPACE}"
"""Stands between words that a line may not part; a screen shows it as a space."""

_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_DIGIT_SIGN = re.compile(r"([0-9])['’]?s")

REASONS = {
    "level": "the level is {over} above the number of players: ×{amount}",
    "sixes": "sixes: ×{amount}",
    "made": "the bid is made and pays ×{amount}",
    "failed": "a failed bid costs the stake alone, whatever it would have won",
    "hero": "hero: the bidder holds none of them, one more: ×{amount}",
    "none": "nobody holds one, the skunk: twice the players less six, ×{amount}",
    "bid-carries": "the bid was worth ×{amount}, so the next stake is {amount}",
    "bid-compounds": "the bid's worth times the old stake: the next stake is {amount}",
    "none-carries": "the bidder held none, so the next stake is {amount}",
    "carried": "{amount} carried over",
    "new-slip": "a new slip starts at {amount}",
    "tenth": "the tenth hand is double",
    "agreed": "agreed by the table",
}
"""Every rule that can stand in a list of reasons, in English."""


def digit_name(digit: int, count: int, rules: Rules) -> str:
    """What the digit is called, one of it or several: zero where zeros are low, ace where ones are high, else ten.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> digit_name(0, 7, packed(DigitOptions(), seats=3))
    'tens'
    """
    if digit == 0 and rules.lowest_digit == LOWEST_DIGIT["zero_low"]:
        return "zero" if count == 1 else "zeros"
    if digit == 1 and rules.lowest_digit == LOWEST_DIGIT["ace_high"]:
        return "ace" if count == 1 else "aces"
    return _SINGULAR[digit] if count == 1 else _PLURAL[digit]


def bid_in_words(claim: int, rules: Rules) -> str:
    """A bid as it is said: `3 eights`."""
    level = level_of(claim, rules)
    return f"{level} {digit_name(digit_of(claim, rules), level, rules)}"


def spoken_bid(text: str, rules: Rules) -> int | None:
    """The bid that `text` says, such as "five sevens", "7 tens" or "4 6s"; `None` if it says none.

    Raises:
        IllegalAction: `no-such-claim` for a level of 0 or a digit that is not in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(), seats=3)
    >>> [bid_in_words(spoken_bid(text, rules), rules) for text in ("five sevens", "7 tens", "an ace", "4 6's")]
    ['5 sevens', '7 tens', '1 one', '4 sixes']
    """
    words = _HYPHEN.sub(" ", text.lower()).split()
    if len(words) < 2:
        return None
    level, digit = _level(" ".join(words[:-1])), _digit(words[-1])
    return None if level is None or digit is None else read_bid(level, digit, text, rules)


def _digit(word: str) -> int | None:
    sign = _DIGIT_SIGN.fullmatch(word)
    return int(sign[1]) if sign else _DIGIT_WORDS.get(word)


def _level(words: str) -> str | None:
    """The level in decimal digits: `12`, `twelve`, `one hundred and two`."""
    if re.fullmatch(r"0|[1-9][0-9]*", words):
        return words
    hundreds, spoken, rest = words.rpartition("hundred")
    if not spoken:
        return str(_UNDER_100[words]) if words in _UNDER_100 else None
    rest = rest.strip().removeprefix("and ")
    if hundreds.strip() not in (*_UNITS, "a") or (rest and rest not in _UNDER_100):
        return None
    return str(100 * _UNDER_100[hundreds.strip()] + (_UNDER_100[rest] if rest else 0))


def reason_in_words(reason: Reason, rules: Rules) -> str:
    """One rule that applied, as a person would say it."""
    over = 2 * reason.amount - 1
    return REASONS[reason.rule].format(amount=reason.amount, over=f"{over} or {over + 1}", seats=rules.seats)


def refusal_in_words(error: IllegalAction, said: str, standing: str, cap: int | None) -> str:
    """Why an action is refused, and what to do instead."""
    levels = "levels begin at 1" if cap is None else f"levels go from 1 to {cap}"
    return {
        "round-over": "the hand is over",
        "unreadable-action": f"{said!r} is no action of this game; write a bid as 5x7, or challenge, or count",
        "wrong-phase": _wrong_phase(said, standing),
        "no-such-claim": f"{said} cannot be bid; {levels}, in digits that are in play",
        "repeated-claim": f"{said} was bid before in this hand",
        "not-stronger": f"{said} does not beat {standing}",
    }[error.code]


def _wrong_phase(said: str, standing: str) -> str:
    if not standing:
        return f"{said}: nothing has been bid yet; the opener must bid"
    if said == "count":
        return "count: only a bidder who is challenged all around, and may still rebid, can call the count"
    return f"{said}: everybody has challenged; the bidder counts or makes a stronger bid"


def subject(name: str, verb: str) -> str:
    """A sentence's beginning: the name with its verb in the third person, but "You pay".

    >>> subject("Ann", "pays"), subject("You", "pays"), subject("You", "has")
    ('Ann pays', 'You pay', 'You have')
    """
    return f"You {_IRREGULAR.get(verb) or verb.removesuffix('s')}" if name == "You" else f"{name} {verb}"


def with_names(line: str, names: Sequence[str]) -> str:
    """A line with `{2}` replaced by the name of seat 2; a word in -s that follows is its verb.

    >>> with_names("{0} pays a unit to {1}", ("You", "Ann")), with_names("{1}: +1", ("You", "Ann"))
    ('You pay a unit to Ann', 'Ann: +1')
    """

    def named(found: re.Match[str]) -> str:
        name = names[int(found[1])]
        return subject(name, found[2]) if found[2] else name

    return re.sub(r"\{(\d+)\}(?: ([a-z]+s)\b)?", named, line)


def whose(name: str) -> str:
    """The name as the owner of what follows.

    >>> whose("Ann"), whose("You")
    ("Ann's", 'your')
    """
    return "your" if name == "You" else f"{name}'s"


def plural(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> plural(1, "hand"), plural(3, "hand"), plural(2, "match", "matches")
    ('1 hand', '3 hands', '2 matches')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def capital(words: str) -> str:
    """The words with a capital letter at their beginning."""
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    """The words with a capital and, where they have no end, a full stop."""
    return capital(words) + ("" if words.endswith((".", "!", "?")) else ".")


def won(units: int) -> str:
    """Units won or lost, with their sign: `+4`, `-12`, `0`."""
    return f"{units:+d}" if units else "0"


def object_of(name: str) -> str:
    """The name after a verb or a preposition: `Ann`, but `you`."""
    return "you" if name == "You" else name


def short_name(name: str) -> str:
    """The name as a table shows it: printable, on one line, cut after sixteen letters.

    >>> short_name("A name as long as they come")
    'A name as long.'
    """
    shown = " ".join(printable(name).split()) or "?"
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1].rstrip() + "."


def printable(name: str) -> str:
    """A player's name without characters that could move the cursor or hide the line."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)

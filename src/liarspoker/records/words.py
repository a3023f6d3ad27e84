"""Bids, rules and players in words: reading English phrases, and writing in the current language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Reason
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.notation import read_bid
from liarspoker.games.digits.options import LOWEST_DIGIT, Rules
from liarspoker.language import N_, _, language, ngettext, number, per_language, pgettext

if TYPE_CHECKING:
    from liarspoker.protocol.commands import Reaction

_SINGULAR = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_PLURAL = ("zeros", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines")
_DIGIT_WORDS = {
    **{word: digit for names in (_SINGULAR, _PLURAL) for digit, word in enumerate(names)},
    **dict.fromkeys(("ten", "tens", "zeroes", "nought", "noughts"), 0),
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
"""The most characters of a name in tables."""

UNBROKEN = "\N{NO-BREAK SPACE}"
"""A no-break space, where a line must not be broken."""

_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_DIGIT_FIGURE = re.compile(r"([0-9])['’]?s")

REACTION_WORDS: dict[Reaction, str] = {
    "nice": N_("Nice!"),
    "laugh": N_("Ha ha!"),
    "wow": N_("Wow!"),
    "hmm": N_("Hmm …"),
    "ouch": N_("Ouch!"),
    "liar": N_("Liar!"),
}
"""The reactions at a live table, in words; messages."""

REASONS = {
    "level": N_("level bonus, {over} or {more} above the number of players: ×{amount}"),
    "sixes": N_("sixes: ×{amount}"),
    "made": N_("the bid is made and pays ×{amount}"),
    "failed": N_("a failed bid costs one stake, whatever its multiplier"),
    "hero": N_("hero, the bidder holds none: one multiple more, ×{amount}"),
    "none": N_("skunk, nobody holds one: twice the number of players minus six, ×{amount}"),
    "push": N_("nobody holds one: a push, nobody pays"),
    "bid-carries": N_("the bid's multiplier is ×{amount}, so {amount} carries over"),
    "bid-compounds": N_("the bid's multiplier times the old stake: {amount} carries over"),
    "none-carries": N_("the bidder held none, so {amount} carries over"),
    "carried": N_("{amount} carried over"),
    "new-slip": N_("a new slip starts at {amount}"),
    "tenth": N_("the tenth hand is double"),
    "agreed": N_("agreed by the table"),
}
"""Every rule that can be a reason, in words, and "push" for "none" with the amount 0; messages."""

_CARRIES = ("bid-carries", "bid-compounds", "none-carries")


def digit_name(digit: int, count: int, rules: Rules) -> str:
    """Return the digit's name, in the form for that many of it: in English in the plural unless `count` is 1.

    1 is "ace" where aces are high, else "one".

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> digit_name(0, 7, packed(DigitOptions(), seats=3))
    'zeros'
    """
    ace = digit == 1 and rules.lowest_digit == LOWEST_DIGIT["ace_high"]
    return _DIGIT_NAMES[-1 if ace else digit](count)


_DIGIT_NAMES: tuple[Callable[[int], str], ...] = (
    # Translators: the names of digits, as in bids: "5 sevens"
    lambda count: ngettext("zero", "zeros", count),
    lambda count: ngettext("one", "ones", count),
    lambda count: ngettext("two", "twos", count),
    lambda count: ngettext("three", "threes", count),
    lambda count: ngettext("four", "fours", count),
    lambda count: ngettext("five", "fives", count),
    lambda count: ngettext("six", "sixes", count),
    lambda count: ngettext("seven", "sevens", count),
    lambda count: ngettext("eight", "eights", count),
    lambda count: ngettext("nine", "nines", count),
    # Translators: the digit 1 where it is the highest
    lambda count: ngettext("ace", "aces", count),
)
"""The name of each digit for a number of it, and last that of 1 where aces are high."""


def bid_in_words(claim: int, rules: Rules) -> str:
    """Return a bid in words: `3 eights`."""
    return count_in_words(level_of(claim, rules), digit_of(claim, rules), rules)


@per_language(2048)
def count_in_words(count: int, digit: int, rules: Rules) -> str:
    """Return that many of a digit in words: `3 eights`."""
    # Translators: a bid: a number and the name of a digit, as in "3 eights"
    return pgettext("digits", "{count} {digits}", count=count, digits=digit_name(digit, count, rules))


def count_or_no(count: int, digit: int, rules: Rules) -> str:
    """Return that many of a digit in words, and for 0 `no eights`."""
    if count:
        return count_in_words(count, digit, rules)
    # Translators: none of a digit, as in "no eights"
    return pgettext("digits", "no {digits}", digits=digit_name(digit, 0, rules))


def read_spoken_bid(text: str, rules: Rules) -> int | None:
    """Return the bid in a phrase such as "five sevens", "7 tens" or "4 6s"; `None` if `text` isn't such a phrase.

    Levels in figures may be followed by a digit's name in the current language.

    Raises:
        IllegalAction: `no-such-claim` for a level of 0 or a digit that is not in play.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> rules = packed(DigitOptions(), seats=3)
    >>> [bid_in_words(read_spoken_bid(text, rules), rules) for text in ("five sevens", "7 tens", "an ace", "4 6's")]
    ['5 sevens', '7 zeros', '1 one', '4 sixes']
    """
    words = _HYPHEN.sub(" ", text.lower()).split()
    if len(words) < 2:
        return None
    level, digit = _level(" ".join(words[:-1])), _digit(words[-1])
    return None if level is None or digit is None else read_bid(level, digit, text, rules)


def _digit(word: str) -> int | None:
    figure = _DIGIT_FIGURE.fullmatch(word)
    if figure or word in _DIGIT_WORDS:
        return int(figure[1]) if figure else _DIGIT_WORDS[word]
    digits = zip((*range(10), 1), _DIGIT_NAMES, strict=True)
    named = {name(count).lower(): digit for digit, name in digits for count in (1, 2)}
    return named.get(word)


def _level(words: str) -> str | None:
    """Return the level in decimal digits, from `12`, `twelve` or `one hundred and two`."""
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
    """Return a rule that applied, in words; see `REASONS`."""
    over = 2 * reason.amount - 1
    rule = "push" if reason == ("none", 0) else reason.rule
    words = _(REASONS[rule], amount=reason.amount, over=over, more=over + 1)
    if reason.rule in _CARRIES and rules.slip_resets_stake:
        # Translators: {reason} is a message such as "the bidder held none, so 2 carries over"
        return _("{reason}, but not to a new slip", reason=words)
    return words


def refusal_in_words(error: IllegalAction, action: str, standing: str, cap: int | None) -> str:
    """Return why an action is illegal, and what to do instead.

    Args:
        error: the refusal of a digit game.
        action: the action as it was entered, or in words.
        standing: the standing bid in words; empty before the first.
        cap: the highest possible level; `None` if there is no cap.
    """
    match error.code:
        case "round-over":
            return _("the hand is over")
        case "unreadable-action":
            return _(
                "{action} isn't an action of this game; write a bid such as 5 sevens, or challenge, or count",
                action=repr(action),
            )
        case "wrong-phase":
            return _wrong_phase(action, standing)
        case "no-such-claim" if cap is None:
            return _(
                "{action} can't be bid; the level must be at least 1, and the digit must be in play", action=action
            )
        case "no-such-claim":
            return _(
                "{action} can't be bid; the level must be between 1 and {cap}, and the digit must be in play",
                action=action,
                cap=cap,
            )
        case "repeated-claim":
            return _("{action} was already bid in this hand", action=action)
        case "not-stronger":
            return _("{action} does not beat {standing}", action=action, standing=standing)
    raise KeyError(error.code)


def _wrong_phase(action: str, standing: str) -> str:
    if not standing:
        return _("{action}: nothing has been bid yet; the opener must bid", action=action)
    if action == "count":
        return _("count: only a bidder who is challenged all around and may still rebid can call for the count")
    return _("{action}: everybody has challenged; the bidder must count or rebid", action=action)


def verdict_in_words(verdict: str) -> str:
    """Return the name of a verdict on a decision: `best`, `fine`, `inaccuracy`, `mistake` or `blunder`."""
    # Translators: verdicts on a decision, from the best to the worst
    return {
        "best": pgettext("verdict", "best"),
        "fine": pgettext("verdict", "fine"),
        "inaccuracy": pgettext("verdict", "inaccuracy"),
        "mistake": pgettext("verdict", "mistake"),
        "blunder": pgettext("verdict", "blunder"),
    }[verdict]


YOU = "You"
"""The reader's own name in lists of names; they read a message about them instead, or `name_shown`."""


def said_of(name: str, you: str, other: str, **values: object) -> str:
    """Return a message about a player: `you` for `YOU`, else `other`, in which `{name}` is the player.

    Args:
        name: the player's name, or `YOU`.
        you: the message for the player who reads, marked with `N_`.
        other: the message about another player, marked with `N_`.
        values: the values of other placeholders.

    >>> [said_of(name, N_("You bid {bid}."), N_("{name} bids {bid}."), bid="3 eights") for name in ("You", "Ann")]
    ['You bid 3 eights.', 'Ann bids 3 eights.']
    """
    return _(you if name == YOU else other, name=name, **values)


def said_of_two(name: str, other: str, you: str, to_you: str, others: str, **values: object) -> str:
    """Return a message about two players: `you` if the first is `YOU`, `to_you` if the second is, else `others`.

    Args:
        name: the first player's name, or `YOU`; the placeholder `{name}`.
        other: the second player's name, or `YOU`; the placeholder `{other}`.
        you: the message if the first player reads it, marked with `N_`.
        to_you: the message if the second player reads it, marked with `N_`.
        others: the message about two other players, marked with `N_`.
        values: the values of other placeholders.
    """
    return _(you if name == YOU else to_you if other == YOU else others, name=name, other=other, **values)


def name_shown(name: str) -> str:
    """Return a name as it is shown alone, as in a list or before a colon: `Ann`, or the message `You`."""
    # Translators: instead of the reader's own name, alone, as in a list of players
    return pgettext("name", "You") if name == YOU else name


def aligned(names: Sequence[str]) -> tuple[str, ...]:
    """Return names that take equally many columns on a terminal, where Chinese characters and emoji take two each.

    >>> aligned(["Bo", "Anna"]), aligned(["Bo", "\u738b\u4f1f"])
    (('Bo  ', 'Anna'), ('Bo  ', '\u738b\u4f1f'))
    """
    if all(map(str.isascii, names)):
        width = max(map(len, names), default=0)
        return tuple(name.ljust(width) for name in names)
    import wcwidth  # it takes 30 ms to import

    width = max(map(wcwidth.width, names))
    return tuple(wcwidth.ljust(name, width) for name in names)


def subject(name: str, verb: str) -> str:
    """Return the name with a verb in the third person; with "You", the verb has no ending.

    >>> subject("Ann", "pays"), subject("You", "pays"), subject("You", "has")
    ('Ann pays', 'You pay', 'You have')
    """
    return f"You {_IRREGULAR.get(verb) or verb.removesuffix('s')}" if name == "You" else f"{name} {verb}"


def with_names(line: str, names: Sequence[str]) -> str:
    """Return a line with `{2}` replaced by the name of seat 2; in English, a word ending in -s after it is its verb.

    >>> with_names("{0} pays a unit to {1}", ("You", "Ann")), with_names("{1}: +1", ("You", "Ann"))
    ('You pay a unit to Ann', 'Ann: +1')
    """

    def named(found: re.Match[str]) -> str:
        name = names[int(found[1])]
        if found[2] and language() != "en":
            return f"{name_shown(name)} {found[2]}"
        return subject(name, found[2]) if found[2] else name_shown(name)

    return re.sub(r"\{(\d+)\}(?: ([a-z]+s)\b)?", named, line)


def capital(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    """Return the words as a sentence: with a capital first letter and a full stop unless they end in one of `.!?`."""
    return capital(words) + ("" if words.endswith((".", "!", "?")) else ".")


def signed_units(units: int) -> str:
    """Return units with their sign: `+4`, `-12`, `0`."""
    return f"{units:+d}" if units else "0"


def signed(mean: float) -> str:
    """Return a mean with its sign and two decimal places, and 0.00 without a sign.

    >>> signed(0.354), signed(-1.2), signed(-0.001)
    ('+0.35', '−1.20', '0.00')
    """
    text = f"{mean:+z.2f}"
    return number("0.00" if text == "+0.00" else text).replace("-", "−")


def any_of(words: Sequence[str]) -> str:
    """Return alternatives as a list: `a or b or c`."""
    return reduce(lambda one, last: _("{values} or {last}", values=one, last=last), words)


def all_of(words: Sequence[str]) -> str:
    """Return a list: `a, b and c`."""
    return _("{values} and {last}", values=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else words[0]


def units_in_words(units: int) -> str:
    """Return a number of units in words: `1 unit`, `3 units`."""
    return ngettext("{count} unit", "{count} units", units)


def short_name(name: str) -> str:
    """Return the name as tables show it: printable, on one line, at most 16 characters.

    >>> short_name("A name as long as they come")
    'A name as long.'
    """
    shown = " ".join(printable(name).split()) or "?"
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1].rstrip() + "."


def printable(name: str) -> str:
    """Return a player's name or message with unprintable characters, such as terminal control codes, replaced."""
    return "".join(
        char if char.isprintable() or char == "\N{ZERO WIDTH JOINER}" else "\N{REPLACEMENT CHARACTER}" for char in name
    )

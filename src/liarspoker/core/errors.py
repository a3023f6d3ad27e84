"""Errors of the rules, and the refusal codes of actions.

```
LiarsPokerError
├── UnknownGame         no such game in the catalogue
├── BadRecord           contradictory parts of a record
├── BadOption           no such option or value in this game
├── BadSeats            too many or too few players
├── BadStart            impossible losses at the start of a match
├── BadRound            an opener who can't open, or a stake below 1
├── BadDeal             impossible numbers, slips, letters, cards or counts
├── MissingInformation  an open question, such as the opener after a tie
├── NotNow              a request at the wrong time
└── IllegalAction       an action that isn't legal
```

Every error has a `code` of Liar's Poker Notation.
"""

from __future__ import annotations

# Results of a legality check. If several codes apply to an action, the lowest is reported, as the notation requires.
LEGAL = 0
"""The action is legal."""
ROUND_OVER = 1
"""The round is over."""
UNREADABLE_ACTION = 2
"""The text isn't an action of this game."""
WRONG_PHASE = 3
"""The action isn't legal in this phase."""
NO_SUCH_CLAIM = 4
"""The claim doesn't exist."""
REPEATED_CLAIM = 5
"""The claim was already made in this round."""
NOT_STRONGER = 6
"""The claim doesn't beat the standing one."""
CANNOT_TAKE = 7
"""No hand beats the declaration, so it can't be taken."""
NO_PASS_LEFT = 8
"""The seat has no pass left."""
CARDS_NOT_HELD = 9
"""The hand doesn't hold these cards."""

REFUSALS = (
    "legal",
    "round-over",
    "unreadable-action",
    "wrong-phase",
    "no-such-claim",
    "repeated-claim",
    "not-stronger",
    "cannot-take",
    "no-pass-left",
    "cards-not-held",
)
"""The names of the refusal codes in the notation, by code."""


def format_value(value: object) -> str:
    """Return a value as messages show it: in the syntax of records, and shortened if it is long.

    >>> format_value(True), format_value("zero_low"), format_value(1 << 200), format_value([[]])
    ('true', '"zero_low"', 'a number of 61 digits', 'a list')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() <= 64:
        return str(value)
    if isinstance(value, str):
        start = value[:60] if value[:60].isprintable() else value[:60].encode("unicode_escape").decode()
        return f'"{start}"' if len(value) <= 60 else f'"{start}..."'
    if isinstance(value, int | list | dict):
        from liarspoker.language import _  # slow to import, and `liarspoker --help` needs this module

        if isinstance(value, int):
            return _("a number of {count} digits", count=1 + int(value.bit_length() * 0.30103))
        return _("a list") if isinstance(value, list) else _("a table")
    return "null" if value is None else str(value)


class LiarsPokerError(Exception):
    """Base class of the errors of this package.

    Attributes:
        code: the error code of Liar's Poker Notation.
    """

    code = "error"


class UnknownGame(LiarsPokerError):
    """The catalogue has no game with this ID."""

    code = "unknown-game"


class BadRecord(LiarsPokerError):
    """Parts of a record contradict each other, such as slips and the letters of bills."""

    code = "bad-record"


class BadOption(LiarsPokerError):
    """The game has no such option, or the option doesn't take this value."""

    code = "bad-option"


class BadSeats(LiarsPokerError):
    """The game can't be played by this number of players, or there is no such seat."""

    code = "bad-record"


class BadStart(LiarsPokerError):
    """Losses with which a match can't begin: not one number per seat, or more than a player can have."""

    code = "bad-record"


class BadRound(LiarsPokerError):
    """The opener isn't a seat still in, or the stake is below 1 or too large."""

    code = "bad-round"


class BadDeal(LiarsPokerError):
    """An impossible deal: a wrong number of hands, invalid digits or cards, or counts that contradict the hands."""

    code = "bad-deal"


class MissingInformation(LiarsPokerError):
    """Information is missing that the rules can't supply, such as a random opener or a hidden hand."""

    code = "bad-record"


class NotNow(LiarsPokerError):
    """A request at the wrong time, such as an action while no round is in play."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class IllegalAction(LiarsPokerError):
    """The action isn't legal; the session is unchanged.

    Attributes:
        action: the action, or the text that isn't one.
        refusal: a refusal code of this module, never `LEGAL`.
        code: its name in the notation, such as `"not-stronger"`.
    """

    def __init__(self, action: int | str, refusal: int) -> None:
        self.action = action
        self.refusal = refusal
        self.code = REFUSALS[refusal]
        super().__init__(f"{action}: {self.code}")

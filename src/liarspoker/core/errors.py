"""What can be wrong with what a person or a program asks of the rules.

```
LiarsPokerError
├── UnknownGame      no such catalogue id
├── BadRecord        what was told does not go together
├── BadOption        no such option, or value, in this game
├── BadSeats         more or fewer players than the game seats
├── BadStart         losses with which no match begins
├── BadRound         an opener who may not open, a stake below 1
├── BadDeal          numbers, slips, letters, cards or counts that cannot be
├── NotTold         who opens after a tie, how a number never shown counts: somebody must say
├── NotNow           a round begun or asked for at the wrong moment
└── IllegalAction    an action that the rules refuse
```

Every error carries a `code` of Liar's Poker Notation; the faces supply the words around it.
"""

from __future__ import annotations

# The rules answer "may this be played?" with one of these, 0 for yes. The order is the notation's: of two faults of one
# action, the one that stands first here is the one reported.
LEGAL = 0
ROUND_OVER = 1
UNREADABLE_ACTION = 2
WRONG_PHASE = 3
NO_SUCH_CLAIM = 4
REPEATED_CLAIM = 5
NOT_STRONGER = 6
CANNOT_TAKE = 7
NO_PASS_LEFT = 8
CARDS_NOT_HELD = 9

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


def told(value: object) -> str:
    """A value as a message shows it: as records write it, and short whatever it is.

    >>> told(True), told("zero_low"), told(1 << 200), told([[]])
    ('true', '"zero_low"', 'a number of 61 digits', 'a list')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 64 else f"a number of {1 + int(value.bit_length() * 0.30103)} digits"
    if isinstance(value, str):
        start = value[:60] if value[:60].isprintable() else value[:60].encode("unicode_escape").decode()
        return f'"{start}"' if len(value) <= 60 else f'"{start}..."'
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    return "null" if value is None else str(value)


class LiarsPokerError(Exception):
    """Anything that this package refuses, with the `code` that names the reason."""

    code = "error"


class UnknownGame(LiarsPokerError):
    """No game of the catalogue has this id."""

    code = "unknown-game"


class BadRecord(LiarsPokerError):
    """What was told does not go together, such as slips and the letters of bills."""

    code = "bad-record"


class BadOption(LiarsPokerError):
    """This game has no such option, or the option no such value."""

    code = "bad-option"


class BadSeats(LiarsPokerError):
    """The game does not seat so many players."""

    code = "bad-record"


class BadStart(LiarsPokerError):
    """Losses with which no match begins: not one number a seat, or more than a player can have."""

    code = "bad-record"


class BadRound(LiarsPokerError):
    """An opener who is no seat (or out), or a stake below 1."""

    code = "bad-round"


class BadDeal(LiarsPokerError):
    """A deal that the game cannot give: wrong number, strange digits or cards, counts that contradict the hands."""

    code = "bad-deal"


class NotTold(LiarsPokerError):
    """The rules leave something to chance or to a hidden hand, and nobody says what it was."""

    code = "bad-record"


class NotNow(LiarsPokerError):
    """A round begun before the last one has ended, or an action where no round is in play."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class IllegalAction(LiarsPokerError):
    """The rules refuse this action; nothing has changed.

    Attributes:
        action: what was tried, an action of the game or the text that could not be read as one.
        refusal: one of the refusal numbers of this module, never `LEGAL`.
        code: the refusal's name in the notation, such as `"not-stronger"`.
    """

    def __init__(self, action: int | str, refusal: int) -> None:
        self.action = action
        self.refusal = refusal
        self.code = REFUSALS[refusal]
        super().__init__(f"{action}: {self.code}")

"""What a question is: a kind, its fields, and the function that answers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from liarspoker.core.errors import LiarsPokerError


class NotJson(LiarsPokerError):
    """The line is no JSON object in UTF-8."""

    code = "not-json"


class UnknownKind(LiarsPokerError):
    """There is no such kind of question."""

    code = "unknown-kind"


class BadQuestion(LiarsPokerError):
    """A field is missing, unknown, of the wrong type or out of range."""

    code = "bad-question"


class NoSuchClaim(LiarsPokerError):
    """The bid or the named hand that the question is about does not exist in its game."""

    code = "no-such-claim"


class Answer(NamedTuple):
    """What a question is answered with.

    Attributes:
        value: the exact answer.
        extras: further figures, by the names under which they are written.
    """

    value: Fraction
    extras: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Check:
    """What a field takes.

    Attributes:
        expected: the values in words, for messages and manuals.
        accepts: whether a value as JSON gives it is one of them.
    """

    expected: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question.

    Attributes:
        answer: gets the fields by name, each of which its check has accepted.
        fields: those that the question must have.
        optional: those that it may have.
    """

    answer: Callable[..., Answer]
    fields: Mapping[str, Check]
    optional: Mapping[str, Check] = field(default_factory=dict)

    def ask(self, given: Mapping[str, object]) -> Answer:
        """The answer to the question with the fields `given`.

        Raises:
            BadQuestion: a field is missing, unknown, of the wrong type or out of range.
            NoSuchClaim: from the kind's own function.
        """
        checks = {**self.fields, **self.optional}
        missing = [name for name in self.fields if name not in given]
        if missing:
            raise BadQuestion(f"{missing[0]}: missing")
        for name, value in given.items():
            check = checks.get(name)
            if check is None:
                raise BadQuestion(f"{quoted(name)}: no such field; this kind has {', '.join(checks)}")
            if not check.accepts(value):
                raise BadQuestion(f"{name}: should be {check.expected}")
        return self.answer(**given)


def whole(low: int | None = None, high: int | None = None) -> Check:
    """Whole numbers from `low` to `high`; true and 2.0 are none.

    >>> whole(2, 16).expected, whole(2, 16).accepts(16), whole().accepts(2.0), whole(0, 1).accepts(True)
    ('a whole number from 2 to 16', True, False, False)
    """
    words = "a whole number"
    if low is not None:
        words += f" from {low} to {high}" if high is not None else f", {low} or more"

    def accepts(value: object) -> bool:
        return type(value) is int and (low is None or low <= value) and (high is None or value <= high)

    return Check(words, accepts)


def one_of(values: Collection[str]) -> Check:
    """One of a few strings.

    >>> one_of(("a", "b")).expected
    '"a" or "b"'
    """
    words = [f'"{value}"' for value in values]
    expected = f"{', '.join(words[:-1])} or {words[-1]}"
    return Check(expected, lambda value: isinstance(value, str) and value in values)


def quoted(text: str) -> str:
    """`text` as a message shows it: in quotes, in plain letters, and not at any length.

    >>> quoted("n"), quoted("x" * 100)
    ("'n'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    return ascii(text if len(text) <= 33 else text[:30] + "...")

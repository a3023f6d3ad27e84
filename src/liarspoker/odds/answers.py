"""Questions as programs ask them: one JSON object a line in, one answer a line out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from liarspoker.core.errors import LiarsPokerError
from liarspoker.odds import card_kinds, digit_kinds
from liarspoker.odds.figures import exact
from liarspoker.odds.questions import Answer, BadQuestion, Kind, NotJson, UnknownKind, quoted
from liarspoker.records import strict_json

KINDS: Mapping[str, Kind] = {**digit_kinds.KINDS, **card_kinds.KINDS}
"""Every kind of question, by name."""


def answer(question: Mapping[str, object]) -> Answer:
    """The exact answer to a question.

    Args:
        question: its `kind`, and the fields of that kind; see `KINDS`.

    Raises:
        UnknownKind: there is no such kind.
        BadQuestion: a field, or the kind itself, is missing, unknown, of the wrong type or out of range.
        NoSuchClaim: the bid does not exist among so many players, or no cards make the claim.

    >>> answer({"kind": "others_at_least", "others": 1, "need": 2}).value
    Fraction(18689527, 100000000)
    """
    given = dict(question)
    name = given.pop("kind", None)
    if not isinstance(name, str):
        raise BadQuestion(f"kind: should be one of {', '.join(KINDS)}")
    if name not in KINDS:
        raise UnknownKind(f"kind: {quoted(name)} is none; there are {', '.join(KINDS)}")
    return KINDS[name].ask(given)


def answer_lines(lines: Iterable[bytes]) -> Iterator[str]:
    r"""One answer, a line of JSON without its end, for every line that is not blank.

    >>> list(answer_lines([b'{"kind": "raise_threshold", "n": 4}\n', b"\n", b"what?\n"]))[0]
    '{"value": 0.3333333333333333, "fraction": "1/3"}'
    """
    return (answer_line(line) for line in lines if line.strip())


def answer_line(line: bytes) -> str:
    """The answer to one line: its value, or what is wrong with it; never an exception.

    >>> answer_line(b'{"kind": "raise_threshold", "n": 1}')
    '{"error": {"code": "bad-question", "message": "n: should be a whole number from 2 to 1000000000"}}'
    """
    try:
        value, extras = answer(_question(line))
    except LiarsPokerError as error:
        return json.dumps({"error": {"code": error.code, "message": str(error)}})
    return json.dumps({**exact(value), **extras})


def _question(line: bytes) -> dict[str, object]:
    """The JSON object on a line.

    Raises:
        NotJson: not UTF-8, not JSON (NaN is none), or nested too deeply to read.
        BadQuestion: JSON, but no object, or one with a key twice.
    """
    try:
        found = strict_json.load(line)
    except strict_json.NotJson as error:
        raise NotJson(f"the line is not JSON: {error}") from None
    except strict_json.KeyTwice as error:
        raise BadQuestion(str(error)) from None
    if not isinstance(found, dict):
        raise BadQuestion("the line is JSON, but not an object with a kind")
    return found

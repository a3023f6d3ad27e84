"""Questions as programs ask them: one JSON object a line in, one answer a line out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from liarspoker.odds import card_kinds, digit_kinds
from liarspoker.odds.figures import exact
from liarspoker.odds.questions import Answer, BadQuestion, Kind, NotJson, UnknownKind, quoted
from liarspoker.rules.errors import LiarsPokerError

KINDS: Mapping[str, Kind] = {**digit_kinds.KINDS, **card_kinds.KINDS}
"""Every kind of question, by name."""

_LONGEST_INT = 30


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
        NotJson: not UTF-8, not JSON (NaN is none), a key twice in one object, or nested too deep to read.
        BadQuestion: JSON, but no object.
    """
    try:
        found = json.loads(
            line.decode("utf-8"), object_pairs_hook=_unique, parse_int=_int, parse_constant=_refuse_constant
        )
    except RecursionError:
        raise NotJson("the line is nested too deep") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"the line is not UTF-8: byte {error.start + 1}") from None
    except ValueError as error:
        raise NotJson(f"the line is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadQuestion("the line is JSON, but not an object with a kind")
    return found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {quoted(name)} stands twice")
        found[name] = value
    return found


def _int(text: str) -> int:
    """A whole number as JSON writes it. One beyond all bounds is cut short: beyond them it stays, and costs nothing."""
    beyond: int = 10**_LONGEST_INT
    if len(text) <= _LONGEST_INT:
        return int(text)
    return -beyond if text.startswith("-") else beyond


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")

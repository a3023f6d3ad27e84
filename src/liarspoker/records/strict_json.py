"""Strict parsing of untrusted JSON: UTF-8, no NaN, no duplicate keys, bounded nesting and numbers."""

from __future__ import annotations

import json
from collections import Counter
from typing import NoReturn

from liarspoker.language import _

MAX_INT_DIGITS = 4300
"""The most decimal digits of an int; a longer one becomes 10 to this power, which exceeds every bound."""


class NotJson(Exception):
    """The text isn't UTF-8 or JSON, or it is nested too deeply."""


class DuplicateKey(Exception):
    """The text is JSON, but an object has the same key twice."""


def load(text: str | bytes) -> object:
    """Return the JSON value in `text`, ignoring a byte order mark.

    Raises:
        NotJson: the text can't be parsed; the message is the reason, on one line.
        DuplicateKey: an object has the same key twice.

    >>> load(b'{"n": 4}')
    {'n': 4}
    """
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(plain, object_pairs_hook=_unique, parse_int=_int, parse_constant=_refuse_constant)
    except RecursionError:
        raise NotJson(_("it is nested too deeply")) from None
    except UnicodeDecodeError as error:
        raise NotJson(_("byte {number} isn't UTF-8", number=error.start + 1)) from None
    except ValueError as error:
        raise NotJson((str(error).splitlines() or [_("it is empty")])[0][:200]) from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        times = Counter(name for name, _value in pairs)
        twice = next(name for name, count in times.items() if count > 1)
        raise DuplicateKey(_("the key {key} occurs twice in one object", key=json.dumps(twice[:60])))
    return table


def _int(text: str) -> int:
    if len(text) <= MAX_INT_DIGITS:
        return int(text)
    beyond: int = 10**MAX_INT_DIGITS
    return -beyond if text.startswith("-") else beyond


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(_("{name} isn't a JSON number", name=name))

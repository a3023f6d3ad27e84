"""JSON as programs send it here: UTF-8, no NaN, no key twice, and no text that could stop the reader."""

from __future__ import annotations

import json
from collections import Counter
from typing import NoReturn

LONGEST_INT = 4300
"""Decimal digits of the longest number that is kept; a longer one is cut to 10 to this power, beyond every bound."""


class NotJson(Exception):
    """The text is not UTF-8, not JSON, or nested too deeply to read."""


class KeyTwice(Exception):
    """The text is JSON, but an object has the same key twice, so that one value would be lost."""


def load(text: str | bytes) -> object:
    """The value that `text` holds; a byte order mark before it is passed over.

    Raises:
        NotJson: with the reason, on one line.
        KeyTwice: naming the key.

    >>> load(b'{"n": 4}')
    {'n': 4}
    """
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        return json.loads(plain, object_pairs_hook=_unique, parse_int=_int, parse_constant=_refuse_constant)
    except RecursionError:
        raise NotJson("it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {error.start + 1} is not UTF-8") from None
    except ValueError as error:
        raise NotJson((str(error).splitlines() or ["it is empty"])[0][:200]) from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, count in times.items() if count > 1)
        raise KeyTwice(f"the key {json.dumps(twice[:60])} stands twice in one object")
    return table


def _int(text: str) -> int:
    if len(text) <= LONGEST_INT:
        return int(text)
    beyond: int = 10**LONGEST_INT
    return -beyond if text.startswith("-") else beyond


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")

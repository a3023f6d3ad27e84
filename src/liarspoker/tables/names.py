"""Names that people can't tell apart, by the confusable characters of Unicode (Technical Standard #39)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from unicodedata import normalize


def look_alike(name: str, others: Iterable[str]) -> str | None:
    r"""The first of the other names that looks like `name`, whatever the case or the script; `None` where none does.

    >>> look_alike("B\N{CYRILLIC SMALL LETTER O}b", ["Ann", "bob"])
    'bob'
    >>> look_alike("Bobby", ["Ann", "bob"])
    """
    looks = _looks(name)
    return next((other for other in others if not looks.isdisjoint(_looks(other))), None)


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    """What a name may be taken for, in small letters: as it is written, and as it would be in small letters.

    An I looks like an l, but an i doesn't, so one of the two is not enough.
    """
    return frozenset(skeleton(skeleton(text).casefold()).casefold() for text in (name, name.casefold()))


def skeleton(text: str) -> str:
    r"""The text with each character replaced by the one that stands for all that look like it; not for display.

    >>> skeleton("AI Bell"), skeleton("Max")
    ('Al Bell', 'Max')
    >>> skeleton("Tom"), skeleton("\N{CYRILLIC CAPITAL LETTER A}nn")
    ('Torn', 'Ann')
    """
    prototypes = _prototypes()
    return normalize("NFD", "".join(prototypes.get(sign, sign) for sign in normalize("NFD", text)))


@cache
def _prototypes() -> Mapping[str, str]:
    """The character, or the few, that stand for each confusable character.

    The package lists pairs in both directions. A character that others share as their one partner stands for them; so
    does a group of several characters. Of two that have only each other, either will do.
    """
    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    partners = {_bare(sign): [_bare(other["c"]) for other in found] for sign, found in data.items()}
    single: dict[str, str] = {}
    for sign, found in partners.items():
        if len(sign) != 1 or len(found) != 1:
            continue
        mutual = len(found[0]) == 1 and len(partners.get(found[0], ())) == 1
        single[sign] = min(sign, found[0]) if mutual else found[0]
    return {sign: "".join(single.get(part, part) for part in stands) for sign, stands in single.items()}


def _bare(text: str) -> str:
    """Without the marks of direction that the package puts around signs which are written from right to left."""
    return text.replace("\u200e", "")

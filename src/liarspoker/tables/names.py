"""Detection of names that look alike, using Unicode's confusable characters (Technical Standard #39)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from unicodedata import normalize


def look_alike(name: str, others: Iterable[str]) -> str | None:
    r"""Return the first of `others` that looks like `name`, regardless of case and script; `None` if none does.

    >>> look_alike("B\N{CYRILLIC SMALL LETTER O}b", ["Ann", "bob"])
    'bob'
    >>> look_alike("Bobby", ["Ann", "bob"])
    """
    looks = _looks(name)
    return next((other for other in others if not looks.isdisjoint(_looks(other))), None)


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    """Return the lower-case skeletons of a name as written and in lower case.

    Both are needed: an I looks like an l, but an i doesn't.
    """
    return frozenset(skeleton(skeleton(text).casefold()).casefold() for text in (name, name.casefold()))


def skeleton(text: str) -> str:
    r"""Replace each character by the representative of all characters that look like it. Not for display.

    >>> skeleton("AI Bell"), skeleton("Max")
    ('Al Bell', 'Max')
    >>> skeleton("Tom"), skeleton("\N{CYRILLIC CAPITAL LETTER A}nn")
    ('Torn', 'Ann')
    """
    prototypes = _prototypes()
    return normalize("NFD", "".join(prototypes.get(sign, sign) for sign in normalize("NFD", text)))


@cache
def _prototypes() -> Mapping[str, str]:
    """Return the representative, of one or more characters, of each confusable character.

    The package lists pairs in both directions. The representative is the only partner of the other characters, or a
    sequence of several characters. Of two characters that are only each other's partners, the smaller is chosen.
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
    """Remove the direction marks that the package puts around right-to-left characters."""
    return text.replace("\u200e", "")

"""Validation and normalization of names, logins, labels and passphrases."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from liarspoker.language import _
from liarspoker.server.accounts.credentials import BadName
from liarspoker.tables.names import look_alike

LONGEST_NAME = 24
RESERVED = ("admin", "administrator", "bot", "host", "liarspoker", "moderator", "owner", "server", "system", "you")
"""Names that users can't have: what pages call the viewer, and names that seem to belong to the server."""
MAX_MARKS = 3
"""The maximum number of combining marks on one letter."""
LONGEST_LABEL = 60
SHORTEST_LOGIN, LONGEST_LOGIN = 3, 64
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 8, 256
EXPECTED = ("liar's poker", "liarspoker", "liars", "poker", "passphrase", "password")
"""Words that an attacker would try first; they don't count towards the length of a new passphrase."""
SHORTEST_EXPECTED = 4
"""Names and logins shorter than this count towards the length, since they occur in too many words."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and variation selectors, which are invisible although Python considers them printable."""
_MARKS = ("Mn", "Me")
_TOO_MANY_MARKS = re.compile(rf"^m|m{{{MAX_MARKS + 1}}}")


def clean_name(text: str) -> str:
    """Return a valid name with normalized spaces: printable, 1 to 24 characters, not similar to a `RESERVED` one.

    Raises:
        BadName: it isn't valid.

    >>> clean_name("  Long   John ")
    'Long John'
    >>> clean_name("  ")
    Traceback (most recent call last):
    liarspoker.server.accounts.credentials.BadName: a name must have 1 to 24 characters, not 0
    """
    name = _printable(text, LONGEST_NAME)
    words = "".join(sign for sign in name if sign.isalpha())
    if reserved := look_alike(name, RESERVED) or look_alike(words, RESERVED):
        raise BadName(_("the name {name} is reserved; choose another name", name=reserved))
    return name


def clean_label(text: str) -> str:
    """Return a valid label of a token or of house rules: printable, 1 to 60 characters.

    Args:
        text: the label.

    Raises:
        BadName: it isn't valid.
    """
    return _printable(text, LONGEST_LABEL)


def _printable(text: str, longest: int) -> str:
    """Return the text in its composed form, and reject invisible characters such as directional overrides.

    Invisible letters and marks are removed, as two different names could look the same with them.
    """
    clean = " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", text)).split())
    if not clean.isprintable():
        raise BadName(_("a name can't contain invisible characters"))
    if _TOO_MANY_MARKS.search("".join("m" if unicodedata.category(sign) in _MARKS else "-" for sign in clean)):
        raise BadName(_("a name must begin with a letter, and have at most {most} accents per letter", most=MAX_MARKS))
    if not 1 <= len(clean) <= longest:
        raise BadName(_("a name must have 1 to {most} characters, not {count}", most=longest, count=len(clean)))
    return clean


def clean_login(text: str) -> str:
    """Return a login in the normalized form in which it is stored: 3 to 64 letters, digits and `. _ @ + -`.

    Raises:
        BadName: it contains other characters, or is too short or too long.

    >>> clean_login(" Bob@Example.com")
    'bob@example.com'
    """
    clean = unicodedata.normalize("NFKC", text[: 2 * LONGEST_LOGIN].strip()).casefold()
    if not re.fullmatch(rf"[\w.@+-]{{{SHORTEST_LOGIN},{LONGEST_LOGIN}}}", clean):
        raise BadName(
            _(
                "a login must have {least} to {most} letters, digits and . _ @ + -",
                least=SHORTEST_LOGIN,
                most=LONGEST_LOGIN,
            )
        )
    return clean


def clean_passphrase(text: str) -> str:
    """Return a passphrase in the normalized form in which it is hashed: 8 to 256 characters of any kind.

    Raises:
        BadName: it is too short or too long.
    """
    if not SHORTEST_PASSPHRASE <= len(text) <= LONGEST_PASSPHRASE:
        raise BadName(
            _(
                "a passphrase must have {least} to {most} characters, not {count}",
                least=SHORTEST_PASSPHRASE,
                most=LONGEST_PASSPHRASE,
                count=len(text),
            )
        )
    return unicodedata.normalize("NFKC", text)


def clean_new_passphrase(text: str, login: str, name: str) -> str:
    """Return a new passphrase, normalized as by `clean_passphrase`, if it is hard enough to guess.

    Raises:
        BadName: it is too short or too long, is a common passphrase, or consists of words that an attacker would try
            first.

    >>> clean_new_passphrase("Ann's fine four words", "ann@example.com", "Ann")
    "Ann's fine four words"
    >>> clean_new_passphrase("Annika2026", "annika", "Ann")
    Traceback (most recent call last):
    liarspoker.server.accounts.credentials.BadName: a passphrase must have 8 characters apart from your login, your ...
    """
    passphrase = clean_passphrase(text)
    if passphrase.casefold() in common_passphrases():
        raise BadName(_("this passphrase is too common; choose another one"))
    if len(_without([login, login.partition("@")[0], name, *EXPECTED], passphrase)) < SHORTEST_PASSPHRASE:
        raise BadName(
            _(
                "a passphrase must have {least} characters apart from your login, your name and words such as poker",
                least=SHORTEST_PASSPHRASE,
            )
        )
    return passphrase


def _without(words: Iterable[str], passphrase: str) -> str:
    left = passphrase.casefold()
    for word in sorted({word.casefold() for word in words}, key=len, reverse=True):
        if len(word) >= SHORTEST_EXPECTED:
            left = left.replace(word, "")
    return left


@cache
def common_passphrases() -> frozenset[str]:
    """Return about 8,000 common passphrases in lower case; see `common/README.md`."""
    packed = files("liarspoker.server.accounts") / "common" / "passphrases.txt.gz"
    return frozenset(gzip.decompress(packed.read_bytes()).decode().split("\n"))

"""What people may call themselves, and what they may log in with."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from liarspoker.server.accounts.credentials import BadName
from liarspoker.tables.names import look_alike

LONGEST_NAME = 24
RESERVED = ("admin", "administrator", "bot", "host", "liarspoker", "moderator", "owner", "server", "system", "you")
"""What pages call whoever looks at them, and names that seem to speak for the server; nobody may be called so."""
MOST_MARKS = 3
"""How many accents and the like may stand on one letter."""
LONGEST_LABEL = 60
SHORTEST_LOGIN, LONGEST_LOGIN = 3, 64
SHORTEST_PASSPHRASE, LONGEST_PASSPHRASE = 8, 256
EXPECTED = ("liar's poker", "liarspoker", "liars", "poker", "passphrase", "password")
"""Words that anybody would try first here; in a new passphrase they count for nothing, nor do login and name."""
SHORTEST_EXPECTED = 4
"""Shorter names and logins are in too many words to be left out."""

_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and variation selectors: Python takes them for printable, and nobody sees them."""
_MARKS = ("Mn", "Me")
_HEAPED = re.compile(rf"^m|m{{{MOST_MARKS + 1}}}")


def clean_name(text: str) -> str:
    """A player's name with its spaces put in order: printable, 1 to 24 characters, and none that looks `RESERVED`.

    Raises:
        BadName: when it is anything else.

    >>> clean_name("  Long   John ")
    'Long John'
    >>> clean_name("  ")
    Traceback (most recent call last):
    liarspoker.server.accounts.credentials.BadName: a name has 1 to 24 characters, not 0
    """
    name = _printable(text, "a name", LONGEST_NAME)
    words = "".join(sign for sign in name if sign.isalpha())
    if reserved := look_alike(name, RESERVED) or look_alike(words, RESERVED):
        raise BadName(f"nobody can be called {reserved} here; choose another name")
    return name


def clean_label(text: str) -> str:
    """What a token is called by its owner: printable, 1 to 60 characters.

    Raises:
        BadName: when it is anything else.
    """
    return _printable(text, "a label", LONGEST_LABEL)


def _printable(text: str, what: str, longest: int) -> str:
    """The text in its composed form. Invisible signs, such as those that turn the writing around, are refused.

    Those that Unicode counts as letters or marks are left out: with them, two names could look the same.
    """
    clean = " ".join(_UNSEEN.sub("", unicodedata.normalize("NFC", text)).split())
    if not clean.isprintable():
        raise BadName(f"{what} may have no invisible signs")
    if _HEAPED.search("".join("m" if unicodedata.category(sign) in _MARKS else "-" for sign in clean)):
        raise BadName(f"{what} begins with a letter, and may have {MOST_MARKS} accents on one letter at most")
    if not 1 <= len(clean) <= longest:
        raise BadName(f"{what} has 1 to {longest} characters, not {len(clean)}")
    return clean


def clean_login(text: str) -> str:
    """A login in the one form in which it is stored and compared: 3 to 64 letters, digits and `. _ @ + -`.

    Raises:
        BadName: when it has other signs, or is too short or too long.

    >>> clean_login(" Bob@Example.com")
    'bob@example.com'
    """
    clean = unicodedata.normalize("NFKC", text[: 2 * LONGEST_LOGIN].strip()).casefold()
    if not re.fullmatch(rf"[\w.@+-]{{{SHORTEST_LOGIN},{LONGEST_LOGIN}}}", clean):
        raise BadName(f"a login has {SHORTEST_LOGIN} to {LONGEST_LOGIN} letters, digits and . _ @ + -")
    return clean


def clean_passphrase(text: str) -> str:
    """A passphrase as it is hashed, however a keyboard puts its signs together: 8 to 256 characters of any kind.

    Raises:
        BadName: when it is too short or too long.
    """
    if not SHORTEST_PASSPHRASE <= len(text) <= LONGEST_PASSPHRASE:
        raise BadName(f"a passphrase has {SHORTEST_PASSPHRASE} to {LONGEST_PASSPHRASE} characters, not {len(text)}")
    return unicodedata.normalize("NFKC", text)


def clean_new_passphrase(text: str, login: str, name: str) -> str:
    """A passphrase that somebody chooses: as above, and hard enough to guess.

    Raises:
        BadName: when it is too short or too long, on the list of common passphrases, or made of words that anybody
            would try first.

    >>> clean_new_passphrase("Ann's fine four words", "ann@example.com", "Ann")
    "Ann's fine four words"
    >>> clean_new_passphrase("Annika2026", "annika", "Ann")
    Traceback (most recent call last):
    liarspoker.server.accounts.credentials.BadName: a passphrase has 8 characters besides your login, your name and ...
    """
    passphrase = clean_passphrase(text)
    if passphrase.casefold() in common_passphrases():
        raise BadName("this passphrase is one of the first that anybody would try; choose another passphrase")
    if len(_without([login, login.partition("@")[0], name, *EXPECTED], passphrase)) < SHORTEST_PASSPHRASE:
        raise BadName(
            f"a passphrase has {SHORTEST_PASSPHRASE} characters besides your login, your name and words such as poker"
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
    """Some 8,000 passphrases that many people use and every attacker tries, in lower case; see `common/README.md`."""
    packed = files("liarspoker.server.accounts") / "common" / "passphrases.txt.gz"
    return frozenset(gzip.decompress(packed.read_bytes()).decode().split("\n"))

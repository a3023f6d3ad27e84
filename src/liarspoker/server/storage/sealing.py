"""Seeds at rest: sealed with AES-256-GCM, and bound to the table and the deal that they belong to."""

from __future__ import annotations

import base64
import binascii
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from liarspoker.files import CannotWrite, FileExists, new_file
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.place import tighten

VARIABLE = "LIARSPOKER_KEY"
KEY_FILE = "liarspoker.key"
KEY_BYTES = 32
NONCE_BYTES = 12
FORM = b"\x01"


def new_key() -> str:
    """A fresh random key, as the environment or the key file has it."""
    return secrets.token_urlsafe(KEY_BYTES)


def find_key(folder: Path, make: bool = True, given: str = "") -> str:
    """The keys: `given`, or in `LIARSPOKER_KEY`, or else in the key file in `folder`, made if need be.

    The file is readable by its owner only. Two processes that start at once agree on one key.

    Args:
        folder: where the key file is.
        make: make a key where there is none; not where something was sealed with another one.
        given: the key, where it is known; empty for not.

    Raises:
        BadKey: when the key file cannot be read or written, or is missing and must not be made.
    """
    if known := given or os.environ.get(VARIABLE):
        return known
    path = folder / KEY_FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not make and not path.exists():
            raise BadKey(f"{path} is missing, and seeds were sealed with it; put it back, or give it in {VARIABLE}")
        if not path.exists():
            _write_first(path, new_key())
        tighten(path)
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadKey(f"{path}: {error}; give a key in {VARIABLE}") from None
    except CannotWrite as error:
        raise BadKey(f"{error}; give a key in {VARIABLE}") from None


def _write_first(path: Path, key: str) -> None:
    """Put a key in place whole, unless somebody was first."""
    with suppress(FileExists), new_file(path, mode=0o600) as file:
        file.write(f"{key}\n".encode())


class Sealer:
    """Seals seeds with one key, and opens them with any that it knows.

    Args:
        keys: keys of 32 bytes as URL-safe base64, such as `new_key` makes, between blanks or lines; the last one seals,
            unless `choose` finds that another one does.
        again: where the keys are read again when one is missing; `None` for nowhere.

    Raises:
        BadKey: when `keys` is anything else.

    >>> sealer = Sealer(new_key())
    >>> sealed = sealer.seal(b"seed", "T1", 3)
    >>> sealer.open(sealed, "T1", 3)
    b'seed'
    >>> sealer.open(sealed, "T1", 4)
    Traceback (most recent call last):
    liarspoker.server.storage.errors.BadKey: table T1, deal 4: the seed does not open; the key is another, or ...
    """

    def __init__(self, keys: str, again: Callable[[], str] | None = None) -> None:
        self._again = again
        self._ciphers = _ciphers_of(keys)
        self._sealing = list(self._ciphers)[-1]

    def seal(self, seed: bytes, table_id: str, deal: int) -> bytes:
        """The seed, unreadable without the key; every call gives other bytes."""
        nonce = os.urandom(NONCE_BYTES)
        return FORM + nonce + self._ciphers[self._sealing].encrypt(nonce, seed, _bound_to(table_id, deal))

    def open(self, sealed: bytes, table_id: str, deal: int) -> bytes:
        """The seed that was sealed for this table and deal.

        Raises:
            BadKey: when it was sealed with another key, for another table or deal, or was changed since.
        """
        return self._opened(sealed, table_id, deal)[1]

    def opens(self, sealed: bytes, table_id: str, deal: int) -> bool:
        """Whether something was sealed with a key that is known, for this table and deal."""
        try:
            self.open(sealed, table_id, deal)
        except BadKey:
            return False
        return True

    def choose(self, sealed: bytes, table_id: str, deal: int) -> None:
        """From now on seal with the key that has sealed this.

        Raises:
            BadKey: it is not known.
        """
        self._sealing = self._opened(sealed, table_id, deal)[0]

    def _opened(self, sealed: bytes, table_id: str, deal: int) -> tuple[bytes, bytes]:
        """The key with which something opens, and what it is; keys may have come since the start."""
        for read_again in (False, True):
            for key, cipher in (self._read_again() if read_again else self._ciphers).items():
                with suppress(InvalidTag, ValueError, TypeError):  # a damaged row may hold a number instead
                    if sealed[:1] == FORM:
                        nonce, box = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
                        return key, cipher.decrypt(nonce, box, _bound_to(table_id, deal))
        raise BadKey(
            f"table {table_id}, deal {deal}: the seed does not open; the key is another, or the data were changed"
        )

    def _read_again(self) -> dict[bytes, AESGCM]:
        """The keys that are found now, added to those that were known."""
        if self._again is None:
            return {}
        with suppress(BadKey):
            self._ciphers = self._ciphers | _ciphers_of(self._again())
        return self._ciphers


def _ciphers_of(keys: str) -> dict[bytes, AESGCM]:
    """What seals and opens with each of the keys, by the key."""
    found = list(map(_raw, keys.split()))
    if not found or any(len(raw) != KEY_BYTES for raw in found):
        raise BadKey(
            f"the key in {VARIABLE} or {KEY_FILE} is not {KEY_BYTES} bytes as URL-safe base64; make one with "
            f"python3 -c 'import secrets; print(secrets.token_urlsafe({KEY_BYTES}))'"
        )
    return {raw: AESGCM(raw) for raw in found}


def _raw(key: str) -> bytes:
    try:
        return base64.b64decode(key + "=" * (-len(key) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""


def _bound_to(table_id: str, deal: int) -> bytes:
    return f"liarspoker seed\0{deal}\0{table_id}".encode()

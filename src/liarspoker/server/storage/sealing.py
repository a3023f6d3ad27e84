"""Encryption of seeds at rest with AES-256-GCM. A seed is bound to its table and deal as associated data."""

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
from liarspoker.server.storage.location import restrict_access

VARIABLE = "LIARSPOKER_KEY"
FILE_VARIABLE = f"{VARIABLE}_FILE"
"""The variable with the path of a file that contains the key; `find_key` leaves it to the code that reads settings."""
KEY_FILE = "liarspoker.key"
KEY_BYTES = 32
NONCE_BYTES = 12
FORM = b"\x01"


def new_key() -> str:
    """Return a new random key, encoded as in the environment or the key file."""
    return secrets.token_urlsafe(KEY_BYTES)


def find_key(folder: Path, make: bool = True, given: str = "") -> str:
    """Return the keys: `given`, else `LIARSPOKER_KEY`, else the contents of the key file in `folder`.

    The file is readable by its owner only. Two processes that start at the same time use the same new key.

    Args:
        folder: the folder of the key file.
        make: create a missing key file; false if data has been encrypted already.
        given: the configured key; empty for none.

    Raises:
        BadKey: the key file can't be read or written, or is missing and must not be created.
    """
    if known := given or os.environ.get(VARIABLE):
        return known
    path = folder / KEY_FILE
    try:
        if not make and not path.exists():
            raise BadKey(
                f"{path} is missing, but seeds were encrypted with a key; restore it, or set the key in {VARIABLE} or "
                f"{FILE_VARIABLE}"
            )
        if not path.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_first(path, new_key())
        restrict_access(path)
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "not a text file"
        raise BadKey(f"{path}: {reason}; set the key in {VARIABLE} or {FILE_VARIABLE}") from None
    except CannotWrite as error:
        raise BadKey(f"{error}; set the key in {VARIABLE} or {FILE_VARIABLE}") from None


def _write_first(path: Path, key: str) -> None:
    """Create the key file atomically, unless another process has."""
    with suppress(FileExists), new_file(path, mode=0o600) as file:
        file.write(f"{key}\n".encode())


class Sealer:
    """Encrypts seeds with one key, and decrypts them with any known key.

    Args:
        keys: keys of 32 bytes as URL-safe base64, see `new_key`, separated by white space. The last one encrypts,
            unless `choose` selects another.
        again: rereads the keys if one is missing; `None` for not.

    Raises:
        BadKey: `keys` isn't a list of such keys.

    >>> sealer = Sealer(new_key())
    >>> sealed = sealer.seal(b"seed", "T1", 3)
    >>> sealer.open(sealed, "T1", 3)
    b'seed'
    >>> sealer.open(sealed, "T1", 4)
    Traceback (most recent call last):
    liarspoker.server.storage.errors.BadKey: table T1, deal 4: the seed can't be decrypted; the key is wrong, or ...
    """

    def __init__(self, keys: str, again: Callable[[], str] | None = None) -> None:
        self._again = again
        self._ciphers = _ciphers_of(keys)
        self._sealing = list(self._ciphers)[-1]

    def seal(self, seed: bytes, table_id: str, deal: int) -> bytes:
        """Encrypt a seed with a random nonce."""
        nonce = os.urandom(NONCE_BYTES)
        return FORM + nonce + self._ciphers[self._sealing].encrypt(nonce, seed, _bound_to(table_id, deal))

    def open(self, sealed: bytes, table_id: str, deal: int) -> bytes:
        """Decrypt the seed of a table and deal.

        Raises:
            BadKey: it was encrypted with an unknown key, for another table or deal, or was modified.
        """
        return self._opened(sealed, table_id, deal)[1]

    def opens(self, sealed: bytes, table_id: str, deal: int) -> bool:
        """Return whether a seed was encrypted with a known key for this table and deal."""
        try:
            self.open(sealed, table_id, deal)
        except BadKey:
            return False
        return True

    def choose(self, sealed: bytes, table_id: str, deal: int) -> None:
        """From now on, encrypt with the key that this was encrypted with.

        Raises:
            BadKey: the key isn't known.
        """
        self._sealing = self._opened(sealed, table_id, deal)[0]

    def _opened(self, sealed: bytes, table_id: str, deal: int) -> tuple[bytes, bytes]:
        """Return the key and the plaintext; keys that were added after the start are found too."""
        for read_again in (False, True):
            for key, cipher in (self._read_again() if read_again else self._ciphers).items():
                with suppress(InvalidTag, ValueError, TypeError):  # a damaged row may hold a number instead
                    if sealed[:1] == FORM:
                        nonce, box = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
                        return key, cipher.decrypt(nonce, box, _bound_to(table_id, deal))
        raise BadKey(
            f"table {table_id}, deal {deal}: the seed can't be decrypted; the key is wrong, or the data was modified"
        )

    def _read_again(self) -> dict[bytes, AESGCM]:
        """Reread the keys, and add them to the known ones."""
        if self._again is None:
            return {}
        with suppress(BadKey):
            self._ciphers = self._ciphers | _ciphers_of(self._again())
        return self._ciphers


def _ciphers_of(keys: str) -> dict[bytes, AESGCM]:
    """Return a cipher for each key, by the raw key."""
    found = list(map(_raw, keys.split()))
    if not found or any(len(raw) != KEY_BYTES for raw in found):
        raise BadKey(
            f"the key in {VARIABLE}, {FILE_VARIABLE} or {KEY_FILE} isn't {KEY_BYTES} bytes as URL-safe base64; restore "
            "it, or create one for a new database with python3 "
            f"-c 'import secrets; print(secrets.token_urlsafe({KEY_BYTES}))'"
        )
    return {raw: AESGCM(raw) for raw in found}


def _raw(key: str) -> bytes:
    try:
        return base64.b64decode(key + "=" * (-len(key) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""


def _bound_to(table_id: str, deal: int) -> bytes:
    return f"liarspoker seed\0{deal}\0{table_id}".encode()

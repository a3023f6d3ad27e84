"""Who one is at a server, kept in the user's data folder so that a restart finds the same seat."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from hashlib import sha256
from hmac import digest
from pathlib import Path
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.files import new_file

FILE = "live-seats.json"


class CannotKeep(LiarsPokerError):
    """The file that tells who one is can be neither read nor written."""

    code = "file"


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody at a server.

    Attributes:
        server: its address.
        name: what they are called there.
        cookie: what the server knows them by; secret.
        secret: what their nonces follow from, in hexadecimal digits; secret.
    """

    server: str
    name: str
    cookie: str
    secret: str


def new_secret() -> str:
    """A secret that nobody knows."""
    return secrets.token_hex(32)


def nonce(secret: str, table: str, deal: int, chair: int, commitment: str) -> bytes:
    """The nonce that one gives to a deal, 32 bytes; the same after a restart, and another for every promise.

    Args:
        secret: of `new_secret`.
        table: the table's id.
        deal: the deal's number.
        chair: where one sits.
        commitment: what the server has promised; it cannot choose its promise by the nonce.
    """
    text = json.dumps(["nonce", table, deal, chair, commitment]).encode()
    return digest(bytes.fromhex(secret), text, sha256)


class Identities:
    """Everybody that the user of this machine is at servers, those last used at the end.

    Args:
        folder: where the file is; the user's data folder by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (data_folder() if folder is None else folder) / FILE

    def find(self, server: str, name: str | None) -> Identity | None:
        """Who was last here, under this name if one is given.

        Raises:
            CannotKeep: the file cannot be read.
        """
        known = [one for one in self._all() if one.server == server and name in (None, one.name)]
        return known[-1] if known else None

    def keep(self, identity: Identity) -> None:
        """Keep somebody, as the one last used; nobody but the user can read the file.

        Raises:
            CannotKeep, CannotWrite: the file can't be written.
        """
        same = (identity.server, identity.name)
        others = [one for one in self._all() if (one.server, one.name) != same]
        self._write([*others, identity])

    def forget(self, identity: Identity) -> None:
        """Keep somebody no longer, whom the server knows no more."""
        self._write([one for one in self._all() if one != identity])

    def _all(self) -> list[Identity]:
        try:
            kept: Any = json.loads(self.path.read_text(encoding="utf-8"))
            return [Identity(**{key: str(value) for key, value in one.items()}) for one in kept]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CannotKeep(f"{self.path}: {error.strerror}") from error
        except (ValueError, TypeError, AttributeError) as error:
            raise CannotKeep(f"{self.path}: it is damaged; remove it, and you are somebody new at servers") from error

    def _write(self, identities: list[Identity]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotKeep(f"{self.path}: {error.strerror}") from error
        with new_file(self.path, overwrite=True, mode=0o600) as file:
            file.write(json.dumps([asdict(one) for one in identities], indent=1).encode())


def data_folder() -> Path:
    """The folder for data of programs such as this one, where this system has it; it may not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("liarspoker", appauthor=False)

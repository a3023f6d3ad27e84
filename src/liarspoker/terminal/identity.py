"""A guest's saved identity at a server, and the nonces that they contribute to deals and verify afterwards."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from hmac import digest
from pathlib import Path
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.files import data_folder, new_file
from liarspoker.language import _, ngettext
from liarspoker.protocol.commands import OpenNonce, Ready
from liarspoker.protocol.views import GatheringView
from liarspoker.tables.fair.deal import nonce_commitment
from liarspoker.terminal.state import State

FILE = "live-seats.json"


class CannotKeep(LiarsPokerError):
    """The file of identities can't be read or written."""

    code = "file"


@dataclass(frozen=True, slots=True)
class Identity:
    """A guest at a server; the cookie and the secret, from which nonces are derived, stay private."""

    server: str
    name: str
    cookie: str
    secret: str


def new_secret() -> str:
    """Return a new random secret."""
    return secrets.token_hex(32)


def nonce(secret: str, table: str, deal: int, chair: int, commitment: str) -> bytes:
    """Return the nonce for a deal, 32 bytes: the same after a restart, and different for every commitment."""
    text = json.dumps(["nonce", table, deal, chair, commitment]).encode()
    return digest(bytes.fromhex(secret), text, sha256)


class Identities:
    """The user's identities at servers, the last used one at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (data_folder() if folder is None else folder) / FILE

    def find(self, server: str, name: str | None) -> Identity | None:
        """Return the identity last used at a server, with this name if one is given.

        Raises:
            CannotKeep: the file cannot be read.
        """
        known = [one for one in self._all() if one.server == server and name in (None, one.name)]
        return known[-1] if known else None

    def keep(self, identity: Identity) -> None:
        """Save an identity as the one last used, in a file that only the user can read.

        Raises:
            CannotKeep, CannotWrite: the file can't be written.
        """
        same = (identity.server, identity.name)
        others = [one for one in self._all() if (one.server, one.name) != same]
        self._write([*others, identity])

    def forget(self, identity: Identity) -> None:
        """Delete an identity that the server no longer knows."""
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
            raise CannotKeep(
                _("{path}: the file is damaged; delete it to start with new identities", path=self.path)
            ) from error

    def _write(self, identities: list[Identity]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotKeep(f"{self.path}: {error.strerror}") from error
        with new_file(self.path, overwrite=True, mode=0o600) as file:
            file.write(json.dumps([asdict(one) for one in identities], indent=1).encode())


class Deals:
    """Contributes a nonce to every deal, and remembers the commitments and roots."""

    def __init__(self, table: str, secret: str) -> None:
        self._table = table
        self._secret = secret
        self._promised: dict[int, str] = {}
        self._roots: dict[int, str] = {}
        self._given: dict[int, str] = {}

    def see(self, state: State) -> None:
        """Remember the server's commitment for the next deal, and the root of the last one."""
        gathering, deal = state.public.gathering, state.public.deal
        if gathering is not None:
            self._promised[gathering.deal] = gathering.commitment
        if deal is not None and self._promised.get(deal.deal) is not None:
            self._roots[deal.deal] = deal.root

    def ready(self, state: State) -> Ready:
        """Return the command that asks for the next deal, with a commitment to a nonce if the player is dealt in."""
        if not state.needs.wanted:
            return Ready()
        assert state.you.chair is not None
        number = _gathering(state).deal
        return Ready(nonce_commitment=nonce_commitment(self._nonce(state), self._table, number, state.you.chair).hex())

    def open(self, state: State) -> OpenNonce:
        """Return the command that reveals the nonce."""
        given = self._nonce(state).hex()
        self._given[_gathering(state).deal] = given
        return OpenNonce(nonce=given)

    def _nonce(self, state: State) -> bytes:
        gathering = _gathering(state)
        assert state.you.chair is not None
        return nonce(self._secret, self._table, gathering.deal, state.you.chair, gathering.commitment)

    def findings(self, document: Any) -> Iterator[str]:
        """Yield how an audit document differs from what was seen here."""
        stated = {deal["deal"]: deal for deal in document["deals"]}
        for number, root in self._roots.items():
            deal = stated.get(number)
            if deal is None:
                yield _("deal {number}: it was played here, but is missing in the audit", number=number)
                continue
            if deal["commitment"] != self._promised[number]:
                yield _("deal {number}: the server had committed to something else", number=number)
            if deal["root"] != root:
                yield _("deal {number}: the published root was different", number=number)
            if number in self._given and self._given[number] not in deal["nonces"]:
                yield _("deal {number}: your nonce is missing", number=number)

    @property
    def shared(self) -> int:
        """The number of deals to which this client contributed a nonce."""
        return len(self._given.keys() & self._roots.keys())


def _gathering(state: State) -> GatheringView:
    assert state.public.gathering is not None
    return state.public.gathering


def show_audit(deals: Deals, document: Any, say: Callable[[str], object]) -> bool:
    """Verify every deal of a table that has ended, say the result, and return whether everything is correct."""
    from liarspoker.tables.fair.audit import check

    findings = [finding.what for finding in check(document)]
    if not findings:
        findings = list(deals.findings(document))
    for finding in findings:
        say(f"- {finding}")
    if findings:
        say(_("The audit failed. Save it, and ask the server's operator."))
        return False
    number = len(document["deals"])
    say(
        ngettext(
            "The deal matches what the server committed to before it knew any player's nonce.",
            "All {count} deals match what the server committed to before it knew any player's nonce.",
            number,
        )
    )
    if deals.shared:
        say(_("Your own nonce went into {shared} of {number}.", shared=deals.shared, number=number))
    return True

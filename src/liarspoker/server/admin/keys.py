"""Rotation of the key that encrypts seeds.

Every step can be repeated, and no seed becomes unreadable if the rotation is interrupted.

The mark in the database is encrypted with the current key. First, every running server confirms that it knows the new
key. Then the mark is encrypted with the new key, and every server switches to it. Then every seed is encrypted with the
new key, until none is left that uses the old key. Only then is the old key removed from the key file.

Keys that the environment gives, in `LIARSPOKER_KEY` or in the file that `LIARSPOKER_KEY_FILE` names, are changed by the
administrator only: servers read them when they start, so they have to be restarted with both keys in between.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock

from liarspoker.files import new_file
from liarspoker.server.admin.actions import audit, outcome, transaction
from liarspoker.server.admin.queries import JsonObject
from liarspoker.server.config import no_probe
from liarspoker.server.orders import FIND_KEY, USE_KEY
from liarspoker.server.setting_sources import Given, read_variables
from liarspoker.server.storage import orders
from liarspoker.server.storage.connection import LIMIT, Connection, value
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.schema import MARKS, SECRETS
from liarspoker.server.storage.sealing import FILE_VARIABLE, KEY_FILE, VARIABLE, Sealer, find_key, new_key
from liarspoker.server.storage.storage import KEY_MARK, SECRET_MARKS, mark_of

ROWS_AT_ONCE = 500
OLD_KEYS = f"{KEY_FILE}.old"
"""The file for former keys, which older backups still need."""

_CHANGE_MARK = (
    sa.update(MARKS)
    .values(value=value(MARKS.c.value, "changed"))
    .where(MARKS.c.name == value(MARKS.c.name), MARKS.c.value == value(MARKS.c.value, "known"))
)
_PAGE = (
    sa.select(SECRETS.c.table_id, SECRETS.c.deal, SECRETS.c.sealed)
    .where(
        sa.tuple_(SECRETS.c.table_id, SECRETS.c.deal)
        > sa.tuple_(value(SECRETS.c.table_id, "after_table"), value(SECRETS.c.deal, "after_deal"))
    )
    .order_by(SECRETS.c.table_id, SECRETS.c.deal)
    .limit(LIMIT)
)
_RESEAL = (
    sa.update(SECRETS)
    .values(sealed=value(SECRETS.c.sealed, "changed"))
    .where(
        SECRETS.c.table_id == value(SECRETS.c.table_id),
        SECRETS.c.deal == value(SECRETS.c.deal),
        SECRETS.c.sealed == value(SECRETS.c.sealed, "known"),
    )
)

Probe = Callable[[str], None]

_ADD_A_KEY = {
    VARIABLE: f"{VARIABLE} contains one key: add a new one after it, separated by a space",
    FILE_VARIABLE: f"the file that {FILE_VARIABLE} names contains one key: add a new one in a line below it",
}


def given_key(environment: Mapping[str, str]) -> Given | None:
    """Return the keys that the environment gives, read as `liarspoker serve` reads them, and the variable.

    Args:
        environment: environment variables; only `LIARSPOKER_KEY` and `LIARSPOKER_KEY_FILE` are considered.

    Returns:
        `None` if neither variable gives a key.

    Raises:
        BadSetting: both are set, or the file can't be read.

    >>> given_key({"LIARSPOKER_KEY": 43 * "A", "LIARSPOKER_PORT": "9000"}).place
    'LIARSPOKER_KEY'
    >>> given_key({"LIARSPOKER_PORT": "9000"})
    """
    given = read_variables(environment, "key").get("key")
    return given if given is not None and given.value else None


def current_keys(folder: Path, given: Given | None) -> str:
    """Return the keys: those that the environment gives, else the contents of the key file in `folder`.

    Raises:
        BadKey: the environment gives none, and the key file is missing or can't be read.
    """
    return find_key(folder, make=False, given="" if given is None else given.value)


def rotate(connection: Connection, folder: Path, seconds: float, probe: Probe = no_probe) -> JsonObject:
    """Encrypt everything with a new key, or complete an interrupted rotation.

    Args:
        connection: to the database, without a transaction.
        folder: the folder of the key file, unless the keys are in the environment.
        seconds: the maximum time to wait for servers, in each step.
        probe: called at named points; tests kill the process there.

    Returns:
        `resealed`, the number of re-encrypted seeds; `damaged`, the number of seeds that no key decrypts;
        `drop_from_environment`, whether the old key has to be removed from `LIARSPOKER_KEY`; and `drop_from_file`,
        whether it has to be removed from the file that `LIARSPOKER_KEY_FILE` names.

    Raises:
        BadKey: the keys don't belong to this database, or a server doesn't know the new one yet.
        BadSetting: the environment gives the keys in two ways, or in a file that can't be read.
    """
    given = given_key(os.environ)
    current_keys(folder, given)  # if there is no key, the lock must not create the folder
    with _key_file_lock(folder, given):
        old, new = _keys(connection, folder, given, probe)
        both, ours = Sealer(f"{old} {new}"), Sealer(new)
        mark = mark_of(connection)
        if not ours.opens(mark, KEY_MARK, 0):
            sealed = ours.seal(KEY_MARK.encode(), KEY_MARK, 0)
            details = {"mark": base64.b64encode(sealed).decode()}
            _order(connection, FIND_KEY, details, seconds, "doesn't know the new key: start it with both keys")
            probe("key-known")
            with transaction(connection):
                connection.execute(_CHANGE_MARK, name=KEY_MARK, known=mark, changed=sealed)
            probe("mark-changed")
        _order(connection, USE_KEY, {}, seconds, "doesn't use the new key yet: start it with both keys")
        probe("key-used")
        _reseal_secrets(connection, both, ours)
        resealed = 0
        while True:
            changed, damaged = _reseal(connection, both, ours, probe)
            resealed += changed
            if not changed:
                break
        with transaction(connection):
            audit(connection, "rotate-key", details={"resealed": resealed, "damaged": damaged})
        probe("resealed")
        if given is None:
            _drop(folder, old, new, probe)
        place = None if given is None else given.place
        return {
            "resealed": resealed,
            "damaged": damaged,
            "drop_from_environment": place == VARIABLE,
            "drop_from_file": place == FILE_VARIABLE,
        }


def _key_file_lock(folder: Path, given: Given | None) -> AbstractContextManager[object]:
    """Return a lock on the key file. If the environment gives the keys, the file isn't used, and nothing is locked."""
    return FileLock(folder / f"{KEY_FILE}.lock", mode=0o600) if given is None else nullcontext()


def _keys(connection: Connection, folder: Path, given: Given | None, probe: Probe) -> tuple[str, str]:
    """Return the current and the new key. If there is only one, create the new key and add it to the key file."""
    known = current_keys(folder, given).split()
    if len(known) > 2:
        raise BadKey("there are more than two keys: keep only the current key, followed by the new one")
    if not any(Sealer(key).opens(mark_of(connection), KEY_MARK, 0) for key in known):
        raise BadKey("none of the keys belongs to this database")
    if len(known) == 1 and given is not None:
        raise BadKey(
            f"{_ADD_A_KEY[given.place]}, restart every server with both keys, and run this command again with both"
        )
    if len(known) == 1:
        known.append(new_key())
        _write(folder, known)
        probe("key-written")
    return known[0], known[1]


def _write(folder: Path, keys: list[str], name: str = KEY_FILE) -> None:
    with new_file(folder / name, overwrite=True, mode=0o600) as file:
        file.write("".join(f"{key}\n" for key in keys).encode())


def _order(connection: Connection, what: str, details: dict[str, str], seconds: float, failure: str) -> None:
    """Give an order to every server, and wait until all have carried it out.

    Args:
        connection: to the database, without a transaction.
        what: the order.
        details: further information, without secrets.
        seconds: the maximum time to wait.
        failure: the predicate of the error message about the servers that haven't.

    Raises:
        BadKey: a server hasn't carried it out in time.
    """
    with transaction(connection):
        order_id = audit(connection, what, details=details, waits=True)
    found = outcome(connection, order_id, seconds, None)
    if found["outcome"] is None:
        with transaction(connection):
            orders.finish(connection, order_id, "given up")
        raise BadKey(f"server {', '.join(found['waits_for'])} {failure}, and run this again; no seed was changed")


def _reseal_secrets(connection: Connection, both: Sealer, ours: Sealer) -> None:
    """Encrypt the servers' shared secrets with the new key."""
    for name in SECRET_MARKS:
        with transaction(connection):
            sealed = mark_of(connection, name)
            if sealed and not ours.opens(sealed, name, 0):
                changed = ours.seal(both.open(sealed, name, 0), name, 0)
                connection.execute(_CHANGE_MARK, name=name, known=sealed, changed=changed)


def _reseal(connection: Connection, both: Sealer, ours: Sealer, probe: Probe) -> tuple[int, int]:
    """Process all seeds once; return the numbers of re-encrypted and of damaged seeds."""
    after, changed, damaged = ("", -1), 0, 0
    while True:
        with transaction(connection):
            rows = connection.execute(_PAGE, after_table=after[0], after_deal=after[1], limit=ROWS_AT_ONCE)
            for table_id, deal, stored in rows:
                sealed = bytes(stored)
                if ours.opens(sealed, table_id, deal):
                    continue
                if not both.opens(sealed, table_id, deal):
                    damaged += 1
                    continue
                resealed = ours.seal(both.open(sealed, table_id, deal), table_id, deal)
                connection.execute(_RESEAL, table_id=table_id, deal=deal, known=sealed, changed=resealed)
                changed += 1
        if not rows:
            return changed, damaged
        after = rows[-1][0], rows[-1][1]
        probe("batch-resealed")


def _drop(folder: Path, old: str, new: str, probe: Probe) -> None:
    """Remove the old key from the key file, and save it for older backups."""
    path = folder / OLD_KEYS
    former = path.read_text(encoding="ascii").split() if path.exists() else []
    _write(folder, [*former, *([] if old in former else [old])], OLD_KEYS)
    probe("old-key-kept")
    _write(folder, [new])
    probe("old-key-dropped")

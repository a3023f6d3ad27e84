"""A new key for all seeds: every step can be repeated, and whatever ends it early, each seed opens with a key we keep.

The mark in the database is sealed with the key that seals now. First every server that lives shows that it can open
what the new key seals; then the mark is sealed anew, and every server goes by it; then every seed is sealed anew, until
none is found that the old key has sealed. Only then is the old key taken out of the key file.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock

from liarspoker.files import new_file
from liarspoker.server.admin.acting import note, outcome, writing
from liarspoker.server.admin.looking import Shown
from liarspoker.server.config import no_probe
from liarspoker.server.orders import FIND_KEY, USE_KEY
from liarspoker.server.storage import orders
from liarspoker.server.storage.connection import LIMIT, Connection, value
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.schema import MARKS, SECRETS
from liarspoker.server.storage.sealing import KEY_FILE, VARIABLE, Sealer, find_key, new_key
from liarspoker.server.storage.storage import KEY_MARK, SECRET_MARK, mark_of

ROWS_AT_ONCE = 500
OLD_KEYS = f"{KEY_FILE}.old"
"""Where keys go that are no longer used; older backups were sealed with them."""

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


def rotate(connection: Connection, folder: Path, seconds: float, probe: Probe = no_probe) -> Shown:
    """Seal everything with a new key; whatever a run before has left undone is gone on with.

    Args:
        connection: to the database, without a transaction.
        folder: where the key file is, unless the environment gives the keys.
        seconds: how long to wait for servers, each time.
        probe: called at named points; tests end the process there.

    Returns:
        How many seeds were sealed anew, and how many no key opens.

    Raises:
        BadKey: the keys are not those of this database; or a server does not know the new one yet.
    """
    with FileLock(folder / f"{KEY_FILE}.lock", mode=0o600):
        old, new = _keys(connection, folder, probe)
        both, ours = Sealer(f"{old} {new}"), Sealer(new)
        mark = mark_of(connection)
        if not ours.opens(mark, KEY_MARK, 0):
            sealed = ours.seal(KEY_MARK.encode(), KEY_MARK, 0)
            details = {"mark": base64.b64encode(sealed).decode()}
            _tell(connection, FIND_KEY, details, seconds, "does not know the new key: start it with both keys")
            probe("key-known")
            with writing(connection):
                connection.execute(_CHANGE_MARK, name=KEY_MARK, known=mark, changed=sealed)
            probe("mark-changed")
        _tell(connection, USE_KEY, {}, seconds, "does not use the new key yet: start it with both keys")
        probe("key-used")
        _reseal_secret(connection, both, ours)
        resealed = 0
        while True:
            changed, damaged = _reseal(connection, both, ours, probe)
            resealed += changed
            if not changed:
                break
        with writing(connection):
            note(connection, "rotate-key", details={"resealed": resealed, "damaged": damaged})
        probe("resealed")
        _drop(folder, old, new, probe)
        return {"resealed": resealed, "damaged": damaged, "drop_from_environment": VARIABLE in os.environ}


def _keys(connection: Connection, folder: Path, probe: Probe) -> tuple[str, str]:
    """The key that was used so far, and the new one; it is made and kept beside the old one where there is none."""
    known = find_key(folder, make=False).split()
    if len(known) > 2:
        raise BadKey("there are more than two keys: leave the one that is used, and the new one after it")
    if not any(Sealer(key).opens(mark_of(connection), KEY_MARK, 0) for key in known):
        raise BadKey("none of the keys is the one of this database")
    if len(known) == 1 and os.environ.get(VARIABLE):
        raise BadKey(
            f"{VARIABLE} holds one key: write a new one after it, separated by a blank, start every server and this "
            "command with both, and run it again"
        )
    if len(known) == 1:
        known.append(new_key())
        _write(folder, known)
        probe("key-written")
    return known[0], known[1]


def _write(folder: Path, keys: list[str], name: str = KEY_FILE) -> None:
    with new_file(folder / name, overwrite=True, mode=0o600) as file:
        file.write("".join(f"{key}\n" for key in keys).encode())


def _tell(connection: Connection, what: str, details: dict[str, str], seconds: float, otherwise: str) -> None:
    """Have every server do something, and see that it did.

    Raises:
        BadKey: one did not.
    """
    with writing(connection):
        order_id = note(connection, what, details=details, waits=True)
    found = outcome(connection, order_id, seconds, None)
    if found["outcome"] is None:
        with writing(connection):
            orders.finish(connection, order_id, "given up")
        raise BadKey(f"server {', '.join(found['waits_for'])} {otherwise}, and run this again; no seed was changed")


def _reseal_secret(connection: Connection, both: Sealer, ours: Sealer) -> None:
    """Seal anew what the servers know in common."""
    with writing(connection):
        sealed = mark_of(connection, SECRET_MARK)
        if sealed and not ours.opens(sealed, SECRET_MARK, 0):
            changed = ours.seal(both.open(sealed, SECRET_MARK, 0), SECRET_MARK, 0)
            connection.execute(_CHANGE_MARK, name=SECRET_MARK, known=sealed, changed=changed)


def _reseal(connection: Connection, both: Sealer, ours: Sealer, probe: Probe) -> tuple[int, int]:
    """Go through all seeds once; how many were sealed anew, and how many no key opens."""
    after, changed, damaged = ("", -1), 0, 0
    while True:
        with writing(connection):
            rows = connection.execute(_PAGE, after_table=after[0], after_deal=after[1], limit=ROWS_AT_ONCE)
            for table_id, deal, stored in rows:
                sealed = bytes(stored)
                if ours.opens(sealed, table_id, deal):
                    continue
                if not both.opens(sealed, table_id, deal):
                    damaged += 1
                    continue
                anew = ours.seal(both.open(sealed, table_id, deal), table_id, deal)
                connection.execute(_RESEAL, table_id=table_id, deal=deal, known=sealed, changed=anew)
                changed += 1
        if not rows:
            return changed, damaged
        after = rows[-1][0], rows[-1][1]
        probe("batch-resealed")


def _drop(folder: Path, old: str, new: str, probe: Probe) -> None:
    """Take the old key out of the key file, and keep it for older backups."""
    if os.environ.get(VARIABLE):
        return
    path = folder / OLD_KEYS
    kept = path.read_text(encoding="ascii").split() if path.exists() else []
    _write(folder, [*kept, *([] if old in kept else [old])], OLD_KEYS)
    probe("old-key-kept")
    _write(folder, [new])
    probe("old-key-dropped")

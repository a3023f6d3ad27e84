"""Automatic backups, made at low priority in a separate process.

Servers that share a database take turns: a row of `marks` records which server is making a backup and when the last one
was made. A backup is written under a temporary name, read back completely, and only then renamed; older backups are
deleted after that. If the process is interrupted at any point, all earlier backups remain.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.config import BackupConfig, no_probe
from liarspoker.server.storage.archive import back_up, verify
from liarspoker.server.storage.connection import Connection, Now, database_at, insert, value
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.storage.location import hide_password
from liarspoker.server.storage.schema import MARKS
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

MARK = "backup"
TURN_SECONDS = 180.0
"""After this long without a heartbeat, the server making a backup is assumed dead, and another one may start."""
BEAT_SECONDS = 30.0
RETRY_SECONDS = 600.0
"""Delay before the next attempt after a failure."""
POLL_SECONDS = 60.0
"""Maximum interval between two checks whether a backup is due."""
NICENESS = 10

_NAME = re.compile(r"liarspoker-\d{8}T\d{6}Z\.zip")
_UNVERIFIED = ".unverified"
_BEGIN = insert(MARKS).on_conflict_do_nothing()
_LOOK = sa.select(MARKS.c.value, Now()).where(MARKS.c.name == value(MARKS.c.name))
_CHANGE = (
    sa.update(MARKS)
    .values(value=value(MARKS.c.value, "changed"))
    .where(MARKS.c.name == value(MARKS.c.name), MARKS.c.value == value(MARKS.c.value, "known"))
)


@dataclass(slots=True)
class Backups:
    """The automatic backups of one server.

    Attributes:
        storage: the database.
        url: its URL.
        config: the folder, the interval and the number of backups to keep.
        instance: the id of this process.
        last: when any server made the last backup, in seconds; `None` for never, or unknown.
        failed: whether this server's last attempt failed.
    """

    storage: Storage
    url: str
    config: BackupConfig
    instance: str
    last: float | None = field(default=None, init=False)
    failed: bool = field(default=False, init=False)

    async def run(self) -> None:
        """Make a backup whenever one is due, until cancelled."""
        while True:
            try:
                wait = await self.once()
            except StorageError as error:
                log.warning("backup postponed", extra={"code": error.code})
                wait = POLL_SECONDS
            except Exception as error:
                log.exception("backup failed", extra={"error": type(error).__name__})
                self.failed, wait = True, RETRY_SECONDS
            await asyncio.sleep(min(wait, POLL_SECONDS))

    async def once(self) -> float:
        """Make a backup if one is due and no other server is making one; return the seconds until the next check."""
        turn = await self.storage.write(lambda connection: self._change(connection, self._begun))
        self.last = turn.get("done")
        if "wait" in turn:
            return float(turn["wait"])
        beating = asyncio.create_task(self._beat())
        try:
            error = await self._make()
        finally:
            beating.cancel()
        self.failed = error is not None
        if error is not None:
            log.error("backup failed", extra={**error, "folder": self.config.folder})
        ended = await self.storage.write(lambda connection: self._change(connection, self._ended))
        self.last = ended.get("done")
        return RETRY_SECONDS if self.failed else self.config.seconds

    async def _make(self) -> dict[str, str] | None:
        """Make a backup in a separate process; return the code and the reason of an error, or `None` on success."""
        job = json.dumps({"url": self.url, "folder": self.config.folder, "keep": self.config.keep})
        command = (sys.executable, "-P", "-m", __name__)
        # The URL may contain a password, so it isn't passed as an argument, which every user of the machine can read.
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        try:
            output, _ = await process.communicate(job.encode())
        except asyncio.CancelledError:
            with suppress(ProcessLookupError):
                process.kill()
            raise
        if process.returncode == 0:
            return None
        lines = output.splitlines()
        return json.loads(lines[-1]) if lines else {"code": "ended", "reason": "the process of the backup was killed"}

    async def _beat(self) -> None:
        """Prolong this server's turn while a long backup is being made."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with suppress(StorageError):
                await self.storage.write(lambda connection: self._change(connection, self._prolonged))

    def _change(self, connection: Connection, change: Callable[[dict[str, Any], float], dict[str, Any]]) -> Any:
        """Change the row, unless another server changes it at the same time; return its new contents."""
        connection.execute(_BEGIN, name=MARK, value=b"{}")
        [[known, now]] = connection.execute(_LOOK, name=MARK)
        before = json.loads(bytes(known))
        after = change(before, now)
        stored = json.dumps({key: entry for key, entry in after.items() if key != "wait"}).encode()
        if "wait" not in after:
            connection.execute(_CHANGE, name=MARK, known=bytes(known), changed=stored)
            [[found, _]] = connection.execute(_LOOK, name=MARK)
            if bytes(found) != stored:
                return {**before, "wait": POLL_SECONDS}
        return after

    def _begun(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        """Take the turn, or return how long to wait for it."""
        until, done = row.get("until", 0.0), row.get("done")
        if until > now and row.get("by") != self.instance:
            return {**row, "wait": until - now}
        if done is not None and done + self.config.seconds > now:
            return {**row, "wait": done + self.config.seconds - now}
        return {**row, "by": self.instance, "until": now + TURN_SECONDS, "begun": now}

    def _prolonged(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        return row if row.get("by") != self.instance else {**row, "until": now + TURN_SECONDS}

    def _ended(self, row: dict[str, Any], now: float) -> dict[str, Any]:
        """End the turn; after a failure, no server starts a backup for a while."""
        if row.get("by") != self.instance:
            return row
        done = row.get("done") if self.failed else row["begun"]
        return {"by": "", "until": now + RETRY_SECONDS if self.failed else now, "done": done}


class CannotBackUp(LiarsPokerError):
    """No files can be created in the folder for backups."""

    code = "cannot-back-up"


def check_folder(folder: Path) -> None:
    """Create the folder for backups if it is missing, and check that files can be created in it.

    Raises:
        CannotBackUp: it isn't a folder, or nothing can be created in it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".", suffix=_UNVERIFIED):
            pass
    except OSError as error:
        reason = "not a folder" if isinstance(error, FileExistsError) else error.strerror or error
        raise CannotBackUp(
            f"backup_to: {folder}: {reason}; choose a folder in which the server can create files"
        ) from error


def make(url: str, folder: Path, keep: int, probe: Callable[[str], None] = no_probe) -> Path:
    """Write a backup, verify it, and then delete all but the newest `keep`.

    Args:
        url: the database URL.
        folder: the folder for backups; created if missing.
        keep: the number of backups to keep, 1 or more.
        probe: called at named points; tests kill the process there.

    Returns:
        The path of the backup.

    Raises:
        LiarsPokerError: the backup couldn't be written, or couldn't be verified; earlier backups remain.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.glob(f"*{_UNVERIFIED}"):  # from an interrupted attempt
        left.unlink(missing_ok=True)
    path = folder / time.strftime("liarspoker-%Y%m%dT%H%M%SZ.zip", time.gmtime())
    draft = path.with_name(path.name + _UNVERIFIED)
    try:
        counts = back_up(url, draft)
        probe("backup-written")
        verify(draft, counts)
        probe("backup-verified")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    _sync(folder)
    probe("backup-named")
    for old in sorted(one for one in folder.iterdir() if _NAME.fullmatch(one.name))[:-keep]:
        old.unlink(missing_ok=True)
        probe("backup-pruned")
    return path


def _sync(folder: Path) -> None:
    """Flush the entries of a folder to the disk, if the system supports that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def main() -> int:
    """Make the backup described by a line of JSON on standard input; on failure, print its code and reason as JSON."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    job = json.loads(sys.stdin.readline())
    try:
        make(job["url"], Path(job["folder"]), job["keep"])
    except Exception as error:
        print(json.dumps(_described(error, job["url"])))
        return 1
    return 0


def _described(error: Exception, url: str) -> dict[str, str]:
    """Return the code and the reason of an error, as they are logged: without texts that could contain user data."""
    if isinstance(error, LiarsPokerError):
        return {"code": error.code, "reason": hide_password(str(error), url)}
    reason = error.strerror if isinstance(error, OSError) else database_at(url).reason(error)
    return {"code": type(error).__name__} | ({} if reason is None else {"reason": reason})


if __name__ == "__main__":
    sys.exit(main())

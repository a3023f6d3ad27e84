"""What was acknowledged is there after a crash, wherever it strikes."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from liarspoker.server.storage.errors import NoSuchTable
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address
from liarspoker.server.storage.sealing import VARIABLE, Sealer, new_key
from liarspoker.server.storage.storage import Storage
from tests.server.storage.playing import TABLE_IDS
from tests.server.storage.tables import entry

ROOT = Path(__file__).parents[3]


class Crash:
    """Runs players one after the other on one database, and keeps what they were told."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = new_key()
        self.acknowledged: dict[str, int] = defaultdict(int)

    def run(self, ending: str, commits: int, kill_after: int | None = None) -> int:
        """Let a process play to its end; kill it after some acknowledgements, if so many are given."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.storage.playing", self.url, ending, str(commits)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, VARIABLE: self.key},
        )
        assert process.stdout is not None
        with process.stdout as lines:
            for number, line in enumerate(lines, start=1):
                # The last line may have been cut off by the kill.
                if line.endswith(b"\n"):
                    table_id, version = line.decode().split()
                    self.acknowledged[table_id] = max(self.acknowledged[table_id], int(version))
                if number == kill_after:
                    process.kill()
        return process.wait()

    def check(self) -> int:
        """See that nothing acknowledged is lost, no version missing, and no seed; how many entries there are."""
        return asyncio.run(self._check())

    async def _check(self) -> int:
        entries = 0
        async with await Storage.open(self.url, Sealer(self.key)) as storage:
            for table_id in TABLE_IDS:
                try:
                    log = await storage.log(table_id)
                except NoSuchTable:
                    assert self.acknowledged[table_id] == 0
                    continue
                assert log.version >= self.acknowledged[table_id]
                assert [stored.version for stored in log.entries] == list(range(1, log.version + 1))
                assert log.seeds == {version: str(version).encode() for version in range(1, log.version + 1)}
                for stored in log.entries:
                    assert stored.body == entry(table_id, stored.version, f"{table_id}-{stored.version}").body
                assert [stored.epoch for stored in log.entries] == sorted(stored.epoch for stored in log.entries)
                entries += log.version
        return entries


@pytest.mark.slow
def test_a_process_that_is_killed_around_a_commit_has_lost_nothing_that_it_acknowledged(url: str) -> None:
    crash = Crash(url)
    for commits, ending in enumerate(["before-commit", "after-commit"] * 4, start=2):
        assert crash.run(ending, 5 * commits) == -signal.SIGKILL
        assert crash.check() >= sum(crash.acknowledged.values()) > 0


@pytest.mark.slow
def test_a_process_that_is_killed_anywhere_has_lost_nothing_that_it_acknowledged(url: str) -> None:
    crash = Crash(url)
    chance = random.Random(7)
    for _ in range(6):
        assert crash.run("killed from outside", 0, kill_after=chance.randrange(1, 600)) == -signal.SIGKILL
        assert crash.check() >= sum(crash.acknowledged.values()) > 0


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_disk_that_fails_ends_all_writing_and_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    migrate(address(tmp_path))
    crash = Crash(address(tmp_path))
    # The assertions of the process itself are in `playing.main`, which then ends with 3.
    assert crash.run("disk-full", 60) == 3
    assert crash.check() >= sum(crash.acknowledged.values()) > 0
    # Where the disk has room again, a new process goes on.
    assert crash.run("before-commit", 30) == -signal.SIGKILL
    assert crash.check() > 0

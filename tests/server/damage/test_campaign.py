"""A database damaged at random: each table is intact or refused, and every failure has a reason."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from liarspoker.core.errors import LiarsPokerError
from liarspoker.server.storage.archive import back_up, restore
from liarspoker.server.storage.errors import BadArchive, BadDatabase, DatabaseDamaged, StorageError, TableDamaged
from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.storage import has_sealed
from liarspoker.server.tables.log_reading import read_log
from liarspoker.server.tables.registry import TableRegistry
from tests.effort import effort
from tests.server.damage.evenings import DAMAGES, Evening, play_evening
from tests.server.registries import say, settled

CASES = effort(3, quick=3, soak=2_000)
FIRST = int(os.environ.get("FIRST", "0"))
"""The number of the first case; other numbers give other cases."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return play_evening(tmp_path_factory.mktemp("evening"), tables=16, moves=25, seed=1)


@pytest.mark.soak
def test_a_damaged_database_returns_intact_tables_or_errors(evening: Evening, tmp_path: Path) -> None:
    outcomes: list[str] = []
    for case in range(FIRST, FIRST + CASES):
        try:
            outcomes += _live_with(evening, tmp_path / str(case), Random(case))
        except BaseException as error:
            error.add_note(f"case {case}")
            raise
    print({outcome: outcomes.count(outcome) for outcome in sorted(set(outcomes))})
    assert outcomes.count("as it was") > CASES
    assert "refused" in outcomes


def _live_with(evening: Evening, folder: Path, chance: Random) -> list[str]:
    """Return the outcome for each table of a damaged copy."""
    lives = evening.copy(folder)
    path = sqlite_path(lives.url)
    assert path is not None
    data = bytearray(path.read_bytes())
    damage = chance.choice(DAMAGES)
    damage(data, chance)
    path.write_bytes(data)

    async def life(registry: TableRegistry) -> list[str]:
        await registry.storage.check()
        outcomes = [await _look(registry, evening, table_id) for table_id in evening.logs]
        try:
            for listed in await registry.storage.listings(limit=1000):
                assert listed == evening.lobby.get(listed.table_id)
        except DatabaseDamaged:
            outcomes.append("no lobby")
        return outcomes

    try:
        migrate(lives.url)
        has_sealed(lives.url)
        outcomes = lives.live(life)
    except LiarsPokerError as error:
        outcomes = [f"not started: {error.code}"]
    _back_up(lives.url, folder)
    return outcomes


async def _look(registry: TableRegistry, evening: Evening, table_id: str) -> str:
    """Open a table and continue playing."""
    original = evening.logs[table_id]
    try:
        actor = await registry.table(table_id)
    except TableDamaged:
        return "refused"
    stored = await registry.storage.log(table_id)
    assert stored.entries[: len(original.entries)] == original.entries
    assert stored.seeds == original.seeds
    assert read_log(stored).table.units == read_log(original).table.units
    try:
        assert (await say(actor, "user-1", do="say", text="still here")).ok
    except StorageError:
        return "cannot be written"
    await settled(actor)
    return "as it was"


def _back_up(url: str, folder: Path) -> None:
    """Check that a backup contains only intact data that can be restored, or fails."""
    left_out: list[str] = []
    try:
        back_up(url, folder / "backup.zip", left_out=left_out)
        restore(address(folder / "restored"), folder / "backup.zip")
    except (BadArchive, BadDatabase):
        pass
    if left_out:
        with pytest.raises(BadArchive, match="damaged"):
            back_up(url, folder / "backup.zip", overwrite=True)

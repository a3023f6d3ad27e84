"""A database with many played tables, and copies of it that are damaged in the ways that disks fail."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from liarspoker.server.storage.location import address, sqlite_path
from liarspoker.server.storage.log import Listed, TableLog
from liarspoker.server.tables.registry import TableRegistry
from tests.server.inprocess import with_empty_database
from tests.server.registries import Lives, opened, say
from tests.server.storage.tables import logs as stored_logs
from tests.tables.choices import some_action

GAMES = ("dollar-bill", "slips", "thorin", "queen-annes")
PAGE = 4096


@dataclass
class Evening:
    """An intact database.

    Attributes:
        lives: the test servers that created it, with the key.
        path: the database file.
        logs: the log of each table.
        lobby: the listing of each table.
    """

    lives: Lives
    path: Path
    logs: dict[str, TableLog]
    lobby: dict[str, Listed]

    def copy(self, folder: Path) -> Lives:
        """Copy the database to a separate file."""
        folder.mkdir(parents=True)
        shutil.copy(self.path, folder / self.path.name)
        return Lives(address(folder), self.lives.clock, key=self.lives.key)


def play_evening(folder: Path, tables: int, moves: int, seed: int) -> Evening:
    """Play this many tables, half of them with a running clock."""
    url, chance = with_empty_database(folder), Random(seed)
    lives = Lives(url)

    async def life(registry: TableRegistry) -> dict[str, TableLog]:
        ids = [await _play(registry, number, moves, chance) for number in range(tables)]
        return await stored_logs(registry.storage, ids)

    async def listed(registry: TableRegistry) -> dict[str, Listed]:
        return {one.table_id: one for one in await registry.storage.listings(limit=1000)}

    logs = lives.live(life, kill=True)
    lobby = lives.live(listed, kill=True)
    logs = lives.live(lambda registry: stored_logs(registry.storage, list(logs)), kill=True)
    lobby = lives.live(listed, kill=True)
    path = sqlite_path(url)
    assert path is not None
    return Evening(lives, path, logs, lobby)


async def _play(registry: TableRegistry, number: int, moves: int, chance: Random) -> str:
    settings = {"clock": {"turn": 3600, "ready": 3600}} if number % 2 else {}
    actor = await opened(
        registry, 3, game=GAMES[number % len(GAMES)], visibility="open", title=f"Évening {number}", **settings
    )
    assert (await say(actor, "user-0", f"start-{number}", do="start")).ok
    for user in ("user-1", "user-2"):
        await say(actor, user, do="ready")
    for move in range(moves):
        for user in ("user-0", "user-1", "user-2"):
            view = json.loads(actor.state_for(user).text)
            if view["public"]["stage"] == "gathering" and view["you"]["gathering"]["wanted"]:
                await say(actor, user, do="ready")
            elif view["public"]["to_act"] == user:
                action = some_action(view["you"]["hand"], chance)
                await say(actor, user, f"m{move}", do="act", turn=view["public"]["turn"], action=action)
            elif chance.random() < 0.3:
                await say(actor, user, f"s{move}", do="say", text="ça va " * chance.randrange(1, 40))
    return actor.table.id


Damage = Callable[[bytearray, Random], None]


def flip_bits(data: bytearray, chance: Random) -> None:
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def overwrite(data: bytearray, chance: Random) -> None:
    """Overwrite some bytes anywhere, part of a page header, a sector, or whole pages."""
    length = chance.choice((1, 1, 2, 16, 100, 512, PAGE, 4 * PAGE))
    unit = chance.choice((1, 1, 512, PAGE)) if length < PAGE else PAGE
    start = unit * chance.randrange(len(data) // unit) + (chance.randrange(40) if unit == PAGE > length else 0)
    length = len(data[start : start + length])
    data[start : start + length] = chance.choice((bytes(length), b"\xff" * length, chance.randbytes(length)))


def exchange_pages(data: bytearray, chance: Random) -> None:
    first, second = (PAGE * chance.randrange(1, len(data) // PAGE) for _ in range(2))
    data[first : first + PAGE], data[second : second + PAGE] = data[second : second + PAGE], data[first : first + PAGE]


def cut(data: bytearray, chance: Random) -> None:
    del data[chance.randrange(1, len(data)) :]


DAMAGES: tuple[Damage, ...] = (*(flip_bits,) * 4, *(overwrite,) * 9, exchange_pages, cut)

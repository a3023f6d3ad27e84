"""Audit of the logs after faults: a comparison with the records of the players."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from liarspoker.protocol.events import Acted, Extended
from liarspoker.server.storage.leases import LEASE_SECONDS
from liarspoker.server.storage.log import TableLog
from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.log_reading import read_log
from liarspoker.tables import view
from liarspoker.tables.reducers import apply_entry, read_entry
from liarspoker.tables.state import Table, next_deadline
from tests.server.faults.players import PROMPT, Player
from tests.server.faults.world import World
from tests.server.leaks.search import leaks
from tests.server.leaks.server_world import Output
from tests.tables.play import as_json

SLACK = LEASE_SECONDS + 1.0
"""Seconds that a clock may lose to an outage: if it is shorter than a lease, no time is given back."""


class Outage(NamedTuple):
    """A period of the machine's clock in which one or all servers were down."""

    begin: float
    end: float


class Findings(NamedTuple):
    """The result of an audit.

    Attributes:
        acknowledged: the number of acknowledged moves.
        lost: the number of acknowledged moves that aren't in the log exactly once, with the acknowledged version.
        wrong: descriptions of all other errors.
    """

    acknowledged: int
    lost: int
    wrong: list[str]


async def audit(world: World, players: Sequence[Player], outages: Sequence[Outage], busy: float) -> Findings:
    """Compare the logs with a snapshot of the players' records: bots and clocks go on while the logs are read.

    `busy` multiplies the time that a clock may lose, for a busy machine.
    """
    players = [
        replace(player, acknowledged=dict(player.acknowledged), refused=dict(player.refused)) for player in players
    ]
    tables = {player.books.table: player.books for player in players}
    frames = {books.table: list(books.frames) for books in tables.values()}
    for books in tables.values():
        books.frames.clear()
    # In other outages most clocks run on, and little time is given back when a table moves.
    plain = world.shape.nodes == 1 and not world.skewed
    acknowledged = lost = 0
    wrong: list[str] = []
    async with await Storage.open(world.url, Sealer(find_key(world.folder))) as storage:
        for table_id, books in tables.items():
            seated = [player for player in players if player.books is books]
            stored = await storage.log(table_id)
            made = {entry.command_id: entry.version for entry in stored.entries if entry.command_id}
            if len(made) != sum(entry.command_id is not None for entry in stored.entries):
                wrong.append(f"{books.game}: a command took effect twice")
            for player in seated:
                there = {command_id: made.get(f"{player.user}/{command_id}") for command_id in player.acknowledged}
                acknowledged += len(there)
                lost += sum(there[command_id] != version for command_id, version in player.acknowledged.items())
                if any(f"{player.user}/{command_id}" in made for command_id in player.refused):
                    wrong.append(f"{books.game}: a rejected command took effect")
                if player.newest > stored.version:
                    wrong.append(f"{books.game}: version {player.newest} was shown, {stored.version} is the last")
            found = [*books.wrong, *_replay(stored, frames[table_id], seated, outages if plain else (), busy)]
            books.wrong.clear()
            wrong += [f"{books.game}: {one}" for one in found]
    return Findings(acknowledged, lost, wrong)


def _replay(
    stored: TableLog, frames: Sequence[tuple[str, str]], seated: list[Player], outages: Sequence[Outage], busy: float
) -> list[str]:
    """Replay a log and check the views, the times of expired deadlines, and the time that clocks lost."""
    wrong: list[str] = []
    if [entry.version for entry in stored.entries] != list(range(1, len(stored.entries) + 1)):
        return ["the versions have gaps"]
    left = {(player.user, turn): seconds for player in seated for turn, seconds in player.left.items()}
    shown: dict[int, list[tuple[str, dict[str, Any], str]]] = {}
    for user, text in frames:
        state = json.loads(text)
        shown.setdefault(state["version"], []).append((user, state, text))
    table: Table | None = None
    last = None
    for entry in stored.entries:
        before, events = table, read_entry(entry.body)
        table = apply_entry(before, events, stored.seeds.__getitem__)
        wrong += _shown_otherwise(table, shown.get(entry.version, ()), list(stored.seeds.values()))
        if before is not None and last is not None:
            deadline = next_deadline(before)
            parts = [part for outage in outages if (part := _overlap(outage, last.at, entry.at)) > 0]
            served, slack = entry.at - last.at - sum(parts), 0.5 + busy * SLACK * len(parts)
            for event in events:
                match event:
                    case Acted(by_clock=True, user=user):
                        if deadline is None or (entry.epoch == last.epoch and entry.at < deadline - 0.1):
                            wrong.append(f"version {entry.version}: a deadline took effect before its time")
                        elif outages and deadline - last.at > served + slack:
                            wrong.append(f"version {entry.version}: {deadline - last.at - served:.1f} s were lost")
                        if left.get((user, before.turn), 0.0) > PROMPT:
                            wrong.append(f"version {entry.version}: the clock acted for a player who was in time")
                    case Extended() if deadline is not None and outages:
                        later = next_deadline(table)
                        assert later is not None
                        counted = (deadline - last.at) - (later - entry.at)
                        if counted > served + slack:
                            wrong.append(
                                f"version {entry.version}: {counted:.1f} s were counted, {served:.1f} s served"
                            )
                    case _:
                        pass
        last = entry
    if table is None:
        return ["the log is empty"]
    again = read_log(stored).table
    if view.public(again) != view.public(table):
        wrong.append("the log does not replay to its state")
    if sum(table.units.values()):
        wrong.append("the ledger does not sum to zero")
    return wrong


def _overlap(outage: Outage, begin: float, end: float) -> float:
    return max(0.0, min(outage.end, end) - max(outage.begin, begin))


def _shown_otherwise(table: Table, shown: Sequence[tuple[str, dict[str, Any], str]], seeds: list[bytes]) -> list[str]:
    """Yield views of a version that are wrong, or that contain what their viewers must not see."""
    wrong = []
    for user, state, text in shown:
        if state["public"] != as_json(view.public(table)) or state["you"] != as_json(view.private(table, user)):
            wrong.append(f"version {table.version} was shown as it never was")
        wrong += [f"{user} saw {leak}" for leak in leaks(Output(user, "socket", text, "", table), seeds)]
    return wrong


def verified(audits: dict[str, Any], folder: Path) -> list[str]:
    """Verify every deal of ended tables with `liarspoker verify`."""
    wrong = []
    for number, document in enumerate(audits.values()):
        path = folder / f"audit-{number}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        checked = subprocess.run(
            [sys.executable, "-m", "liarspoker", "verify", str(path)], capture_output=True, text=True, check=False
        )
        if checked.returncode:
            wrong.append(f"liarspoker verify: {checked.stdout[-500:]}{checked.stderr[-500:]}")
    return wrong

"""Invariants of the log while two nodes append and take over tables concurrently."""

import asyncio
import uuid
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liarspoker.server.storage import leases
from liarspoker.server.storage.errors import Conflict, NotOwner, Repeated, StorageError
from liarspoker.server.storage.log import Entry, LogHead, TableLog, judge, shard_of
from liarspoker.server.storage.storage import Storage
from tests.server.storage.tables import SEALER, entry, logs, owned

NODES = ("node-0", "node-1")


@dataclass(frozen=True)
class Append:
    """One of two nodes appends an entry, whose version or epoch may be wrong."""

    node: int
    table: str
    ahead: int
    command_id: str | None
    epoch_behind: int


@dataclass(frozen=True)
class Claim:
    """One of two nodes takes a table over; no lease is valid, since neither node has heartbeats."""

    node: int
    table: str


TABLES = st.sampled_from(["T", "U", "V"])
APPENDS = st.builds(
    Append,
    st.integers(0, 1),
    TABLES,
    st.sampled_from([1, 1, 1, 1, 2, 2, 3, 0]),
    st.none() | st.sampled_from("abcdefgh"),
    st.sampled_from([0, 0, 0, 0, 1]),
)
WAVES = st.lists(
    st.lists(st.one_of(APPENDS, APPENDS, APPENDS, st.builds(Claim, st.integers(0, 1), TABLES))), max_size=4
)


class Run:
    """A few new tables, and the outcome of every append."""

    def __init__(self, nodes: tuple[Storage, Storage]) -> None:
        self.nodes = nodes
        self.prefix = uuid.uuid4().hex
        self.versions = dict.fromkeys("TUV", 0)
        self.epochs = dict.fromkeys("TUV", 0)
        self.accepted: list[Entry] = []
        self.refused: list[tuple[Entry, StorageError]] = []

    async def step(self, step: Append | Claim) -> None:
        storage = self.nodes[step.node]
        if isinstance(step, Claim):
            await owned(storage, NODES[step.node], 0.0)
            found = await storage.read(leases.read_map)
            self.epochs = {table: found.leases[shard_of(self.prefix + table)].epoch for table in self.epochs}
            return
        version = self.versions[step.table] + step.ahead
        epoch = self.epochs[step.table] - step.epoch_behind
        tried = entry(self.prefix + step.table, version, step.command_id, epoch, seeds=((version, b"seed"),))
        tried = replace(tried, body=f'["{uuid.uuid4().hex}"]')
        try:
            await storage.append(tried)
        except StorageError as refusal:
            self.refused.append((tried, refusal))
        else:
            self.accepted.append(tried)

    async def play(self, waves: list[list[Append | Claim]]) -> dict[str, TableLog]:
        await self.step(Claim(0, "T"))
        for table in self.versions:
            await self.nodes[0].create_table(self.prefix + table, 1.0)
        for wave in waves:
            await asyncio.gather(*map(self.step, wave))
            for table in self.versions:
                self.versions[table] = (await self.nodes[0].log(self.prefix + table)).version
        return await logs(self.nodes[1], [self.prefix + table for table in self.versions])

    def check(self, logs: dict[str, TableLog]) -> None:
        stored = [row for log in logs.values() for row in log.entries]
        # Exactly the acknowledged entries are stored, completely.
        assert sorted((row.table_id, row.version, row.epoch, row.command_id, row.body) for row in stored) == sorted(
            (made.table_id, made.version, made.epoch, made.command_id, made.body) for made in self.accepted
        )
        for log in logs.values():
            assert [row.version for row in log.entries] == list(range(1, log.version + 1))
            assert list(log.seeds) == list(range(1, log.version + 1))
            commands = [row.command_id for row in log.entries if row.command_id is not None]
            assert len(commands) == len(set(commands))
            epochs = [row.epoch for row in log.entries]
            assert epochs == sorted(epochs)
        made_by = {(row.table_id, row.command_id): row.version for row in stored if row.command_id is not None}
        for tried, refusal in self.refused:
            if isinstance(refusal, Repeated):
                assert made_by[tried.table_id, refusal.command_id] == refusal.version
                assert tried.command_id == refusal.command_id
            else:
                assert isinstance(refusal, Conflict | NotOwner)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WAVES)
def test_logs_are_gapless_with_unique_commands_when_two_nodes_append(
    url: str, waves: list[list[Append | Claim]]
) -> None:
    async def play() -> None:
        async with await Storage.open(url, SEALER) as one, await Storage.open(url, SEALER) as two:
            run = Run((one, two))
            run.check(await run.play(waves))

    asyncio.run(play())


TRIED = st.builds(
    entry, st.sampled_from("TU"), st.integers(0, 4), st.none() | st.sampled_from("abc"), st.integers(1, 2)
)


@given(st.lists(TRIED), st.integers(0, 3))
def test_a_batch_is_judged_like_single_entries(entries: list[Entry], last: int) -> None:
    standing, known = {"T": LogHead(1, last)}, {("T", "a"): 1} if last else {}
    together = judge(entries, standing, known)
    alone = []
    for tried in entries:
        [verdict] = judge([tried], standing, known)
        alone.append(verdict)
        if verdict is None:
            standing["T"] = LogHead(1, tried.version)
            if tried.command_id is not None:
                known["T", tried.command_id] = tried.version
    assert list(map(repr, together)) == list(map(repr, alone))

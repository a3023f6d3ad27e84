"""Bots that think at live tables: in a process of their own, with the fast bot of the same network in reserve."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker import engine
from liarspoker.bots import catalogue as bots
from liarspoker.bots.catalogue import THINKING, UnknownBot
from liarspoker.core import catalogue as games
from liarspoker.server.bots import table_bots
from liarspoker.server.bots.table_bots import TOO_LATE, TableBots, network_of, thinkers
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.web.app import mount_pages
from liarspoker.web.routes.lobby import MIXED, opponents
from tests.server.bots.sessions import opened, view_of
from tests.server.inprocess import running

pytestmark = pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")

THINKER = "champion:500ms"
SEED = b"a seed"
LONG = 300.0
VIEW = view_of(opened("salomon-1986", 2))
PLAIN = bots.load("champion", "digits")(VIEW, Random(SEED))


@asynccontextmanager
async def table_bots_with(thinking: BotWorkers) -> AsyncIterator[TableBots]:
    """Bots at live tables, with these workers for thoughts."""
    found = TableBots(BotWorkers(seconds=LONG, timeout=LONG), thinking)
    try:
        yield found
    finally:
        await found.close()


@pytest.fixture(scope="module", autouse=True)
def _unhurried() -> Iterator[None]:
    """Let bots think as long as they need beside all other tests; a limit here would test the speed of the machine.

    With the usual niceness they might wait for all other tests. The bot is compiled before its process needs it.
    """
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("PATIENCE", "WAIT", "MOST_SECONDS"):
            patch.setattr(table_bots, limit, LONG)
        patch.setattr(table_bots, "NICENESS", 0)
        bots.load(THINKER, "digits")(VIEW, Random(SEED))
        yield


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[[Any, bytes], int]]:
    """Ask the bot that thinks in its process, however long it takes."""
    with asyncio.Runner() as runner:
        thinking = thinkers()
        yield lambda view, seed: runner.run(thinking.action(THINKER, "digits", view, seed))
        runner.run(thinking.close())


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(moves=st.integers(0, 6), deal=st.integers(0, 99), seed=st.binary(max_size=20))
def test_it_plays_legal_actions(ask: Callable[[Any, bytes], int], moves: int, deal: int, seed: bytes) -> None:
    view = view_of(opened("salomon-1986", moves, deal))
    assert ask(view, seed) in view.legal.actions


@pytest.mark.slow
def test_the_same_view_and_seed_give_the_same_action(ask: Callable[[Any, bytes], int]) -> None:
    """What it has seen in between makes no difference, nor does another process."""
    first = [ask(VIEW, bytes([seed])) for seed in range(6)]
    assert len(set(first)) > 1
    ask(view_of(opened("salomon-1986", 3, 8)), SEED)
    assert [ask(VIEW, bytes([seed])) for seed in range(6)] == first
    bot = bots.at(THINKER)
    assert [bot(VIEW, Random(bytes([seed]))) for seed in range(6)] == first


@pytest.mark.slow
async def test_the_fast_bot_plays_if_the_process_is_killed_during_a_thought(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, table_bots.__name__)
    async with table_bots_with(thinkers()) as both:
        playing = asyncio.create_task(both.action(THINKER, "digits", VIEW, SEED))
        while not both.thinking.playing:
            await asyncio.sleep(0)
        [pid] = both.thinking.pids
        os.kill(pid, signal.SIGKILL)
        assert await playing == PLAIN
        assert {code: count for code, count in both.unthought.items() if count} == {"bot-crashed": 1}
        [logged] = [record for record in caplog.records if record.name == table_bots.__name__]
        assert (logged.__dict__["bot"], logged.__dict__["code"]) == (THINKER, "bot-crashed")
        assert await both.thinking.action(THINKER, "digits", VIEW, SEED) in VIEW.legal.actions  # in a new process


@pytest.mark.slow
async def test_a_late_thought_is_not_awaited_and_does_not_end_the_process() -> None:
    async with table_bots_with(thinkers()) as both:
        assert await both.action(THINKER, "digits", VIEW, SEED, left=0.0) == PLAIN
        assert both.unthought[TOO_LATE] == 1
        while not both.thinking.playing:
            await asyncio.sleep(0)
        pids = both.thinking.pids
        assert await both.thinking.action(THINKER, "digits", VIEW, SEED) in VIEW.legal.actions
        assert both.thinking.pids == pids


async def test_the_fast_bot_plays_if_too_many_wait_to_think() -> None:
    async with table_bots_with(BotWorkers(longest_queue=0)) as both:
        assert await both.action(THINKER, "digits", VIEW, SEED) == PLAIN
        assert both.unthought["bots-busy"] == 1


async def test_bots_that_do_not_think_start_no_process_for_thoughts() -> None:
    async with table_bots_with(thinkers()) as both:
        assert await both.action("champion", "digits", VIEW, SEED) == PLAIN
        assert both.thinking.pids == ()
        assert both.fast.pids != ()
        assert not any(both.unthought.values())
        with pytest.raises(UnknownBot):
            await both.action("champion:400ms", "digits", VIEW, SEED)


async def test_an_idle_process_is_stopped_until_it_is_needed() -> None:
    async with BotWorkers(seconds=LONG, timeout=LONG, idle_seconds=0.0) as workers:
        for _ in range(2):
            assert await workers.action("champion", "digits", VIEW, SEED) == PLAIN
            while workers.pids:
                await asyncio.sleep(0)


def test_every_bot_that_thinks_is_one_of_a_network_with_a_title_of_its_own() -> None:
    named = {row.name: row for row in bots.bots()}
    for row in THINKING:
        assert named[network_of(row.name)].is_network
        assert row.title not in {other.title for other in named.values()}
        assert bots.title_of(row.name) == row.title
        assert bots.load(row.name, "digits") == bots.at(row.name)
        with pytest.raises(UnknownBot, match="does not play the games of thorin"):
            bots.load(row.name, "thorin")
    assert bots.table_bots()[-1].name == "shark"  # which plays for absent players


def test_the_lobby_seats_it_where_it_is_chosen() -> None:
    assert opponents(games.preset("slips"), THINKER, 2) == (THINKER, THINKER)
    for chosen, game in ((THINKER, "thorin"), (MIXED, "slips")):
        assert not any(map(network_of, opponents(games.preset(game), chosen, 9)))


def test_without_the_engine_it_is_not_offered_and_the_fast_bot_plays(tmp_path: Path) -> None:
    script = (
        "import pathlib, sys; sys.modules['numba'] = None\n"  # so that it can't be imported
        "from tests.server.bots.without_engine import main; main(pathlib.Path(sys.argv[1]))"
    )
    command = (sys.executable, "-c", script, str(tmp_path))
    ended = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
def test_it_plays_a_hand_at_a_table_of_a_server(tmp_path: Path) -> None:
    clock = {"turn": 4 * int(LONG), "bank": 0, "ready": 60}
    with running(tmp_path, mount_pages) as server:
        listed = {bot["name"]: bot for bot in server.person().http.get("/api/bots").json()}
        assert set(listed[THINKER]["games"]) == {game.id for game in games.games() if game.family == "digits"}
        for path in ("/bots", "/new?game=salomon-1986"):
            assert "Champion, thinking" in server.person().http.get(path).text
            assert "Champion mit Bedenkzeit" in server.person(**{"Accept-Language": "de"}).http.get(path).text
        ann, table = server.hosted(bots=(THINKER,), game="salomon-1986", seats=2, rounds=1, clock=clock)
        assert ann.ask(table, do="start")["ok"]
        assert "bot, Champion, thinking" in ann.http.get(f"/t/{table}").text
        end, decisions = time.monotonic() + LONG, 0
        while (seen := ann.view(table))["public"]["stage"] != "ended":
            assert time.monotonic() < end, seen["public"]
            if seen["public"]["to_act"] == ann.user:
                legal, turn = seen["you"]["hand"]["legal"], seen["public"]["turn"]
                action = legal["claims"][0] if decisions < 2 else legal["challenge"] or legal["count"]
                decisions += ann.ask(table, do="act", turn=turn, action=action)["ok"]
        assert seen["public"]["rounds_played"] == 1
        [bot] = [chair for chair in seen["public"]["chairs"] if chair["bot"]]
        assert bot["bot"] == THINKER
        samples = ann.http.get("/metrics").text
        assert "liarspoker_thinking_workers 1.0" in samples
        unthought = re.findall(r"^liarspoker_bots_unthought_total\{.*\} (\S+)$", samples, re.MULTILINE)
        assert unthought
        assert set(unthought) == {"0.0"}

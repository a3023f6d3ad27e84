"""Bots in separate processes: a failing bot doesn't affect others."""

import asyncio
import logging
import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots import catalogue as bots
from liarspoker.bots.catalogue import UnknownBot
from liarspoker.core import catalogue as games
from liarspoker.core.errors import LEGAL, LiarsPokerError
from liarspoker.server.bots import workers as workers_module
from liarspoker.server.bots.worker import LONGEST_ANSWER, Answer, Kind, MalformedAnswer, answered, request_of
from liarspoker.server.bots.workers import BotFailed, BotsBusy, BotWorkers
from tests.server.bots.sessions import opened, view_of
from tests.server.bots.strange_bots import SECRET, STRANGE
from tests.server.bots.strange_bots import load as load_strange

LOADER = "tests.server.bots.strange_bots:load"
SEED = b"a seed"
PAIRS = [(game.id, bot.name) for game in games.games() for bot in bots.bots() if bot.plays(game)]
Ask = Callable[[str, str, Any, bytes], int]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Workers for all tests of this module, which can load the misbehaving bots."""
    with asyncio.Runner() as runner:
        workers = BotWorkers(seconds=60, timeout=60, loader=LOADER)
        yield lambda *requests: runner.run(workers.action(*requests))
        runner.run(workers.close())


VIEW = view_of(opened("slips"))
BEGINNERS = bots.load("beginner", "digits")(VIEW, Random(SEED))


@pytest.mark.parametrize(("game", "bot"), PAIRS)
def test_every_bot_plays_a_round_of_every_game_through_a_worker(ask: Ask, game: str, bot: str) -> None:
    session = opened(game)
    while session.in_play:
        action = ask(bot, games.preset(game).family, view_of(session), SEED)
        assert session.refusal(action) == LEGAL
        session = session.apply(action)


@given(pair=st.sampled_from(PAIRS), moves=st.integers(0, 6), seed=st.binary(max_size=40))
def test_a_bot_plays_the_same_with_and_without_a_worker(
    ask: Ask, pair: tuple[str, str], moves: int, seed: bytes
) -> None:
    game, bot = pair
    family, view = games.preset(game).family, view_of(opened(game, moves, seed=moves))
    assert ask(bot, family, view, seed) == bots.load(bot, family)(view, Random(seed))


@given(seed=st.binary(max_size=8))
def test_bots_challenge_only_for_their_own_seat(ask: Ask, seed: bytes) -> None:
    session = opened("queen-annes", who_may_challenge="anyone")
    session = session.apply(session.legal().claims[-1])
    own, *others = session.legal().actions
    assert others
    assert ask("uniform", "queen_annes", view_of(session), seed) == own


@given(seeds=st.lists(st.binary(max_size=8), min_size=2, max_size=2, unique=True))
def test_bots_are_reproducible_by_seed(ask: Ask, seeds: list[bytes]) -> None:
    first, again, other = (ask("draws", "digits", None, seed) for seed in (seeds[0], seeds[0], seeds[1]))
    assert first == again == Random(seeds[0]).getrandbits(64)
    assert first != other


@pytest.mark.parametrize("name", ["nobody", "", "é", "os:system", "liarspoker.bots.uniform:uniform"])
def test_an_unknown_bot_is_rejected(ask: Ask, name: str) -> None:
    with pytest.raises(UnknownBot, match="there is no bot"):
        ask(name, "digits", VIEW, SEED)


def test_a_bot_is_rejected_for_games_that_it_does_not_play(ask: Ask) -> None:
    with pytest.raises(UnknownBot, match="does not play"):
        ask("bluffer", "dominoes", VIEW, SEED)


@given(kind=st.sampled_from(get_args(Kind)), text=st.text(), action=st.integers())
def test_answers_survive_the_round_trip_and_are_truncated(kind: Kind, text: str, action: int) -> None:
    answer = Answer(kind, str(action) if kind == "played" else text * 200)
    body = answer.to_bytes()
    assert len(body) <= LONGEST_ANSWER
    assert Answer.from_bytes(body).kind == kind
    assert kind != "played" or Answer.from_bytes(body) == answer


@given(body=st.binary() | st.sampled_from([b"played", b"played ", b"played 1x", b"played --1", b"shown 1"]))
def test_malformed_answers_are_rejected(body: bytes) -> None:
    with pytest.raises(MalformedAnswer, match=f"{len(body)} bytes that aren't an answer"):
        Answer.from_bytes(body)


def test_crash_reports_do_not_contain_what_the_bot_has_seen() -> None:
    line = STRANGE["raises"].__code__.co_firstlineno + 1
    crash = answered(request_of("raises", "digits", "SECRET", b""), load_strange)
    assert crash == Answer("crashed", f"ValueError at strange_bots.py:{line}")


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_worker_is_light_has_low_priority_and_inherits_nothing(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "x")

    async def play() -> list[int]:
        async with BotWorkers(loader=LOADER) as workers:
            requests = ("heavy_modules", "secrets", "open_files", "niceness")
            return [await workers.action(bot, "digits", VIEW, SEED) for bot in requests]

    with asyncio.Runner(loop_factory=pytest.importorskip(loop).new_event_loop) as runner:
        heavy, secrets, files, nice = runner.run(play())
    assert (heavy, secrets) == (0, 0)
    assert files == 2  # the pipes for requests and answers
    assert nice > os.nice(0)


@pytest.mark.parametrize(
    ("bot", "code"),
    [
        ("raises", "bot-crashed"),
        ("quits", "bot-crashed"),
        ("recurs", "bot-crashed"),
        ("leaves", "bot-crashed"),
        ("kills_itself", "bot-crashed"),
        ("scribbles", "bot-crashed"),
        ("closes_everything", "bot-crashed"),
        ("eats_memory", "bot-crashed"),
        ("says_words", "bot-nonsense"),
        ("says_nothing", "bot-nonsense"),
        ("says_yes", "bot-nonsense"),
        ("says_much", "bot-nonsense"),
    ],
)
def test_a_failing_bot_does_not_affect_queued_requests(bot: str, code: str) -> None:
    assert failure_between_others(bot, seconds=60) == (bot, code)


@pytest.mark.parametrize("bot", ["loops", "stuck"])
def test_a_slow_bot_does_not_use_up_the_time_of_queued_requests(bot: str) -> None:
    assert failure_between_others(bot, seconds=1) == (bot, "bot-too-slow")


async def test_a_bot_has_more_time_for_its_first_action_in_a_worker() -> None:
    async with BotWorkers(1, seconds=0, first_seconds=60, loader=LOADER) as workers:
        assert await workers.action("beginner", "digits", VIEW, SEED) == BEGINNERS
        with pytest.raises(BotFailed) as failed:
            await workers.action("beginner", "digits", VIEW, SEED)
        assert failed.value.code == "bot-too-slow"


def failure_between_others(
    bot: str, seconds: float, new_loop: Callable[[], asyncio.AbstractEventLoop] | None = None
) -> tuple[str, str]:
    """Ask a bot between two others in the same worker; return the failing bot and its error code."""

    async def play() -> list[int | BaseException]:
        async with BotWorkers(1, seconds, first_seconds=0, timeout=60, memory=1 << 29, loader=LOADER) as workers:
            playing = (workers.action(name, "digits", VIEW, SEED) for name in ("beginner", bot, "beginner"))
            return await asyncio.gather(*playing, return_exceptions=True)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        before, failed, after = runner.run(play())
    assert (before, after) == (BEGINNERS, BEGINNERS)
    assert isinstance(failed, BotFailed)
    return failed.bot, failed.code


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_output_of_bots_is_discarded(loop: str, capfd: pytest.CaptureFixture[str]) -> None:
    new_loop = pytest.importorskip(loop).new_event_loop
    assert failure_between_others("scribbles", seconds=60, new_loop=new_loop) == ("scribbles", "bot-crashed")
    assert capfd.readouterr() == ("", "")


async def test_a_bot_cannot_disturb_the_streams_of_its_worker(capfd: pytest.CaptureFixture[str]) -> None:
    async with BotWorkers(loader=LOADER) as workers:
        assert await workers.action("eats_its_streams", "digits", VIEW, SEED) == 7
        assert await workers.action("draws", "digits", VIEW, SEED) == Random(SEED).getrandbits(64)
    assert capfd.readouterr() == ("", "")


async def test_requests_are_answered_in_order() -> None:
    answered: list[int] = []
    async with BotWorkers() as workers:

        async def one(number: int) -> None:
            await workers.action("binomial", "digits", VIEW, SEED)
            answered.append(number)

        await asyncio.gather(*map(one, range(20)))
    assert answered == list(range(20))


async def test_other_workers_continue_while_one_is_stuck() -> None:
    async with BotWorkers(2, seconds=60, loader=LOADER) as workers:
        stuck = asyncio.create_task(workers.action("stuck", "digits", VIEW, SEED))
        for _ in range(20):
            assert await workers.action("beginner", "digits", VIEW, SEED) == BEGINNERS
        assert not stuck.done()
        stuck.cancel()


async def test_requests_beyond_the_queue_are_rejected_immediately() -> None:
    async with BotWorkers(longest_queue=2) as workers:
        playing = (workers.action("beginner", "digits", VIEW, SEED) for _ in range(3))
        *served, sent_away = await asyncio.gather(*playing, return_exceptions=True)
    assert served == [BEGINNERS] * 2
    assert isinstance(sent_away, BotsBusy)
    assert str(sent_away) == "2 other requests are waiting for a bot"


async def test_requests_time_out_in_the_queue() -> None:
    async with BotWorkers(seconds=60, timeout=0.2, loader=LOADER) as workers:
        while not workers.pids:
            with suppress(BotsBusy):
                await workers.action("draws", "digits", VIEW, SEED)
        looping = asyncio.create_task(workers.action("loops", "digits", VIEW, SEED))
        await asyncio.sleep(0)
        with pytest.raises(BotsBusy, match=r"no bot worker was free within 0\.2 seconds"):
            await workers.action("beginner", "digits", VIEW, SEED)
        looping.cancel()


async def test_a_cancelled_request_frees_its_worker() -> None:
    async with BotWorkers(seconds=60, timeout=60, loader=LOADER) as workers:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(workers.action("loops", "digits", VIEW, SEED), 1)
        assert await workers.action("beginner", "digits", VIEW, SEED) == BEGINNERS


async def test_ctrl_c_does_not_reach_the_bots() -> None:
    async with BotWorkers() as workers:
        await workers.action("beginner", "digits", VIEW, SEED)
        before = workers.pids
        os.kill(before[0], signal.SIGINT)
        assert await workers.action("beginner", "digits", VIEW, SEED) == BEGINNERS
        assert workers.pids == before


async def test_starting_a_worker_is_retried_with_growing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ["PYTHONPATH"])))
    caplog.set_level(logging.ERROR, workers_module.__name__)
    async with BotWorkers(timeout=1, loader="late_bots:load") as workers:
        with pytest.raises(BotsBusy, match="no bot worker was free within 1 seconds"):
            await workers.action("beginner", "digits", VIEW, SEED)
        (tmp_path / "late_bots.py").write_text("from liarspoker.bots.catalogue import load\n")
        action = None
        while action is None:
            with suppress(BotsBusy):
                action = await workers.action("beginner", "digits", VIEW, SEED)
    assert action == BEGINNERS
    pauses = [record.__dict__["next_try"] for record in caplog.records]
    assert pauses == [workers_module.FIRST_PAUSE * 2**number for number in range(len(pauses))] != []
    assert "No module named 'late_bots'" in capfd.readouterr().err


async def test_closing_fails_pending_and_later_requests() -> None:
    workers = BotWorkers(loader=LOADER, seconds=60, timeout=60)
    await workers.action("draws", "digits", VIEW, SEED)
    waiting = [asyncio.create_task(workers.action("loops", "digits", VIEW, SEED)) for _ in range(3)]
    await asyncio.sleep(0)
    await workers.close()
    for requests in (*waiting, workers.action("beginner", "digits", VIEW, SEED)):
        with pytest.raises(BotsBusy, match="the bot workers are closed"):
            await requests


async def test_workers_that_were_never_started_can_be_closed() -> None:
    workers = BotWorkers()
    await workers.close()
    assert workers.pids == ()


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open to wait for other processes' children")
async def test_closing_ends_every_worker() -> None:
    async with BotWorkers(2, seconds=60, loader=LOADER) as workers:
        stuck = asyncio.create_task(workers.action("stuck", "digits", VIEW, SEED))
        await workers.action("beginner", "digits", VIEW, SEED)
        while len(workers.pids) < 2:
            await workers.action("beginner", "digits", VIEW, SEED)
        processes = [os.pidfd_open(pid) for pid in workers.pids]
    with pytest.raises(LiarsPokerError, match="closed"):
        await stuck
    assert len(processes) == 2
    for process in processes:
        assert select.select([process], [], [], 30)[0]
        os.close(process)

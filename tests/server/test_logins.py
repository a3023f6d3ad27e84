"""Logging in while somebody guesses passphrases: guessing is slow, and locks nobody out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from argon2 import PasswordHasher

from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import BadLogin, Busy, Session
from liarspoker.server.accounts.passphrases import AT_ONCE, MOST_WAITING, Passphrases
from liarspoker.server.cluster.bus import LocalBus
from liarspoker.server.config import Limit, no_limits
from liarspoker.server.problems import Problem
from liarspoker.server.quotas import DELAY_SECONDS, Logins
from liarspoker.server.tables.registry import TableRegistry
from tests.server.inprocess import CHEAP
from tests.server.registries import Lives, until

LOGIN, PASSPHRASE, HOME, HOTEL = "ann", "a cold and frosty morning", "192.0.2.1", "198.51.100.1"
LIMITS = replace(no_limits(), logins=Limit(3, 0.001), attempts=Limit(5, 0.001))


async def registered(logins: Logins, accounts: Accounts, address: str = HOME) -> None:
    guest = await accounts.guest("Ann")
    await logins.register(address, guest.user.user_id, LOGIN, PASSPHRASE)


@pytest.fixture
def accounts(lives: Lives, registry: TableRegistry) -> Iterator[Accounts]:
    with closing(Accounts(registry.storage, lives.clock.now, CHEAP)) as accounts:
        yield accounts


async def guess(logins: Logins, address: str, login: str = LOGIN) -> str:
    """What comes of a wrong passphrase: `wrong`, `slow` if that takes a while, or `refused`."""
    trying = asyncio.create_task(logins.log_in(address, login, "something else"))
    clock = logins._now.__self__  # type: ignore[attr-defined]
    delayed = False
    for _ in range(2):
        await until(lambda: trying.done() or logins.delayed > 0)
        if not trying.done():
            delayed = True
            clock.time += DELAY_SECONDS
            await until(trying.done)
    try:
        await trying
    except BadLogin:
        return "slow" if delayed else "wrong"
    except Problem:
        return "refused"
    raise AssertionError("a wrong passphrase fits")


async def test_strangers_cannot_lock_a_user_out(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, LIMITS, lives.clock.now, LocalBus("a"))
    await registered(logins, accounts)
    outcomes = [await guess(logins, f"203.0.113.{number % 20}") for number in range(80)]
    assert outcomes[:5] == ["wrong"] * 5
    assert "slow" in outcomes
    assert outcomes[-1] == "refused"
    home = asyncio.create_task(logins.log_in(HOME, LOGIN, PASSPHRASE))
    await until(home.done)
    assert home.result().user.login == LOGIN
    hotel = asyncio.create_task(logins.log_in(HOTEL, LOGIN, PASSPHRASE))
    await until(lambda: logins.delayed > 0)
    lives.clock.time += DELAY_SECONDS
    await until(hotel.done)
    assert hotel.result().user.login == LOGIN
    await logins.log_in(HOTEL, LOGIN, PASSPHRASE)


async def test_an_address_tries_a_login_so_often_however_it_is_written(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, LIMITS, lives.clock.now, LocalBus("a"))
    outcomes = [await guess(logins, HOME, written) for written in ("ann", " ANN", "\uff21nn", "Ann ", "bob")]
    assert outcomes == ["wrong", "wrong", "wrong", "refused", "wrong"]
    assert await guess(logins, HOTEL) == "wrong"
    lives.clock.time += 1000
    assert await guess(logins, HOME) == "wrong"


async def test_an_address_checks_so_many_passphrases_whatever_the_login(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, replace(no_limits(), passphrases=Limit(2, 0.1)), lives.clock.now, LocalBus("a"))
    outcomes = [await guess(logins, HOME, f"user-{number}") for number in range(3)]
    assert outcomes == ["wrong", "wrong", "refused"]
    with pytest.raises(Problem, match="too many"):
        await logins.register(HOME, "nobody", "x", "")


async def test_a_login_that_does_not_exist_is_treated_like_any_other(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, LIMITS, lives.clock.now, LocalBus("a"))
    await registered(logins, accounts)
    outcomes = [
        [await guess(logins, f"203.0.113.{number % 5}", login) for number in range(20)] for login in (LOGIN, "bob")
    ]
    assert outcomes[0] == outcomes[1]
    assert {*outcomes[0]} == {"wrong", "slow", "refused"}


class HeldHasher(PasswordHasher):
    """A hasher that waits until it may go on, and notes what it has hashed."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.may_go_on = threading.Event()
        self.done: list[str] = []

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.may_go_on.wait()
        self.done.append(password.decode() if isinstance(password, bytes) else password)
        return super().hash(password, salt=salt)


@pytest.fixture
def hasher() -> HeldHasher:
    return HeldHasher()


@pytest.fixture
def passphrases(hasher: HeldHasher) -> Iterator[Passphrases]:
    passphrases = Passphrases(hasher)
    yield passphrases
    hasher.may_go_on.set()
    passphrases.close()


async def test_a_full_line_refuses_at_once_and_asks_to_come_again(passphrases: Passphrases, hasher: HeldHasher) -> None:
    waiting = [asyncio.create_task(passphrases.hash(f"{n}")) for n in range(AT_ONCE + MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Busy) as refused:
        await passphrases.hash("too late")
    assert refused.value.retry_after > 0
    hasher.may_go_on.set()
    await asyncio.gather(*waiting)
    assert "too late" not in hasher.done
    await passphrases.hash("in time")


async def test_who_has_tried_less_often_goes_first_and_the_others_make_room(
    passphrases: Passphrases, hasher: HeldHasher
) -> None:
    guesses = [asyncio.create_task(passphrases.hash(f"guess {n}", 5.0)) for n in range(AT_ONCE + MOST_WAITING)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(passphrases.hash("owner", 0.0))
    await until(guesses[-1].done)
    assert isinstance(guesses[-1].exception(), Busy)
    hasher.may_go_on.set()
    await owner
    await asyncio.gather(*guesses[:-1])
    at_work = ("nobody's passphrase", "guess 0", "guess 1")
    assert next(word for word in hasher.done if word not in at_work) == "owner"


async def test_somebody_who_gives_up_leaves_the_line(passphrases: Passphrases, hasher: HeldHasher) -> None:
    waiting = [asyncio.create_task(passphrases.hash(f"{n}")) for n in range(AT_ONCE + MOST_WAITING)]
    await asyncio.sleep(0)
    for task in (waiting[0], waiting[-1]):
        task.cancel()
    await asyncio.wait([waiting[0], waiting[-1]])
    late = asyncio.create_task(passphrases.hash("late"))
    hasher.may_go_on.set()
    await late
    await asyncio.gather(*waiting[1:-1])
    assert f"{AT_ONCE + MOST_WAITING - 1}" not in hasher.done


async def test_a_log_in_succeeds_where_the_line_has_no_room_to_hash_anew(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, no_limits(), lives.clock.now, LocalBus("a"))
    await registered(logins, accounts)
    dearer = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
    accounts._passphrases._hasher = dearer
    session: Session = await logins.log_in(HOME, LOGIN, PASSPHRASE)
    assert session.user.login == LOGIN

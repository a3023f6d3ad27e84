"""Logging in while others guess passphrases: guessing is slow, and doesn't lock users out."""

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
from liarspoker.server.accounts.passphrases import AT_ONCE, MAX_WAITING, Passphrases
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
    guest = await accounts.create_guest("Ann")
    await logins.register(address, guest.user.user_id, LOGIN, PASSPHRASE)


@pytest.fixture
def accounts(lives: Lives, registry: TableRegistry) -> Iterator[Accounts]:
    with closing(Accounts(registry.storage, lives.clock.now, CHEAP)) as accounts:
        yield accounts


async def guess(logins: Logins, address: str, login: str = LOGIN) -> str:
    """Return the result of a wrong passphrase: `wrong`, `slow` if it takes a while, or `refused`."""
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


async def test_failed_logins_from_other_addresses_do_not_lock_a_user_out(lives: Lives, accounts: Accounts) -> None:
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


async def test_login_attempts_are_limited_whatever_the_spelling_of_the_login(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, LIMITS, lives.clock.now, LocalBus("a"))
    outcomes = [await guess(logins, HOME, written) for written in ("ann", " ANN", "\uff21nn", "Ann ", "bob")]
    assert outcomes == ["wrong", "wrong", "wrong", "refused", "wrong"]
    assert await guess(logins, HOTEL) == "wrong"
    lives.clock.time += 1000
    assert await guess(logins, HOME) == "wrong"


async def test_passphrase_checks_are_limited_per_address(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, replace(no_limits(), passphrases=Limit(2, 0.1)), lives.clock.now, LocalBus("a"))
    outcomes = [await guess(logins, HOME, f"user-{number}") for number in range(3)]
    assert outcomes == ["wrong", "wrong", "refused"]
    with pytest.raises(Problem, match="too many"):
        await logins.register(HOME, "nobody", "x", "")


async def test_recovery_attempts_are_limited(lives: Lives, accounts: Accounts) -> None:
    limits = replace(no_limits(), logins=Limit(2, 0.1), passphrases=Limit(4, 0.1))
    logins = Logins(accounts, limits, lives.clock.now, LocalBus("a"))
    for login in ("ann", " Ann "):
        with pytest.raises(BadLogin):
            await logins.recover(HOME, login, "a guess", "a cold and frosty morning")
    for login in ("ann", "bob", "cem"):
        with pytest.raises(Problem if login == "ann" else BadLogin, match="too many" if login == "ann" else "wrong"):
            await logins.recover(HOME, login, "a guess", "a cold and frosty morning")
        if login == "bob":
            break
    with pytest.raises(Problem, match="too many"):
        logins.check_address(HOME)


async def test_unknown_logins_are_treated_like_known_ones(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, LIMITS, lives.clock.now, LocalBus("a"))
    await registered(logins, accounts)
    outcomes = [
        [await guess(logins, f"203.0.113.{number % 5}", login) for number in range(20)] for login in (LOGIN, "bob")
    ]
    assert outcomes[0] == outcomes[1]
    assert {*outcomes[0]} == {"wrong", "slow", "refused"}


class HeldHasher(PasswordHasher):
    """A hasher that waits until the test allows it to continue, and records what it hashed."""

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


async def test_a_full_queue_refuses_immediately_with_retry_after(passphrases: Passphrases, hasher: HeldHasher) -> None:
    waiting = [asyncio.create_task(passphrases.hash(f"{n}")) for n in range(AT_ONCE + MAX_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Busy) as refused:
        await passphrases.hash("too late")
    assert refused.value.retry_after > 0
    hasher.may_go_on.set()
    await asyncio.gather(*waiting)
    assert "too late" not in hasher.done
    await passphrases.hash("in time")


async def test_clients_with_fewer_attempts_go_first(passphrases: Passphrases, hasher: HeldHasher) -> None:
    guesses = [asyncio.create_task(passphrases.hash(f"guess {n}", 5.0)) for n in range(AT_ONCE + MAX_WAITING)]
    await asyncio.sleep(0)
    owner = asyncio.create_task(passphrases.hash("owner", 0.0))
    await until(guesses[-1].done)
    assert isinstance(guesses[-1].exception(), Busy)
    hasher.may_go_on.set()
    await owner
    await asyncio.gather(*guesses[:-1])
    at_work = ("nobody's passphrase", "guess 0", "guess 1")
    assert next(word for word in hasher.done if word not in at_work) == "owner"


async def test_a_cancelled_login_leaves_the_queue(passphrases: Passphrases, hasher: HeldHasher) -> None:
    waiting = [asyncio.create_task(passphrases.hash(f"{n}")) for n in range(AT_ONCE + MAX_WAITING)]
    await asyncio.sleep(0)
    for task in (waiting[0], waiting[-1]):
        task.cancel()
    await asyncio.wait([waiting[0], waiting[-1]])
    late = asyncio.create_task(passphrases.hash("late"))
    hasher.may_go_on.set()
    await late
    await asyncio.gather(*waiting[1:-1])
    assert f"{AT_ONCE + MAX_WAITING - 1}" not in hasher.done


async def test_a_login_succeeds_even_if_the_queue_is_full_for_rehashing(lives: Lives, accounts: Accounts) -> None:
    logins = Logins(accounts, no_limits(), lives.clock.now, LocalBus("a"))
    await registered(logins, accounts)
    dearer = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)
    accounts._passphrases._hasher = dearer
    session: Session = await logins.log_in(HOME, LOGIN, PASSPHRASE)
    assert session.user.login == LOGIN

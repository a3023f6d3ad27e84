import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field

import pytest
from argon2 import PasswordHasher

from liarspoker.server.accounts.accounts import DAY, GUEST_DAYS, MAX_TOKENS, RECENT_SECONDS, Accounts, give_login
from liarspoker.server.accounts.credentials import (
    TOKEN_PREFIX,
    BadLogin,
    BadName,
    Identity,
    LoginTaken,
    NoSuchUser,
    NotAGuest,
    TooManyTokens,
    credential_of,
)
from liarspoker.server.accounts.words import clean_name
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import CHEAP
from tests.server.storage.tables import SEALER

LOGIN, PASSPHRASE = "ann@example.com", "a cold and frosty morning"


@dataclass
class Club:
    """Accounts with a manual clock, and a record of revocations."""

    storage: Storage
    accounts: Accounts
    time: list[float]
    revoked: list[bytes] = field(default_factory=list)

    async def who(self, secret: str) -> str | None:
        """Return the id of the user identified by a secret."""
        identity = await self.accounts.identify(secret)
        return None if identity is None else identity.user.user_id


@asynccontextmanager
async def open_club(url: str, hasher: PasswordHasher = CHEAP) -> AsyncIterator[Club]:
    now = [1_000_000.0]
    async with await Storage.open(url, SEALER) as storage:
        accounts = Accounts(storage, lambda: now[0], hasher)
        opened = Club(storage, accounts, now)
        accounts.when_revoked(opened.revoked.append)
        try:
            yield opened
        finally:
            accounts.close()


@pytest.fixture
def club(url: str, runner: asyncio.Runner) -> Iterator[Club]:
    opening = open_club(url)
    yield runner.run(opening.__aenter__())
    runner.run(opening.__aexit__(None, None, None))


def at_the_club(url: str, play: Callable[[Club], Awaitable[None]], hasher: PasswordHasher = CHEAP) -> None:
    async def run() -> None:
        async with open_club(url, hasher) as opened:
            await play(opened)

    asyncio.run(run())


async def test_a_guest_is_identified_by_the_session_secret_until_it_ends(club: Club) -> None:
    session = await club.accounts.create_guest("  Long   John ")
    assert session.user.name == "Long John"
    assert session.user.is_guest
    assert (await club.accounts.user(session.user.user_id)) == session.user
    identity = await club.accounts.identify(session.secret)
    assert identity is not None
    assert (identity.user, identity.expires_at) == (session.user, session.expires_at)
    assert await club.who(session.secret + "x") is None
    assert await club.who("") is None
    club.time[0] += GUEST_DAYS * DAY - 1
    assert await club.who(session.secret) == session.user.user_id
    club.time[0] += 1
    assert await club.who(session.secret) is None
    await club.accounts.forget_sessions()
    assert await club.storage.read(lambda connection: connection.execute("SELECT * FROM sessions")) == []


async def test_a_guest_becomes_an_account_with_the_same_id(club: Club) -> None:
    guest = await club.accounts.create_guest("Ann")
    before = await club.accounts.identify(guest.secret)
    session = await club.accounts.register(guest.user.user_id, " Ann@Example.com", PASSPHRASE)
    assert session.user.user_id == guest.user.user_id
    assert session.user.login == LOGIN
    assert await club.who(session.secret) == guest.user.user_id
    # The guest's old cookie is invalid now.
    assert await club.who(guest.secret) is None
    assert before is not None
    assert club.revoked == [before.credential]
    again = await club.accounts.log_in("ANN@example.com", PASSPHRASE)
    assert again.user == session.user
    assert await club.who(again.secret) == await club.who(session.secret) == guest.user.user_id
    with pytest.raises(NotAGuest):
        await club.accounts.register(guest.user.user_id, "bob", PASSPHRASE)
    other = await club.accounts.create_guest("Bob")
    with pytest.raises(LoginTaken, match=LOGIN):
        await club.accounts.register(other.user.user_id, LOGIN, PASSPHRASE)
    assert await club.who(other.secret) == other.user.user_id
    with pytest.raises(NoSuchUser):
        await club.accounts.register("nobody", "carl", PASSPHRASE)


async def test_two_guests_cannot_register_the_same_login_at_once(club: Club, url: str) -> None:
    ann, bob = [(await club.accounts.create_guest(name)).user.user_id for name in ("Ann", "Bob")]
    with closing(database_at(url).connect()) as other_node:
        other_node.begin()
        give_login(other_node, ann, LOGIN, "a hash")
        registering = asyncio.ensure_future(club.accounts.register(bob, LOGIN, PASSPHRASE))
        await asyncio.wait([registering], timeout=0.3)
        assert not registering.done()
        other_node.commit()
    with pytest.raises(LoginTaken):
        await registering
    assert (await club.accounts.user(bob)).is_guest


async def test_a_wrong_login_and_a_wrong_passphrase_raise_the_same_error(club: Club) -> None:
    guest = await club.accounts.create_guest("Ann")
    await club.accounts.register(guest.user.user_id, LOGIN, PASSPHRASE)
    answers = []
    for login, passphrase in (
        (LOGIN, "another passphrase"),
        ("bob@example.com", PASSPHRASE),
        ("", ""),
        ("no such login!", PASSPHRASE),
        (LOGIN, ""),
        (LOGIN, "\ud800" * 8),
    ):
        with pytest.raises(BadLogin) as wrong:
            await club.accounts.log_in(login, passphrase)
        answers.append(str(wrong.value))
    assert len(set(answers)) == 1


def test_an_unknown_login_is_hashed_like_a_wrong_passphrase(url: str) -> None:
    checked: list[str | bytes] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]
            checked.append(hash)
            return super().verify(hash, password)

    async def play(club: Club) -> None:
        with pytest.raises(BadLogin):
            await club.accounts.log_in(LOGIN, PASSPHRASE)

    at_the_club(url, play, Watched(time_cost=1, memory_cost=8, parallelism=1))
    assert len(checked) == 1


async def test_logging_out_ends_one_session_or_all(club: Club) -> None:
    guest = await club.accounts.create_guest("Ann")
    user_id = guest.user.user_id
    first = await club.accounts.register(user_id, LOGIN, PASSPHRASE)
    second = await club.accounts.log_in(LOGIN, PASSPHRASE)
    third = await club.accounts.log_in(LOGIN, PASSPHRASE)
    for session in (first, second, third):
        assert await club.who(session.secret) == user_id
    club.time[0] += 1
    club.revoked.clear()
    await club.accounts.log_out(first.secret)
    await club.accounts.log_out("no such secret")
    assert await club.who(first.secret) is None
    assert await club.who(second.secret) == user_id
    assert await club.who(third.secret) == user_id
    assert club.revoked[0] == credential_of(first.secret)
    assert credential_of(guest.secret) not in club.revoked


async def test_a_token_identifies_its_user_until_it_is_revoked(club: Club) -> None:
    ann, bob = [(await club.accounts.create_guest(name)).user.user_id for name in ("Ann", "Bob")]
    token, secret = await club.accounts.create_token(ann, " my  bot")
    assert secret.startswith(TOKEN_PREFIX)
    assert await club.accounts.tokens(ann) == [token]
    assert token.label == "my bot"
    club.time[0] += 10 * GUEST_DAYS * DAY
    assert await club.who(secret) == ann
    assert not await club.accounts.revoke_token(bob, token.token_id)
    assert await club.who(secret) == ann
    assert await club.accounts.revoke_token(ann, token.token_id)
    assert await club.who(secret) is None
    assert await club.accounts.tokens(ann) == []
    assert len(club.revoked) == 1
    for number in range(MAX_TOKENS):
        await club.accounts.create_token(ann, str(number))
    with pytest.raises(TooManyTokens):
        await club.accounts.create_token(ann, "one more")


async def test_revocations_by_another_node_take_effect_soon(url: str) -> None:
    async with open_club(url) as here, open_club(url) as there:
        session = await here.accounts.create_guest("Ann")
        assert await there.who(session.secret) == session.user.user_id
        await here.accounts.log_out(session.secret)
        there.time[0] += RECENT_SECONDS
        assert await there.who(session.secret) is None


async def test_a_revocation_wins_over_a_lookup_in_progress(club: Club) -> None:
    session = await club.accounts.create_guest("Ann")
    lookups = [asyncio.ensure_future(club.accounts.identify(session.secret)) for _ in range(20)]
    await club.accounts.log_out(session.secret)
    answers: list[Identity | None] = await asyncio.gather(*lookups)
    assert len(answers) == 20
    assert await club.who(session.secret) is None


async def test_no_secret_is_stored(club: Club) -> None:
    guest = await club.accounts.create_guest("Ann")
    session = await club.accounts.register(guest.user.user_id, LOGIN, PASSPHRASE)
    _, token = await club.accounts.create_token(guest.user.user_id, "bot")
    for table in ("users", "sessions", "tokens"):
        ask = f"SELECT * FROM {table}"
        stored = repr(await club.storage.read(lambda connection, ask=ask: connection.execute(ask)))  # type: ignore[misc]
        assert not [secret for secret in (guest.secret, session.secret, token, PASSPHRASE) if secret in stored]
    assert session.secret not in repr(session)


def test_an_outdated_hash_is_replaced_at_login(url: str) -> None:
    async def first(club: Club) -> None:
        guest = await club.accounts.create_guest("Ann")
        await club.accounts.register(guest.user.user_id, LOGIN, PASSPHRASE)

    async def then(club: Club) -> None:
        ask = "SELECT passphrase_hash FROM users"
        before = await club.storage.read(lambda connection: connection.execute(ask))
        await club.accounts.log_in(LOGIN, PASSPHRASE)
        after = await club.storage.read(lambda connection: connection.execute(ask))
        assert before != after
        await club.accounts.log_in(LOGIN, PASSPHRASE)
        assert await club.storage.read(lambda connection: connection.execute(ask)) == after

    at_the_club(url, first)
    at_the_club(url, then, PasswordHasher(time_cost=2, memory_cost=8, parallelism=1))


async def test_a_user_can_be_renamed(club: Club) -> None:
    session = await club.accounts.create_guest("Ann")
    await club.who(session.secret)
    assert (await club.accounts.rename(session.user.user_id, "Anna")).name == "Anna"
    identity = await club.accounts.identify(session.secret)
    assert identity is not None
    assert identity.user.name == "Anna"
    for seen in ("\u3164Anna", "An\ufe0fna", "\u2800 Anna\U000e0100"):
        assert (await club.accounts.rename(session.user.user_id, seen)).name == "Anna"
    for name in ("", "  ", "\u3164\u2800", "x" * 25, "a\0b", "a\u202eb", "a\u200bb", "\ud800", "You", " YOU "):
        with pytest.raises(BadName):
            await club.accounts.rename(session.user.user_id, name)
    with pytest.raises(NoSuchUser):
        await club.accounts.rename("nobody", "Ann")


@pytest.mark.parametrize(
    "name",
    [
        "Server",
        "sErVeR 2",
        "\N{CYRILLIC CAPITAL LETTER DZE}erver",
        "0wner",
        "B0t",
        "Bot 7",
        "Y\N{CYRILLIC SMALL LETTER O}u",
        "A.d.m.i.n",
    ],
)
def test_reserved_names_are_rejected(name: str) -> None:
    with pytest.raises(BadName, match="is reserved"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Z" + "\N{COMBINING TILDE}" * 4 + "oe", "\N{COMBINING TILDE}Zoe"])
def test_names_have_few_accents_and_do_not_begin_with_one(name: str) -> None:
    with pytest.raises(BadName, match="accents"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Zoe\N{COMBINING DIAERESIS}",
        "Nguy\u1ec5n",
        "\u0e44\u0e21\u0e48\u0e21\u0e35",
        "Bothwell",
        "Youssef",
        "Hosta",
        "007",
    ],
)
def test_ordinary_names_are_accepted(name: str) -> None:
    assert clean_name(name)


async def test_invalid_logins_and_passphrases_are_rejected(club: Club) -> None:
    user_id = (await club.accounts.create_guest("Ann")).user.user_id
    for login, passphrase in (
        ("an", PASSPHRASE),
        ("x" * 65, PASSPHRASE),
        ("a b c", PASSPHRASE),
        ("ann", "short"),
        ("ann", "x" * 257),
    ):
        with pytest.raises(BadName):
            await club.accounts.register(user_id, login, passphrase)
    assert (await club.accounts.user(user_id)).is_guest

"""Passkeys and recovery codes: a software authenticator registers and logs in; every false answer is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.protocol.http import PasskeyCreationOptionsResponse, PasskeyLoginOptionsResponse
from liarspoker.server.accounts import passkeys
from liarspoker.server.accounts.accounts import Accounts
from liarspoker.server.accounts.credentials import BadLogin, BadName, LoginTaken, Session, new_recovery_code
from liarspoker.server.accounts.passkeys import (
    CHALLENGE_SECONDS,
    BadPasskey,
    LastWayIn,
    NoPasskeys,
    Passkeys,
    RelyingParty,
    TooManyPasskeys,
)
from liarspoker.server.storage.storage import Storage
from tests.server.accounts.authenticator import HOST, ORIGIN, Authenticator, text
from tests.server.inprocess import CHEAP
from tests.server.storage.tables import SEALER

PARTY = RelyingParty(HOST, ORIGIN)
PASSPHRASE = "a cold and frosty morning"


@dataclass
class Club:
    passkeys: Passkeys
    accounts: Accounts
    time: list[float]

    async def guest(self, name: str = "Ann") -> Session:
        return await self.accounts.create_guest(name)

    async def add(self, session: Session, key: Authenticator, login: str = "", **wrong: Any) -> Session | None:
        user = await self.accounts.user(session.user.user_id)
        options = await self.passkeys.creation_options(PARTY, user, login)
        return await self.passkeys.add(PARTY, user, key.create(options, **wrong), "phone", login)

    async def log_in(self, key: Authenticator, **wrong: Any) -> Session:
        return await self.passkeys.log_in(PARTY, key.use(await self.passkeys.login_options(PARTY), **wrong))


@asynccontextmanager
async def open_club(url: str) -> AsyncIterator[Club]:
    now = [1_000_000.0]
    async with await Storage.open(url, SEALER) as storage:
        accounts = Accounts(storage, lambda: now[0], CHEAP)
        try:
            yield Club(Passkeys(accounts, storage, lambda: now[0]), accounts, now)
        finally:
            accounts.close()


async def test_a_guest_becomes_an_account_with_a_passkey_and_logs_in_with_it(url: str) -> None:
    async with open_club(url) as club:
        guest, key = await club.guest(), Authenticator()
        session = await club.add(guest, key, "ann@example.com")
        assert session is not None
        assert (session.user.user_id, session.user.login) == (guest.user.user_id, "ann@example.com")
        assert await club.accounts.identify(guest.secret) is None
        again = await club.log_in(key)
        assert again.user == session.user
        [shown] = await club.passkeys.of(guest.user.user_id)
        assert (shown.label, shown.host, shown.used_at) == ("phone", HOST, club.time[0])
        with pytest.raises(BadLogin):
            await club.accounts.log_in("ann@example.com", "no passphrase yet")
        with pytest.raises(LoginTaken):
            await club.add(await club.guest("Bob"), Authenticator(), "ann@example.com")


async def test_the_options_are_described_key_by_key(url: str) -> None:
    def check(options: str, kind: Any) -> None:
        assert json.loads(msgspec.json.encode(msgspec.json.decode(options, type=kind))) == json.loads(options)

    async with open_club(url) as club:
        guest = await club.guest()
        for login in ("ann", ""):  # an account, whose passkey is excluded
            user = await club.accounts.user(guest.user.user_id)
            check(await club.passkeys.creation_options(PARTY, user, login), PasskeyCreationOptionsResponse)
            if user.is_guest:
                await club.add(guest, Authenticator(), "ann")
        check(await club.passkeys.login_options(PARTY), PasskeyLoginOptionsResponse)


FALSE: list[dict[str, Any]] = [
    {"origin": "https://play.example.evil"},
    {"origin": "http://play.example"},
    {"host": "evil.example"},
    {"challenge": text(b"x" * 32)},
    {"verified": False},
]


@pytest.mark.parametrize("wrong", FALSE)
async def test_false_answers_are_refused(url: str, wrong: dict[str, Any]) -> None:
    async with open_club(url) as club:
        guest, key = await club.guest(), Authenticator()
        with pytest.raises(BadPasskey):
            await club.add(guest, key, "ann", **wrong)
        assert (await club.accounts.user(guest.user.user_id)).is_guest
        await club.add(guest, key, "ann")
        with pytest.raises(BadPasskey):
            await club.log_in(key, **wrong)
        assert (await club.log_in(key)).user.login == "ann"


async def test_a_false_signature_and_an_old_counter_are_refused(url: str) -> None:
    async with open_club(url) as club:
        guest, key = await club.guest(), Authenticator()
        await club.add(guest, key, "ann")
        await club.log_in(key)
        for wrong in ({"signer": ec.generate_private_key(ec.SECP256R1())}, {"count": 1}, {"count": 0}):
            with pytest.raises(BadPasskey):
                await club.log_in(key, **wrong)
        with pytest.raises(BadPasskey):
            await club.log_in(Authenticator())
        await club.log_in(key)


async def test_a_challenge_is_answered_once_in_time_and_by_its_user(url: str) -> None:
    async with open_club(url) as club:
        guest, key = await club.guest(), Authenticator()
        await club.add(guest, key, "ann")
        answer = key.use(await club.passkeys.login_options(PARTY))
        await club.passkeys.log_in(PARTY, answer)
        with pytest.raises(BadPasskey):
            await club.passkeys.log_in(PARTY, answer)
        late = key.use(await club.passkeys.login_options(PARTY))
        club.time[0] += CHALLENGE_SECONDS
        with pytest.raises(BadPasskey):
            await club.passkeys.log_in(PARTY, late)
        bob = await club.guest("Bob")
        options = await club.passkeys.creation_options(PARTY, guest.user, "ann")
        with pytest.raises(BadPasskey):
            await club.passkeys.add(PARTY, bob.user, Authenticator().create(options), "phone", "bob")
        club.time[0] += CHALLENGE_SECONDS
        assert await club.passkeys.forget_challenges() == 1
        assert await club.passkeys.forget_challenges() == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(text(b'{"type": "webauthn.get"}')),
    lambda inside: st.lists(inside) | st.dictionaries(st.sampled_from(["id", "response", "clientDataJSON"]), inside),
)


def test_malformed_answers_are_refused(url: str) -> None:
    with asyncio.Runner() as runner:
        opening = open_club(url)
        club = runner.run(opening.__aenter__())

        async def send(credential: dict[str, Any]) -> None:
            options = await club.passkeys.login_options(PARTY)
            honest = Authenticator().use(options)
            response = {**honest["response"], **credential.pop("more", {})}
            for answer in (credential, {**honest, **credential}, {**honest, "response": response}):
                with pytest.raises(BadPasskey):
                    await club.passkeys.log_in(PARTY, answer)

        @given(st.dictionaries(st.sampled_from(["id", "rawId", "type", "response"]), JSON))
        def check(credential: dict[str, Any]) -> None:
            runner.run(send(credential))

        try:
            check()
        finally:
            runner.run(opening.__aexit__(None, None, None))


async def test_the_last_way_to_log_in_stays(url: str) -> None:
    async with open_club(url) as club:
        guest, keys = await club.guest(), [Authenticator(), Authenticator()]
        user_id = guest.user.user_id
        for key in keys:
            await club.add(guest, key, "ann")
        first, second = [one.passkey_id for one in await club.passkeys.of(user_id)]
        await club.passkeys.remove(user_id, first)
        with pytest.raises(LastWayIn):
            await club.passkeys.remove(user_id, second)
        await club.passkeys.remove(user_id, first)  # it is gone already
        for given, is_fresh in (("", False), ("a guess at it", False)):
            with pytest.raises(BadLogin):
                await club.accounts.renew(user_id, given, PASSPHRASE, is_fresh=is_fresh)
        await club.accounts.renew(user_id, "", PASSPHRASE, is_fresh=True)
        with pytest.raises(BadLogin):  # from now on, the passphrase is needed
            await club.accounts.renew(user_id, "", "another cold morning", is_fresh=True)
        await club.passkeys.remove(user_id, second)
        assert await club.passkeys.of(user_id) == []
        assert (await club.accounts.log_in("ann", PASSPHRASE)).user.user_id == user_id


async def test_an_account_has_several_passkeys_up_to_a_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 2)
    async with open_club(url) as club:
        guest, keys = await club.guest(), [Authenticator() for _ in range(3)]
        for key in keys[:2]:
            await club.add(guest, key, "ann")
        with pytest.raises(TooManyPasskeys):
            await club.add(guest, keys[2])
        for key in keys[:2]:
            assert (await club.log_in(key)).user.login == "ann"
        user = (await club.log_in(keys[0])).user
        excluded = json.loads(await club.passkeys.creation_options(PARTY, user, ""))["excludeCredentials"]
        assert {one["id"] for one in excluded} == {text(key.credential_id) for key in keys[:2]}
        with pytest.raises(BadPasskey):  # another account has this one
            await club.add(await club.guest("Bob"), keys[0], "bob")


@pytest.mark.parametrize(
    ("authority", "tls", "origin"),
    [
        ("play.example", True, "https://play.example"),
        ("Play.Example:8443", True, "https://play.example:8443"),
        ("localhost:8000", False, "http://localhost:8000"),
        ("192.168.1.7:8000", False, ""),
        ("play.example", False, ""),
        ("192.0.2.7", True, ""),
        ("[2001:db8::1]:8443", True, ""),
        ("[::1]", True, ""),
        ("", True, ""),
    ],
)
def test_passkeys_need_https_and_a_host_name(authority: str, tls: bool, origin: str) -> None:
    if origin:
        party = RelyingParty.of(authority, tls)
        assert party.origin == origin
        assert party.host == origin.split("/")[2].partition(":")[0]
    else:
        with pytest.raises(NoPasskeys):
            RelyingParty.of(authority, tls)


async def test_a_recovery_code_works_once_and_is_replaced(url: str) -> None:
    async with open_club(url) as club:
        guest = await club.guest()
        session = await club.accounts.register(guest.user.user_id, "ann", PASSPHRASE)
        code = session.recovery_code
        assert code is not None
        for login, wrong in (("ann", new_recovery_code()), ("ann", ""), ("bob", code), ("", code)):
            with pytest.raises(BadLogin):
                await club.accounts.recover(login, wrong, "the second cold morning")
        with pytest.raises(BadName):
            await club.accounts.recover("ann", code, "short")
        with pytest.raises(BadLogin):  # why a passphrase is refused depends on the user's name
            await club.accounts.recover("ann", new_recovery_code(), "short")
        again = await club.accounts.recover("Ann", code.lower().replace("-", " "), "the second cold morning")
        assert await club.accounts.identify(session.secret) is None
        assert again.user.user_id == guest.user.user_id
        with pytest.raises(BadLogin):
            await club.accounts.log_in("ann", PASSPHRASE)
        with pytest.raises(BadLogin):
            await club.accounts.recover("ann", code, "the third cold morning")
        assert again.recovery_code is not None
        replaced = await club.accounts.new_recovery_code(guest.user.user_id)
        with pytest.raises(BadLogin):
            await club.accounts.recover("ann", again.recovery_code, "the third cold morning")
        await club.accounts.recover("ann", replaced, "the third cold morning")


async def test_an_account_without_a_passphrase_is_recovered(url: str) -> None:
    async with open_club(url) as club:
        guest, key = await club.guest(), Authenticator()
        await club.add(guest, key, "ann")
        assert await club.accounts.ways_in(guest.user.user_id) == (False, False)
        code = await club.accounts.new_recovery_code(guest.user.user_id)
        assert await club.accounts.ways_in(guest.user.user_id) == (False, True)
        await club.accounts.recover("ann", code, PASSPHRASE)
        assert (await club.accounts.log_in("ann", PASSPHRASE)).user.user_id == guest.user.user_id

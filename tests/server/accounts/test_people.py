"""Friends, requests, blocks and invitations in the database, against a model and by example."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.server.accounts import people
from liarspoker.server.accounts.accounts import DAY, Accounts
from liarspoker.server.accounts.credentials import NoSuchUser
from liarspoker.server.accounts.people import (
    BLOCK,
    FRIEND,
    RECEIVED,
    REQUEST,
    REQUEST_DAYS,
    IsBlocked,
    NotFriends,
    People,
    TooManyFriends,
    Yourself,
)
from liarspoker.server.storage.storage import Storage
from tests.server.inprocess import CHEAP
from tests.server.storage.tables import SEALER


@dataclass
class Club:
    people: People
    accounts: Accounts
    time: list[float]

    async def users(self, *names: str) -> list[str]:
        return [(await self.accounts.create_guest(name)).user.user_id for name in names]


@asynccontextmanager
async def open_club(url: str) -> AsyncIterator[Club]:
    now = [1_000_000.0]
    async with await Storage.open(url, SEALER) as storage:
        accounts = Accounts(storage, lambda: now[0], CHEAP)
        try:
            yield Club(People(storage, lambda: now[0]), accounts, now)
        finally:
            accounts.close()


@dataclass
class Model:
    """What the relations of three users should be."""

    friends: set[frozenset[int]] = field(default_factory=set)
    requests: set[tuple[int, int]] = field(default_factory=set)
    blocks: set[tuple[int, int]] = field(default_factory=set)

    def relation(self, one: int, other: int) -> str:
        if (one, other) in self.blocks:
            return BLOCK
        if frozenset((one, other)) in self.friends:
            return FRIEND
        return RECEIVED if (other, one) in self.requests else REQUEST if (one, other) in self.requests else ""

    def step(self, do: str, one: int, other: int) -> None:
        pair, both = frozenset((one, other)), {(one, other), (other, one)}
        relation = self.relation(one, other)
        if do == "befriend" and relation == RECEIVED:
            self.friends.add(pair)
            self.requests -= both
        elif do == "befriend" and relation not in (BLOCK, FRIEND):
            self.requests.add((one, other))
        elif do == "part":
            self.friends.discard(pair)
            self.requests -= both
        elif do == "block":
            self.friends.discard(pair)
            self.requests.discard((one, other))
            self.blocks.add((one, other))
        elif do == "unblock":
            self.blocks.discard((one, other))


PAIRS = st.permutations([0, 1, 2]).map(lambda seats: (seats[0], seats[1]))
STEPS = st.lists(st.tuples(st.sampled_from(["befriend", "befriend", "part", "block", "unblock"]), PAIRS), max_size=12)


def test_relations_follow_the_model(url: str) -> None:
    with asyncio.Runner() as runner:
        opening = open_club(url)
        club = runner.run(opening.__aenter__())

        async def play(steps: list[tuple[str, tuple[int, int]]]) -> None:
            users, model = await club.users("Ann", "Bob", "Cem"), Model()
            for do, (one, other) in steps:
                before = model.relation(one, other)
                model.step(do, one, other)
                try:
                    await getattr(club.people, do)(users[one], users[other])
                except IsBlocked:
                    assert before == BLOCK
            for me in range(3):
                circle = await club.people.circle(users[me])
                shown = {
                    FRIEND: circle.friends,
                    RECEIVED: circle.received,
                    REQUEST: circle.sent,
                    BLOCK: circle.blocked,
                }
                assert await club.people.blocked_by(users[me]) == {one.user_id for one in circle.blocked}
                for other in {0, 1, 2} - {me}:
                    relation = await club.people.relation(users[me], users[other])
                    assert relation == model.relation(me, other)
                    assert {kind for kind, some in shown.items() if users[other] in [one.user_id for one in some]} == (
                        {relation} - {""}
                        # Two users may ask each other at the same time; both requests are listed then.
                        | ({REQUEST} if (me, other) in model.requests and relation == RECEIVED else set())
                    )

        @given(STEPS)
        def check(steps: list[tuple[str, tuple[int, int]]]) -> None:
            runner.run(play(steps))

        try:
            check()
        finally:
            runner.run(opening.__aexit__(None, None, None))


async def test_a_blocked_user_sees_an_unanswered_request(url: str) -> None:
    async with open_club(url) as club:
        ann, bob = await club.users("Ann", "Bob")
        await club.people.block(ann, bob)
        assert await club.people.befriend(bob, ann) == REQUEST
        assert [one.user_id for one in (await club.people.circle(bob)).sent] == [ann]
        assert (await club.people.circle(ann)).received == []
        assert (await club.people.inbox(ann)).requests == 0
        await club.people.unblock(ann, bob)
        assert [one.user_id for one in (await club.people.circle(ann)).received] == [bob]


async def test_nobody_befriends_themselves_or_somebody_unknown(url: str) -> None:
    async with open_club(url) as club:
        [ann] = await club.users("Ann")
        for do in (club.people.befriend, club.people.block):
            with pytest.raises(Yourself):
                await do(ann, ann)
            with pytest.raises(NoSuchUser):
                await do(ann, "nobody")


async def test_requests_and_friends_are_limited_in_number(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MAX_REQUESTS", 1)
    monkeypatch.setattr(people, "MAX_FRIENDS", 1)
    async with open_club(url) as club:
        ann, bob, cem = await club.users("Ann", "Bob", "Cem")
        await club.people.befriend(ann, bob)
        assert await club.people.befriend(ann, bob) == REQUEST  # repeated
        with pytest.raises(TooManyFriends):
            await club.people.befriend(ann, cem)
        assert await club.people.befriend(bob, ann) == FRIEND
        await club.people.befriend(cem, ann)
        with pytest.raises(TooManyFriends):
            await club.people.befriend(ann, cem)
        assert await club.people.relation(cem, ann) == REQUEST


async def test_a_request_expires_and_is_deleted(url: str) -> None:
    async with open_club(url) as club:
        ann, bob = await club.users("Ann", "Bob")
        await club.people.befriend(ann, bob)
        club.time[0] += REQUEST_DAYS * DAY + 1
        assert await club.people.relation(bob, ann) == ""
        assert (await club.people.circle(bob)).received == (await club.people.circle(ann)).sent == []
        assert await club.people.forget_expired() == 1
        assert await club.people.forget_expired() == 0
        assert await club.people.befriend(bob, ann) == REQUEST  # a new one, no acceptance


async def test_friends_block_each_other_at_once_without_staying_friends(url: str) -> None:
    async with open_club(url) as club, open_club(url) as elsewhere:
        ann, bob = await club.users("Ann", "Bob")
        for _ in range(20):
            await club.people.befriend(ann, bob)
            await asyncio.gather(elsewhere.people.befriend(bob, ann), club.people.block(ann, bob))
            assert await club.people.relation(bob, ann) in ("", REQUEST)
            with pytest.raises(NotFriends):
                await club.people.invite(bob, ann, "table")
            await club.people.unblock(ann, bob)
            await club.people.part(ann, bob)

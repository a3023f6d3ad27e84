"""Ratings: the model's properties, results that count exactly once, and the API."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.server.ratings import CAUTION, CERTAIN, Rating, Ratings, rate
from liarspoker.server.storage.connection import Connection, database_at, insert
from liarspoker.server.storage.errors import Conflict
from liarspoker.server.storage.log import shard_of
from liarspoker.server.storage.schema import BANS, OF_USER, RATED_GAMES, RATINGS, USERS
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.storage.storage import Storage
from tests.chance import ROOT
from tests.server.inprocess import Person, Running
from tests.server.postgres import Server
from tests.server.rated_close import close_entry
from tests.server.storage.tables import owned

ratings = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3), st.integers(0, 100))
standings = st.lists(st.lists(ratings, min_size=1, max_size=3), min_size=1, max_size=4).filter(
    lambda places: sum(map(len, places)) > 1
)


@given(standings, st.randoms(use_true_random=False))
def test_the_order_of_tied_players_does_not_matter(places: list[list[Rating]], chance: Random) -> None:
    shuffled = [chance.sample(range(len(place)), len(place)) for place in places]
    expected = rate(places)
    found = rate([[place[at] for at in order] for place, order in zip(places, shuffled, strict=True)])
    for place, order, other in zip(expected, shuffled, found, strict=True):
        for at, one in zip(order, other, strict=True):
            assert (one.mu, one.sigma, one.games) == pytest.approx((place[at].mu, place[at].sigma, place[at].games))


@given(ratings, ratings)
def test_in_a_game_of_two_the_winner_never_falls_and_the_loser_never_rises(first: Rating, second: Rating) -> None:
    [[winner], [loser]] = rate([[first], [second]])
    assert winner.mu >= first.mu
    assert loser.mu <= second.mu
    assert winner.games == first.games + 1


@given(ratings, st.lists(st.integers(1, 3), min_size=2, max_size=4))
def test_of_equal_players_the_better_placed_gain_more(before: Rating, sizes: list[int]) -> None:
    after = rate([[before] * size for size in sizes])
    means = [place[0].mu for place in after]
    assert means == sorted(means, reverse=True)
    assert all(one == place[0] for place in after for one in place)


@given(ratings, st.integers(2, 10))
def test_equal_players_who_tie_stay_equal(before: Rating, count: int) -> None:
    [after] = rate([[before] * count])
    assert all(one.mu == pytest.approx(before.mu) for one in after)


async def people(storage: Storage, *users: str, guests: Sequence[str] = ()) -> None:
    """Create accounts and guests."""

    def make(connection: Connection) -> None:
        for user in (*users, *guests):
            login = None if user in guests else user
            columns = (USERS.c.user_id, USERS.c.name, USERS.c.created_at, USERS.c.login)
            connection.execute(
                insert(USERS, *columns).on_conflict_do_nothing(),
                user_id=user,
                name=user.title(),
                created_at=1.0,
                login=login,
            )

    await storage.write(make)


async def ended(storage: Storage, epochs: dict[int, int], table: str, *places: tuple[str, ...]) -> None:
    """Store the end of a new rated table."""
    await storage.create_table(table, 1.0)
    await storage.append(close_entry(table, epochs[shard_of(table)], *places))


async def test_a_result_is_stored_with_its_history(storage: Storage) -> None:
    await people(storage, "ann", "bob", "cleo")
    epochs, found = await owned(storage), Ratings(storage, lambda: 9.0)
    await ended(storage, epochs, "T", ("bob",), ("ann", "cleo"))
    [game] = await found.games("cleo")
    assert (game.table, game.game, game.players, game.at, game.place) == ("T", "slips", 3, 5.0, 2)
    assert game.before.points == 1500
    assert game.change < 0
    [rating] = await found.of("cleo")
    assert rating.rating.mu == game.after.mu
    assert rating.rating.games == 1
    assert await found.of("dan") == ()


async def test_guests_and_deleted_accounts_are_left_out(storage: Storage) -> None:
    await people(storage, "ann", "bob", guests=["gus"])
    epochs, found = await owned(storage), Ratings(storage, lambda: 9.0)
    await ended(storage, epochs, "T", ("gus",), ("ann",), ("bob",), ("deleted",))
    assert [(one.place, one.players) for one in await found.games("ann")] == [(1, 4)]
    assert await found.of("gus") == await found.of("deleted") == ()
    await ended(storage, epochs, "U", ("gus",), ("ann",))
    assert len(await found.games("ann")) == 1, "a single account isn't a game"


@pytest.mark.parametrize("point", ["before-commit", "after-commit"])
async def test_a_process_killed_at_the_commit_counts_a_result_once(url: str, point: str) -> None:
    key = new_key()
    async with await Storage.open(url, Sealer(key)) as storage:
        await people(storage, "ann", "bob")
        epochs = await owned(storage)
        await storage.create_table("T", 1.0)
        epoch = epochs[shard_of("T")]
        command = [sys.executable, "-m", "tests.server.rated_close", url, key, str(epoch), point]
        killed = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=False)
        assert killed.returncode == -signal.SIGKILL
        found = Ratings(storage, lambda: 9.0)
        is_stored = point == "after-commit"
        assert (await storage.log("T")).version == is_stored
        assert len(await found.games("ann")) == is_stored
        if is_stored:
            with pytest.raises(Conflict):
                await storage.append(close_entry("T", epoch, ("ann",), ("bob",)))
        else:
            await storage.append(close_entry("T", epoch, ("ann",), ("bob",)))
        assert [one.rating.games for one in await found.of("ann")] == [1]
        [game], [rating] = await found.games("ann"), await found.of("ann")
        assert rating.rating.mu == game.after.mu


@pytest.mark.parametrize("moment", ["before-commit", "after-commit"])
async def test_a_lost_answer_does_not_count_a_result_twice(postgres: Server, moment: str) -> None:
    calls = 0

    def probe(name: str) -> None:
        nonlocal calls
        calls += name == moment
        if name == moment and calls % 2:
            raise psycopg.OperationalError("the connection was lost")

    url = postgres.new_database()
    async with await Storage.open(url, Sealer(new_key()), probe) as storage:
        await people(storage, "ann", "bob")
        epochs = await owned(storage)
        for number in range(4):
            await ended(storage, epochs, f"T{number}", ("ann",), ("bob",))
        assert [one.rating.games for one in await Ratings(storage).of("ann")] == [4]
    postgres.drop(url)


async def test_a_node_waits_while_another_one_rates_the_same_people(postgres: Server) -> None:
    url = postgres.new_database()
    async with await Storage.open(url, Sealer(new_key())) as storage:
        await people(storage, "ann", "bob")
        await stored_ratings(storage, {"ann": Rating(25, 5, 10), "bob": Rating(25, 5, 10)})
        with closing(database_at(url).connect()) as first, closing(database_at(url).connect()) as second:
            for connection in (first, second):
                connection.begin()
            one, other = (close_entry(table, 1, ("ann",), ("bob",)).also for table in "TU")
            assert one is not None
            assert other is not None
            one(first)
            waiting = asyncio.create_task(asyncio.to_thread(other, second))
            blocked = "SELECT pid FROM pg_locks WHERE NOT granted"
            while not waiting.done() and not await storage.read(lambda connection: connection.execute(blocked)):
                pass
            first.commit()
            await waiting
            second.commit()
        assert [one.rating.games for one in await Ratings(storage).of("bob")] == [12]
    postgres.drop(url)


async def test_nodes_that_close_tables_of_the_same_people_at_once_lose_no_result(url: str) -> None:
    key, users = new_key(), ("ann", "bob", "cleo", "dan")
    async with await Storage.open(url, Sealer(key)) as first, await Storage.open(url, Sealer(key)) as second:
        await people(first, *users)
        epochs = await owned(first)
        nodes, chance = (first, second), Random(5)
        closes = []
        for number in range(24):
            order = [(user,) for user in chance.sample(users, 4)]
            closes.append(ended(nodes[number % 2], epochs, f"T{number}", *order))
        await asyncio.gather(*closes)
        found = Ratings(first)
        for user in users:
            games, [rating] = await found.games(user), await found.of(user)
            assert rating.rating.games == len(games) == 24
            known = {(Rating().mu, Rating().sigma)} | {(game.after.mu, game.after.sigma) for game in games}
            earlier = [(game.before.mu, game.before.sigma) for game in games]
            assert len(set(earlier)) == 24, "each game continues from the one before"
            assert set(earlier) < known


async def stored_ratings(storage: Storage, of_users: Mapping[str, Rating], game: str = "slips") -> None:
    """Store ratings for a game with two players."""

    def keep(connection: Connection) -> None:
        for user, one in of_users.items():
            row: dict[str, Any] = {"mu": one.mu, "sigma": one.sigma, "games": one.games}
            connection.execute(insert(RATINGS), user_id=user, game=game, players=2, **row)

    await storage.write(keep)


async def test_a_leaderboard_lists_certain_ratings_by_their_lower_bound(storage: Storage) -> None:
    await people(storage, "ann", "bob", "cleo", "dan", "eve", guests=["gus"])
    sure = {"ann": Rating(30, 2, 50), "bob": Rating(32, 4, 20), "cleo": Rating(20, 1, 80), "eve": Rating(40, 1, 80)}
    unsure = {"dan": Rating(40, CERTAIN + 0.1, 3), "gus": Rating(40, 1, 80)}
    await stored_ratings(storage, sure | unsure)
    await storage.write(
        lambda connection: connection.execute(insert(BANS), user_id="eve", made_at=1.0, until=None, reason="cheating")
    )
    found = Ratings(storage, lambda: 9.0)
    board = await found.leaderboard("slips", 2, "cleo")
    assert [(line.place, line.name) for line in board.lines] == [(1, "Ann"), (2, "Bob"), (3, "Cleo")]
    lower = [line.rating.mu - CAUTION * line.rating.sigma for line in board.lines]
    assert lower == sorted(lower, reverse=True)
    assert board.own == board.lines[2]
    provisional = await found.leaderboard("slips", 2, "dan")
    assert provisional.own is None
    assert provisional.rating is not None
    assert provisional.rating.is_provisional
    assert (await found.leaderboard("slips", 3, "ann")).lines == ()
    assert [(pool.game, pool.players) for pool in await found.pools()] == [("slips", 2)]


def test_deleting_a_user_deletes_their_ratings() -> None:
    assert {RATINGS.c.user_id, RATED_GAMES.c.user_id} < set(OF_USER)


# ------------------------------------------------------------------------------------------------ the API

RATED: dict[str, Any] = {"game": "dollar-bill", "rounds": 1, "clock": {"turn": 30}, "rated": True}


def account(server: Running, name: str) -> Person:
    """A person with an account."""
    person = server.person(name)
    login = f"{name.lower()}-{next(server.numbers)}"
    assert person.post("/api/account", {"login": login, "passphrase": "seven grey herons"}).status_code == 200
    return person


def play(server: Running, table: str, *people: Person) -> None:
    """Play a table to its end with default actions."""
    by_user = {person.user: person for person in people}
    actor = server.service.registry.loaded(table)
    assert actor is not None
    assert people[0].ask(table, do="start")["ok"]
    for person in people[1:]:
        assert person.ask(table, do="ready")["ok"]
    while actor.table.to_act is not None:
        assert actor.table.sitting is not None
        session = actor.table.sitting.session
        action, turn = session.write(session.default_action()), actor.table.turn
        answer = by_user[actor.table.to_act].ask(table, do="act", turn=turn, action=action)
        assert answer["ok"], answer
    assert actor.table.stage == "ended"


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def test_guests_are_refused_at_rated_tables(server: Running) -> None:
    guest, ann = server.person("Gus"), account(server, "Ann")
    refused = guest.post("/api/tables", {"settings": RATED})
    assert (refused.status_code, code(refused)) == (403, "needs-account")
    table = server.table(ann, **RATED)
    assert guest.ask(table, do="join")["code"] == "needs-account"
    assert code(ann.post("/api/tables", {"settings": RATED, "bots": ["beginner"]})) == "rated"
    assert code(ann.post("/api/tables", {"settings": {**RATED, "clock": None}})) == "bad-option"
    login = {"login": f"gus-{table[:8].lower().strip('-_')}", "passphrase": "seven grey herons"}
    assert guest.post("/api/account", login).status_code == 200
    assert guest.ask(table, do="join")["ok"], "they have an account now"


def test_a_rated_table_changes_the_ratings_of_its_players(server: Running) -> None:
    ann, bob = account(server, "Ann"), account(server, "Bob")
    table = server.table(ann, bob, **RATED)
    assert ann.view(table)["public"]["settings"]["rated"] is True
    play(server, table, ann, bob)
    [mine] = ann.http.get(f"/api/people/{ann.user}/ratings").json()["ratings"]
    theirs = ann.http.get(f"/api/people/{bob.user}/ratings").json()
    assert (mine["game"], mine["players"], mine["games"], mine["provisional"]) == ("dollar-bill", 2, 1, True)
    assert theirs["name"] == "Bob"
    assert mine["rating"] + theirs["ratings"][0]["rating"] == 3000
    [game] = theirs["history"]
    assert game["change"] == theirs["ratings"][0]["rating"] - 1500
    assert table not in str(theirs), "the id of a private table is secret"
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert server.service.registry.loaded(again).table.settings.rated  # type: ignore[union-attr]


def test_a_casual_table_changes_nothing(server: Running) -> None:
    ann, bob = account(server, "Ann"), account(server, "Bob")
    table = server.table(ann, bob, **{**RATED, "rated": False})
    play(server, table, ann, bob)
    assert ann.http.get(f"/api/people/{ann.user}/ratings").json()["ratings"] == []


def test_the_leaderboard_over_http(server: Running) -> None:
    ann = account(server, "Ann")
    asyncio.run_coroutine_threadsafe(
        stored_ratings(server.service.storage, {ann.user: Rating(30, 2, 40)}), server.loop
    ).result(20)
    board = ann.http.get("/api/leaderboard?game=slips&players=2").json()
    assert board["own"]["name"] == "Ann"
    assert (board["own"]["rating"], board["own"]["deviation"]) == (1700, 80)
    assert board["own"] in board["lines"]
    stranger = server.person().http
    assert stranger.get("/api/leaderboard?game=slips&players=2").json()["own"] is None
    assert stranger.get("/api/leaderboard?game=slips&players=3").json()["lines"] == []
    assert code(stranger.get("/api/leaderboard?game=chess")) == "no-such-game"
    assert stranger.get("/api/leaderboard?players=11").status_code == 422

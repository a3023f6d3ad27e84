"""Ratings of players with an account, one for every game and number of players, from the results of rated tables.

The model is Plackett-Luce in the Bayesian approximation of Weng and Lin (2011), from the library openskill: a rating is
a normal distribution with mean `mu` and standard deviation `sigma`. See `docs/decisions/0040-ratings.md`.

A result is stored in the same transaction as the log entry that ends its table, so it counts exactly once.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from math import sqrt
from statistics import fmean
from typing import NamedTuple

import sqlalchemy as sa
from openskill.models import PlackettLuce

from liarspoker.server.storage.connection import LIMIT, Among, Connection, Row, insert, value
from liarspoker.server.storage.schema import BANS, RATED_GAMES, RATINGS, USERS
from liarspoker.server.storage.storage import Storage
from liarspoker.tables.rated import Standing, players_of
from liarspoker.tables.state import ENDED, Table

START, POINTS = 1500, 40
"""The points of a new player, and the points of one unit of the model."""
CERTAIN = 6.0
"""A rating with a greater standard deviation, in units of the model, is provisional."""
CAUTION = 2
"""The leaderboard orders by the points less this number of standard deviations."""
MOST_LINES = 100
"""The maximum number of lines of a leaderboard."""
MOST_GAMES = 2_000
"""The number of recent rated games of a user that are listed."""
_MOST_PERMUTED = 3

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in a pool.

    Attributes:
        mu: mean of the player's strength, in units of the model.
        sigma: its standard deviation.
        games: the number of rated games.

    >>> new = Rating()
    >>> new.points, new.deviation, new.is_provisional
    (1500, 333, True)
    """

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0

    @property
    def points(self) -> int:
        """The rating as shown."""
        return round(START + POINTS * (self.mu - _MODEL.mu))

    @property
    def deviation(self) -> int:
        """The standard deviation as shown, in points."""
        return round(POINTS * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is still uncertain."""
        return self.sigma > CERTAIN


def rate(places: Sequence[Sequence[Rating]]) -> list[list[Rating]]:
    """Return the ratings after a game of two or more, given those before it by place; who shares a place has tied.

    A tie above the last place is rated as the average over orders of the players in it. With Plackett-Luce's own ties,
    players who share a place would gain less than the player behind them.

    >>> [[winner], [loser]] = rate([[Rating()], [Rating()]])
    >>> winner.points, loser.points, winner.deviation
    (1605, 1395, 323)
    """
    keys = [[(at, one.mu, one.sigma) for one in place] for at, place in enumerate(places)]
    means, variances = defaultdict[_Key, list[float]](list), defaultdict[_Key, list[float]](list)
    for orders in product(*map(_orders, keys[:-1])):
        ahead = [key for order in orders for key in order]
        ranks = [*map(float, range(len(ahead))), *[float(len(ahead))] * len(keys[-1])]
        teams = [[_MODEL.rating(mu, sigma)] for _, mu, sigma in (*ahead, *keys[-1])]
        for key, (after,) in zip((*ahead, *keys[-1]), _MODEL.rate(teams, ranks=ranks), strict=True):
            means[key].append(after.mu)
            variances[key].append(after.sigma**2)
    return [
        [
            Rating(fmean(means[key]), sqrt(fmean(variances[key])), one.games + 1)
            for key, one in zip(keys_here, place, strict=True)
        ]
        for keys_here, place in zip(keys, places, strict=True)
    ]


_Key = tuple[int, float, float]
"""A place, and the mean and standard deviation of a player in it; equal players are rated equally."""


def _orders(place: list[_Key]) -> list[tuple[_Key, ...]]:
    """Return orders of tied players in which each of them is equally often in every position."""
    if len(place) <= _MOST_PERMUTED:
        return list(permutations(place))
    line = tuple(sorted(place))
    turned = [line[at:] + line[:at] for at in range(len(line))]
    return turned + [one[::-1] for one in turned]


class Pool(NamedTuple):
    """A game and a number of players, and how many people have a rating for them."""

    game: str
    players: int
    people: int


@dataclass(frozen=True, slots=True)
class PoolRating:
    """A user's rating in one pool."""

    game: str
    players: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game of a user.

    Attributes:
        table: id of the table.
        at: when it ended, in seconds since 1970.
        place: the user's place, from 1; players who tied share the best one.
        before: the rating before the game; its number of games isn't known.
        after: the rating after it; likewise.
    """

    user: str
    table: str
    game: str
    players: int
    at: float
    place: int
    before: Rating
    after: Rating

    @property
    def change(self) -> int:
        """The points gained or lost."""
        return self.after.points - self.before.points


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a leaderboard: the place, from 1, and the user."""

    place: int
    user: str
    name: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The people with the highest ratings in a pool that aren't provisional, and a user's own rating.

    Attributes:
        lines: at most `MOST_LINES`.
        own: the user's own line; `None` if they have no place.
        rating: the user's rating, even if it is provisional; `None` if they have none.
    """

    game: str
    players: int
    lines: tuple[Line, ...]
    own: Line | None = None
    rating: Rating | None = None


_POOL = (RATINGS.c.game == value(RATINGS.c.game), RATINGS.c.players == value(RATINGS.c.players))
_LOCK = (
    insert(RATINGS)
    .on_conflict_do_update(index_elements=list(RATINGS.primary_key), set_={"games": RATINGS.c.games})
    .returning(RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games)
)
_UPDATE = (
    sa.update(RATINGS)
    .values({one: value(one) for one in (RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games)})
    .where(RATINGS.c.user_id == value(RATINGS.c.user_id), *_POOL)
)
_ADD = insert(RATED_GAMES)
_IS_RATED = sa.select(RATED_GAMES.c.user_id).where(RATED_GAMES.c.table_id == value(RATED_GAMES.c.table_id)).limit(1)
_WITH_ACCOUNT = sa.select(USERS.c.user_id).where(Among(USERS.c.user_id, "user_ids"), USERS.c.login.is_not(None))
_AT_TABLE = sa.select(RATINGS.c.user_id, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games).where(
    Among(RATINGS.c.user_id, "user_ids"), *_POOL
)
_CHANGES = sa.select(RATED_GAMES).where(RATED_GAMES.c.table_id == value(RATED_GAMES.c.table_id))
OWN_RATINGS = (
    sa.select(RATINGS.c.game, RATINGS.c.players, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games)
    .where(RATINGS.c.user_id == value(RATINGS.c.user_id))
    .order_by(RATINGS.c.games.desc(), RATINGS.c.game, RATINGS.c.players)
)
OWN_GAMES = (
    sa.select(RATED_GAMES)
    .where(RATED_GAMES.c.user_id == value(RATED_GAMES.c.user_id))
    .order_by(RATED_GAMES.c.at.desc(), RATED_GAMES.c.table_id)
    .limit(LIMIT)
)
_LOWER = RATINGS.c.mu - CAUTION * RATINGS.c.sigma
_BANNED = sa.exists().where(
    BANS.c.user_id == RATINGS.c.user_id,
    sa.func.coalesce(BANS.c.until > sa.bindparam("now", type_=sa.Double()), sa.true()),
)
_LISTED = (*_POOL, RATINGS.c.sigma <= CERTAIN, USERS.c.login.is_not(None), ~_BANNED)
_RANKED = (
    sa.select(
        RATINGS.c.user_id,
        USERS.c.name,
        RATINGS.c.mu,
        RATINGS.c.sigma,
        RATINGS.c.games,
        sa.func.rank().over(order_by=_LOWER.desc()).label("place"),
    )
    .join(USERS, USERS.c.user_id == RATINGS.c.user_id)
    .where(*_LISTED)
    .subquery()
)
_BOARD = sa.select(_RANKED).order_by(_RANKED.c.place, _RANKED.c.user_id).limit(LIMIT)
_OWN_LINE = sa.select(_RANKED).where(_RANKED.c.user_id == sa.bindparam("me", type_=sa.Text()))
_POOLS = (
    sa.select(RATINGS.c.game, RATINGS.c.players, sa.func.count())
    .group_by(RATINGS.c.game, RATINGS.c.players)
    .order_by(sa.func.count().desc(), RATINGS.c.game, RATINGS.c.players)
)


def rate_table(table_id: str, at: float, standing: Standing) -> Callable[[Connection], None]:
    """Return the job that rates the players of a table that has ended; it does so only once.

    Users who have no account any more aren't rated, and the others as if these hadn't played.
    """
    return partial(_rate, table_id=table_id, at=at, standing=standing)


def _rate(connection: Connection, table_id: str, at: float, standing: Standing) -> None:
    users = sorted(user for place in standing.places for user in place)
    known = {user for (user,) in connection.execute(_WITH_ACCOUNT, user_ids=connection.array(users))}
    places = [left for place in standing.places if (left := [user for user in place if user in known])]
    if len(known) < 2 or connection.execute(_IS_RATED, table_id=table_id):
        return
    pool: dict[str, str | int] = {"game": standing.game, "players": standing.players}
    new = Rating()
    # Locked in the order of their ids, since other nodes may be rating the same users.
    before = {
        user: Rating(*connection.execute(_LOCK, user_id=user, mu=new.mu, sigma=new.sigma, games=0, **pool)[0])
        for user in sorted(known)
    }
    place = 1
    for tied, ratings in zip(places, rate([[before[user] for user in tied] for tied in places]), strict=True):
        for user, after in zip(tied, ratings, strict=True):
            connection.execute(_UPDATE, user_id=user, mu=after.mu, sigma=after.sigma, games=after.games, **pool)
            connection.execute(
                _ADD,
                user_id=user,
                table_id=table_id,
                at=at,
                place=place,
                mu_before=before[user].mu,
                sigma_before=before[user].sigma,
                mu=after.mu,
                sigma=after.sigma,
                **pool,
            )
        place += len(tied)


class Ratings:
    """The ratings of all users."""

    def __init__(self, storage: Storage, clock: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._clock = clock

    async def at_table(self, table: Table) -> dict[str, Rating]:
        """Return the ratings of the players of a rated table; the initial one for those who have none yet."""
        if not table.settings.rated:
            return {}
        return await self._among(table.settings.game, players_of(table))

    async def _among(self, game: str, users: Iterable[str]) -> dict[str, Rating]:
        ids = list(users)

        def query(connection: Connection) -> list[Row]:
            return connection.execute(_AT_TABLE, user_ids=connection.array(ids), game=game, players=len(ids))

        return dict.fromkeys(ids, Rating()) | {
            user: Rating(*rating) for user, *rating in await self._storage.read(query)
        }

    async def changes(self, table: Table) -> dict[str, RatedGame]:
        """Return what a table has changed, by user; empty if it isn't rated or hasn't ended."""
        if not table.settings.rated or table.stage != ENDED:
            return {}
        rows = await self._storage.read(lambda connection: connection.execute(_CHANGES, table_id=table.id))
        return {game.user: game for game in map(_game, rows)}

    async def of(self, user_id: str) -> tuple[PoolRating, ...]:
        """Return a user's ratings, those with the most games first."""
        rows = await self._storage.read(lambda connection: connection.execute(OWN_RATINGS, user_id=user_id))
        return tuple(PoolRating(game, players, Rating(*rating)) for game, players, *rating in rows)

    async def games(self, user_id: str) -> tuple[RatedGame, ...]:
        """Return a user's rated games, the most recent first, `MOST_GAMES` at most."""
        rows = await self._storage.read(
            lambda connection: connection.execute(OWN_GAMES, user_id=user_id, limit=MOST_GAMES)
        )
        return tuple(map(_game, rows))

    async def pools(self) -> tuple[Pool, ...]:
        """Return the pools in which anybody has a rating, those with the most people first."""
        rows = await self._storage.read(lambda connection: connection.execute(_POOLS))
        return tuple(Pool(*row) for row in rows)

    async def leaderboard(self, game: str, players: int, me: str | None = None) -> Leaderboard:
        """Return the leaderboard of a pool, with the place of the user `me`.

        It lists people with an account that isn't banned.
        """
        now = self._clock()

        def query(connection: Connection) -> Leaderboard:
            given: dict[str, str | float] = {"game": game, "players": players, "now": now}
            lines = connection.execute(_BOARD, limit=MOST_LINES, **given)
            own = connection.execute(_OWN_LINE, me=me, **given) if me else []
            rating = None
            if me:
                found = connection.execute(_AT_TABLE, user_ids=connection.array([me]), game=game, players=players)
                rating = next((Rating(*row[1:]) for row in found), None)
            return Leaderboard(game, players, tuple(map(_line, lines)), next(map(_line, own), None), rating)

        return await self._storage.read(query)


def _line(row: Row) -> Line:
    user, name, mu, sigma, games, place = row
    return Line(place, user, name, Rating(mu, sigma, games))


def _game(row: Row) -> RatedGame:
    user, table, game, players, at, place, mu_before, sigma_before, mu, sigma = row
    return RatedGame(user, table, game, players, at, place, Rating(mu_before, sigma_before), Rating(mu, sigma))

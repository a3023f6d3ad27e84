"""Scores of a duplicate event: each seat in each hand is compared with the same seat at the other tables.

What a seat won in a hand, minus the mean of that seat over all tables, doesn't depend on the luck of the deal. In games
that pay units, a seat scores its units; in elimination games, which pay only at the end of a match, it scores -1 for a
hand that it loses and 0 otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec import Struct

from liarspoker.protocol import events as e
from liarspoker.tables.reducers import apply_event, new_table, with_seed
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import ROUND, Table


class HandScore(Struct, frozen=True):
    """A finished hand at one table.

    Attributes:
        units: what each seat scored; `None` for a seat that didn't play the hand.
        absent: seats for which a bot played, at least for a part of the hand. They count for the table, but not for
            the player.
        round: number of the round at the table, from 1, as in its replays.
    """

    units: tuple[int | None, ...]
    absent: tuple[int, ...]
    round: int


class TableScore(Struct, frozen=True):
    """The finished hands of a table, in order; a hand that was aborted isn't finished."""

    hands: tuple[HandScore, ...]


def score_of(entries: Iterable[Sequence[e.Event]], seeds: Callable[[int], bytes]) -> TableScore:
    """Return the score of a table, given the events of all its log entries and its seeds by deal number."""
    table: Table | None = None
    hands: list[HandScore] = []
    playing: tuple[str, ...] = ()
    absent: set[str] = set()
    for event in (event for events in entries for event in events):
        table = new_table(event) if isinstance(event, e.Made) else apply_event(_made(table), event)
        if isinstance(event, e.Gathered):
            table = with_seed(table, seeds(event.deal))
        elif isinstance(event, e.Dealt):
            assert table.sitting is not None
            playing = tuple(event.users[seat] for seat in table.sitting.session.alive)
            absent = {chair.user for chair in table.seated if chair.stand_in}
        elif isinstance(event, e.StoodIn) and table.stage == ROUND:
            absent.add(event.user)
        elif isinstance(event, e.RoundEnded):
            hands.append(_hand(table, playing, absent))
    return TableScore(tuple(hands))


def _made(table: Table | None) -> Table:
    assert table is not None
    return table


def _hand(table: Table, playing: Sequence[str], absent: set[str]) -> HandScore:
    """Return the score of the hand that has just ended."""
    last = table.sheet[-1]
    has_winner = game_of(table).preset.has_winner
    units = {user: -(user in last.lost) if has_winner else last.units.get(user, 0) for user in playing}
    users = [None if chair is None else chair.user for chair in table.chairs]
    return HandScore(
        tuple(units.get(user) if user is not None else None for user in users),
        tuple(seat for seat, user in enumerate(users) if user in absent),
        table.rounds_played,
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """A seat in a hand, compared with the same seat at the other tables.

    Attributes:
        table: index of the table.
        seat: the seat.
        hand: number of the hand, from 0.
        round: number of the round at the table, from 1.
        units: what the seat scored.
        points: that, minus the mean over all tables at which this seat played this hand.
        counts: whether it counts for the player; otherwise a bot played for them.
    """

    table: int
    seat: int
    hand: int
    round: int
    units: int
    points: Fraction
    counts: bool


def comparisons(scores: Sequence[TableScore]) -> tuple[Comparison, ...]:
    """Compare all tables, hand by hand.

    The points of each seat in each hand sum to zero over the tables. A seat that played a hand at one table only gets
    zero points for it: the other tables ended early, or the seat was eliminated there.

    >>> scores = [TableScore((HandScore((3, -3), (), 1),)), TableScore((HandScore((1, -1), (0,), 1),))]
    >>> [(one.table, one.seat, str(one.points), one.counts) for one in comparisons(scores)]
    [(0, 0, '1', True), (0, 1, '-1', True), (1, 0, '-1', False), (1, 1, '1', True)]
    """
    played: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for _, number, _, seat, units in _results(scores):
        played[number, seat].append(units)
    means = {place: Fraction(sum(units), len(units)) for place, units in played.items()}
    return tuple(
        Comparison(table, seat, number, hand.round, units, units - means[number, seat], seat not in hand.absent)
        for table, number, hand, seat, units in _results(scores)
    )


def _results(scores: Sequence[TableScore]) -> Iterator[tuple[int, int, HandScore, int, int]]:
    """Yield the table, the number of the hand, the hand, the seat and its score."""
    for table, score in enumerate(scores):
        for number, hand in enumerate(score.hands):
            for seat, units in enumerate(hand.units):
                if units is not None:
                    yield table, number, hand, seat, units


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a player.

    Attributes:
        rank: 1 for the best; players with equal points share a rank.
        user: user id.
        points: the sum of their points.
        hands: the number of hands that count for them.
    """

    rank: int
    user: str
    points: Fraction
    hands: int


def ranking(compared: Iterable[Comparison], seats: Mapping[str, tuple[int, int]]) -> tuple[Standing, ...]:
    """Rank the players, given the table and seat of each.

    >>> scores = [TableScore((HandScore((3, -3), (), 1),)), TableScore((HandScore((1, -1), (), 1),))]
    >>> seats = {"ann": (0, 0), "bob": (0, 1), "cyd": (1, 0), "dan": (1, 1)}
    >>> [(one.rank, one.user, str(one.points)) for one in ranking(comparisons(scores), seats)]
    [(1, 'ann', '1'), (1, 'dan', '1'), (3, 'bob', '-1'), (3, 'cyd', '-1')]
    """
    users = {place: user for user, place in seats.items()}
    points = dict.fromkeys(seats, Fraction())
    hands = dict.fromkeys(seats, 0)
    for one in compared:
        user = users.get((one.table, one.seat))
        if user is not None and one.counts:
            points[user] += one.points
            hands[user] += 1
    ordered = sorted(seats, key=lambda user: (-points[user], seats[user]))
    better = {user: sum(points[other] > points[user] for other in seats) for user in seats}
    return tuple(Standing(1 + better[user], user, points[user], hands[user]) for user in ordered)

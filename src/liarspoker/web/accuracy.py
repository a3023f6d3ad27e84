"""The accuracy of a user's own decisions, in the hands whose reviews the server keeps.

A review is found by the record of its hand as the user may know it, so it says nothing about hands that they couldn't
see. Reading records takes time, so what is needed of them is remembered until the table changes.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from liarspoker.server.reviews import Reviews, hands_of
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.storage.log import TableLog
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.log_reading import read_log
from liarspoker.tables.export import records_of
from liarspoker.tables.state import ENDED, Table
from liarspoker.web.history import Histories, Played
from liarspoker.web.view_models.accuracy import (
    NOTHING,
    Accuracy,
    GameAccuracy,
    ReviewedHand,
    accuracy_of,
    by_game_and_week,
)
from liarspoker.web.view_models.plain import pages_for

MOST_HANDS = 2_000
"""The number of a user's latest hands that are looked at."""
SECONDS = 0.8
"""After this time no more tables are read; the next request continues."""
MOST_REMEMBERED = 50_000
"""The number of hands of all users that are remembered, about 300 bytes each."""


class OwnHand(NamedTuple):
    """A hand that a user played.

    Attributes:
        key: the key of its review; see `liarspoker.server.reviews.hands_of`.
        seat: the user's seat.
        players: the names of all players, by seat.
        at: when it was dealt, or imported, as a Unix timestamp.
    """

    key: str
    seat: int
    players: tuple[str, ...]
    at: float

    def is_against(self, opponent: str) -> bool:
        """Return whether somebody else with this name played; everybody counts as an opponent without a name."""
        return not opponent or any(name == opponent for seat, name in enumerate(self.players) if seat != self.seat)


@dataclass(frozen=True, slots=True)
class Accuracies:
    """A user's accuracy, as far as hands are reviewed.

    Attributes:
        games: the accuracy by game and week.
        uncounted: the number of tables with reviews that couldn't be read in time.
        latest: the number of latest hands that were looked at, if there are older ones; `None` if these are all.
    """

    games: tuple[GameAccuracy, ...]
    uncounted: int = 0
    latest: int | None = None

    @property
    def total(self) -> Accuracy:
        """The sums over all games and weeks."""
        return sum((one.total for one in self.games), NOTHING)


class ReviewedHands:
    """Finds the reviews of users' own hands. Use it within one event loop."""

    def __init__(self, storage: Storage, histories: Histories, reviews: Reviews) -> None:
        self._storage = storage
        self._histories = histories
        self._reviews = reviews
        self._known: OrderedDict[tuple[str, str], tuple[float, tuple[OwnHand, ...]]] = OrderedDict()
        self._hands = 0
        self._turn = asyncio.Lock()

    async def of(self, user: str, played: Sequence[Played], opponent: str = "") -> Accuracies:
        """Return the accuracy of a user in their reviewed hands.

        Args:
            user: the id of the user.
            played: the tables and imported records to look at, the most recent first.
            opponent: the name of a player who must be in the hand; empty for anybody.
        """
        stop = time.monotonic() + SECONDS
        found: dict[str, ReviewedHand] = {}  # by key: a record of a table may have been imported as well
        left, uncounted, is_cut = MOST_HANDS, 0, False
        for one in played:
            if pages_for(one.game).review is None or not (one.imported or self._reviews.tables[one.id]):
                continue
            if left <= 0:
                is_cut = True
                break
            own = await self._own_hands(user, one, stop)
            if own is None:
                uncounted += 1
                continue
            is_cut = is_cut or len(own) > left
            found |= self._reviewed(one, [hand for hand in own[-left:] if hand.is_against(opponent)])
            left -= len(own)
        return Accuracies(by_game_and_week(found.values()), uncounted, MOST_HANDS if is_cut else None)

    def _reviewed(self, one: Played, own: Sequence[OwnHand]) -> dict[str, ReviewedHand]:
        """Return the hands of a table or record whose reviews are kept, by their keys."""
        judged = ((hand, self._reviews.decisions(hand.key)) for hand in own)
        return {
            hand.key: ReviewedHand(one.game.id, hand.at, accuracy_of(decisions, hand.seat))
            for hand, decisions in judged
            if decisions is not None
        }

    async def _own_hands(self, user: str, one: Played, stop: float) -> tuple[OwnHand, ...] | None:
        """Return the user's hands at a table or in an imported record; `None` if they can't be read before `stop`."""
        own = self._remembered(user, one)
        if own is not None:
            return own
        async with self._turn:  # one record at a time
            own = self._remembered(user, one)
            if own is None and time.monotonic() < stop:
                own = ()
                with suppress(StorageError, ValueError):
                    own = await self._read(user, one)
                self._remember(user, one, own)
        return own

    def _remembered(self, user: str, one: Played) -> tuple[OwnHand, ...] | None:
        at, own = self._known.get((user, one.id), (None, ()))
        if at != one.at:
            return None
        self._known.move_to_end((user, one.id))
        return own

    def _remember(self, user: str, one: Played, own: tuple[OwnHand, ...]) -> None:
        _at, before = self._known.pop((user, one.id), (None, None))
        self._known[user, one.id] = one.at, own
        self._hands += max(1, len(own)) - (0 if before is None else max(1, len(before)))
        while self._hands > MOST_REMEMBERED and len(self._known) > 1:
            _oldest, (_at, dropped) = self._known.popitem(last=False)
            self._hands -= max(1, len(dropped))

    async def _read(self, user: str, one: Played) -> tuple[OwnHand, ...]:
        if one.imported:
            text = await self._histories.imported(user, one.id)
            return () if text is None else await asyncio.to_thread(_imported_hands, text, one.at)
        return await asyncio.to_thread(_hands_in, await self._storage.log(one.id), user)


def _hands_in(stored: TableLog, user: str) -> tuple[OwnHand, ...]:
    return hands_at(read_log(stored).table, user)


def hands_at(table: Table, user: str) -> tuple[OwnHand, ...]:
    """Return the finished hands that a user played at a table, in their order; none while it allows no reviews."""
    if not (table.stage == ENDED or table.settings.help):
        return ()
    dealt = {deal.record: deal.at for deal in table.deals}
    own = list[OwnHand]()
    for place, record in enumerate(records_of(table, user)):
        if "x-seat" in record:
            own += _own(record, [dealt[place, index] for index in range(len(record["rounds"]))])
    return tuple(own)


def _imported_hands(text: str, at: float) -> tuple[OwnHand, ...]:
    record = json.loads(text)
    return _own(record, [at] * len(record["rounds"]))


def _own(record: dict[str, Any], times: Sequence[float]) -> tuple[OwnHand, ...]:
    hand = partial(OwnHand, seat=record["x-seat"], players=tuple(record["players"]))
    return tuple(hand(key, at=at) for key, at in zip(hands_of(record), times, strict=True))

"""Planning of duplicate events: the settings of their tables, who plays where, and which bots play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.protocol.settings import Settings
from liarspoker.server.duplicates.model import Event, EventError
from liarspoker.tables.bot_names import BOT_NAMES
from liarspoker.tables.decide import Seat
from liarspoker.tables.fair.event import drawn_order
from liarspoker.tables.names import look_alike
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import BOT_PREFIX
from liarspoker.tables.settings import read_settings

MOST_HANDS = 100
"""The maximum number of hands of an event."""


def event_settings(given: dict[str, Any], title: str, hands: int) -> Settings:
    """Return the settings of an event's tables.

    All tables play the same number of hands, nobody watches them, and all deals are revealed after the event.

    Raises:
        Refused: the settings aren't valid; or they would let tables deal differently, or one table wait forever.
    """
    if not 1 <= hands <= MOST_HANDS:
        raise Refused("bad-option", _("hands: must be between 1 and {most}", most=MOST_HANDS))
    settings = read_settings({**given, "title": title, "rounds": hands})
    if settings.options.get("dealers_choice"):
        raise Refused("bad-option", _("dealers_choice: an event's tables all play by the same rules; turn it off"))
    if settings.rated:
        raise Refused("bad-option", _("rated: the tables of an event can't be rated; leave it out"))
    if settings.clock is None and not settings.days:
        raise Refused("bad-option", _("clock: an event needs a pace, so that no table waits forever for a player"))
    return structs.replace(settings, spectators="none", visibility="private", audit="full", choose=False)


def allotment(key: bytes, users: Sequence[str], seats: int, with_bots: bool) -> list[tuple[str, ...]]:
    """Return the players of each table by seat, drawn at random from the event's key; empty for a bot.

    With bots, the players are spread evenly over as few tables as they need, but at least two.

    Raises:
        EventError: `too-few`: the players don't fill at least two tables.

    >>> allotment(bytes(32), "abcd", 2, with_bots=False)
    [('c', 'b'), ('d', 'a')]
    >>> allotment(bytes(32), "abc", 3, with_bots=True)
    [('c', 'b', ''), ('a', '', '')]
    """
    count = len(users)
    if with_bots and count < 2:
        raise EventError("too-few", _("an event needs at least two players; wait for someone to join"))
    if not with_bots and (count < 2 * seats or count % seats):
        missing = max(2 * seats, count + -count % seats) - count
        raise EventError(
            "too-few",
            _(
                "{count} players don't fill tables of {seats} seats, of which there must be at least two: "
                "players missing: {missing}",
                count=count,
                seats=seats,
                missing=missing,
            ),
        )
    tables = max(2, -(-count // seats))
    drawn = [users[place] for place in drawn_order(key, count)]
    found = []
    for number in range(tables):
        taken = count // tables + (number < count % tables)
        found.append((*drawn[:taken], *[""] * (seats - taken)))
        drawn = drawn[taken:]
    return found


def seats_of(event: Event, users: Sequence[str]) -> Iterator[Seat]:
    """Yield who takes each seat of a table; a seat has the same bot at all tables."""
    names = [name for name in BOT_NAMES if look_alike(name, event.names.values()) is None]
    playing = bots_of(event.settings.game)
    for seat, user in enumerate(users):
        if user:
            yield Seat(user, event.names.get(user, deleted_name(user)))
        else:
            name = names[seat] if seat < len(names) else f"Bot {seat + 1}"
            yield Seat(f"{BOT_PREFIX}{seat}", name, playing[seat % len(playing)])


def deleted_name(user: str) -> str:
    """Return what is shown instead of the name of a user who was deleted."""
    return f"deleted {user[:6]}"


def bots_of(game: str) -> list[str]:
    """Return the bots that play a game, without the one that plays at random if there are others."""
    row = catalogue.preset(game)
    playing = [bot.name for bot in bots.bots() if bot.plays(row)]
    return [name for name in playing if name != "uniform"] or playing


def stand_in_of(game: str) -> str:
    """Return the bot that plays for absent players of an event."""
    playing = bots_of(game)
    return "binomial" if "binomial" in playing else playing[0]

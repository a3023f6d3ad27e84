"""Rated tables: which settings they can have, what isn't possible at them, and their final standing.

Who sits at a rated table must have an account, which the server checks. How ratings follow from a standing is described
in `liarspoker.server.ratings`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.language import _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.protocol.settings import Settings
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import READY_PHASE, Table

MOST_SEATS = 10
"""The maximum number of seats at a rated table."""
MOST_MISSED = 1
"""The number of hands that a player may miss, so that nobody keeps a lead by sitting out."""


class Standing(NamedTuple):
    """The final standing of a rated table.

    Attributes:
        game: catalogue id of the game.
        places: users by place, the winners first; users in the same place have tied.
    """

    game: str
    places: tuple[tuple[str, ...], ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return sum(map(len, self.places))


def check_settings(game: Game, settings: Settings) -> None:
    """Check that a table with these settings can be rated: the game's own rules, an end, a clock and no help.

    Raises:
        Refused: `bad-option`, with the setting that has to change.
    """
    one_match = game.preset.has_winner
    if settings.seats > MOST_SEATS:
        raise _bad("seats", _("a rated table has at most {count} seats", count=MOST_SEATS))
    if game.options(dict(settings.options)) != game.options({}):
        raise _bad("options", _("a rated table has no house rules; leave them out"))
    if settings.from_slips is not None:
        raise _bad("from_slips", _("a rated table has no house rules; leave it out"))
    if settings.rounds is None:
        raise _bad("rounds", _("a rated table needs an end; choose a number of hands"))
    if one_match and settings.rounds != 1:
        raise _bad("rounds", _("a rated table of this game is one match; leave it out"))
    if settings.clock is None and not settings.days:
        raise _bad("clock", _("a rated table needs a clock, or days for each decision"))
    if settings.help:
        raise _bad("help", _("a rated table shows no odds; turn them off"))


def _bad(setting: str, message: str) -> Refused:
    return Refused("bad-option", f"{setting}: {message}")


_OWNERS = (c.End, c.Pause, c.Remove)


def check_command(table: Table, command: c.Command) -> None:
    """Check that a command is possible at a rated table.

    Bots never play. From the first deal on nobody new can join, nobody sits out by choice, and the owner can't pause or
    close the table or remove a player, since that would change who wins. The other players can still vote to remove
    somebody.

    Raises:
        Refused: `rated`.
    """
    if isinstance(command, c.SeatBot | c.StandIn):
        raise Refused("rated", _("bots can't play at a rated table"))
    if not table.deals:
        return
    if isinstance(command, c.Join):
        raise Refused("rated", _("this rated table has begun, so nobody can join it now"))
    if isinstance(command, c.SitOut):
        raise Refused("rated", _("you can't sit out at a rated table; if you leave, you rank below everyone who stays"))
    if isinstance(command, _OWNERS):
        raise Refused(
            "rated", _("a rated table that has begun can't be paused or closed, nor can its owner remove players")
        )


def is_deserted(table: Table) -> bool:
    """Whether a rated table has begun and is left with at most one player between two hands."""
    if not table.settings.rated or not table.deals or table.stage != READY_PHASE or table.match is not None:
        return False
    return sum(not chair.away for chair in table.people) < 2


def forfeits_after_leaving(table: Table, user: str) -> frozenset[str]:
    """Return the users who have given up a rated table, now that `user` leaves it."""
    plays = table.match is None or user in table.match.still_in
    begun = bool(table.settings.rated and table.deals)
    return table.forfeits | {user} if begun and plays else table.forfeits


def players_of(table: Table) -> tuple[str, ...]:
    """Return everyone who was dealt a hand at a table; before the first deal, everyone who has a seat."""
    dealt = dict.fromkeys(user for deal in table.deals for user in deal.users)
    return tuple(dealt) or tuple(chair.user for chair in table.seated)


def standing(table: Table, events: Sequence[e.Event]) -> Standing | None:
    """Return the final standing of a rated table that `events` have just ended; `None` if it isn't rated.

    Players rank by units. Those who left before the end, sat out at it or missed more than `MOST_MISSED` hands rank
    below all others; those whom the others removed don't, so that no vote lowers a rank. In a match nobody sits out,
    and who was eliminated can leave. A table isn't rated before its first hand is finished, or if the server's
    operator closed it.
    """
    ended = next((event for event in events if isinstance(event, e.Ended)), None)
    if ended is None or ended.reason is not UNSET or not table.settings.rated or not table.rounds_played:
        return None
    absent = set(table.forfeits - table.removed)
    if not catalogue.preset(table.settings.game).has_winner:
        dealt = Counter(user for deal in table.deals for user in deal.users)
        missed = {user for user, hands in dealt.items() if len(table.deals) - hands > MOST_MISSED}
        absent |= {chair.user for chair in table.seated if chair.away} | missed - table.removed
    scores = {user: (user not in absent, table.units.get(user, 0)) for user in players_of(table)}
    ranked = sorted(set(scores.values()), reverse=True)
    return Standing(
        table.settings.game, tuple(tuple(user for user in scores if scores[user] == score) for score in ranked)
    )

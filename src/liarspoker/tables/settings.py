"""Judging the settings of a new table."""

from __future__ import annotations

from collections.abc import Mapping

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.protocol.codec import Malformed
from liarspoker.protocol.settings import NEW_TABLES, Clock, Settings
from liarspoker.tables.commands import refused_by
from liarspoker.tables.refused import Refused


def read_settings(given: Mapping[str, object]) -> Settings:
    """Check the settings that somebody asks for; a game that can't be played so is refused here, not at the first deal.

    Raises:
        Refused: `bad-command` for settings that don't exist, or the code of the rule that refuses game, options or
            seats.
    """
    try:
        asked = NEW_TABLES.convert(given)
    except Malformed as error:
        raise refused_by(error, "settings") from error
    clock = asked.clock and Clock(asked.clock.turn, asked.clock.bank, asked.clock.ready)
    values = {name: getattr(asked, name) for name in Settings.__struct_fields__}
    try:
        game = catalogue.load(asked.game)
        seats = min(6, game.row.seats[1]) if asked.seats is None else asked.seats
        settings = Settings(**{**values, "seats": seats, "clock": clock})
        begin_session(game, settings, seats)
    except Refused:
        raise
    except LiarsPokerError as error:
        raise Refused(error.code, f"settings: {error}") from error
    return settings


def begin_session(game: Game, settings: Settings, seats: int, losses: tuple[int, ...] = ()) -> Session:
    """A session of this table's game before its first round.

    Raises:
        LiarsPokerError: the game has no such options, does not seat so many, or is not dealt from slips.
    """
    options = game.options(dict(settings.options))
    if settings.from_slips is None:
        return game.session(seats, options, losses=losses or None)
    if game.row.has_winner:
        raise Refused("bad-option", f"{game.row.id} is played with cards, neither from slips nor with bills")
    return game.session(seats, options, settings.from_slips)

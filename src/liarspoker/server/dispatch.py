"""A command that somebody sends, over HTTP or a socket: read, limited, checked against the catalogue, and asked."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.protocol.commands import Command, Join, Say, SeatBot
from liarspoker.protocol.http import CheckResponse
from liarspoker.server.accounts.credentials import User
from liarspoker.server.service import Service, check
from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.tables.commands import read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.rounds import legal_action
from liarspoker.tables.state import ROUND


async def ask(
    service: Service, actor: TableActor, user: User, address: str, command_id: str, given: Raw | Mapping[str, object]
) -> Answer:
    """What a command comes to.

    Args:
        service: the server.
        actor: the table.
        user: who sends the command.
        address: where the user comes from, as `service.address_of` tells.
        command_id: the same id of the same user gets the same answer, and takes effect once.
        given: the command as it was sent.

    Raises:
        Problem: `too-many`.
        StorageError: whether it took effect cannot be told now.
    """
    known = actor.known(user.user_id, command_id)
    if known is not None:
        return known
    service.check_commands(user.user_id)
    service.newcomers.seen(user.user_id, address)
    try:
        command = read_command(given)
        if isinstance(command, Say):
            check(service.lines, user.user_id, "lines")
        check_bot(actor.table.settings.game, command)
        if isinstance(command, Join):
            user = await service.accounts.user(user.user_id)  # under the name that they have by now
            service.newcomers.check(actor.table.id, user, address)
    except Refused as error:
        return actor.refused(user.user_id, command_id, error)
    return await actor.ask(user.user_id, user.name, command_id, command)


def check_bot(game: str, command: Command) -> None:
    """Refuse a bot that is not in the catalogue, or does not play `game`.

    Raises:
        Refused: `unknown-bot`.
    """
    if not isinstance(command, SeatBot):
        return
    name = command.bot
    try:
        plays = bots.row(name).plays(catalogue.row(game))
    except bots.UnknownBot as error:
        raise Refused("unknown-bot", str(error)) from error
    if not plays:
        raise Refused("unknown-bot", f"{name} does not play {game}")


def judge(actor: TableActor, user: str | None, action: str) -> CheckResponse:
    """Whether `user` could play `action` now. Others' actions aren't judged: a discard names cards that they hold."""
    table = actor.table
    try:
        if table.stage != ROUND or table.sitting is None:
            raise Refused("round-over", "no round is in play")
        seat = table.sitting.seat_of(user)
        if seat is None:
            raise Refused("not-seated", "you do not play in this round")
        return CheckResponse(legal=True, action=legal_action(table, table.sitting.session, seat, action))
    except Refused as error:
        return CheckResponse(legal=False, action=None, code=error.code, message=str(error))

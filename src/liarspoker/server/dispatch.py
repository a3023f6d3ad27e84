"""A command that somebody sends, over HTTP or a socket: read, limited, checked against the catalogue, and asked."""

from __future__ import annotations

from typing import Any

from liarspoker.bots import catalogue as bots
from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL, IllegalAction
from liarspoker.records.family import record_format
from liarspoker.server.accounts.credentials import User
from liarspoker.server.service import Service, check
from liarspoker.server.tables.actor import Answer, TableActor
from liarspoker.tables.commands import Command, read_command
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import ROUND


async def ask(service: Service, actor: TableActor, user: User, address: str, command_id: str, given: Any) -> Answer:
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
    if type(given) is dict and given.get("do") == "say":
        check(service.lines, user.user_id, "lines")
    try:
        command = read_command(given)
        check_bot(actor.table.settings.game, command)
        if command.do == "join":
            service.newcomers.check(actor.table.id, user, address)
    except Refused as error:
        return actor.refused(user.user_id, command_id, error)
    return await actor.ask(user.user_id, user.name, command_id, command)


def check_bot(game: str, command: Command) -> None:
    """Refuse a bot that is not in the catalogue, or does not play `game`.

    Raises:
        Refused: `unknown-bot`.
    """
    if command.do != "seat_bot":
        return
    name = command.fields["bot"]
    try:
        plays = bots.row(name).plays(catalogue.row(game))
    except bots.UnknownBot as error:
        raise Refused("unknown-bot", str(error)) from error
    if not plays:
        raise Refused("unknown-bot", f"{name} does not play {game}")


def judge(actor: TableActor, user: str | None, action: str) -> dict[str, Any]:
    """Whether `user` could play `action` now. Of others' actions nothing is told: a discard's cards are held."""
    table = actor.table
    if table.stage != ROUND or table.sitting is None:
        return _illegal("round-over", "no round is in play")
    seat = table.sitting.seat_of(user)
    if seat is None:
        return _illegal("not-seated", "you do not play in this round")
    session, words = table.sitting.session, record_format(catalogue.load(table.settings.game))
    try:
        read = words.read(session, action)
        if session.mover(read) != seat:
            return _illegal("not-your-turn", f"it is {table.names[str(table.to_act)]}'s turn")
        refusal = session.refusal(read)
        if refusal != LEGAL:
            raise IllegalAction(read, refusal)
    except IllegalAction as error:
        return _illegal(error.code, words.explain(session, action, error))
    return {"legal": True, "action": session.write(read), "code": "", "message": ""}


def _illegal(code: str, message: str) -> dict[str, Any]:
    return {"legal": False, "action": None, "code": code, "message": message}

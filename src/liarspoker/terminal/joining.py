"""From a server's address to a chair: who one is there, and which table is found or made."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from liarspoker.core import catalogue
from liarspoker.records.words import printable
from liarspoker.terminal.identity import Identities, Identity, new_secret
from liarspoker.terminal.live import LiveGame
from liarspoker.terminal.screen import Console
from liarspoker.terminal.server import BadAddress, Place, Server, Turned, place_of, table_of

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody wants who comes to a server.

    Attributes:
        address: of the server or of a table.
        name: what they want to be called; `None`: as last time, or they are asked.
        token: an account's; `None` for a guest.
        settings: of the table that is to be made; `None` to choose one.
        bots: that sit down at it.
        start: it begins at once.
        ask_ready: they say themselves when they are ready for the next round.
        folder: where it is kept who they are; the user's data folder by default.
    """

    address: str
    name: str | None = None
    token: str | None = None
    settings: Json | None = None
    bots: tuple[str, ...] = field(default=())
    start: bool = False
    ask_ready: bool = False
    folder: Path | None = None


def play(wishes: Wishes, console: Console) -> int:
    """Come in, sit down and play; the exit code.

    Raises:
        LiarsPokerError: no such server or table, or something was refused; the message says what.
    """
    place = place_of(wishes.address)
    if place.table is not None and wishes.settings is not None:
        raise BadAddress(f"{place.link}: this is a table already; to make another, give the server's address alone")
    server = Server(place.server, wishes.token)
    server.greet()
    if place.table is not None:
        server.get(f"/api/tables/{place.table}")  # nobody is asked for a name before a wrong link is reported
    secret = _come_in(server, wishes, console)
    if place.table is None:
        place = _made(server, wishes, place) if wishes.settings is not None else _chosen(server, place, console)
    return LiveGame(console, server, place, secret, wishes.ask_ready).play()


def _come_in(server: Server, wishes: Wishes, console: Console) -> str:
    """Be somebody at the server, the same as last time if it can be; what one's nonces follow from."""
    if wishes.token is not None:
        me = server.get("/api/me")
        console.say(f"You are {printable(me['name'])}.")
        return sha256(f"nonces {wishes.token}".encode()).hexdigest()
    identities = Identities(wishes.folder)
    kept = identities.find(server.address, wishes.name)
    if kept is not None and _is_known(server, kept):
        console.say(f"You are {printable(kept.name)}.")
        identities.keep(kept)
        return kept.secret
    if kept is not None:
        identities.forget(kept)
    name = _named(server, wishes.name, console)
    identity = Identity(server.address, name, server.cookie, new_secret())
    identities.keep(identity)
    return identity.secret


def _is_known(server: Server, kept: Identity) -> bool:
    """Whether the server still knows somebody."""
    server.cookie = kept.cookie
    try:
        server.get("/api/me")
    except Turned:
        server.cookie = ""
        return False
    return True


def _named(server: Server, name: str | None, console: Console) -> str:
    """The name under which the server takes a guest."""
    while True:
        wanted = console.ask("Your name > ") if name is None else name
        try:
            return str(server.post("/api/guest", {"name": wanted})["name"])
        except Turned as refusal:
            if name is not None or refusal.code != "bad-name":
                raise
            console.say(f"{refusal}.")


def _made(server: Server, wishes: Wishes, place: Place) -> Place:
    body = {"settings": wishes.settings, "bots": list(wishes.bots), "start": wishes.start}
    return place.at(server.post("/api/tables", body)["table"])


def _chosen(server: Server, place: Place, console: Console) -> Place:
    """The table that the person chooses: one that is listed, one whose link they have, or a new one."""
    mine = [one for one in server.get("/api/tables?mine=true") if one["status"] != "ended"]
    known = {one["table"] for one in mine}
    waiting = [one for one in server.get("/api/tables?status=waiting") if one["table"] not in known]
    tables = [*mine, *waiting]
    if tables:
        console.say("Tables here:")
    for number, one in enumerate(tables, 1):
        console.say(f"{number:2}  {_listed(one, one['table'] in known)}", indent="  ")
    games = ", ".join(row.id for row in catalogue.games())
    console.say(f"{'A number joins; so does a' if tables else 'A'} table's link{'' if tables else ' joins it'}.")
    console.say(f"A game makes a table of it: {games}.")
    while True:
        typed = console.ask("Which table? > ")
        if re.fullmatch("[0-9]{1,3}", typed) and 1 <= int(typed) <= len(tables):
            return place.at(tables[int(typed) - 1]["table"])
        if any(row.id == typed for row in catalogue.games()):
            return place.at(server.post("/api/tables", {"settings": {"game": typed}})["table"])
        found = table_of(typed, place.server)
        try:
            if found is not None and found.server == place.server:
                server.get(f"/api/tables/{found.table}")
                return found
            console.say(
                f"{printable(typed)!r} is no number of the list, no game and no table's link at {place.server}."
            )
        except Turned as refusal:
            console.say(f"{refusal}.")


def _listed(table: Json, mine: bool) -> str:
    players = ", ".join(printable(player["name"]) for player in table["players"])
    title = f"{printable(table['title'])}, " if table["title"] else ""
    taken = f"{table['seats_taken']} of {table['seats']}"
    where = f"{'yours, ' if mine else ''}{taken}, {table['status']}"
    return f"{title}{table['game']}: {players or 'nobody'} ({where})"

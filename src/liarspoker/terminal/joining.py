"""Joining a live table: the player's identity at the server, and the table that is found or created."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.records.words import printable
from liarspoker.terminal.console import Console
from liarspoker.terminal.identity import Identities, Identity, new_secret
from liarspoker.terminal.live import LiveGame
from liarspoker.terminal.server import BadAddress, Place, Refused, Server, place_of, table_of

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the player asked for.

    Attributes:
        address: of the server or of a table.
        name: the player's name; `None` for the same as last time, or to ask.
        token: the API token of an account; `None` for a guest.
        settings: settings of the table to create; `None` to choose a table.
        bots: bots at the new table.
        start: start the game at once.
        ask_ready: ask the player before each round.
        folder: where identities are saved; by default the user's data folder.
    """

    address: str
    name: str | None = None
    token: str | None = None
    settings: Json | None = None
    bots: tuple[str, ...] = field(default=())
    start: bool = False
    ask_ready: bool = False
    folder: Path | None = None


def place_in(wishes: Wishes) -> Place:
    """Return the server or the table of the address.

    Raises:
        BadAddress: it is neither, or a table's where a table is to be created.
    """
    place = place_of(wishes.address)
    if place.table is not None and wishes.settings is not None:
        raise BadAddress(
            _("{link}: this is a table's link; to create a table, give only the server's address", link=place.link)
        )
    return place


def play(wishes: Wishes, console: Console) -> int:
    """Join a table and play, and return the exit code.

    Raises:
        LiarsPokerError: the server or table doesn't exist, or the server refused; the message says why.
    """
    place = place_in(wishes)
    server = Server(place.server, wishes.token)
    server.greet()
    if place.table is not None:
        server.get(f"/api/tables/{place.table}")  # a wrong link is reported before the player is asked for a name
    secret = _sign_in(server, wishes, console)
    if place.table is None:
        place = _made(server, wishes, place) if wishes.settings is not None else _chosen(server, place, console)
    return LiveGame(console, server, place, secret, wishes.ask_ready).play()


def _sign_in(server: Server, wishes: Wishes, console: Console) -> str:
    """Sign in, as the same guest as last time if possible; return the secret from which nonces are derived."""
    if wishes.token is not None:
        me = server.get("/api/me")
        console.say(_("You are {name}.", name=printable(me["name"])))
        return sha256(f"nonces {wishes.token}".encode()).hexdigest()
    identities = Identities(wishes.folder)
    kept = identities.find(server.address, wishes.name)
    if kept is not None and _is_known(server, kept):
        console.say(_("You are {name}.", name=printable(kept.name)))
        identities.keep(kept)
        return kept.secret
    if kept is not None:
        identities.forget(kept)
    name = _named(server, wishes.name, console)
    identity = Identity(server.address, name, server.cookie, new_secret())
    identities.keep(identity)
    return identity.secret


def _is_known(server: Server, kept: Identity) -> bool:
    """Return whether the server still knows an identity."""
    server.cookie = kept.cookie
    try:
        server.get("/api/me")
    except Refused:
        server.cookie = ""
        return False
    return True


def _named(server: Server, name: str | None, console: Console) -> str:
    """Return the name that the server gives to a guest."""
    while True:
        wanted = console.ask(_("Your name > ")) if name is None else name
        try:
            return str(server.post("/api/guest", {"name": wanted})["name"])
        except Refused as refusal:
            if name is not None or refusal.code != "bad-name":
                raise
            console.say(f"{refusal}.")


def _made(server: Server, wishes: Wishes, place: Place) -> Place:
    body = {"settings": wishes.settings, "bots": list(wishes.bots), "start": wishes.start}
    return place.at(server.post("/api/tables", body)["table"])


def _chosen(server: Server, place: Place, console: Console) -> Place:
    """Return the table that the player chooses: a listed one, one whose link they have, or a new one."""
    mine = [one for one in server.get("/api/tables?mine=true") if one["status"] != "ended"]
    known = {one["table"] for one in mine}
    waiting = [one for one in server.get("/api/tables?status=waiting") if one["table"] not in known]
    tables = [*mine, *waiting]
    if tables:
        console.say(_("Tables:"))
    for number, one in enumerate(tables, 1):
        console.say(f"{number:2}  {_listed(one, one['table'] in known)}", indent="  ")
    games = ", ".join(row.id for row in catalogue.games())
    console.say(_("To join, type a number or a table's link.") if tables else _("To join, type a table's link."))
    console.say(_("To create a table, type a game: {games}.", games=games))
    while True:
        typed = console.ask(_("Which table? > "))
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
                _(
                    "{typed!r} isn't a listed number, a game, or a table's link at {server}.",
                    typed=printable(typed),
                    server=place.server,
                )
            )
        except Refused as refusal:
            console.say(f"{refusal}.")


def _listed(table: Json, mine: bool) -> str:
    players = ", ".join(printable(player["name"]) for player in table["players"])
    title = f"{printable(table['title'])}, " if table["title"] else ""
    taken = f"{table['seats_taken']} of {table['seats']}"
    where = f"{'yours, ' if mine else ''}{taken}, {table['status']}"
    return f"{title}{table['game']}: {players or 'nobody'} ({where})"

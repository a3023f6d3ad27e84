"""The tables of source 003, for any number of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.games.digits.page.odds import MOST_PLAYERS
from liarspoker.odds.figures import rounded
from liarspoker.odds.tables import Table, tables
from liarspoker.web.view_models.odds_fields import Field, address, whole

PATH = "/odds/tables"
_FIRST = "5"


@dataclass(frozen=True, slots=True)
class Shown:
    """One table: its name, what it tells, the heading of its rows, its columns, and its rows of figures."""

    name: str
    title: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class TablesScene:
    """The page of all tables. `tables` is empty while the number of players cannot be read."""

    players: Field
    tables: tuple[Shown, ...]


def scene(given: Mapping[str, str]) -> TablesScene:
    """The tables for as many players as an address asks for."""
    typed = given.get("players", _FIRST).strip()
    players = whole(typed, 2, MOST_PLAYERS)
    if players is None:
        return TablesScene(Field("players", "Players", typed, f"Give a whole number from 2 to {MOST_PLAYERS}."), ())
    less = address(PATH, {"players": players - 1}) if players > 2 else ""
    more = address(PATH, {"players": players + 1}) if players < MOST_PLAYERS else ""
    found = tuple(_shown(table) for table in tables(players))
    return TablesScene(Field("players", "Players", typed, "", less, more), found)


def _shown(table: Table) -> Shown:
    rows = tuple((label, tuple(rounded(chance, table.places) for chance in chances)) for label, chances in table.rows)
    return Shown(table.name, table.title, table.corner, tuple(filter(None, table.columns)), rows)

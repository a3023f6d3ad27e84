"""What the records of one family of games have of their own; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from liarspoker.records.shapes import Key
from liarspoker.rules.errors import IllegalAction
from liarspoker.rules.protocol import Game

Table = dict[str, Any]

MOST_ACTIONS_LISTED = 200
"""Where more actions are legal, a report does not list them."""


class Family(Protocol):
    """The part of reading and writing records that depends on the family of games."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """The keys of a record of `game` beside those that every record has."""

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """The keys of a round, `actions` apart."""

    def begin(self, game: Game, record: Table, options: Any) -> Any:
        """The session before the first round."""

    def deal(self, session: Any, record: Table, table: Table) -> Any:
        """The session with the round of `table` dealt."""

    def check_round(self, session: Any) -> None:
        """Refuse what only the end of the round's actions shows to be impossible in its deal."""

    def read(self, session: Any, text: str) -> int:
        """The action that `text` writes, in the notation or in spoken words."""

    def explain(self, session: Any, text: str, error: IllegalAction) -> str:
        """Why the action is refused, in words, with the remedy."""

    def finished(self, session: Any) -> Table:
        """The ended round on the table, as `replay --json` tells it."""

    def unfinished(self, session: Any) -> Table:
        """The round in play, as `replay --json` tells it."""

    def outcome(self, session: Any) -> Table:
        """What `replay --json` tells of the session as a whole: its score, or its winner."""

    def record_parts(self, session: Any) -> Table:
        """The keys of `record_keys` that write this session down."""

    def round_parts(self, session: Any) -> list[Table]:
        """The rounds of this session, as a record writes them."""

    def all_known(self, session: Any) -> bool:
        """Whether everything that was dealt is known, so that the game can be played on."""

    def tell_round(self, session: Any, players: tuple[str, ...]) -> list[str]:
        """The round on the table, told to a person line by line."""

    def tell_outcome(self, session: Any, players: tuple[str, ...]) -> str:
        """How the session as a whole stands, told to a person in one line."""


def family_of(game: Game) -> Family:
    """The module of this room that knows the records of `game`'s family."""
    return cast(Family, import_module(f"liarspoker.records.{game.row.family}"))

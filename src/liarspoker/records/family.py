"""What the records of one family of games have of their own; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Game
from liarspoker.records.shapes import Key, Table

__all__ = ["MOST_ACTIONS_LISTED", "Family", "Table", "family_of"]

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

    def record_parts(self, session: Any, rounds: int | None = None) -> Table:
        """The keys of `record_keys` that write down this session, or its first `rounds` rounds."""

    def round_parts(self, session: Any) -> list[Table]:
        """The rounds of this session, as a record writes them."""

    def draw_parts(self, needs: Any) -> Table:
        """What a round draws, told so that whoever draws it need not know the rules."""

    def read_draw(self, parts: Table, seats: int) -> Any:
        """What a round draws, from what `draw_parts` has told of it."""

    def deal_parts(self, deal: Any) -> Table:
        """What was dealt, under the keys of a record."""

    def deal_of(self, session: Any) -> Any:
        """What was dealt for the round on the table, as far as it is known."""

    def needs_again(self, before: Any, session: Any) -> Any:
        """What the round on the table of `session` drew, where the session before it was `before`."""

    def play_again(self, before: Any, session: Any, deal: Any, opener: int | None) -> Any:
        """The round on the table of `session` once more, move for move, from `before` with this deal and opener."""

    def all_known(self, session: Any) -> bool:
        """Whether everything that was dealt is known, so that the game can be played on."""

    def tell_round(self, session: Any, players: tuple[str, ...]) -> list[str]:
        """The round on the table, told to a person line by line."""

    def tell_outcome(self, session: Any, players: tuple[str, ...]) -> str:
        """How the session as a whole stands, told to a person in one line."""


@cache
def _module(family: str) -> Family:
    return cast(Family, import_module(f"liarspoker.records.{family}"))


def family_of(game: Game) -> Family:
    """The module of this room that knows the records of `game`'s family."""
    return _module(game.row.family)

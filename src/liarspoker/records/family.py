"""What the records of one family of games have of their own; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from liarspoker.core import catalogue
from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import Game
from liarspoker.records.shapes import Key, Table
from liarspoker.records.simple import SimpleRecords

__all__ = ["MOST_ACTIONS_LISTED", "RecordFormat", "Table", "record_format"]

Session = TypeVar("Session")
Deal = TypeVar("Deal")
Chance = TypeVar("Chance")

MOST_ACTIONS_LISTED = 200
"""Where more actions are legal, a report does not list them."""


class RecordFormat(Protocol[Session, Deal, Chance]):
    """The part of reading and writing records that depends on the family of games."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """The keys of a record of `game` beside those that every record has."""

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """The keys of a round, `actions` apart."""

    def begin(self, game: Game, record: Table, options: Any) -> Session:
        """The session before the first round."""

    def deal(self, session: Session, record: Table, table: Table) -> Session:
        """The session with the round of `table` dealt."""

    def check_round(self, session: Session) -> None:
        """Refuse what only the end of the round's actions shows to be impossible in its deal."""

    def read(self, session: Session, text: str) -> int:
        """The action that `text` writes, in the notation or in spoken words."""

    def explain(self, session: Session, text: str, error: IllegalAction) -> str:
        """Why the action is refused, in words, with the remedy."""

    def finished(self, session: Session) -> Table:
        """The ended round on the table, as `replay --json` tells it."""

    def unfinished(self, session: Session) -> Table:
        """The round in play, as `replay --json` tells it."""

    def outcome(self, session: Session) -> Table:
        """What `replay --json` tells of the session as a whole: its score, or its winner."""

    def record_parts(self, session: Session, rounds: int | None = None) -> Table:
        """The keys of `record_keys` that write down this session, or its first `rounds` rounds."""

    def round_parts(self, session: Session) -> list[Table]:
        """The rounds of this session, as a record writes them."""

    def draw_parts(self, needs: Chance) -> Table:
        """What a round draws, told so that whoever draws it need not know the rules."""

    def read_draw(self, parts: Table, seats: int) -> Chance:
        """What a round draws, from what `draw_parts` has told of it."""

    def deal_parts(self, deal: Deal) -> Table:
        """What was dealt, under the keys of a record."""

    def deal_of(self, session: Session) -> Deal:
        """What was dealt for the round on the table, as far as it is known."""

    def needs_again(self, before: Session, session: Session) -> Chance:
        """What the round on the table of `session` drew, where the session before it was `before`."""

    def play_again(self, before: Session, session: Session, deal: Deal, opener: int | None) -> Session:
        """The round on the table of `session` once more, move for move, from `before` with this deal and opener."""

    def all_known(self, session: Session) -> bool:
        """Whether everything that was dealt is known, so that the game can be played on."""

    def tell_round(self, session: Session, players: tuple[str, ...]) -> list[str]:
        """The round on the table, told to a person line by line."""

    def tell_outcome(self, session: Session, players: tuple[str, ...]) -> str:
        """How the session as a whole stands, told to a person in one line."""


def record_format(game: Game) -> RecordFormat[Any, Any, Any]:
    """How rounds of `game` are written."""
    return catalogue.family(game.row.family).records() or SimpleRecords()

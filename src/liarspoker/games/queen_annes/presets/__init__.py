"""Queen Anne's games as data, a module each: how a game is dealt, and which options it has."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.catalogue import GameRow, games
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.queen_annes.options import OPTIONS, Dealing, QueenAnnesOptions

NAMED_HANDS = """\
| hand            | named by                | there if the pool has     |
|-----------------|-------------------------|---------------------------|
| high card       | a rank                  | one of it                 |
| pair            | a rank                  | two of it                 |
| two pair        | two ranks, higher first | two of each               |
| three of a kind | a rank                  | three of it               |
| straight        | its highest card        | the five ranks            |
| flush           | five ranks and a suit   | these five cards          |
| full house      | the three, then the two | three and two             |
| four of a kind  | a rank                  | all four                  |
| straight flush  | highest card and suit   | these five cards          |
| royal flush     | a suit                  | ten to ace of it          |

Among hands of a kind the ranks decide as they are named, then the suit:
clubs, diamonds, hearts, spades. The ace is high; A-2-3-4-5 is the lowest
straight. Five cards of a suit in a row must be named a straight flush."""
"""The ladder of named hands, in the rules of each game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueenAnnesPreset(GameRow):
    """A game of named hands in a common pool.

    Attributes:
        options: what the document sets.
        dealing: how cards come to the players, and who sees them.
        option_infos: the options that this game has.
    """

    family: str = "queen_annes"
    has_winner: bool = True
    options: QueenAnnesOptions
    dealing: Dealing
    option_infos: tuple[OptionInfo, ...] = OPTIONS


def presets() -> dict[str, QueenAnnesPreset]:
    """The games of this family by id."""
    return {row.id: row for row in games() if isinstance(row, QueenAnnesPreset)}

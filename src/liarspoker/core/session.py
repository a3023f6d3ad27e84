"""The one face of all games: what everything above the rules may ask of a game, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from liarspoker.core.catalogue import GameRow


class Legal(Protocol):
    """What the seat to act may do."""

    @property
    def claims(self) -> Sequence[int]:
        """Claims that may be made, weakest first."""

    @property
    def answers(self) -> Sequence[int]:
        """What else may be done, such as a challenge."""

    @property
    def actions(self) -> Sequence[int]:
        """Claims, then answers."""


class Needs(Protocol):
    """What the next round draws."""

    @property
    def opener(self) -> bool:
        """No rule says who opens; the table draws lots."""

    def draw(self, below: Callable[[int], int]) -> Any:
        """A deal from the chance that `below(n)`, a uniform int below n, gives."""


class View(Protocol):
    """What one seat may know."""

    @property
    def game(self) -> str:
        """The catalogue id."""

    @property
    def seat(self) -> int | None:
        """Whose view this is."""

    @property
    def legal(self) -> Legal:
        """What the seat to act may do."""


class Session(Protocol):
    """One session of a game, frozen: `deal` and `apply` answer with the next one."""

    @property
    def seats(self) -> int:
        """How many players."""

    @property
    def alive(self) -> tuple[int, ...]:
        """The living seats, ascending: all of them in a game that nobody drops out of."""

    @property
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is."""

    @property
    def phase(self) -> str:
        """The phase, as the notation names it."""

    @property
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat."""

    @property
    def rounds_played(self) -> int:
        """How many rounds have ended."""

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, if a match can be won."""

    @property
    def round_result(self) -> Any:
        """How the round on the table came out; `None` before its end."""

    def option_changes(self) -> dict[str, object]:
        """The options that differ from the game's preset, as a record writes them."""

    def needs(self) -> Needs:
        """What the next round draws."""

    def deal(self, deal: Any, opener: int | None = None) -> Session:
        """The session with the next round on the table."""

    def apply(self, action: int) -> Session:
        """The session after the seat to act plays `action`."""

    def refusal(self, action: int) -> int:
        """Why `action` may not be played now, 0 if it may."""

    def legal(self) -> Legal:
        """What the seat to act may do."""

    def out_of_turn(self, seat: int) -> int | None:
        """What `seat` may do although it is another's turn, if anything."""

    def read(self, text: str) -> int:
        """The action that `text` writes."""

    def write(self, action: int) -> str:
        """`action` in the notation."""

    def view(self, seat: int | None) -> View:
        """What `seat`, or nobody in particular, may know."""


class OptionInfo(Protocol):
    """What a manual says of one option."""

    @property
    def name(self) -> str:
        """As records write it."""

    @property
    def choices(self) -> Sequence[object]:
        """Every value that it takes."""

    @property
    def meaning(self) -> str:
        """What it decides."""

    @property
    def source(self) -> str:
        """Where the rule stands."""

    def values_text(self) -> str:
        """The values in words."""


class Game(Protocol):
    """A game of the catalogue."""

    @property
    def row(self) -> GameRow:
        """Its catalogue row."""

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""

    def options(self, changes: dict[str, object] | None = None) -> Any:
        """Its options with `changes`."""

    def session(self, seats: int, options: Any = None, from_slips: bool | None = None) -> Session:
        """A session before its first round; `from_slips` is for the games that can be dealt so."""

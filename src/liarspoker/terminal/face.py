"""What the terminal shows of one family of games; each family has a module of this form in this room."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from liarspoker.rules.protocol import Game
from liarspoker.terminal.screen import Screen


class Face(Protocol):
    """The part of a terminal game that depends on the family of games.

    Everything is told from a seat's view, so that nothing can be told that the seat may not know.
    """

    def tell_deal(self, screen: Screen, view: Any, names: tuple[str, ...]) -> None:
        """A round begins: what is played for, who opens, what the seat holds."""

    def tell_hand(self, screen: Screen, view: Any) -> None:
        """What the seat holds."""

    def tell_action(self, screen: Screen, view: Any, seat: int, action: int, names: tuple[str, ...]) -> None:
        """Somebody has acted; `view` is from before."""

    def tell_turn(self, screen: Screen, view: Any, names: tuple[str, ...]) -> None:
        """It is the seat's turn: what stands, what it is worth, what may be done."""

    def read(self, session: Any, text: str) -> int:
        """The action that a player types: notation, spoken words, or a short form.

        Raises:
            IllegalAction: it is none.
        """

    def tell_legal(self, screen: Screen, view: Any) -> None:
        """What may be typed now."""

    def tell_odds(self, screen: Screen, view: Any, question: str) -> None:
        """The chances of what stands, or of what the question names."""

    def tell_why(self, screen: Screen, view: Any, names: tuple[str, ...]) -> None:
        """Why the stake and the standing claim are worth what they are, or why the last round paid what it paid."""

    def tell_result(self, screen: Screen, view: Any, names: tuple[str, ...]) -> None:
        """How the round came out."""

    def own_command(self, screen: Screen, session: Any, seat: int, word: str, names: tuple[str, ...]) -> Any | None:
        """What only this family's players can ask for; the session after it, `None` if `word` is no such command.

        Raises:
            LiarsPokerError: it cannot be asked for now.
        """

    def agree(self, session: Any, deal: Any, wish: str) -> Any:
        """The session with the next round dealt, on what the table has agreed, such as `stake 2`.

        Raises:
            LiarsPokerError: nothing of this kind can be agreed.
        """


def face_of(game: Game) -> Face:
    """The module of this room that shows `game`'s family."""
    return cast(Face, import_module(f"liarspoker.terminal.{game.row.family}"))

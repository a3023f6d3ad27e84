"""What the terminal shows of one family of games; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Protocol, TypeVar

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.terminal.screen import Screen

Ask = Callable[[str], str]
"""Asks with a prompt; answers with what is typed, once that is no command such as `odds` or `score`."""

COMMANDS = """  save FILE    keep the game as a record (--record FILE takes it up again)
  quit         stop here
  help         this list"""
"""What can be typed in every game, beside a face's own `HELP`."""


Session = TypeVar("Session")
View = TypeVar("View", contravariant=True)


class TerminalRenderer(Protocol[Session, View]):
    """The part of a terminal game that depends on the family of games.

    Everything is told from a seat's view, so that nothing can be told that the seat may not know.
    """

    @property
    def ROUND(self) -> str:  # noqa: N802  # a module's constant
        """What a round is called: `hand` or `round`."""

    @property
    def HELP(self) -> str:  # noqa: N802  # a module's constant
        """What can be typed at any prompt, a line each, `COMMANDS` apart."""

    def lot(self, session: Session, chance: Random) -> int | None:
        """The seat that begins, where it is drawn by lot before anything is dealt."""

    def choice(self, session: Session, opener: int | None, seat: int) -> str:
        """What `seat` may name before the next round if it begins it, as an offer in words; empty for nothing.

        Args:
            session: between two rounds.
            opener: who begins, where lots were drawn.
            seat: the person's.
        """

    def deal(self, session: Session, chance: Random, wish: str, opener: int | None, seat: int) -> Session:
        """The session with the next round dealt.

        Args:
            session: between two rounds.
            chance: where the deal comes from.
            wish: what was agreed or named for the round, such as `stake 2`; empty for nothing.
            opener: who begins, where lots were drawn.
            seat: whose wish it is.

        Raises:
            LiarsPokerError: nothing of this kind can be agreed.
        """

    def taken_up(self, session: Session, chance: Random) -> Session:
        """A session taken up in the middle of a round, with the chance that its record does not keep."""

    def watching(self, view: View) -> bool:
        """Whether the seat is out of the match, and the others play on."""

    def tell_deal(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """A round begins: what is played for, who opens, what the seat holds."""

    def tell_hand(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """What the seat holds."""

    def tell_action(self, screen: Screen, before: View, after: View, names: tuple[str, ...]) -> None:
        """Somebody has acted, the seat itself included; the views are from before and after."""

    def tell_turn(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """It is the seat's turn: what stands, what it is worth, what may be done."""

    def complete(self, screen: Screen, view: View, typed: str, ask: Ask) -> str:
        """The whole of an action of which perhaps only the beginning was typed; empty if it was given up."""

    def read(self, session: Session, text: str) -> int:
        """The action that a player types: notation, spoken words, or a short form.

        Raises:
            IllegalAction: it is none.
        """

    def tell_legal(self, screen: Screen, view: View) -> None:
        """What may be typed now."""

    def tell_odds(self, screen: Screen, view: View, question: str) -> None:
        """The chances of what stands, or of what the question names."""

    def tell_why(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """Why the stake and the standing claim are worth what they are, or why the last round paid what it paid."""

    def tell_result(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """How the round came out."""

    def tell_score(self, screen: Screen, view: View, names: tuple[str, ...]) -> None:
        """How the game stands: who has won or lost how much, or who is still in."""

    def own_command(
        self, screen: Screen, session: Session, seat: int, typed: str, names: tuple[str, ...]
    ) -> Session | None:
        """What only this family's players can ask for; the session after it, `None` if `typed` is no such command.

        Raises:
            LiarsPokerError: it cannot be asked for now.
        """


def renderer_of(game: Game) -> TerminalRenderer[Any, Any]:
    """How the terminal shows `game`."""
    return catalogue.family(game.row.family).terminal()

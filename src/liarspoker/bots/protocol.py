"""What a bot is: a function from what a seat may know, and a source of chance, to an action."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from liarspoker.core.session import Session

Chances = tuple[tuple[int, float], ...]
"""Legal actions, each once, and how likely each is to be played; they add up to 1. What is left out is never played."""


class Bot(Protocol):
    """Anything that can be called so: a function, or a frozen object.

    A bot keeps nothing from one call to the next. Whatever it may know stands in the view, so one bot can sit in any
    number of seats at once, and a table can be taken up again in the middle of a hand.
    """

    def __call__(self, view: Any, chance: Random, /) -> int:
        """The action of the seat to act.

        Args:
            view: what that seat may know, such as a `DigitView`; its `legal` lists what it may do.
            chance: where the bot's own randomness comes from; nothing else may decide between equal views.

        Returns:
            One of `view.legal.actions`.
        """


@runtime_checkable
class Shouter(Bot, Protocol):
    """A bot that may challenge although it is another's turn, where the rules let anyone challenge."""

    def shouts(self, view: Any, chance: Random, /) -> bool:
        """Whether it challenges what stands; asked once after a claim that is neither its own nor its to answer.

        Args:
            view: what its seat may know.
            chance: where the bot's own randomness comes from.
        """


@runtime_checkable
class Mixer(Bot, Protocol):
    """A bot that tells how likely it is to take each action, so that what it is worth can be worked out."""

    def chances(self, view: Any, /) -> Chances:
        """What it plays, and how likely; called with the same view it draws from just these.

        Args:
            view: what the seat to act may know.
        """


@runtime_checkable
class Listener(Mixer, Protocol):
    """A bot that tells what it makes of the moves, so that what it does need be worked out only once."""

    def heard(self, view: Any, /) -> Hashable:
        """What its chances depend on, beyond its own number, where the auction stands and what is legal.

        Args:
            view: what the seat to act may know; its number is not looked at.

        Returns:
            `None`, always, from a bot that listens to no move.
        """


@dataclass(frozen=True, slots=True)
class Certain:
    """A bot that leaves nothing to chance.

    Attributes:
        choose: the action of the seat to act, from what it may know.
        listens: whether that depends on more than the number and where the auction stands.
    """

    choose: Callable[[Any], int]
    listens: bool = True

    def __call__(self, view: Any, chance: Random) -> int:
        """The one action that it takes."""
        return self.choose(view)

    def chances(self, view: Any) -> Chances:
        """The one action that it takes, for certain."""
        return ((self.choose(view), 1.0),)

    def heard(self, view: Any) -> Hashable:
        """All moves, if it listens to any."""
        return view.moves if self.listens else None


def shout(session: Session, bots: Sequence[Bot | None], chance: Random) -> int | None:
    """The challenge of the first bot that makes one although it is another's turn; `None` if all keep quiet.

    They are asked in the order of their seats, from the one behind the seat to act. Most bots wait for their turn and
    are not asked at all.

    Args:
        session: a round in play; asked about once after every claim.
        bots: who plays each seat; `None` where it is no bot.
        chance: where the bots' randomness comes from.
    """
    first = session.to_act
    assert first is not None
    for seat in (*range(first + 1, len(bots)), *range(first)):
        bot, challenge = bots[seat], session.out_of_turn_challenge(seat)
        if challenge is not None and isinstance(bot, Shouter) and bot.shouts(session.view(seat), chance):
            return challenge
    return None

"""What a bot is: a function from what a seat may know, and a source of chance, to an action."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol


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

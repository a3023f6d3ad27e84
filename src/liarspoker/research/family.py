"""What a research environment must know of one family of games; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from liarspoker.research.blocks import Block, Vector

Indices = NDArray[np.int64]
Weights = Mapping[int, int]
"""Outcomes of chance with whole weights: each is as likely as its weight among their sum."""


class Family(Protocol):
    """The part of a research environment that depends on the family of games.

    Actions are numbered by whole numbers from 0, the same at every turn; `size` says how many there are.
    """

    def check(self, session: Any) -> None:
        """Refuse options under which a round may have no end, or actions cannot be numbered.

        Raises:
            CannotStudy: naming the option.
        """

    def size(self, session: Any) -> int:
        """How many actions are numbered."""

    def index(self, session: Any, action: int) -> int:
        """The number of an action that is legal now."""

    def action(self, session: Any, index: int) -> int:
        """The action of a number that is legal now."""

    def legal(self, session: Any) -> Indices:
        """The numbers of what the seat to act may do, ascending."""

    def namings(self, session: Any) -> Sequence[Mapping[str, object]]:
        """What who begins a round may name for it, one after the other; empty where nothing is named."""

    def first_naming(self, session: Any) -> int:
        """The number of the first of the `namings`."""

    def awaited(self, session: Any, drawn: Sequence[int], action: int | None, named: Mapping[str, object]) -> Weights:
        """What chance decides next; empty if nothing.

        Args:
            session: between two rounds, where chance deals; in a round, where it draws.
            drawn: what chance has decided since the session is as it is.
            action: what has been chosen and waits for chance; `None` if nothing does.
            named: what has been named for the round to be dealt.
        """

    def dealt(self, session: Any, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]) -> Any:
        """The session with the next round on the table, from all that chance has decided of it."""

    def applied(self, session: Any, drawn: Sequence[int], action: int) -> Any:
        """The session after `action`, from all that chance has decided of it."""

    def supplied(self, session: Any, card: int) -> Any:
        """The session in a round, with one more of the cards that come with a turn."""

    def units(self, session: Any, whole: bool) -> tuple[int, ...]:
        """Units won or lost by each seat so far.

        Args:
            session: at any time.
            whole: what counts is the match; otherwise every round by itself.
        """

    def most_moves(self, session: Any, rounds: int | None) -> int:
        """A bound on how many actions there are until so many rounds, or the match, are over."""

    def most_units(self, session: Any, rounds: int | None) -> int:
        """A bound on what one seat may win or lose in so many rounds, or the match."""

    def most_outcomes(self, session: Any) -> int:
        """Every outcome of chance is below this."""

    def layout(self, session: Any, rounds: int | None) -> tuple[Block, ...]:
        """What an observation consists of.

        Raises:
            CannotStudy: so many rounds that its numbers may not hold what is played for.
        """

    def observe(self, view: Any, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know into the blocks of an observation, which hold zeros."""

    def history(self, session: Any, rounds: int | None) -> Block | None:
        """A block, called `moves`, for all that a seat remembers beside its observation; `None` where none can be."""

    def remember(self, view: Any, part: Vector) -> None:
        """Write what a seat remembers into that block, which holds zeros."""

    def account(self, view: Any, session: Any) -> list[str]:
        """All that a seat knows of the round on the table, line by line; equal only where it knows the same.

        Of `session` only `write` is asked.
        """

    def outcome_text(self, outcome: int) -> str:
        """An outcome of chance in the notation."""


@cache
def _module(family: str) -> Family:
    return cast(Family, import_module(f"liarspoker.research.{family}"))


def family_of(family: str) -> Family:
    """The module of this room that knows a family of games, as `GameRow.family` names it."""
    return _module(family)

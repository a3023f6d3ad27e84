"""What a research environment must know of one family of games; each family has a module of this form in this room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.research.blocks import Block, Vector

Indices = NDArray[np.int64]
Weights = Mapping[int, int]
"""Outcomes of chance with whole weights: each is as likely as its weight among their sum."""


Session = TypeVar("Session")
View = TypeVar("View", contravariant=True)


class StudyRules(Protocol[Session, View]):
    """The part of a research environment that depends on the family of games.

    Actions are numbered by whole numbers from 0, the same at every turn; `size` says how many there are.
    """

    def check(self, session: Session) -> None:
        """Refuse options under which a round may have no end, or actions cannot be numbered.

        Raises:
            CannotStudy: naming the option.
        """

    def size(self, session: Session) -> int:
        """How many actions are numbered."""

    def index(self, session: Session, action: int) -> int:
        """The number of an action that is legal now."""

    def action(self, session: Session, index: int) -> int:
        """The action of a number that is legal now."""

    def legal(self, session: Session) -> Indices:
        """The numbers of what the seat to act may do, ascending."""

    def namings(self, session: Session) -> Sequence[Mapping[str, object]]:
        """What who begins a round may name for it, one after the other; empty where nothing is named."""

    def first_naming(self, session: Session) -> int:
        """The number of the first of the `namings`."""

    def awaited(
        self, session: Session, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """What chance decides next; empty if nothing.

        Args:
            session: between two rounds, where chance deals; in a round, where it draws.
            drawn: what chance has decided since the session is as it is.
            action: what has been chosen and waits for chance; `None` if nothing does.
            named: what has been named for the round to be dealt.
        """

    def dealt(self, session: Session, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]) -> Session:
        """The session with the next round on the table, from all that chance has decided of it."""

    def applied(self, session: Session, drawn: Sequence[int], action: int) -> Session:
        """The session after `action`, from all that chance has decided of it."""

    def supplied(self, session: Session, card: int) -> Session:
        """The session in a round, with one more of the cards that come with a turn."""

    def units(self, session: Session, whole: bool) -> tuple[int, ...]:
        """Units won or lost by each seat so far.

        Args:
            session: at any time.
            whole: what counts is the match; otherwise every round by itself.
        """

    def most_moves(self, session: Session, rounds: int | None) -> int:
        """A bound on how many actions there are until so many rounds, or the match, are over."""

    def most_units(self, session: Session, rounds: int | None) -> int:
        """A bound on what one seat may win or lose in so many rounds, or the match."""

    def most_outcomes(self, session: Session) -> int:
        """Every outcome of chance is below this."""

    def layout(self, session: Session, rounds: int | None) -> tuple[Block, ...]:
        """What an observation consists of.

        Raises:
            CannotStudy: so many rounds that its numbers may not hold what is played for.
        """

    def observe(self, view: View, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know into the blocks of an observation, which hold zeros."""

    def history(self, session: Session, rounds: int | None) -> Block | None:
        """A block, called `moves`, for all that a seat remembers beside its observation; `None` where none can be."""

    def remember(self, view: View, part: Vector) -> None:
        """Write what a seat remembers into that block, which holds zeros."""

    def account(self, view: View, session: Session) -> list[str]:
        """All that a seat knows of the round on the table, line by line; equal only where it knows the same.

        Of `session` only `write` is asked.
        """

    def outcome_text(self, outcome: int) -> str:
        """An outcome of chance in the notation."""


def study_rules(family: str) -> StudyRules[Any, Any]:
    """How a family of games, as `GameRow.family` names it, is studied."""
    return catalogue.family(family).study()

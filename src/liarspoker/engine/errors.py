"""Errors of the engine and the solver.

::

    LiarsPokerError
    └── EngineError
        ├── CannotCompile   a function reads something that can't be compiled
        ├── CannotPlay      the engine doesn't play this table, or an argument is out of range
        ├── OutgrownStake   a stake has grown beyond what the engine counts
        ├── EndlessRound    a round has more actions than the engine stores
        ├── IllegalActions  one of the actions for a batch isn't legal
        ├── BadStrategy     a file or a table isn't a strategy, or is for another game
        ├── CannotFit       there isn't enough memory
        ├── CannotSolve     an invalid argument of the solver, or a checkpoint that doesn't belong to it
        └── CannotBelieve   beliefs aren't defined: a policy returns no probabilities, or a number isn't a hand
            └── NeverPlayed an action that its seat's policy never plays
"""

from __future__ import annotations

from liarspoker.core.errors import REFUSALS, LiarsPokerError


class EngineError(LiarsPokerError):
    """Base class of the errors of the engine and the solver."""

    code = "engine"


class CannotCompile(EngineError):
    """A function reads something that can't be compiled, or whose changes can't be detected."""

    code = "cannot-compile"


class CannotPlay(EngineError):
    """The engine doesn't play this table, or an argument is out of range."""

    code = "cannot-play"


class OutgrownStake(EngineError):
    """A stake exceeds the engine's maximum, 2**40. The Python rules have no such limit."""

    code = "outgrown-stake"


class EndlessRound(EngineError):
    """A round has more actions than the engine stores. This happens only on a ladder without a top."""

    code = "endless-round"


class IllegalActions(EngineError):
    """At least one of the actions for a batch isn't legal; no round of the batch has changed.

    Attributes:
        row: the index of the first batch element whose action isn't legal.
        action: that action.
        refusal: the reason, one of the numbers in :mod:`liarspoker.core.errors`.
        code: the name of the reason in Liar's Poker Notation.
    """

    def __init__(self, row: int, action: int, refusal: int) -> None:
        self.row = row
        self.action = action
        self.refusal = refusal
        self.code = REFUSALS[refusal]
        super().__init__(f"match {row}: action {action}: {self.code}")


class BadStrategy(EngineError):
    """A file doesn't hold a strategy, is damaged or is for other rules, or a table doesn't hold probabilities."""

    code = "bad-strategy"


class CannotFit(EngineError):
    """Something needs more memory than is available; the message says how much."""

    code = "cannot-fit"


class CannotSolve(EngineError):
    """An argument of the solver isn't valid, or a checkpoint is damaged or belongs to another solution."""

    code = "cannot-solve"


class CannotBelieve(EngineError):
    """Beliefs aren't defined.

    A policy reads more than a single hand or doesn't return probabilities, or a number isn't a hand of the game.
    """

    code = "cannot-believe"


class NeverPlayed(CannotBelieve):
    """The policy of a seat never plays this action with any hand that the seat may hold.

    Attributes:
        seat: the seat that acted.
        action: the action that was played.
    """

    code = "never-played"

    def __init__(self, seat: int, action: int) -> None:
        self.seat = seat
        self.action = action
        super().__init__(
            f"seat {seat}, action {action}: the seat's policy never plays this action, so the posterior belief is "
            "undefined; blend the policy with another one, or keep the previous belief (surprise='keep')"
        )

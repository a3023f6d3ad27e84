"""What the engine refuses.

```
LiarsPokerError
└── EngineError
    ├── CannotCompile   a function that reads what cannot become machine code
    ├── CannotPlay      a table that the engine does not play, or wrong numbers of policies, rounds, threads
    ├── OutgrownStake   a stake became so great that the engine stopped counting
    ├── EndlessRound    a round without an end: more actions than are kept
    ├── IllegalActions  a batch was given actions of which one is refused
    ├── BadStrategy     a file or a table that is no strategy, or one for another game
    ├── CannotFit       what is asked for needs more memory than there is
    ├── CannotSolve     a solver asked for what it has not, or a checkpoint that is not its own
    └── CannotBelieve   beliefs that nobody can hold: of a policy that tells no chances, or of what is no hand
        └── NeverPlayed an action that the policy of its seat plays with no hand
```
"""

from __future__ import annotations

from liarspoker.core.errors import REFUSALS, LiarsPokerError


class EngineError(LiarsPokerError):
    """Anything that the engine refuses."""

    code = "engine"


class CannotCompile(EngineError):
    """A function reads something that can neither be compiled nor told apart from a changed one."""

    code = "cannot-compile"


class CannotPlay(EngineError):
    """The engine does not play this table, or was asked for something that is no batch."""

    code = "cannot-play"


class OutgrownStake(EngineError):
    """A stake beyond what the engine counts; the Python rules count further."""

    code = "outgrown-stake"


class EndlessRound(EngineError):
    """A round with more actions than the engine keeps; only a ladder without a top has such rounds."""

    code = "endless-round"


class IllegalActions(EngineError):
    """Of the actions for a batch, at least one is refused; no round of the batch has changed.

    Attributes:
        row: the first round whose action is refused.
        action: that action.
        refusal: why, one of the numbers of `liarspoker.core.errors`.
        code: its name in the notation.
    """

    def __init__(self, row: int, action: int, refusal: int) -> None:
        self.row = row
        self.action = action
        self.refusal = refusal
        self.code = REFUSALS[refusal]
        super().__init__(f"round {row}: action {action}: {self.code}")


class BadStrategy(EngineError):
    """A file that holds no strategy, a damaged one, one for other rules, or a table whose numbers are no chances."""

    code = "bad-strategy"


class CannotFit(EngineError):
    """What is asked for needs more memory than there is; the message tells how much."""

    code = "cannot-fit"


class CannotSolve(EngineError):
    """A checkpoint that is another solution's or broken, or a solver that was asked for what it has not."""

    code = "cannot-solve"


class CannotBelieve(EngineError):
    """What beliefs cannot be about: a policy that reads more than a single hand, or that tells no chances."""

    code = "cannot-believe"


class NeverPlayed(CannotBelieve):
    """An action that, by the policy of its seat, is played with no hand that the seat may hold.

    Attributes:
        seat: who acted.
        action: what was played.
    """

    code = "never-played"

    def __init__(self, seat: int, action: int) -> None:
        self.seat = seat
        self.action = action
        super().__init__(
            f"seat {seat}, action {action}: its policy plays that with no hand it may hold, so there is no belief "
            "after it; blend the policy with another, or keep the belief as it was (surprise='keep')"
        )

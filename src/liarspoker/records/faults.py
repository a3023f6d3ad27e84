"""What is wrong with a record, and where."""

from __future__ import annotations


class Fault(Exception):
    """The first fault of a record.

    Attributes:
        code: one of the codes of Liar's Poker Notation, such as `"not-stronger"`.
        message: the fault in words, with the remedy where there is one.
        round: the round at fault, from 0; `None` if it is the record as a whole.
        action: the action at fault, from 0; `None` if it is the round or the record.
    """

    def __init__(self, code: str, message: str, round: int | None = None, action: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.round = round
        self.action = action

    def place(self) -> str:
        """Where the fault is, counted from 1 as people count: `round 2, action 3`, or `the record`."""
        if self.round is None:
            return "the record"
        where = f"round {self.round + 1}"
        return where if self.action is None else f"{where}, action {self.action + 1}"

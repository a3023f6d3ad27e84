"""Answers to commands, and the memory that gives the same command the same answer again."""

from __future__ import annotations

from collections import OrderedDict

from liarspoker.protocol.http import AnswerResponse

Answer = AnswerResponse

REFUSALS_KEPT = 2_000
"""How many refusals a table remembers; commands that took effect it remembers for ever, since they are in its log."""


class Memory:
    """The answers of one table, by the command's id.

    Args:
        done: the versions that commands have made already.
    """

    def __init__(self, done: dict[str, int] | None = None) -> None:
        self._done = {} if done is None else done
        self._refused: OrderedDict[str, Answer] = OrderedDict()

    def find(self, command_id: str) -> Answer | None:
        """The answer that this command has had, if any."""
        version = self._done.get(command_id)
        return Answer(True, version) if version is not None else self._refused.get(command_id)

    def took_effect(self, command_id: str | None, version: int) -> Answer:
        """Remember a command that made a version; what a table does by itself has no id."""
        if command_id is not None:
            self._done[command_id] = version
        return Answer(True, version)

    def was_refused(self, command_id: str, answer: Answer) -> Answer:
        """Remember a command that changed nothing."""
        self._refused[command_id] = answer
        if len(self._refused) > REFUSALS_KEPT:
            self._refused.popitem(last=False)
        return answer

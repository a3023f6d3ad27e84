"""A replay as the JSON object of `liarspoker replay --json`."""

from __future__ import annotations

from liarspoker.records.family import Table, record_format
from liarspoker.records.faults import Fault
from liarspoker.records.reader import Replay


def report(replay: Replay) -> Table:
    """What a program reads: the rounds, the score or the winner, or the first fault with the rounds before it.

    Returns:
        Only what `json` can write: tables, lists, texts, ints, booleans and `None`.
    """
    told: Table = {} if replay.fault is None else {"error": _fault(replay.fault)}
    told["game"] = replay.named
    if replay.fault is None and replay.session is not None and replay.game is not None:
        told |= record_format(replay.game).outcome(replay.session)
    told["rounds"] = _rounds(replay)
    return told


def _rounds(replay: Replay) -> list[Table]:
    if replay.game is None:
        return []
    family = record_format(replay.game)
    return [family.unfinished(session) if session.in_play else family.finished(session) for session in replay.rounds]


def _fault(fault: Fault) -> Table:
    return {"code": fault.code, "round": fault.round, "action": fault.action, "message": fault.message}

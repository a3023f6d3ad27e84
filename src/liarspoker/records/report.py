"""A replay as the JSON object of `liarspoker replay --json`."""

from __future__ import annotations

from liarspoker.records.family import Table, family_of
from liarspoker.records.faults import Fault
from liarspoker.records.reader import Replay


def report(replay: Replay) -> Table:
    """What a program reads: the rounds, the score, or the first fault with the rounds before it.

    Returns:
        Only what `json` can write: tables, lists, texts, ints, booleans and `None`.
    """
    told: Table = {}
    if replay.fault is not None:
        told["error"] = _fault(replay.fault)
    if replay.game is not None:
        told["game"] = replay.game.row.id
    if replay.game is not None and replay.session is not None:
        family = family_of(replay.game)
        if replay.fault is None:
            told["score"] = list(replay.session.score)
        told["rounds"] = [
            family.unfinished(session) if session.in_play else family.finished(session) for session in replay.rounds
        ]
    elif replay.game is not None:
        told["rounds"] = []
    return told


def _fault(fault: Fault) -> Table:
    return {"code": fault.code, "round": fault.round, "action": fault.action, "message": fault.message}

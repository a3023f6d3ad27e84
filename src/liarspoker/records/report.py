"""A replay as the JSON object of `liarspoker replay --json`, and in words."""

from __future__ import annotations

from liarspoker.core.session import Session
from liarspoker.records.family import Table, record_format
from liarspoker.records.faults import Fault
from liarspoker.records.reader import Replay
from liarspoker.records.words import UNBROKEN, printable, subject, won


def report(replay: Replay) -> Table:
    """What a program reads: the rounds, the score or the winner, or the first fault with the rounds before it.

    Returns:
        Only what `json` can write: tables, lists, texts, ints, booleans and `None`.
    """
    told: Table = {} if replay.fault is None else {"error": _fault(replay.fault)}
    told["game"] = replay.named
    session = replay.session
    if replay.fault is None and session is not None:
        told |= {"winner": session.winner} if session.has_winner else {"score": list(session.score)}
    told["rounds"] = [] if replay.game is None else list(map(record_format(replay.game).report, replay.rounds))
    return told


def _fault(fault: Fault) -> Table:
    return {"code": fault.code, "round": fault.round, "action": fault.action, "message": fault.message}


def tell(replay: Replay) -> str:
    """The rounds one after the other, the score or the winner, and the first fault if there is one."""
    lines: list[str] = []
    if replay.game is not None:
        names = tuple(map(printable, replay.players))
        lines += [f"{replay.game.row.title}: {', '.join(names)}"]
        for session in replay.rounds:
            lines += ["", *record_format(replay.game).tell_round(session, names)]
        if replay.session is not None:
            lines += ["", _outcome(replay.session, names)]
    if replay.fault is not None:
        fault = replay.fault
        # Of what is no record at all the message says more than the code, which JSON and TOML share.
        code = "" if fault.code == "not-json" else f" ({fault.code})"
        lines += ["", f"Fault in {fault.place()}{code}: {printable(fault.message)}"]
    return "\n".join(lines).lstrip("\n").replace(UNBROKEN, " ")


def _outcome(session: Session, names: tuple[str, ...]) -> str:
    """The score, player by player; of a match its winner, or who is still in."""
    if not session.has_winner:
        return "Score: " + ", ".join(f"{name} {won(units)}" for name, units in zip(names, session.score, strict=True))
    if session.winner is not None:
        return f"{subject(names[session.winner], 'wins')} the match."
    return f"Still in the match: {', '.join(names[seat] for seat in session.alive)}."

"""A replay told to a person."""

from __future__ import annotations

from liarspoker.records.family import record_format
from liarspoker.records.reader import Replay
from liarspoker.records.words import UNBROKEN, printable


def tell(replay: Replay) -> str:
    """The rounds one after the other, how the session stands, and the first fault if there is one."""
    lines: list[str] = []
    if replay.game is not None:
        names = tuple(map(printable, replay.players))
        lines += [f"{replay.game.row.title}: {', '.join(names)}"]
        family = record_format(replay.game)
        for session in replay.rounds:
            lines += ["", *family.tell_round(session, names)]
        if replay.session is not None:
            lines += ["", family.tell_outcome(replay.session, names)]
    if replay.fault is not None:
        fault = replay.fault
        # Of what is no record at all the message says more than the code, which JSON and TOML share.
        code = "" if fault.code == "not-json" else f" ({fault.code})"
        lines += ["", f"Fault in {fault.place()}{code}: {printable(fault.message)}"]
    return "\n".join(lines).lstrip("\n").replace(UNBROKEN, " ")

"""Writing records: a session as a document, a document as TOML or JSON, and a replay as a report or in words."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from liarspoker.core.session import Game, Session
from liarspoker.records.family import Table, record_format, round_tables
from liarspoker.records.reader import VERSION, Replay
from liarspoker.records.shapes import Fault
from liarspoker.records.words import UNBROKEN, printable, subject, won


def document_of(game: Game, session: Session, players: Sequence[str], rounds: int | None = None) -> Table:
    """The record of a session: everything that was dealt and done, secrets included.

    Args:
        game: the session's game.
        session: the session, at any moment.
        players: the names, seat by seat.
        rounds: write only the first so many rounds, and what was dealt for them.

    Returns:
        A document that `replay` plays through to this very session, or to the end of these rounds.
    """
    document: Table = {"lpn": VERSION, "game": game.row.id, "players": list(players)}
    document.update(record_format(game).record_parts(session, rounds))
    changes = session.option_changes()
    if changes:
        document["options"] = changes
    document["rounds"] = round_tables(session)[:rounds]
    return document


def to_json(document: Table, indent: int | None = None) -> str:
    """The document as JSON; a date, or a number that JSON lacks, under a private key becomes text.

    Raises:
        Fault: `bad-record`: a private key holds what JSON cannot write.
    """
    plain = {name: _written(name, value, "JSON", _for_json) for name, value in document.items()}
    return json.dumps(plain, indent=indent)


def to_toml(document: Table) -> str:
    """The document as TOML, one round a table, one slip a line.

    Raises:
        Fault: `bad-record`: a private key, or a name, holds what TOML cannot write, such as null.
    """
    import tomlkit  # 60 ms that reading a record need not pay

    written = tomlkit.document()
    for name, value in document.items():
        written.add(name, _written(name, value, "TOML", _slips if name == "slips" else _for_toml))
    return tomlkit.dumps(written)


def _written(name: str, value: Any, form: str, write: Callable[[Any], Any]) -> Any:
    """What `write` makes of a key's value; what it cannot write is a fault that names the key."""
    try:
        return write(value)
    except (ValueError, TypeError, RecursionError) as error:
        other = "JSON" if form == "TOML" else "TOML"
        raise Fault("bad-record", f"record: {name} holds a value that {form} cannot write; use {other}") from error


def _for_toml(value: Any) -> Any:
    """`value` as an item of TOML, written once to see that it can be."""
    import tomlkit

    item = tomlkit.item(value)
    item.as_string().encode()
    return item


def _slips(slips: list[list[str]]) -> Any:
    import tomlkit

    rows = tomlkit.array().multiline(True)
    for slip in slips:
        rows.append(slip)
    return rows


def _for_json(value: Any) -> Any:
    """`value` with dates, and floats that are no numbers, as text; written once to see that it can be."""
    plain = _plain(value)
    json.dumps(plain, allow_nan=False)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_plain(held) for held in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


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

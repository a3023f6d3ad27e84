"""Writing records as TOML or JSON, and replays as reports or text."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from liarspoker.core.session import Game, Session
from liarspoker.language import N_, _
from liarspoker.records.family import Table, record_format, round_tables
from liarspoker.records.reader import VERSION, Replay
from liarspoker.records.schema import Fault
from liarspoker.records.words import UNBROKEN, printable, said_of, signed_units


def document_of(game: Game, session: Session, players: Sequence[str], rounds: int | None = None) -> Table:
    """Return the record of a session, including hidden information.

    Args:
        game: the session's game.
        session: the session, in any state.
        players: the players' names, seat by seat.
        rounds: the number of rounds to include; by default all.

    Returns:
        A document from which `liarspoker.records.reader.replay` restores the session, or its first rounds.
    """
    document: Table = {"lpn": VERSION, "game": game.preset.id, "players": list(players)}
    document.update(record_format(game).record_parts(session, rounds))
    changes = session.option_changes()
    if changes:
        document["options"] = changes
    document["rounds"] = round_tables(session)[:rounds]
    return document


def to_json(document: Table, indent: int | None = None) -> str:
    """Return a document as JSON. Dates and non-finite numbers under private keys become strings.

    Args:
        document: the record.
        indent: the indentation, as in `json.dumps`.

    Raises:
        Fault: `bad-record`, if a private key has a value that JSON can't represent.
    """
    plain = {name: _written(name, value, "JSON", _for_json) for name, value in document.items()}
    return json.dumps(plain, indent=indent)


def to_toml(document: Table) -> str:
    """Return a document as TOML, with a table per round and a line per slip.

    Args:
        document: the record.

    Raises:
        Fault: `bad-record`, if a private key or a name has a value that TOML can't represent, such as null.
    """
    import tomlkit  # the import takes 60 ms, which reading a record doesn't need

    written = tomlkit.document()
    for name, value in document.items():
        written.add(name, _written(name, value, "TOML", _slips if name == "slips" else _for_toml))
    return tomlkit.dumps(written)


def _written(name: str, value: Any, form: str, write: Callable[[Any], Any]) -> Any:
    """Return `write(value)`; if it fails, raise a fault that names the key."""
    try:
        return write(value)
    except (ValueError, TypeError, RecursionError) as error:
        other = "JSON" if form == "TOML" else "TOML"
        raise Fault(
            "bad-record",
            _(
                "{name} has a value that {form} can't represent; use {other}",
                name=name,
                form=form,
                other=other,
            ),
        ) from error


def _for_toml(value: Any) -> Any:
    """Return `value` as a TOML item, after checking that it can be written."""
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
    """Return `value` with dates and non-finite floats as strings, after checking that it can be written."""
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
    """Return the report of a replay, as `liarspoker replay --json` prints it.

    It contains the rounds and the score or the winner; for an invalid record, the error and the rounds before it.

    Returns:
        A dict that `json` can serialize.
    """
    found: Table = {} if replay.fault is None else {"error": _fault(replay.fault)}
    found["game"] = replay.named
    session = replay.session
    if replay.fault is None and session is not None:
        found |= {"winner": session.winner} if session.has_winner else {"score": list(session.score)}
    found["rounds"] = [] if replay.game is None else list(map(record_format(replay.game).report, replay.rounds))
    return found


def _fault(fault: Fault) -> Table:
    return {"code": fault.code, "round": fault.round, "action": fault.action, "message": fault.message}


def format_replay(replay: Replay) -> str:
    """Return a replay as text: the rounds, the score or the winner, and the first fault, if any."""
    lines: list[str] = []
    if replay.game is not None and replay.players:
        names = tuple(map(printable, replay.players))
        lines += [f"{_(replay.game.preset.title)}: {', '.join(names)}"]
        for session in replay.rounds:
            lines += ["", *record_format(replay.game).describe_round(session, names)]
        if replay.session is not None:
            lines += ["", _outcome(replay.session, names)]
    if replay.fault is not None:
        fault = replay.fault
        # The code `not-json` is also used for TOML, so the message alone is clearer.
        error = (
            N_("Error in {place}: {message}")
            if fault.code == "not-json"
            else N_("Error in {place} ({code}): {message}")
        )
        lines += ["", _(error, place=fault.place(), code=fault.code, message=printable(fault.message))]
    return "\n".join(lines).lstrip("\n").replace(UNBROKEN, " ")


def _outcome(session: Session, names: tuple[str, ...]) -> str:
    """Return the score by player; in a match the winner, or the players still in."""
    if not session.has_winner:
        score = ", ".join(f"{name} {signed_units(units)}" for name, units in zip(names, session.score, strict=True))
        return _("Score: {score}", score=score)
    if session.winner is not None:
        return said_of(names[session.winner], N_("You win the match."), N_("{name} wins the match."))
    return _("Still in the match: {names}.", names=", ".join(names[seat] for seat in session.alive))

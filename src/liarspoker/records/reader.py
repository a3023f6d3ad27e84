"""Reading records: checking the keys, then replaying the rounds up to the first fault."""

from __future__ import annotations

import codecs
import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.errors import IllegalAction, LiarsPokerError, format_value
from liarspoker.core.session import Game, Session
from liarspoker.language import _, number
from liarspoker.records import strict_json
from liarspoker.records.family import RecordFormat, Table, record_format
from liarspoker.records.schema import INTEGER, LIST, STRING, STRINGS, TABLE, Fault, Key, check

VERSION = 1
"""The version of Liar's Poker Notation."""

_MOST_DOTS = 1_000
"""The most dots in a line of TOML other than a comment; parsing a dotted key takes quadratic time."""

_MOST_BRANCHES = 20_000
"""The most dots, and the most possible table headers, in a bounded TOML record; each can take a few kilobytes."""

_MAX_DIGITS = 5_000
"""The most consecutive digits in a bounded TOML record; the parser takes 100 bytes for each."""

_DIGITS = re.compile(r"[0-9_]+")
_BRACKET = re.compile(r"^[ \t]*\[", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits for untrusted records. Time and memory grow quadratically with the rounds, and with a round's actions.

    Attributes:
        rounds: the most rounds.
        actions: the most actions in one round.
        in_all: the most actions in all rounds together.
    """

    rounds: int
    actions: int
    in_all: int


@dataclass(slots=True)
class Replay:
    """A replayed record.

    Attributes:
        document: the record in normalized form (keys in order, actions in the notation), up to the first fault.
        named: the value of the key `game`, if it is a string, whether or not there is such a game.
        game: the game; `None` if it isn't known.
        players: the players' names, seat by seat.
        start: the session before the first round; `None` if the record is invalid from the start.
        rounds: the session at the end of each round, or at the end of the actions of the last one.
        fault: the first fault; `None` for a valid record. If an action is at fault, the last of `rounds` is the state
            before this action.
    """

    document: Table = field(default_factory=dict)
    named: str | None = None
    game: Game | None = None
    players: tuple[str, ...] = ()
    start: Session | None = None
    rounds: list[Session] = field(default_factory=list)
    fault: Fault | None = None

    @property
    def session(self) -> Session | None:
        """The session at the end of the record or before the fault; `None` if the record is invalid from the start."""
        return self.rounds[-1] if self.rounds else self.start


def read_json(text: str | bytes, bounds: Bounds | None = None) -> Replay:
    """Replay a JSON record.

    Args:
        text: the record.
        bounds: limits for an untrusted record; by default none.

    Returns:
        The replay; a fault of the record is in its `fault`.
    """
    try:
        document = strict_json.load(text)
    except strict_json.NotJson as error:
        return Replay(fault=Fault("not-json", _("this isn't JSON: {reason}", reason=error)))
    except strict_json.DuplicateKey as error:
        return Replay(fault=Fault("bad-record", str(error)))
    return replay(document, bounds)


def read_toml(text: str | bytes, bounds: Bounds | None = None) -> Replay:
    """Replay a TOML record.

    Args:
        text: the record.
        bounds: limits for an untrusted record; by default none.

    Returns:
        The replay; a fault of the record is in its `fault`.
    """
    try:
        plain = _decoded(text)
        dotted = _dotted_line(plain)
        if dotted is not None:
            refused = _("line {line} has more than {count} dots", line=dotted, count=_MOST_DOTS)
            return Replay(fault=Fault("bad-record", refused))
        if bounds is not None and _is_branching(plain):
            refused = _("it has too many tables or dotted keys, or a number is too long")
            return Replay(fault=Fault("bad-record", refused))
        document = tomllib.loads(plain)
    except UnicodeDecodeError as error:
        place = _place(error.object[: error.start].decode(errors="replace"))
        return Replay(fault=Fault("not-json", _("this isn't TOML: it isn't UTF-8 (at {place})", place=place)))
    except (ValueError, RecursionError) as error:
        reason = _first_line(error).replace("at end of document", _("at {place}, the end", place=_place(plain)))
        return Replay(fault=Fault("not-json", _("this isn't TOML: {reason}", reason=reason)))
    return replay(document, bounds)


def _place(before: str) -> str:
    """Return the line and the column, from 1, of the position after a text."""
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return _("line {line}, column {column}", line=line, column=column)


def _dotted_line(text: str) -> int | None:
    """Return the number of the first line with too many dots, from 1; `None` for none. TOML keys can't span lines."""
    lines = enumerate(text.split("\n"), 1)
    return next((at for at, line in lines if line.count(".") > _MOST_DOTS and line.lstrip()[:1] != "#"), None)


def _is_branching(text: str) -> bool:
    """Return whether TOML has far more tables and dotted keys, or longer numbers, than a record needs."""
    if text.count(".") > _MOST_BRANCHES or any(len(found[0]) > _MAX_DIGITS for found in _DIGITS.finditer(text)):
        return True
    return sum(1 for _found in _BRACKET.finditer(text)) > _MOST_BRANCHES


def read_record(text: bytes, name: str, bounds: Bounds | None = None) -> Replay:
    """Replay the record in a file: JSON if it looks like JSON and isn't named as TOML, else TOML.

    Args:
        text: the contents of the file.
        name: its name.
        bounds: limits for an untrusted record; by default none.

    Returns:
        The replay; a fault of the record is in its `fault`.
    """
    is_json = text.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"[")
    return read_json(text, bounds) if is_json and not name.endswith(".toml") else read_toml(text, bounds)


def replay(document: object, bounds: Bounds | None = None) -> Replay:
    """Replay a parsed record.

    Args:
        document: the record, as `json` or `tomllib` returns it; it isn't changed.
        bounds: limits for an untrusted record; by default none. A record beyond them isn't replayed.

    Returns:
        The replay; a fault of the record is in its `fault`.
    """
    played = Replay()
    try:
        _begin(played, document)
        if bounds is not None:
            _check_bounds(played.document["rounds"], bounds)
        _play_rounds(played)
    except Fault as fault:
        played.fault = fault
    return played


def _begin(played: Replay, document: object) -> None:
    """Check all keys but the rounds, and create the session."""
    if isinstance(document, dict) and isinstance(document.get("game"), str):
        played.named = document["game"]
    record = _checked_head(document)
    game = played.game = catalogue.load(record["game"])
    family = record_format(game)
    own_keys = family.record_keys(game)
    keys = {
        "lpn": Key(INTEGER, required=True),
        "game": Key(STRING, required=True),
        "players": Key(STRINGS, required=True),
        **own_keys,
        "options": Key(TABLE),
        "rounds": Key(LIST, required=True),
    }
    check(record, keys)
    fewest, most = game.preset.seats
    if not fewest <= len(record["players"]) <= most:
        raise Fault(
            "bad-record",
            _(
                "players: {seats}; {game} needs {fewest} to {most}",
                seats=len(record["players"]),
                game=game.preset.id,
                fewest=fewest,
                most=most,
            ),
        )
    played.players = tuple(record["players"])
    options = {name: value for name, value in record.get("options", {}).items() if not name.startswith("x-")}
    try:
        played.start = family.begin(game, record, game.options(options))
    except LiarsPokerError as error:
        raise Fault(error.code, str(error)) from error
    played.document = {name: record[name] for name in (*keys, *record) if name in record}


def _checked_head(document: object) -> Table:
    """Check that a record is a table with a known version and game, and return it."""
    if not isinstance(document, dict):
        raise Fault("bad-record", _("it must be a table of keys and values"))
    for name, type_ in (("lpn", INTEGER), ("game", STRING)):
        if name not in document:
            raise Fault("bad-record", _("{name} is missing; it must be {type}", name=name, type=_(type_.name)))
        if not type_.fits(document[name]):
            raise Fault("bad-record", _("{name} must be {type}", name=name, type=_(type_.name)))
        if name == "lpn" and document["lpn"] != VERSION:
            raise Fault(
                "unknown-version",
                _(
                    "lpn: version {version}; this program reads version {known}",
                    version=format_value(document["lpn"]),
                    known=VERSION,
                ),
            )
    try:
        catalogue.preset(document["game"])
    except LiarsPokerError as error:
        raise Fault(error.code, str(error)) from error
    return document


def _check_bounds(rounds: list[object], bounds: Bounds) -> None:
    """Check that a record is within its bounds.

    Raises:
        Fault: it isn't.
    """
    if len(rounds) > bounds.rounds:
        raise Fault(
            "bad-record",
            _(
                "it has {count} rounds; the limit here is {most}",
                count=number(f"{len(rounds):,}"),
                most=number(f"{bounds.rounds:,}"),
            ),
        )
    actions = [len(table["actions"]) for table in rounds if isinstance(table, dict) and LIST.fits(table.get("actions"))]
    if max(actions, default=0) > bounds.actions:
        most = number(f"{bounds.actions:,}")
        raise Fault("bad-record", _("a round has more than {most} actions", most=most))
    if sum(actions) > bounds.in_all:
        most = number(f"{bounds.in_all:,}")
        raise Fault("bad-record", _("it has more than {most} actions in total", most=most))


def _play_rounds(played: Replay) -> None:
    """Replay the rounds in order, adding each to the normalized document."""
    assert played.game is not None
    family = record_format(played.game)
    tables = played.document["rounds"]
    played.document["rounds"] = []
    keys = {**family.round_keys(played.game, played.document), "actions": Key(LIST, required=True)}
    for index, table in enumerate(tables):
        if not isinstance(table, dict):
            raise Fault("bad-record", _("it must be a table"), index)
        check(table, keys, round=index)
        plain = {name: table[name] for name in (*keys, *table) if name in table}
        plain["actions"] = []
        try:
            dealt = family.deal(played.session, played.document, table)
        except LiarsPokerError as error:
            raise Fault(error.code, str(error), index) from error
        played.document["rounds"].append(plain)
        played.rounds.append(dealt)
        _play_actions(played, family, index, table["actions"])


def _play_actions(played: Replay, family: RecordFormat[Any], index: int, actions: list[object]) -> None:
    """Replay the actions of the round just dealt."""
    for at, text in enumerate(actions):
        if not isinstance(text, str):
            raise Fault("bad-record", _("it must be a string"), index, at)
        if not played.rounds[-1].in_play:
            raise Fault("round-over", _("the round has already ended"), index, at)
        _play_action(played, family, text, index, at)
    try:
        played.rounds[-1].check_end()
    except LiarsPokerError as error:
        raise _bad_round(played, error, index) from error


def _play_action(played: Replay, family: RecordFormat[Any], text: str, index: int, at: int) -> None:
    session = played.rounds[-1]
    try:
        action = family.read(session, text)
        played.rounds[-1] = session.apply(action)
    except IllegalAction as error:
        raise Fault(error.code, family.explain(session, text, error), index, at) from error
    except LiarsPokerError as error:
        raise _bad_round(played, error, index) from error
    played.document["rounds"][-1]["actions"].append(session.write(action))


def _bad_round(played: Replay, error: LiarsPokerError, index: int) -> Fault:
    """Remove a round that turns out to be invalid as a whole from the replay, and return its fault."""
    played.rounds.pop()
    played.document["rounds"].pop()
    return Fault(error.code, str(error), index)


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8-sig") if isinstance(text, bytes) else text


def _first_line(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return _("it is nested too deeply")
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__

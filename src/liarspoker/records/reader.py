"""Reading a record: its outer form, then round after round through the rules, to the first fault."""

from __future__ import annotations

import codecs
import re
import tomllib
from dataclasses import dataclass, field
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.errors import IllegalAction, LiarsPokerError, told
from liarspoker.core.session import Game, Session
from liarspoker.records import strict_json
from liarspoker.records.family import RecordFormat, Table, record_format
from liarspoker.records.shapes import LIST, TABLE, TEXT, TEXTS, WHOLE, Fault, Key, check

VERSION = 1

_MOST_DOTS = 1_000
"""No line of TOML has more of them, beside remarks: the parser takes the square of the time for a long dotted key."""

_MOST_BRANCHES = 20_000
"""No bounded record of TOML has more dots, nor more lines that may begin a table; each can take some thousand bytes."""

_LONGEST_DIGITS = 5_000
"""Digits in a row in a bounded record of TOML, at most; the parser takes a hundred bytes for each."""

_DIGITS = re.compile(r"[0-9_]+")
_BRACKET = re.compile(r"^[ \t]*\[", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a record from a stranger may be; time and memory grow with the square of its rounds, and of a round.

    Attributes:
        rounds: in the record, at most.
        actions: in one round, at most.
        in_all: actions in all rounds together, at most.
    """

    rounds: int
    actions: int
    in_all: int


@dataclass(slots=True)
class Replay:
    """A record played through.

    Attributes:
        document: the record in its plain form: keys in order, actions in the notation; read as far as it is sound.
        named: what the record gives as its game, a text, whether there is such a game or not.
        game: the game, once it is known.
        players: the names, seat by seat.
        start: the session before the first round; `None` if the record could not begin.
        rounds: the session at the end of each round, or as far as the last one goes.
        fault: the first fault, if there is one. If an action is at fault, the last of `rounds` is the round before it.
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
        """The session as it stands at the end, or before the fault; `None` if the record could not begin."""
        return self.rounds[-1] if self.rounds else self.start


def read_json(text: str | bytes, bounds: Bounds | None = None) -> Replay:
    """Play a JSON record through; what is wrong with it is the replay's `fault`."""
    try:
        document = strict_json.load(text)
    except strict_json.NotJson as error:
        return Replay(fault=Fault("not-json", f"this is not JSON: {error}"))
    except strict_json.KeyTwice as error:
        return Replay(fault=Fault("bad-record", f"record: {error}"))
    return replay(document, bounds)


def read_toml(text: str | bytes, bounds: Bounds | None = None) -> Replay:
    """Play a TOML record through; what is wrong with it is the replay's `fault`."""
    try:
        plain = _decoded(text)
        dotted = _dotted_line(plain)
        if dotted is not None:
            return Replay(fault=Fault("bad-record", f"record: line {dotted} has more than {_MOST_DOTS} dots"))
        if bounds is not None and _is_branching(plain):
            return Replay(fault=Fault("bad-record", "record: too many tables or dotted keys, or too long a number"))
        document = tomllib.loads(plain)
    except UnicodeDecodeError as error:
        place = _place(error.object[: error.start].decode(errors="replace"))
        return Replay(fault=Fault("not-json", f"this is not TOML: it isn't UTF-8 (at {place})"))
    except (ValueError, RecursionError) as error:
        reason = _first_line(error).replace("at end of document", f"at {_place(plain)}, the end")
        return Replay(fault=Fault("not-json", f"this is not TOML: {reason}"))
    return replay(document, bounds)


def _place(before: str) -> str:
    """The line and the column, from 1, of what follows a text."""
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


def _dotted_line(text: str) -> int | None:
    """The first line, from 1, with too many dots; `None` for none. No key of TOML goes on in another line."""
    lines = enumerate(text.split("\n"), 1)
    return next((at for at, line in lines if line.count(".") > _MOST_DOTS and line.lstrip()[:1] != "#"), None)


def _is_branching(text: str) -> bool:
    """Whether a text of TOML may have far more tables and dotted keys, or longer numbers, than a record needs."""
    if text.count(".") > _MOST_BRANCHES or any(len(found[0]) > _LONGEST_DIGITS for found in _DIGITS.finditer(text)):
        return True
    return sum(1 for _ in _BRACKET.finditer(text)) > _MOST_BRANCHES


def read_record(text: bytes, name: str, bounds: Bounds | None = None) -> Replay:
    """Play a file's record through: JSON if it looks so and is not named as TOML, else TOML."""
    looks = text.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"[")
    return read_json(text, bounds) if looks and not name.endswith(".toml") else read_toml(text, bounds)


def replay(document: object, bounds: Bounds | None = None) -> Replay:
    """Play a record through that has been parsed already.

    Args:
        document: the record, as `json` or `tomllib` gives it; it is not changed.
        bounds: how long it may be; of a longer one nothing is played.

    Returns:
        The replay; it never raises for a bad record, but says so in `fault`.
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
    """Check all that stands above the rounds, and set up the session."""
    if isinstance(document, dict) and isinstance(document.get("game"), str):
        played.named = document["game"]
    record = _checked_head(document)
    game = played.game = catalogue.load(record["game"])
    family = record_format(game)
    own_keys = family.record_keys(game)
    keys = {
        "lpn": Key(WHOLE, required=True),
        "game": Key(TEXT, required=True),
        "players": Key(TEXTS, required=True),
        **own_keys,
        "options": Key(TABLE),
        "rounds": Key(LIST, required=True),
    }
    check(record, keys, "record")
    fewest, most = game.row.seats
    if not fewest <= len(record["players"]) <= most:
        raise Fault("bad-record", f"players: {len(record['players'])}; {game.row.id} seats {fewest} to {most}")
    played.players = tuple(record["players"])
    options = {name: value for name, value in record.get("options", {}).items() if not name.startswith("x-")}
    try:
        played.start = family.begin(game, record, game.options(options))
    except LiarsPokerError as error:
        raise Fault(error.code, str(error)) from error
    played.document = {name: record[name] for name in (*keys, *record) if name in record}


def _checked_head(document: object) -> Table:
    """The record, once it is a table of a known version and of a known game."""
    if not isinstance(document, dict):
        raise Fault("bad-record", "record: it should be a table of keys and values")
    for name, shape in (("lpn", WHOLE), ("game", TEXT)):
        if name not in document:
            raise Fault("bad-record", f"record: {name} is missing; it should be {shape.name}")
        if not shape.fits(document[name]):
            raise Fault("bad-record", f"record: {name} should be {shape.name}")
        if name == "lpn" and document["lpn"] != VERSION:
            raise Fault(
                "unknown-version", f"lpn: version {told(document['lpn'])}; this program reads version {VERSION}"
            )
    try:
        catalogue.row(document["game"])
    except LiarsPokerError as error:
        raise Fault(error.code, str(error)) from error
    return document


def _check_bounds(rounds: list[object], bounds: Bounds) -> None:
    """Refuse a record that is longer than its bounds."""
    if len(rounds) > bounds.rounds:
        raise Fault("bad-record", f"record: it has {len(rounds):,} rounds; at most {bounds.rounds:,} are read here")
    actions = [len(table["actions"]) for table in rounds if isinstance(table, dict) and LIST.fits(table.get("actions"))]
    if max(actions, default=0) > bounds.actions:
        raise Fault("bad-record", f"record: a round has more than {bounds.actions:,} actions")
    if sum(actions) > bounds.in_all:
        raise Fault("bad-record", f"record: its rounds have more than {bounds.in_all:,} actions in all")


def _play_rounds(played: Replay) -> None:
    """Play the rounds one after the other; each that is sound joins the plain document."""
    assert played.game is not None
    family = record_format(played.game)
    tables = played.document["rounds"]
    played.document["rounds"] = []
    keys = {**family.round_keys(played.game, played.document), "actions": Key(LIST, required=True)}
    for index, table in enumerate(tables):
        if not isinstance(table, dict):
            raise Fault("bad-record", f"round {index + 1}: it should be a table", index)
        check(table, keys, f"round {index + 1}", index)
        plain = {name: table[name] for name in (*keys, *table) if name in table}
        plain["actions"] = []
        try:
            dealt = family.deal(played.session, played.document, table)
        except LiarsPokerError as error:
            raise Fault(error.code, f"round {index + 1}, {error}", index) from error
        played.document["rounds"].append(plain)
        played.rounds.append(dealt)
        _play_actions(played, family, index, table["actions"])


def _play_actions(played: Replay, family: RecordFormat[Any], index: int, actions: list[object]) -> None:
    """Play the actions of the round just dealt."""
    for number, text in enumerate(actions):
        if not isinstance(text, str):
            raise Fault("bad-record", f"round {index + 1}: an action should be a text", index, number)
        if not played.rounds[-1].in_play:
            raise Fault("round-over", "the round has ended before this action", index, number)
        _play_action(played, family, text, index, number)
    try:
        played.rounds[-1].check_end()
    except LiarsPokerError as error:
        raise _bad_round(played, error, index) from error


def _play_action(played: Replay, family: RecordFormat[Any], text: str, index: int, number: int) -> None:
    session = played.rounds[-1]
    try:
        action = family.read(session, text)
        played.rounds[-1] = session.apply(action)
    except IllegalAction as error:
        raise Fault(error.code, family.explain(session, text, error), index, number) from error
    except LiarsPokerError as error:
        raise _bad_round(played, error, index) from error
    played.document["rounds"][-1]["actions"].append(session.write(action))


def _bad_round(played: Replay, error: LiarsPokerError, index: int) -> Fault:
    """The fault of a round that turns out to be bad as a whole while it is played; it leaves the replay."""
    played.rounds.pop()
    played.document["rounds"].pop()
    return Fault(error.code, f"round {index + 1}, {error}", index)


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8-sig") if isinstance(text, bytes) else text


def _first_line(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__

"""Keeping a terminal game in a record, and going on with it another day."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.files import new_file
from liarspoker.records import Fault, Replay, document_of, read_record, to_json, to_toml
from liarspoker.records.family import Table
from liarspoker.records.shapes import is_private

PRIVATE_KEY = "x-play"


class CannotKeep(LiarsPokerError):
    """The file can't be read as a game, or the game can't be written."""

    code = "file"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game taken up again.

    Attributes:
        bots: the bots' catalogue names for the other seats, where the record tells them.
        document: the record as it was read; what others keep in it under keys of their own is kept on.
    """

    game: Game
    session: Session
    players: tuple[str, ...]
    seat: int
    bots: tuple[str, ...]
    document: Table


def path_of(name: str) -> Path:
    """The file that a person means; `~` is their home.

    Raises:
        CannotKeep: no file can have this name.
    """
    try:
        return Path(name).expanduser()
    except (RuntimeError, ValueError) as error:
        raise CannotKeep(f"{name[:200]}: {error}") from error


def is_there(path: Path) -> bool:
    """Whether there is such a file.

    Raises:
        CannotKeep: no file can have this name.
    """
    try:
        return path.exists()
    except (OSError, ValueError) as error:
        raise CannotKeep(f"{str(path)[:200]}: {getattr(error, 'strerror', None) or error}") from error


def load(path: Path) -> Kept:
    """The game kept in `path`, TOML or JSON.

    Raises:
        CannotKeep: no such file, or the record has a fault; the message says where.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise CannotKeep(f"{path}: {error.strerror}") from error
    replay = read_record(text, path.name)
    if replay.fault is not None:
        raise CannotKeep(f"{path}, {replay.fault.place()}: {replay.fault.message}")
    assert replay.game is not None
    assert replay.session is not None
    if not replay.session.all_known:
        raise CannotKeep(
            f"{path}: some of what was dealt was never shown; replay can tell it, but nobody can play it on"
        )
    seat, bots = _private(replay)
    return Kept(replay.game, replay.session, replay.players, seat, bots, replay.document)


def save(path: Path, kept: Kept, overwrite: bool) -> None:
    """Write the game to `path`, all at once: a reader finds the old record or the new one, never half of it.

    Raises:
        FileExists: there is such a file, and `overwrite` is false.
        CannotWrite: the file can't be written.
        CannotKeep: something that others keep in the record can't be written.
    """
    document = _document(kept)
    try:
        text = to_json(document, indent=2) + "\n" if path.suffix == ".json" else to_toml(document)
    except Fault as fault:
        raise CannotKeep(f"{path}: {fault.message}") from fault
    with new_file(path, overwrite) as file:
        file.write(text.encode())


def _document(kept: Kept) -> Table:
    """The record of the game, with the private keys that it had when it was read and with ours."""
    fresh = document_of(kept.game, kept.session, kept.players)
    rounds = fresh.pop("rounds")
    known = kept.document.get("rounds", [])
    for table, old in zip(rounds, known, strict=False):
        table.update({name: value for name, value in old.items() if is_private(name)})
    private = {name: value for name, value in kept.document.items() if is_private(name)}
    ours = {PRIVATE_KEY: {"seat": kept.seat, "bots": list(kept.bots)}}
    return {**fresh, **private, **ours, "rounds": rounds}


def _private(replay: Replay) -> tuple[int, tuple[str, ...]]:
    """The person's seat and the bots' names; seat 0 and none where the record does not tell."""
    private: Any = replay.document.get(PRIVATE_KEY)
    if not isinstance(private, dict):
        return 0, ()
    seat, bots = private.get("seat"), private.get("bots")
    if type(seat) is not int or not 0 <= seat < len(replay.players):
        seat = 0
    if not isinstance(bots, list) or len(bots) != len(replay.players) or not all(isinstance(bot, str) for bot in bots):
        bots = []
    return seat, tuple(bots)

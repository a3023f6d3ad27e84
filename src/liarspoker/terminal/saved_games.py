"""Games saved as records, to be continued later."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game, Session
from liarspoker.files import new_file
from liarspoker.language import _
from liarspoker.records import Fault, Replay, document_of, read_record, to_json, to_toml
from liarspoker.records.family import Table
from liarspoker.records.schema import is_private

PRIVATE_KEY = "x-play"


class BadSavedGame(LiarsPokerError):
    """The file can't be read as a game, or the game can't be written."""

    code = "file"


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A saved game.

    Attributes:
        bots: the bots' names, seat by seat, if the record has them; empty for the person's seat.
        document: the record as it was read; private keys of other programs in it are preserved.
    """

    game: Game
    session: Session
    players: tuple[str, ...]
    seat: int
    bots: tuple[str, ...]
    document: Table


def path_of(name: str) -> Path:
    """Return the file that a user means; `~` is their home folder.

    Raises:
        BadSavedGame: no file can have this name.
    """
    try:
        return Path(name).expanduser()
    except (RuntimeError, ValueError) as error:
        raise BadSavedGame(f"{name[:200]}: {error}") from error


def exists(path: Path) -> bool:
    """Return whether there is such a file.

    Raises:
        BadSavedGame: no file can have this name.
    """
    try:
        return path.exists()
    except (OSError, ValueError) as error:
        raise BadSavedGame(f"{str(path)[:200]}: {getattr(error, 'strerror', None) or error}") from error


def load(path: Path) -> SavedGame:
    """Return the game saved in `path`, TOML or JSON.

    Raises:
        BadSavedGame: the file doesn't exist, or the record is invalid; the message says where.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadSavedGame(f"{path}: {error.strerror}") from error
    replay = read_record(text, path.name)
    if replay.fault is not None:
        raise BadSavedGame(f"{path}, {replay.fault.place()}: {replay.fault.message}")
    assert replay.game is not None
    assert replay.session is not None
    if not replay.session.all_known:
        raise BadSavedGame(
            _(
                "{path}: some hidden cards or numbers are unknown; replay can show this game, but play "
                "can't continue it",
                path=path,
            )
        )
    seat, bots = _private(replay)
    return SavedGame(replay.game, replay.session, replay.players, seat, bots, replay.document)


def save(path: Path, saved: SavedGame, overwrite: bool) -> None:
    """Write the game to `path` atomically: a reader finds the old record or the new one.

    Raises:
        FileExists: there is such a file, and `overwrite` is false.
        CannotWrite: the file can't be written.
        BadSavedGame: a private key of another program in the record can't be written.
    """
    document = _document(saved)
    try:
        text = to_json(document, indent=2) + "\n" if path.suffix == ".json" else to_toml(document)
    except Fault as fault:
        raise BadSavedGame(f"{path}: {fault.message}") from fault
    with new_file(path, overwrite) as file:
        file.write(text.encode())


def _document(saved: SavedGame) -> Table:
    """Return the record of the game, with the private keys that it had when it was read and with ours."""
    fresh = document_of(saved.game, saved.session, saved.players)
    rounds = fresh.pop("rounds")
    known = saved.document.get("rounds", [])
    for table, old in zip(rounds, known, strict=False):
        table.update({name: value for name, value in old.items() if is_private(name)})
    private = {name: value for name, value in saved.document.items() if is_private(name)}
    ours = {PRIVATE_KEY: {"seat": saved.seat, "bots": list(saved.bots)}}
    return {**fresh, **private, **ours, "rounds": rounds}


def _private(replay: Replay) -> tuple[int, tuple[str, ...]]:
    """Return the person's seat and the bots' names; seat 0 and no names if the record doesn't have them."""
    private: Any = replay.document.get(PRIVATE_KEY)
    if not isinstance(private, dict):
        return 0, ()
    seat, bots = private.get("seat"), private.get("bots")
    if type(seat) is not int or not 0 <= seat < len(replay.players):
        seat = 0
    if not isinstance(bots, list) or len(bots) != len(replay.players) or not all(isinstance(bot, str) for bot in bots):
        bots = []
    return seat, tuple(bots)

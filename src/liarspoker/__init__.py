"""Liar's Poker: bluffing games, with their rules, records, odds, bots and solvers.

Everything that a program needs is imported from here. Importing the package loads none of it: each name is loaded when
it is first used. The fast engine and the solver need the extra `engine`.

>>> import random
>>> import liarspoker
>>> session = liarspoker.load("dollar-bill").session(seats=2)
>>> session = session.deal(session.chance_spec().draw(random.Random(1).randrange))
>>> for text in ("2x8", "4x8", "challenge"):
...     session = session.apply(session.read(text))
>>> session.score
(1, -1)
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it as true; to import it from `typing` would take 8 ms

__version__ = "0.1.0"

if TYPE_CHECKING:
    from liarspoker import bots, engine, odds, records, solve
    from liarspoker.bots.catalogue import load as load_bot
    from liarspoker.bots.contest import Contest, play_chunk, summed
    from liarspoker.bots.protocol import Bot
    from liarspoker.core.catalogue import GameRow, games, load, rules_page
    from liarspoker.core.errors import IllegalAction, LiarsPokerError
    from liarspoker.core.session import Deal, Game, Legal, PlayerView, RoundSetup, Session
    from liarspoker.engine.batch import Batch
    from liarspoker.engine.rollout import play
    from liarspoker.engine.table import Table
    from liarspoker.records.reader import Replay, read_json, read_record, read_toml, replay
    from liarspoker.records.writer import document_of, report, to_json, to_toml
    from liarspoker.solve.beliefs.local_response import local_best_response
    from liarspoker.solve.best_response import certify
    from liarspoker.solve.runner import solver_for
    from liarspoker.solve.strategy import Strategy

_PLACES = {
    "bots.catalogue": ("load_bot",),
    "bots.contest": ("Contest", "play_chunk", "summed"),
    "bots.protocol": ("Bot",),
    "core.catalogue": ("GameRow", "games", "load", "rules_page"),
    "core.errors": ("IllegalAction", "LiarsPokerError"),
    "core.session": ("Deal", "Game", "Legal", "PlayerView", "RoundSetup", "Session"),
    "engine.batch": ("Batch",),
    "engine.rollout": ("play",),
    "engine.table": ("Table",),
    "records.reader": ("Replay", "read_json", "read_record", "read_toml", "replay"),
    "records.writer": ("document_of", "report", "to_json", "to_toml"),
    "solve.beliefs.local_response": ("local_best_response",),
    "solve.best_response": ("certify",),
    "solve.runner": ("solver_for",),
    "solve.strategy": ("Strategy",),
}
_PACKAGES = ("bots", "engine", "odds", "records", "solve")

__all__ = [
    "Batch",
    "Bot",
    "Contest",
    "Deal",
    "Game",
    "GameRow",
    "IllegalAction",
    "Legal",
    "LiarsPokerError",
    "PlayerView",
    "Replay",
    "RoundSetup",
    "Session",
    "Strategy",
    "Table",
    "bots",
    "certify",
    "document_of",
    "engine",
    "games",
    "load",
    "load_bot",
    "local_best_response",
    "odds",
    "play",
    "play_chunk",
    "read_json",
    "read_record",
    "read_toml",
    "records",
    "replay",
    "report",
    "rules_page",
    "solve",
    "solver_for",
    "summed",
    "to_json",
    "to_toml",
]


def __getattr__(name: str) -> object:
    """Load a name of the public API when it is first used."""
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"liarspoker.{name}")
    for module, names in _PLACES.items():
        if name in names:
            found: object = getattr(import_module(f"liarspoker.{module}"), name.removesuffix("_bot"))
            globals()[name] = found
            return found
    raise AttributeError(f"module 'liarspoker' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

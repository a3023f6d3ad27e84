"""Liar's Poker: the rules of several bluffing games, with records, odds, bots, a fast engine and solvers.

Everything that a program usually needs can be imported from here. `import liarspoker` itself is fast: each name is
loaded when it is first used. The engine, the solver and the coach, such as :func:`~liarspoker.engine.rollout.play`,
:func:`~liarspoker.solve.runner.solve_game` and :func:`~liarspoker.coach.review.review`, need the extra `engine`. The
PettingZoo environments, such as :func:`~liarspoker.research.pettingzoo.parallel.env`, need `research`, and OpenSpiel
games need `openspiel`.

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

TYPE_CHECKING = False  # type checkers take it as true; importing it from `typing` would take 8 ms

__version__ = "0.2.0"

if TYPE_CHECKING:
    from liarspoker import bots, engine, odds, records, research, solve
    from liarspoker.bots.catalogue import load as load_bot
    from liarspoker.bots.contest import Contest, play_chunk, play_contest, summed
    from liarspoker.bots.protocol import Bot, DeterministicBot
    from liarspoker.bots.rating import Rating, rate_bot
    from liarspoker.bots.tally import Tally, WinTally
    from liarspoker.coach.review import Review, review
    from liarspoker.coach.statistics import Statistics, hand_statistics, record_statistics
    from liarspoker.core.catalogue import GamePreset, games, load, rules_page
    from liarspoker.core.errors import IllegalAction, LiarsPokerError
    from liarspoker.core.session import Deal, Game, Legal, PlayerView, RoundSetup, Session
    from liarspoker.engine.batch import Batch
    from liarspoker.engine.lineup import Policy
    from liarspoker.engine.rollout import Rollout, play
    from liarspoker.engine.table import Table
    from liarspoker.games.digits.ladder import claim_of, digit_of, level_of
    from liarspoker.records.reader import Replay, read_json, read_record, read_toml, replay
    from liarspoker.records.writer import document_of, report, to_json, to_toml
    from liarspoker.research.blocks import named_parts
    from liarspoker.research.evaluation import HeadToHead, head_to_head
    from liarspoker.research.openspiel import load as load_openspiel
    from liarspoker.research.pettingzoo import env, parallel_env, raw_env
    from liarspoker.solve.beliefs.bot_policy import BotPolicy, bot_policy
    from liarspoker.solve.beliefs.function_policy import FunctionPolicy
    from liarspoker.solve.beliefs.local_response import local_best_response
    from liarspoker.solve.beliefs.policies import BlendPolicy, MixedPolicy, TablePolicy, UniformPolicy
    from liarspoker.solve.beliefs.posterior import Beliefs
    from liarspoker.solve.best_response import Certificate, certify, choices_after
    from liarspoker.solve.runner import solve_game, solver_for
    from liarspoker.solve.strategy import Strategy

_MODULES = {
    "bots.contest": ("Contest", "play_chunk", "play_contest", "summed"),
    "bots.protocol": ("Bot", "DeterministicBot"),
    "bots.rating": ("Rating", "rate_bot"),
    "bots.tally": ("Tally", "WinTally"),
    "coach.review": ("Review", "review"),
    "coach.statistics": ("Statistics", "hand_statistics", "record_statistics"),
    "core.catalogue": ("GamePreset", "games", "load", "rules_page"),
    "core.errors": ("IllegalAction", "LiarsPokerError"),
    "core.session": ("Deal", "Game", "Legal", "PlayerView", "RoundSetup", "Session"),
    "engine.batch": ("Batch",),
    "engine.lineup": ("Policy",),
    "engine.rollout": ("Rollout", "play"),
    "engine.table": ("Table",),
    "games.digits.ladder": ("claim_of", "digit_of", "level_of"),
    "records.reader": ("Replay", "read_json", "read_record", "read_toml", "replay"),
    "records.writer": ("document_of", "report", "to_json", "to_toml"),
    "research.blocks": ("named_parts",),
    "research.evaluation": ("HeadToHead", "head_to_head"),
    "research.pettingzoo": ("env", "parallel_env", "raw_env"),
    "solve.beliefs.bot_policy": ("BotPolicy", "bot_policy"),
    "solve.beliefs.function_policy": ("FunctionPolicy",),
    "solve.beliefs.local_response": ("local_best_response",),
    "solve.beliefs.policies": ("BlendPolicy", "MixedPolicy", "TablePolicy", "UniformPolicy"),
    "solve.beliefs.posterior": ("Beliefs",),
    "solve.best_response": ("Certificate", "certify", "choices_after"),
    "solve.runner": ("solve_game", "solver_for"),
    "solve.strategy": ("Strategy",),
}
_RENAMED = {
    "load_bot": ("bots.catalogue", "load"),
    "load_openspiel": ("research.openspiel", "load"),
}
_PACKAGES = ("bots", "engine", "odds", "records", "research", "solve")

__all__ = [
    "Batch",
    "Beliefs",
    "BlendPolicy",
    "Bot",
    "BotPolicy",
    "Certificate",
    "Contest",
    "Deal",
    "DeterministicBot",
    "FunctionPolicy",
    "Game",
    "GamePreset",
    "HeadToHead",
    "IllegalAction",
    "Legal",
    "LiarsPokerError",
    "MixedPolicy",
    "PlayerView",
    "Policy",
    "Rating",
    "Replay",
    "Review",
    "Rollout",
    "RoundSetup",
    "Session",
    "Statistics",
    "Strategy",
    "Table",
    "TablePolicy",
    "Tally",
    "UniformPolicy",
    "WinTally",
    "bot_policy",
    "bots",
    "certify",
    "choices_after",
    "claim_of",
    "digit_of",
    "document_of",
    "engine",
    "env",
    "games",
    "hand_statistics",
    "head_to_head",
    "level_of",
    "load",
    "load_bot",
    "load_openspiel",
    "local_best_response",
    "named_parts",
    "odds",
    "parallel_env",
    "play",
    "play_chunk",
    "play_contest",
    "rate_bot",
    "raw_env",
    "read_json",
    "read_record",
    "read_toml",
    "record_statistics",
    "records",
    "replay",
    "report",
    "research",
    "review",
    "rules_page",
    "solve",
    "solve_game",
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
    for module, names in _MODULES.items():
        if name in names:
            found: object = getattr(import_module(f"liarspoker.{module}"), name)
            break
    else:
        if name not in _RENAMED:
            raise AttributeError(f"module 'liarspoker' has no attribute {name!r}")
        module, original = _RENAMED[name]
        found = getattr(import_module(f"liarspoker.{module}"), original)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

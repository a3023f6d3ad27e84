"""A contest played by the engine instead of the Python rules, where the engine knows the game and all the bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liarspoker.bots.contest import AnyTally, Contest
    from liarspoker.engine.digits.policies import Policy
    from liarspoker.engine.digits.table import Table

KNOWN = {
    "digits": ("uniform", "beginner", "binomial", "bluffer"),
    "queen_annes": ("uniform",),
    "thorin": ("uniform",),
}
"""The bots that the engine plays as well, by the family of the game."""

QUICK = {"uniform", "binomial"}
"""The bots that are compiled quickly."""

SHORT = 20_000
"""Seats times hands of a contest that takes the Python rules a few seconds."""


def why_not(contest: Contest) -> str | None:
    """Why the engine cannot play this contest, in words; `None` if it can."""
    from liarspoker import engine
    from liarspoker.core import catalogue as games

    if not engine.available():
        return "the extra engine is not installed (pip install 'liarspoker[engine]')"
    family = games.row(contest.game).family
    if family not in KNOWN:
        return f"it does not play {contest.game}"
    for name in contest.lineup:
        if name not in KNOWN[family]:
            return f"at {contest.game} it does not play as {name}; it knows {' and '.join(KNOWN[family])}"
    return _why_not_counted(contest) if family == "digits" else None


def _why_not_counted(contest: Contest) -> str | None:
    """Why the engine cannot play a contest of a digit game, if its ladder or its stakes have no end."""
    from liarspoker.bots.contest import table

    rules = table(contest).setup.rules
    if not rules.capped:
        return "the ladder has no top (cap_level = false)"
    if contest.sessions and rules.compound:
        return "stakes compound (compound_carry = true)"
    return None


def is_too_short(contest: Contest) -> bool:
    """Whether the Python rules have played a contest before the engine has compiled its bots, which takes 5 to 9 s.

    >>> from liarspoker.bots.contest import Contest
    >>> [is_too_short(Contest("slips", ("bluffer", "binomial"), hands, seed=1)) for hands in (10_000, 10_001)]
    [True, False]
    """
    return not set(contest.lineup) <= QUICK and contest.hands * len(contest.lineup) <= SHORT


def prepare(contest: Contest) -> None:
    """Load the engine, and compile what this contest needs if it has not been compiled before: one is played."""
    deque(totals(replace(contest, hands=1), jobs=1))


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest that the engine can play; chunk after chunk, the totals so far.

    The same seed gives the same totals with any number of jobs, which are threads here. Its chance is another than that
    of the Python rules, so the two agree as two seeds do.
    """
    from liarspoker.bots.contest import summed

    yield from summed(contest, (play_part(contest, number, jobs) for number in range(parts_of(contest))))


def parts_of(contest: Contest) -> int:
    """Into how many parts the engine cuts a contest."""
    if contest.to_the_end:
        from liarspoker.engine import wins

        return wins.parts_in(contest.hands)
    from liarspoker.engine.digits.totals import parts_in

    return parts_in(contest.hands, _session(contest))


def play_part(contest: Contest, number: int, threads: int = 1) -> AnyTally:
    """Play one part of a contest that the engine can play, numbered from 0, in this process."""
    return (_matches if contest.to_the_end else _hands)(contest, number, threads)


def _matches(contest: Contest, number: int, threads: int) -> AnyTally:
    """One part of whole card games."""
    from importlib import import_module

    from liarspoker.bots.tally import WinTally
    from liarspoker.core import catalogue as games
    from liarspoker.engine.wins import part_of, played

    family = {"queen_annes": "pooled", "thorin": "passed"}[games.row(contest.game).family]
    table_of = import_module(f"liarspoker.engine.{family}.table").Table.of
    play = import_module(f"liarspoker.engine.{family}.play").play
    table = table_of(contest.game, len(contest.lineup), dict(contest.changes))
    part = played(play, table, part_of(contest.hands, number), contest.seed, contest.lineup, threads=threads)
    return WinTally(part.matches, part.rounds, part.decisions, part.wins)


def _hands(contest: Contest, number: int, threads: int) -> AnyTally:
    """One part of the hands, or of the sessions, of a digit game."""
    from liarspoker.bots.tally import Tally
    from liarspoker.engine.digits.totals import part_of, played

    table, lineup = _lineup(contest)
    part = played(table, part_of(contest.hands, _session(contest), number), contest.seed, lineup, threads=threads)
    return Tally(
        hands=part.sessions * part.hands,
        decisions=part.decisions,
        samples=part.sessions,
        lengths=part.sessions * part.hands**2,
        won=part.won,
        squares=part.squares,
        products=tuple(units * part.hands for units in part.won),
        outcomes=part.outcomes,
    )


def _session(contest: Contest) -> int:
    """Hands in a session of the contest."""
    from liarspoker.games.digits.slips import HANDS_PER_SLIP

    return HANDS_PER_SLIP if contest.sessions else 1


@lru_cache(maxsize=4)
def _lineup(contest: Contest) -> tuple[Table, list[Policy]]:
    """The table of a contest, and the policies that play at it; made once for all parts."""
    from liarspoker.engine.digits.bots import bot_policy
    from liarspoker.engine.digits.table import Table

    from_slips = contest.from_slips if contest.sessions else bool(contest.from_slips)
    players = len(contest.lineup)
    table = Table.of(contest.game, players, dict(contest.changes), from_slips, letters=contest.sessions)
    policies = {name: bot_policy(name, table.rules) for name in set(contest.lineup)}
    return table, [policies[name] for name in contest.lineup]
